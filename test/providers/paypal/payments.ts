import { tellAuthorization, tellCapture, tellRefund } from './notifications.ts'
import type { CaptureRequest, ReauthorizeRequest, RefundRequest } from './schemas.ts'
import { authorizationView, captureView, DAY, notFound, refundView, unprocessable } from './views.ts'
import {
  type Amount,
  type Authorization,
  amountOf,
  type Call,
  type Capture,
  capturedFrom,
  enter,
  findAuthorization,
  findCapture,
  findRefund,
  type MoneyWire,
  newId,
  type Order,
  type Refund,
  type Reply,
  refundedFrom,
  type World,
  withKey,
} from './world.ts'

const AUTHORISED_MS = 29 * DAY
const HONOURED_MS = 3 * DAY

/** Payments v2: authorisations, captures and refunds. */

export interface NewCapture {
  readonly order: Order
  readonly authorization?: Authorization
  readonly amount: Amount
  readonly isFinal: boolean
  readonly invoiceId?: string | undefined
  readonly key: string | undefined
  readonly isPending: boolean
}

export function addAuthorization(
  world: World,
  order: Order,
  by: { key?: string; isPending: boolean },
): Authorization {
  const now = world.now()
  const entry = enter(world, order, {
    kind: 'authorise',
    amountMinor: order.amount.minor,
    state: by.isPending ? 'pending' : 'done',
    ...withKey(by.key),
  })
  const made: Authorization = {
    kind: 'authorization',
    id: newId(),
    order,
    amount: order.amount,
    createdAt: now,
    updatedAt: now,
    expiresAt: now + AUTHORISED_MS,
    status: by.isPending ? 'PENDING' : 'CREATED',
    entry,
  }
  order.authorizations.push(made)
  if (!by.isPending) tellAuthorization(world, made, 'CREATED')
  return made
}

export function addCapture(world: World, wanted: NewCapture): Capture {
  const { order, authorization, amount, isPending } = wanted
  const now = world.now()
  const entry = enter(world, order, {
    kind: authorization ? 'capture' : 'sale',
    amountMinor: amount.minor,
    state: isPending ? 'pending' : 'done',
    ...withKey(wanted.key),
  })
  const made: Capture = {
    kind: 'capture',
    id: newId(),
    order,
    authorization,
    amount,
    createdAt: now,
    updatedAt: now,
    isFinal: wanted.isFinal,
    invoiceId: wanted.invoiceId,
    status: isPending ? 'PENDING' : 'COMPLETED',
    reason: isPending ? 'PENDING_REVIEW' : undefined,
    entry,
  }
  order.captures.push(made)
  if (authorization) {
    const isAll = made.isFinal || capturedFrom(authorization) >= authorization.amount.minor
    authorization.status = isAll ? 'CAPTURED' : 'PARTIALLY_CAPTURED'
    authorization.updatedAt = now
  }
  tellCapture(world, made, isPending ? 'PENDING' : 'COMPLETED')
  return made
}

export function addRefund(
  world: World,
  capture: Capture,
  amount: Amount,
  by: { key?: string | undefined; body: RefundRequest; isPending: boolean },
): Refund {
  const now = world.now()
  const entry = enter(world, capture.order, {
    kind: 'refund',
    amountMinor: amount.minor,
    state: by.isPending ? 'pending' : 'done',
    ...withKey(by.key),
  })
  const made: Refund = {
    kind: 'refund',
    id: newId(),
    capture,
    amount,
    createdAt: now,
    updatedAt: now,
    customId: by.body.custom_id,
    invoiceId: by.body.invoice_id,
    note: by.body.note_to_payer,
    status: by.isPending ? 'PENDING' : 'COMPLETED',
    entry,
  }
  capture.order.refunds.push(made)
  markRefunded(capture)
  tellRefund(world, made)
  return made
}

export function markRefunded(capture: Capture): void {
  const refunded = refundedFrom(capture)
  if (refunded === 0n) capture.status = 'COMPLETED'
  else capture.status = refunded >= capture.amount.minor ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
}

export function voidAuthorization(world: World, one: Authorization, key?: string): void {
  one.status = 'VOIDED'
  one.updatedAt = world.now()
  const amountMinor = one.amount.minor - capturedFrom(one)
  enter(world, one.order, { kind: 'void', amountMinor, state: 'done', ...withKey(key) })
  tellAuthorization(world, one, 'VOIDED')
}

/** The amount asked for, or a refusal. Without an amount it is all that is left. */
function asked(wire: MoneyWire | undefined, left: Amount, mismatch: string): Amount | Reply {
  if (wire === undefined) return left
  if (wire.currency_code !== left.currency) return unprocessable(mismatch, '/amount/currency_code')
  const amount = amountOf(wire)
  if (amount === undefined) return unprocessable('DECIMAL_PRECISION', '/amount/value')
  return amount.minor > 0n ? amount : unprocessable('CANNOT_BE_ZERO_OR_NEGATIVE', '/amount/value')
}

const isReply = (value: object): value is Reply => 'status' in value

export function readAuthorization({ world, id }: Call): Reply {
  const one = findAuthorization(world, id)
  return one ? { status: 200, body: authorizationView(world, one) } : notFound()
}

const NOT_CAPTURED: Partial<Record<Authorization['status'], string>> = {
  VOIDED: 'AUTHORIZATION_VOIDED',
  DENIED: 'AUTHORIZATION_DENIED',
  CAPTURED: 'AUTHORIZATION_ALREADY_CAPTURED',
  PENDING: 'TRANSACTION_REFUSED',
}

