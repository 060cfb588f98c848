import type { DashboardAct } from '../kit/simulator.ts'
import { decide, emit } from './money.ts'
import { byReference } from './routes.ts'
import { book, failLast, type Modification, newId, type Payment, type State } from './state.ts'

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
      return dispute(state, payment, act.state)
    case 'return-debit':
      return returnDebit(state, payment)
    case 'fail-refund':
      return failRefund(state, payment)
    case 'release':
      tell(state, payment, ['MANUAL_REVIEW_ACCEPT', newId()])
      return true
    default:
      return false
  }
}

interface Told {
  readonly reason?: string
  readonly additionalData?: Readonly<Record<string, string>>
  readonly about?: Modification
}

/** An event about a payment as a whole: its code, and Adyen's id. */
function tell(
  state: State,
  payment: Payment,
  [eventCode, pspReference]: readonly [string, string],
  more: Told = {},
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

/** A dispute that is decided is opened before. */
function dispute(state: State, payment: Payment, wanted: 'open' | 'won' | 'lost'): boolean {
  if (payment.captured === 0) return false
  if (payment.dispute === undefined) {
    payment.dispute = newId()
    tell(state, payment, ['NOTIFICATION_OF_CHARGEBACK', payment.dispute], { additionalData: DETAILS })
    tell(state, payment, ['CHARGEBACK', payment.dispute], { additionalData: DETAILS })
  }
  if (wanted === 'won') tell(state, payment, ['CHARGEBACK_REVERSED', payment.dispute])
  if (wanted === 'lost') tell(state, payment, ['SECOND_CHARGEBACK', payment.dispute])
  return true
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

/** The scheme refuses a capture that was reported as done. */
export function failCapture(state: State, reference: string): boolean {
  const payment = byReference(state, reference).at(-1)
  const about = payment?.lastCapture
  if (!payment || !about || !failLast(state, reference, 'capture')) return false
  payment.captured -= about.amount.value
  tell(state, payment, ['CAPTURE_FAILED', about.id], { about, reason: 'Capture Failed' })
  return true
}

/** Links expire. */
export function passTime(state: State): void {
  for (const link of state.links.values())
    if (link.status === 'active' && link.expiresAt <= state.now()) link.status = 'expired'
  for (const payment of state.payments.values())
    if (state.now() - payment.authorisedAt > 28 * 86_400_000) expire(state, payment)
}
