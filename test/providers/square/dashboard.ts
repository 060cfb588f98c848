import type { DashboardAct, DisputeAct } from '../kit/simulator.ts'
import { approve, cancel, complete, emit, endRefund, refund, refundable } from './money.ts'
import { newId, type Payment, type State } from './state.ts'

/** What happens at Square without a request of the merchant. */
export function actInDashboard(state: State, reference: string, act: DashboardAct): boolean {
  const payment = [...state.payments.values()].findLast(
    (one) => (one.reference ?? one.note) === reference && one.status !== 'FAILED',
  )
  return payment !== undefined && actOn(state, payment, act)
}

function actOn(state: State, payment: Payment, act: DashboardAct): boolean {
  const isHeld = payment.status === 'APPROVED'
  switch (act.kind) {
    case 'settle':
      return settle(state, payment)
    case 'refund': {
      const amount = { ...payment.amount, amount: Number(act.amountMinor ?? refundable(payment)) }
      if (payment.status !== 'COMPLETED' || amount.amount > refundable(payment)) return false
      endRefund(state, refund(state, payment, { amount, reason: 'Returned goods' }), 'COMPLETED')
      return true
    }
    case 'capture':
      if (isHeld) complete(state, payment)
      return isHeld
    case 'void':
      if (isHeld) cancel(state, payment)
      return isHeld
    case 'expire-authorisation':
      payment.delayedUntil = state.now()
      if (isHeld) cancel(state, payment, payment.delayedUntil)
      return isHeld
    case 'dispute':
      return dispute(state, payment, act)
    case 'fail-refund': {
      const last = payment.refunds.findLast(({ status }) => status === 'COMPLETED')
      if (last) endRefund(state, last, 'FAILED')
      return last !== undefined
    }
    default:
      return false
  }
}

function settle(state: State, payment: Payment): boolean {
  if (payment.status === 'PENDING') approve(state, payment)
  for (const one of payment.refunds) if (one.status === 'PENDING') endRefund(state, one, 'COMPLETED')
  return true
}

/** A dispute that is decided was opened before. */
function dispute(state: State, payment: Payment, act: DisputeAct): boolean {
  if (payment.status !== 'COMPLETED') return false
  const now = state.now()
  const opened = act.isInquiry ? 'INQUIRY_EVIDENCE_REQUIRED' : 'EVIDENCE_REQUIRED'
  const known = state.disputes.filter((one) => one.payment === payment)[(act.which ?? 1) - 1]
  const amount = { ...payment.amount, amount: Number(act.amountMinor ?? payment.amount.amount) }
  const found = known ?? { id: newId(22), payment, amount, createdAt: now, updatedAt: now, state: opened }
  if (!known) {
    state.disputes.push(found)
    emit(state, 'dispute.created', found)
  }
  if (act.state === 'open' && !known) return true
  const won = act.isInquiry ? 'INQUIRY_CLOSED' : 'WON'
  const states = { open: opened, won, lost: 'LOST' } as const
  Object.assign(found, { state: states[act.state], updatedAt: now })
  emit(state, 'dispute.state.updated', found)
  return true
}
