import type { DashboardAct, DisputeAct } from '../kit/simulator.ts'
import { decide, emit } from './money.ts'
import { byReference } from './routes.ts'
import {
  book,
  type Dispute,
  failLast,
  type Modification,
  newId,
  type Payment,
  repeatLast,
  type State,
} from './state.ts'

/** What happens at Adyen without a request of the merchant. */

export function actInDashboard(state: State, reference: string, act: DashboardAct): boolean {
  if (act.kind === 'settle') return settle(state)
  const payment = byReference(state, reference).at(-1)
  return payment !== undefined && actOn(state, payment, act)
}

function settle(state: State): boolean {
  for (const work of state.delayed.splice(0)) work()
  return true
}

function actOn(state: State, payment: Payment, act: DashboardAct): boolean {
  const { amount } = payment
  const change = (kind: 'capture' | 'cancel' | 'refund', value: number): boolean => {
    decide(state, payment, newId(), { kind, amount: { ...amount, value } })
    return true
  }
  switch (act.kind) {
    case 'capture':
      return change('capture', Number(act.amountMinor ?? amount.value))
    case 'refund':
      return change('refund', Number(act.amountMinor ?? payment.captured - payment.refunded))
    case 'void':
      return change('cancel', amount.value)
    case 'expire-authorisation':
      return expire(state, payment)
    case 'dispute':
      return dispute(state, payment, act)
    case 'return-debit':
      return returnDebit(state, payment)
    case 'fail-refund':
      return failRefund(state, payment)
    case 'repeat-refund':
      return repeatRefund(state, payment)
    case 'fail-capture':
      return failCapture(state, payment)
    case 'recapture':
      return recapture(state, payment)
    case 'release':
      tell(state, payment, ['MANUAL_REVIEW_ACCEPT', newId()])
      return true
    default:
      return false
  }
}

interface Reported {
  readonly reason?: string
  readonly additionalData?: Readonly<Record<string, string>>
  readonly about?: Modification
}

/** An event about a payment as a whole: its code, and Adyen's id. */
function tell(
  state: State,
  payment: Payment,
  [eventCode, pspReference]: readonly [string, string],
  more: Reported = {},
): void {
  const { about, ...details } = more
  const { id: originalReference, method: paymentMethod } = payment
  emit(state, {
    ...{ eventCode, pspReference, success: 'true', originalReference, paymentMethod },
    ...{ merchantReference: about?.reference ?? payment.reference, amount: about?.amount ?? payment.amount },
    ...details,
  })
}

function expire(state: State, payment: Payment): boolean {
  if (payment.state !== 'authorised' || payment.captured > 0) return false
  payment.state = 'expired'
  book(state, { reference: payment.reference, kind: 'void', amount: payment.amount })
  tell(state, payment, ['EXPIRE', payment.id])
  return true
}

const DETAILS = { chargebackReasonCode: '10.4', defensePeriodEndsAt: '2027-03-01T00:00:00+01:00' }

/** Every event of a dispute has its id and its amount. */
function dispute(state: State, payment: Payment, act: DisputeAct): boolean {
  if (payment.captured === 0) return false
  const found = disputeOf(payment, act)
  const events = eventsOf(found, act)
  for (const event of events) tellDispute(state, payment, found, [event])
  found.state = act.isInquiry ? 'inquiry' : act.state
  return true
}

function disputeOf({ disputes, amount, captured }: Payment, act: DisputeAct): Dispute {
  const at = (act.which ?? 1) - 1
  const value = Number(act.amountMinor ?? captured)
  disputes[at] ??= { id: newId(), amount: { ...amount, value }, state: 'new' }
  return disputes[at]
}

/** What Adyen tells between two states. A chargeback comes before any decision. */
function eventsOf({ state: before }: Dispute, { state: wanted, isInquiry }: DisputeAct): string[] {
  if (isInquiry) return [wanted === 'open' ? 'REQUEST_FOR_INFORMATION' : 'DISPUTE_DEFENSE_PERIOD_ENDED']
  const isTaken = before !== 'new' && before !== 'inquiry'
  const opening = isTaken ? [] : ['NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK']
  if (wanted === 'open') return before === 'won' ? ['PREARBITRATION_OPEN'] : opening
  if (wanted === 'won') return [...opening, 'INFORMATION_SUPPLIED', 'CHARGEBACK_REVERSED']
  return [...opening, before === 'won' ? 'SECOND_CHARGEBACK' : 'DISPUTE_DEFENSE_PERIOD_ENDED']
}

/** Any event of a dispute of the payment, by its code. */
export function tellDispute(
  state: State,
  payment: Payment,
  { id, amount }: Dispute,
  [event, details = {}]: readonly [string, (Readonly<Record<string, string>> | undefined)?],
): void {
  const additionalData = { ...DETAILS, ...details }
  tell(state, payment, [event, id], { additionalData, about: { id, amount, reference: payment.reference } })
}

function returnDebit(state: State, payment: Payment): boolean {
  if (payment.method !== 'ach' || payment.captured === 0) return false
  tell(state, payment, ['CHARGEBACK', newId()], { reason: 'R01 Insufficient funds' })
  return true
}

function failRefund(state: State, payment: Payment): boolean {
  const { lastRefund: about } = payment
  if (!about || !failLast(state, payment.reference, 'refund')) return false
  payment.refunded -= about.amount.value
  tell(state, payment, ['REFUND_FAILED', about.id], { about, reason: 'Refund Failed' })
  return true
}

/** Adyen repeats the refund that failed: the same id, some time later. */
function repeatRefund(state: State, payment: Payment): boolean {
  const { lastRefund: about } = payment
  if (!about || !repeatLast(state, payment.reference, 'refund')) return false
  payment.refunded += about.amount.value
  tell(state, payment, ['REFUND', about.id], { about })
  return true
}

/** The scheme refuses a capture that was reported as done. */
function failCapture(state: State, payment: Payment): boolean {
  const { lastCapture: about, reference } = payment
  if (!about || !failLast(state, reference, 'capture')) return false
  payment.captured -= about.amount.value
  const reason = 'Capture rejected by card scheme because of a technical issue.'
  tell(state, payment, ['CAPTURE_FAILED', about.id], { about, reason })
  return true
}

/** Adyen captures again what failed. Its documentation leaves open whether the id is the same. */
function recapture(state: State, payment: Payment): boolean {
  const { lastCapture: about, reference } = payment
  if (!about || !repeatLast(state, reference, 'capture')) return false
  payment.captured += about.amount.value
  const [id, reason] =
    state.names === 'payment'
      ? [newId(), 'Transaction Recaptured']
      : [about.id, 'Transaction Auto-recaptured']
  tell(state, payment, ['CAPTURE', id], { about, reason })
  payment.lastCapture = { ...about, id }
  return true
}

/** Links expire. */
export function passTime(state: State): void {
  for (const link of state.links.values())
    if (link.status === 'active' && link.expiresAt <= state.now()) link.status = 'expired'
  for (const payment of state.payments.values())
    if (state.now() - payment.authorisedAt > 28 * 86_400_000) expire(state, payment)
}
