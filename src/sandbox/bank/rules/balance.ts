import { DAY } from '../../../base/clock.ts'
import { disputeFee, RESERVE, reserveOf } from './methods.ts'
import {
  type BalanceLine,
  type BookedDispute,
  type Draft,
  disputesOf,
  draftOf,
  idPart,
  inFuture,
  type LedgerPayment,
  type Refund,
} from './payment.ts'

/** The balance's movements by one payment. Those of a payment from before are made of what is known of it. */
export function linesOf(payment: LedgerPayment): readonly BalanceLine[] {
  if (payment.lines || payment.captured === 0) return payment.lines ?? []
  const draft = draftOf({ ...payment, lines: [] }, new Date(payment.createdTime))
  settleSale(draft)
  for (const { status, ...made } of payment.refunds)
    if (status === 'done') settleRefund(draft, { ...made, status: 'pending' }, undefined)
  for (const one of disputesOf(payment)) settleDispute(draft, one)
  if (payment.returned) settleReturn(draft)
  return draft.payment.lines ?? []
}

/** The place of a line never changes, so it is part of its id. */
export const lineId = (payment: LedgerPayment, place: number): string =>
  `ln_${idPart(payment.id)}_${place + 1}`

function add({ payment, now }: Draft, line: Omit<BalanceLine, 'time'>, time = now.toISOString()): void {
  payment.lines = [...linesOf(payment), { ...line, time }]
}

export function settleSale(draft: Draft): void {
  const { payment, now } = draft
  const { captured, currency, fee = 0 } = payment
  const movement = `cap_${idPart(payment.id)}`
  payment.lines ??= []
  add(draft, { kind: 'sale', movement, amount: captured, fee })
  const held = reserveOf(captured, currency)
  if (held === 0) return
  add(draft, { kind: 'reserve', movement, amount: -held, fee: 0 })
  add(draft, { kind: 'reserve', movement, amount: held, fee: 0 }, inFuture(now, RESERVE.days * DAY))
}

/** `made` is the refund before it ends. One that was done and fails comes back. The sale's fee is kept. */
export function settleRefund(draft: Draft, made: Refund, problem: string | undefined): void {
  if ((made.status === 'done') !== (problem !== undefined)) return
  const { id: movement, operationKey: key, amount } = made
  add(draft, { kind: 'refund', movement, key, amount: problem ? amount : -amount, fee: 0 })
}

/** Takes what is disputed, or gives it back. The first time costs a fee. An open inquiry takes nothing. */
export function settleDispute(draft: Draft, { id, state, isInquiry, ...dispute }: BookedDispute): void {
  const { payment } = draft
  const earlier = linesOf(payment).filter((line) => line.movement === id && line.kind.startsWith('dispute'))
  const taken = earlier.reduce((sum, line) => sum - line.amount, 0)
  const isTaken = state === 'lost' || (state === 'open' && !isInquiry)
  const amount = taken - (isTaken ? (dispute.amount ?? payment.captured) : 0)
  if (amount === 0) return
  const fee = earlier.length === 0 ? disputeFee(payment.currency) : 0
  add(draft, { kind: amount < 0 ? 'dispute' : 'dispute-reversal', movement: id, amount, fee })
}

export function settleReturn(draft: Draft): void {
  const { id: movement, captured, currency } = draft.payment
  add(draft, { kind: 'return', movement, amount: -captured, fee: disputeFee(currency) })
}
