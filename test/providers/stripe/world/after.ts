import { refused } from '../wire/errors.ts'
import { emit } from './events.ts'
import { chargeOf, tellCharge } from './flows.ts'
import { addBalance } from './payouts.ts'
import {
  type Charge,
  type Dispute,
  type Intent,
  type Metadata,
  move,
  newId,
  type Refund,
  type State,
  seconds,
  settleMovement,
} from './state.ts'
import { viewDispute } from './view.ts'
import { viewRefund } from './view-money.ts'

/** What happens to a payment after it was captured. */

const DAY = 86_400

interface RefundWish {
  readonly amount: number | undefined
  readonly reason: string | null
  readonly metadata: Metadata
  readonly key: string | undefined
}

export function refund(state: State, intent: Intent, wish: RefundWish): Refund {
  const charge = chargeOf(state, intent)
  const rest = charge.amountCaptured - charge.amountRefunded
  if (intent.status !== 'succeeded')
    throw refused(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`)
  if (charge.disputed && openDispute(state, charge))
    throw refused(`Charge ${charge.id} has been charged back; cannot issue a refund.`, 'charge_disputed')
  if (rest === 0) throw refused(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded')
  const amount = wish.amount ?? rest
  if (amount > rest)
    throw refused(
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${rest})`,
      undefined,
      'amount',
    )
  const later = state.pendingNext.delete('refund')
  const made: Refund = {
    id: newId('re'),
    intent: intent.id,
    charge: charge.id,
    amount,
    currency: intent.currency,
    created: seconds(state),
    reason: wish.reason,
    metadata: wish.metadata,
    key: wish.key,
    status: later ? 'pending' : 'succeeded',
    ...(later ? { settlesAt: seconds(state) + DAY } : {}),
  }
  state.refunds.set(made.id, made)
  charge.amountRefunded += amount
  const { reference, currency } = intent
  const how = later ? 'pending' : 'done'
  move(state, { reference, kind: 'refund', amount, currency, state: how, key: wish.key })
  addBalance(state, { amount: -amount, fee: 0, currency, source: made.id, type: 'refund' })
  emit(state, 'refund.created', viewRefund(state, made), wish.key)
  tellCharge(state, 'refunded', charge, wish.key)
  return made
}

export function settleRefund(state: State, made: Refund): void {
  if (made.status !== 'pending') return
  made.status = 'succeeded'
  delete made.settlesAt
  settleMovement(state, movementOf(state, made), 'done')
  tellRefund(state, made)
}

/** The payer's bank returns a refund, also after it succeeded. */
export function failRefund(state: State, made: Refund): void {
  const charge = state.charges.get(made.charge) as Charge
  made.status = 'failed'
  made.failureReason = 'expired_or_canceled_card'
  charge.amountRefunded -= made.amount
  settleMovement(state, movementOf(state, made), 'failed')
  const { amount, currency, id: source } = made
  addBalance(state, { amount, fee: 0, currency, source, type: 'refund_failure' })
  tellRefund(state, made)
  emit(state, 'refund.failed', viewRefund(state, made))
}

function tellRefund(state: State, made: Refund): void {
  emit(state, 'refund.updated', viewRefund(state, made))
  emit(state, 'charge.refund.updated', viewRefund(state, made))
}

const movementOf = (state: State, { intent, amount, currency }: Refund) => ({
  reference: state.intents.get(intent)?.reference ?? '',
  kind: 'refund' as const,
  amount,
  currency,
})

const OPEN = ['needs_response', 'under_review']

/** A chargeback; an inquiry leaves the money with the merchant. */
const openDispute = (state: State, charge: Charge): Dispute | undefined =>
  [...state.disputes.values()].find((one) => one.charge === charge.id && OPEN.includes(one.status))

interface DisputeWish {
  readonly state: 'open' | 'won' | 'lost'
  readonly amount: number | undefined
  readonly which: number
  readonly isInquiry: boolean
}

