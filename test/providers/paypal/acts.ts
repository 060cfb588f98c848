import type { DashboardAct, DisputeAct } from '../kit/simulator.ts'
import { tellAuthorization, tellCapture, tellDispute, tellRefund } from './notifications.ts'
import { addCapture, addRefund, declineCapture, markRefunded, voidAuthorization } from './payments.ts'
import {
  type Authorization,
  type Capture,
  capturedFrom,
  type Dispute,
  isComplained,
  newId,
  type Order,
  refundedFrom,
  type World,
} from './world.ts'

/** Things that happen at PayPal without a request of the merchant. */

const SETTLES_MS = 3_600_000

const isOpen = ({ status }: Authorization): boolean => status === 'CREATED' || status === 'PARTIALLY_CAPTURED'

/** False if the order is in no state for it. */
export function act(world: World, order: Order, wanted: DashboardAct): boolean {
  const authorization = order.authorizations.findLast(isOpen)
  const capture = order.captures.findLast((one) => refundedFrom(one) < one.amount.minor)
  switch (wanted.kind) {
    case 'refund':
      return capture !== undefined && refund(world, capture, wanted.amountMinor)
    case 'capture':
      return authorization !== undefined && captureBy(world, authorization, wanted.amountMinor)
    case 'void':
    case 'expire-authorisation':
      if (authorization && wanted.kind !== 'void') authorization.expiresAt = world.now()
      if (authorization) voidAuthorization(world, authorization)
      return authorization !== undefined
    case 'dispute':
      return order.captures[0] !== undefined && dispute(world, order.captures[0], wanted)
    case 'fail-refund':
      return failRefund(world, order)
    case 'hold':
      return hold(world, order)
    case 'release':
    case 'settle':
      settle(world, order)
      return true
    case 'deny-capture':
      return deny(world, order)
    case 'return-debit':
    case 'fail-capture':
    case 'recapture':
    case 'repeat-refund':
      return false
  }
}

function refund(world: World, capture: Capture, minor: bigint | undefined): boolean {
  const amount = { ...capture.amount, minor: minor ?? capture.amount.minor - refundedFrom(capture) }
  addRefund(world, capture, amount, { body: {}, isPending: false })
  return true
}

function captureBy(world: World, authorization: Authorization, minor: bigint | undefined): boolean {
  const { order, amount } = authorization
  const left = amount.minor - capturedFrom(authorization)
  const wanted = { ...amount, minor: minor ?? left }
  const isFinal = wanted.minor === left
  addCapture(world, { order, authorization, amount: wanted, isFinal, key: undefined, isPending: false })
  return true
}

/** While PayPal decides about a claim, the capture is pending. An inquiry leaves it alone. */
function dispute(world: World, capture: Capture, wanted: DisputeAct): boolean {
  const now = world.now()
  const all = [...world.disputes.values()].filter((one) => one.capture === capture)
  const known = all[(wanted.which ?? 1) - 1]
  const one: Dispute = known ?? {
    ...{ id: `PP-D-${newId()}`, capture, createdAt: now, updatedAt: now, outcome: undefined },
    amount: { ...capture.amount, minor: wanted.amountMinor ?? capture.amount.minor },
    ...{ stage: 'INQUIRY', status: 'OPEN', returned: undefined, evidences: [] },
  }
  world.disputes.set(one.id, one)
  one.updatedAt = now
  if (wanted.state === 'open') {
    const isInquiry = wanted.isInquiry === true
    Object.assign(one, { stage: isInquiry ? 'INQUIRY' : 'CHARGEBACK', outcome: undefined })
    one.status = isInquiry ? 'OPEN' : 'WAITING_FOR_SELLER_RESPONSE'
    if (!isInquiry) Object.assign(capture, { status: 'PENDING', reason: 'BUYER_COMPLAINT' })
    tellDispute(world, one, known ? 'UPDATED' : 'CREATED')
    return true
  }
  if (!known) tellDispute(world, one, 'CREATED')
  resolveDispute(world, one, wanted.state)
  return true
}

/** A refund during the inquiry is what the payer gets. */
export function resolveDispute(world: World, one: Dispute, state: 'won' | 'lost'): void {
  const { capture } = one
  one.status = 'RESOLVED'
  one.outcome = state === 'won' ? 'RESOLVED_SELLER_FAVOUR' : 'RESOLVED_BUYER_FAVOUR'
  one.returned = state === 'lost' ? one.amount : undefined
  capture.reason = undefined
  markRefunded(capture)
  const lost = [...world.disputes.values()]
    .filter((other) => other.capture === capture && other.returned !== undefined)
    .reduce((sum, { amount }) => sum + amount.minor, 0n)
  if (lost > 0n) capture.status = lost >= capture.amount.minor ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
  if (state === 'lost') tellCapture(world, capture, 'REVERSED')
  tellDispute(world, one, 'RESOLVED')
}

/** A capture that was pending is refused. */
function deny(world: World, order: Order): boolean {
  const pending = order.captures.findLast((one) => one.status === 'PENDING' && !isComplained(one))
  if (!pending) return false
  declineCapture(pending)
  pending.updatedAt = world.now()
  tellCapture(world, pending, 'DENIED')
  return true
}

function failRefund(world: World, order: Order): boolean {
  const last = order.refunds.findLast(({ status }) => status === 'COMPLETED' || status === 'PENDING')
  if (!last) return false
  last.status = 'FAILED'
  last.entry.state = 'failed'
  last.updatedAt = world.now()
  markRefunded(last.capture)
  tellRefund(world, last)
  return true
}

/** PayPal reviews what was done: it is pending again until it is released. */
function hold(world: World, order: Order): boolean {
  const capture = order.captures.findLast(({ status }) => status === 'COMPLETED')
  const authorization = order.authorizations.findLast(({ status }) => status === 'CREATED')
  if (capture) {
    Object.assign(capture, { status: 'PENDING', reason: 'PENDING_REVIEW', updatedAt: world.now() })
    capture.entry.state = 'pending'
    tellCapture(world, capture, 'PENDING')
    return true
  }
  if (authorization) Object.assign(authorization, { status: 'PENDING', updatedAt: world.now() })
  return authorization !== undefined
}

/** Pending movements of an order end well. */
function settle(world: World, order: Order): void {
  for (const one of order.authorizations.filter(({ status }) => status === 'PENDING')) {
    one.status = 'CREATED'
    one.updatedAt = world.now()
    if (one.entry) one.entry.state = 'done'
    tellAuthorization(world, one, 'CREATED')
  }
  for (const one of order.captures.filter(
    (capture) => capture.status === 'PENDING' && !isComplained(capture),
  )) {
    Object.assign(one, { status: 'COMPLETED', reason: undefined, updatedAt: world.now() })
    one.entry.state = 'done'
    tellCapture(world, one, 'COMPLETED')
  }
  for (const one of order.refunds.filter(({ status }) => status === 'PENDING')) {
    one.status = 'COMPLETED'
    one.updatedAt = world.now()
    one.entry.state = 'done'
    tellRefund(world, one)
  }
}

/** What time alone brings about: authorisations end, pending movements settle. */
export function passTime(world: World): void {
  for (const order of world.orders.values()) {
    const movements = [...order.authorizations, ...order.captures, ...order.refunds]
    const isDue = movements.some(
      ({ status, updatedAt }) => status === 'PENDING' && updatedAt + SETTLES_MS <= world.now(),
    )
    if (isDue) settle(world, order)
    for (const one of order.authorizations)
      if (isOpen(one) && one.expiresAt <= world.now()) voidAuthorization(world, one)
  }
}
