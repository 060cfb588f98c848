import type { DashboardAct, DisputeAct } from '../kit/simulator.ts'
import { capture, end, failRefund, finishRefund, refund, refundable, release, reserved } from './money.ts'
import { amountOf, book, newId, notify, type Payment, referenceOf, type State } from './state.ts'
import { captureBefore } from './views.ts'

/** What happens at Mollie without a request of the merchant. */

export function actInDashboard(state: State, reference: string, act: DashboardAct): boolean {
  if (act.kind === 'settle') return settle(state)
  const payment = [...state.payments.values()].findLast((one) => referenceOf(one) === reference)
  return payment !== undefined && actOn(state, payment, act)
}

function settle(state: State): boolean {
  for (const work of state.delayed.splice(0)) work()
  for (const payment of state.payments.values()) finishRefunds(state, payment, 0)
  return true
}

function finishRefunds(state: State, payment: Payment, ageMs: number): void {
  for (const made of payment.refunds)
    if (made.status === 'pending' && state.now() - made.createdAt >= ageMs) finishRefund(state, payment, made)
}

function actOn(state: State, payment: Payment, act: DashboardAct): boolean {
  const { currency } = payment.body.amount
  switch (act.kind) {
    case 'capture': {
      const minor = act.amountMinor ?? reserved(payment)
      if (minor === 0n || minor > reserved(payment)) return false
      capture(state, payment, { amount: amountOf(minor, currency) })
      return true
    }
    case 'refund': {
      const minor = act.amountMinor ?? refundable(payment)
      if (minor === 0n || minor > refundable(payment)) return false
      finishRefund(state, payment, refund(state, payment, { amount: amountOf(minor, currency) }))
      return true
    }
    case 'void':
      if (reserved(payment) === 0n) return false
      release(state, payment)
      return true
    case 'expire-authorisation':
      return expire(state, payment)
    case 'dispute':
      return dispute(state, payment, act)
    case 'fail-refund': {
      const made = payment.refunds.findLast(({ status }) => status !== 'failed')
      if (made) failRefund(state, payment, made)
      return made !== undefined
    }
    default:
      return false
  }
}

function expire(state: State, payment: Payment): boolean {
  if (payment.status !== 'authorized' || payment.captures.length > 0) return false
  book(state, payment, { kind: 'void', amountMinor: payment.amountMinor })
  end(state, payment, 'expired')
  return true
}

/** Mollie never tells that a chargeback is final. */
function dispute(state: State, payment: Payment, act: DisputeAct): boolean {
  if (act.state === 'lost' || act.isInquiry || refundable(payment) === 0n) return false
  const known = payment.chargebacks[(act.which ?? 1) - 1]
  const amountMinor = act.amountMinor ?? payment.amountMinor
  const made = known ?? { id: newId('chb'), createdAt: state.now(), amountMinor }
  if (!known) payment.chargebacks.push(made)
  if (act.state === 'won') made.reversedAt = state.now()
  notify(state, payment)
  return true
}

/** Pages and authorisations lapse, and refunds arrive. */
export function passTime(state: State): void {
  for (const payment of state.payments.values()) {
    if (payment.status === 'open' && payment.expiresAt <= state.now()) end(state, payment, 'expired')
    if (payment.authorizedAt !== undefined && captureBefore(payment) <= state.now()) expire(state, payment)
    finishRefunds(state, payment, state.refundMs)
  }
}