/** Opens a dispute, or changes it. One that is opened again was an inquiry and becomes a chargeback. */
export function dispute(state: State, intent: Intent, wish: DisputeWish): void {
  const charge = chargeOf(state, intent)
  const existing = [...state.disputes.values()].filter((one) => one.charge === charge.id)[wish.which - 1]
  const opensAs = wish.isInquiry ? 'warning_needs_response' : 'needs_response'
  const made =
    existing ?? newDispute(state, charge, { reason: 'fraudulent', status: opensAs, amount: wish.amount })
  if (!existing) tellDispute(state, 'created', made)
  if (!existing && !wish.isInquiry) withdraw(state, made)
  if (wish.state === 'open' && existing) escalate(state, existing, opensAs)
  if (wish.state !== 'open') closeDispute(state, made, wish.state)
}

function escalate(state: State, one: Dispute, status: string): void {
  one.status = status
  tellDispute(state, 'updated', one)
  if (status === 'needs_response') withdraw(state, one)
}

export function closeDispute(state: State, one: Dispute, how: 'won' | 'lost'): void {
  const isInquiry = one.status.startsWith('warning_')
  if (isInquiry && how === 'lost') escalate(state, one, 'needs_response')
  one.status = isInquiry && how === 'won' ? 'warning_closed' : how
  if (how === 'won' && one.movements.length > 0) moveFunds(state, one, 'funds_reinstated')
  tellDispute(state, 'closed', one)
}

const withdraw = (state: State, one: Dispute): void => {
  if (one.movements.length === 0) moveFunds(state, one, 'funds_withdrawn')
}

function moveFunds(state: State, one: Dispute, type: 'funds_withdrawn' | 'funds_reinstated'): void {
  const isTaken = type === 'funds_withdrawn'
  const { currency, id: source } = one
  const amount = isTaken ? -one.amount : one.amount
  const category = isTaken ? 'dispute' : 'dispute_reversal'
  one.movements.push(addBalance(state, { amount, fee: 0, currency, source, type: 'adjustment', category }))
  tellDispute(state, type, one)
}

interface NewDispute {
  readonly reason: string
  readonly status: string
  readonly amount?: number | undefined
}

function newDispute(state: State, charge: Charge, { reason, status, amount }: NewDispute): Dispute {
  const one: Dispute = {
    id: newId('dp'),
    charge: charge.id,
    intent: charge.intent,
    amount: amount ?? charge.amountCaptured - charge.amountRefunded,
    currency: charge.currency,
    created: seconds(state),
    reason,
    dueBy: status === 'lost' ? null : seconds(state) + 14 * DAY,
    status,
    movements: [],
    evidence: {},
    submissions: 0,
  }
  state.disputes.set(one.id, one)
  charge.disputed = true
  return one
}

function tellDispute(state: State, type: string, one: Dispute): void {
  emit(state, `charge.dispute.${type}`, viewDispute(state, one))
}

/** A debit that succeeded is returned. It shows as a lost dispute, or as a charge that failed. */
export function returnDebit(state: State, intent: Intent, shows: 'dispute' | 'failure'): boolean {
  const charge = chargeOf(state, intent)
  if (charge.status !== 'succeeded' || !charge.id.startsWith('py')) return false
  if (shows === 'dispute') {
    const one = newDispute(state, charge, { reason: 'insufficient_funds', status: 'lost' })
    tellDispute(state, 'created', one)
    withdraw(state, one)
    tellDispute(state, 'closed', one)
    return true
  }
  charge.status = 'failed'
  charge.failureCode = 'insufficient_funds'
  const { id: source, amountCaptured, currency } = charge
  const type = 'payment_failure_refund'
  charge.failureBalance = addBalance(state, { amount: -amountCaptured, fee: 0, currency, source, type })
  tellCharge(state, 'failed', charge)
  return true
}

/** Radar review: the payment goes on, and the merchant decides. */
export function review(state: State, intent: Intent, open: boolean): boolean {
  if (open === (intent.review !== null)) return false
  const charge = chargeOf(state, intent)
  const id = intent.review ?? newId('prv')
  const object = {
    id,
    object: 'review',
    charge: charge.id,
    payment_intent: intent.id,
    created: seconds(state),
    livemode: false,
    open,
    opened_reason: 'rule',
    reason: open ? 'rule' : 'approved',
    closed_reason: open ? null : 'approved',
  }
  intent.review = id
  charge.outcome = 'manual_review'
  emit(state, open ? 'review.opened' : 'review.closed', object)
  return true
}