export function captureAuthorization({ world, id, body, key, armed }: Call): Reply | (() => Reply) {
  const one = findAuthorization(world, id)
  if (!one) return notFound()
  const { amount: wire, final_capture: isFinal = false, invoice_id: invoiceId } = body as CaptureRequest
  const refusal = NOT_CAPTURED[one.status]
  if (refusal !== undefined) return unprocessable(refusal)
  const captured = capturedFrom(one)
  const left = { minor: one.amount.minor - captured, currency: one.amount.currency }
  const amount = asked(wire, left, 'AUTH_CAPTURE_CURRENCY_MISMATCH')
  if (isReply(amount)) return amount
  if (amount.minor + captured > mostOf(one.amount)) return unprocessable('MAX_CAPTURE_AMOUNT_EXCEEDED')
  if (isInvoiced(world, invoiceId)) return unprocessable('DUPLICATE_INVOICE_ID')
  if (world.now() > one.createdAt + HONOURED_MS && one.status === 'CREATED')
    return unprocessable('PAYER_CANNOT_PAY')
  if (armed?.kind === 'decline' && armed.code !== 'DECLINED') return unprocessable(armed.code)
  const isPending = armed?.kind === 'pending'
  const made = addCapture(world, {
    order: one.order,
    authorization: one,
    amount,
    isFinal,
    invoiceId,
    key,
    isPending,
  })
  if (armed?.kind === 'decline') declineCapture(made)
  return () => ({ status: 201, body: captureView(world, made) })
}

/** 115 % of the amount, at most 75 more. */
function mostOf({ minor }: Amount): bigint {
  const share = (minor * 115n) / 100n
  return share < minor + 7_500n ? share : minor + 7_500n
}

const isInvoiced = (world: World, invoiceId: string | undefined): boolean =>
  invoiceId !== undefined &&
  [...world.orders.values()].some(({ captures }) => captures.some((one) => one.invoiceId === invoiceId))

export function declineCapture(made: Capture): void {
  made.status = 'DECLINED'
  made.reason = 'OTHER'
  made.entry.state = 'failed'
  if (made.authorization) made.authorization.status = 'CREATED'
}

/** A new authorisation takes the place of the old one. The 29 days count from the first. */
export function reauthorize({ world, id, body }: Call): Reply | (() => Reply) {
  const old = findAuthorization(world, id)
  if (!old) return notFound()
  if (old.status === 'VOIDED') return unprocessable('AUTHORIZATION_VOIDED')
  if (old.status !== 'CREATED') return unprocessable('AUTHORIZATION_ALREADY_CAPTURED')
  const now = world.now()
  if (now <= old.createdAt + HONOURED_MS) return unprocessable('REAUTHORIZATION_NOT_SUPPORTED')
  const amount = asked((body as ReauthorizeRequest).amount, old.amount, 'AUTH_CURRENCY_MISMATCH')
  if (isReply(amount)) return amount
  const made: Authorization = { ...old, id: newId(), amount, createdAt: now, updatedAt: now }
  old.status = 'VOIDED'
  old.order.authorizations.push(made)
  tellAuthorization(world, made, 'CREATED')
  return () => ({ status: 201, body: authorizationView(world, made) })
}

export function voidCall({ world, id, armed, wantsAll }: Call): Reply {
  const one = findAuthorization(world, id)
  if (!one) return notFound()
  if (armed?.kind === 'decline') return unprocessable(armed.code)
  if (one.status === 'VOIDED') return unprocessable('PREVIOUSLY_VOIDED')
  if (one.status === 'CAPTURED') return unprocessable('PREVIOUSLY_CAPTURED')
  if (one.status === 'DENIED') return unprocessable('CANNOT_BE_VOIDED')
  voidAuthorization(world, one)
  return wantsAll ? { status: 200, body: authorizationView(world, one) } : { status: 204 }
}

export function readCapture({ world, id }: Call): Reply {
  const one = findCapture(world, id)
  return one ? { status: 200, body: captureView(world, one) } : notFound()
}

export function refundCapture({ world, id, body, key, armed }: Call): Reply | (() => Reply) {
  const one = findCapture(world, id)
  if (!one) return notFound()
  const wanted = body as RefundRequest
  if (one.status === 'REFUNDED') return unprocessable('CAPTURE_FULLY_REFUNDED')
  if (one.status === 'PENDING') return unprocessable('PENDING_CAPTURE')
  if (one.status === 'DECLINED' || one.status === 'FAILED') return unprocessable('REFUND_NOT_ALLOWED')
  const left = { minor: one.amount.minor - refundedFrom(one), currency: one.amount.currency }
  const amount = asked(wanted.amount, left, 'REFUND_CAPTURE_CURRENCY_MISMATCH')
  if (isReply(amount)) return amount
  if (amount.minor > left.minor) return unprocessable('REFUND_AMOUNT_EXCEEDED')
  if (world.now() > one.createdAt + 180 * DAY) return unprocessable('REFUND_TIME_LIMIT_EXCEEDED')
  if (isDisputed(world, one)) return unprocessable('TRANSACTION_DISPUTED')
  if (armed?.kind === 'decline') return unprocessable(armed.code)
  const made = addRefund(world, one, amount, { key, body: wanted, isPending: armed?.kind === 'pending' })
  return () => ({ status: 201, body: refundView(world, made) })
}

/** An inquiry can be ended by a refund. */
const isDisputed = (world: World, one: Capture): boolean =>
  [...world.disputes.values()].some(
    ({ capture, status, stage }) => capture === one && status !== 'RESOLVED' && stage !== 'INQUIRY',
  )

export function readRefund({ world, id }: Call): Reply {
  const one = findRefund(world, id)
  return one ? { status: 200, body: refundView(world, one) } : notFound()
}
