import { payOutDue } from './payouts.ts'
import {
  type Amount,
  book,
  type Dispute,
  mark,
  newId,
  type Order,
  type Payment,
  type Refund,
  type State,
} from './state.ts'
import { disputeView, paymentView, refundView } from './views.ts'

/** Movements of money, and the events about them. */

const DAY = 86_400_000
const FEE_MS = 10_000

export function emit(state: State, type: string, about: Payment | Refund | Dispute): void {
  const [kind = ''] = type.split('.')
  const object =
    kind === 'payment'
      ? paymentView(state, about as Payment)
      : kind === 'refund'
        ? refundView(state, about as Refund)
        : disputeView(state, about as Dispute)
  state.queue.push({ type, id: about.id, object: { [kind]: structuredClone(object) }, at: state.now() })
}

function touch(state: State, payment: Payment): void {
  payment.updatedAt = state.now()
  payment.version = newId(32)
  emit(state, 'payment.updated', payment)
}

interface NewPayment {
  readonly amount: Amount
  readonly status: Payment['status']
  readonly key?: string | undefined
  readonly reference?: string | undefined
  readonly note?: string | undefined
  readonly order?: Order | undefined
  readonly customer?: string | undefined
  readonly card?: string | undefined
  readonly failure?: string | undefined
}

export function createPayment(state: State, wanted: NewPayment): Payment {
  const now = state.now()
  const { amount, status, failure, ...about } = wanted
  const payment: Payment = {
    ...{ key: undefined, reference: undefined, note: undefined, order: undefined, customer: undefined },
    card: undefined,
    ...about,
    ...{ id: newId(), amount, approved: amount, status, createdAt: now, updatedAt: now, refunds: [] },
    ...{ delayedUntil: now + 7 * DAY, version: newId(32) },
    ...(failure === undefined ? {} : { failure }),
    ...(status === 'COMPLETED' ? { completedAt: now } : {}),
  }
  state.payments.set(payment.id, payment)
  if (about.order) about.order.tenders.push(payment)
  const kind = status === 'COMPLETED' || about.order ? 'sale' : 'authorise'
  const entryState = status === 'FAILED' ? 'failed' : 'done'
  if (status !== 'PENDING') book(state, kind, payment, { amount, entryState, key: about.key })
  emit(state, 'payment.created', payment)
  return payment
}

/** A payment that was pending is decided. */
export function approve(state: State, payment: Payment): void {
  payment.status = 'APPROVED'
  book(state, 'authorise', payment, { amount: payment.amount, key: payment.key })
  touch(state, payment)
}

/** The customer pays on a page. */
export function payOrder(state: State, order: Order, note: string | undefined, failure?: string): Payment {
  const status = failure === undefined ? 'COMPLETED' : 'FAILED'
  const amount = { ...order.total, amount: restOf(order) }
  const payment = createPayment(state, { amount, status, order, note, failure })
  if (status === 'COMPLETED') order.state = 'OPEN'
  touch(state, payment)
  return payment
}

const restOf = ({ tenders, total }: Order): number =>
  tenders
    .filter(({ status }) => status === 'COMPLETED')
    .reduce((rest, { amount }) => rest - amount.amount, total.amount)

/** A gift card pays a part of a page. The rest is paid on the same page. */
export function payPart(state: State, order: Order, note: string | undefined, percent: number): void {
  const amount = { ...order.total, amount: Math.floor((order.total.amount * percent) / 100) }
  if (amount.amount > 0 && amount.amount < restOf(order))
    createPayment(state, { amount, status: 'COMPLETED', order, note })
}

export function complete(state: State, payment: Payment): void {
  payment.status = 'COMPLETED'
  payment.completedAt = state.now()
  book(state, 'capture', payment, { amount: payment.amount })
  touch(state, payment)
}

export function cancel(state: State, payment: Payment, at = state.now()): void {
  payment.status = 'CANCELED'
  payment.voidedAt = at
  book(state, 'void', payment, { amount: payment.approved })
  touch(state, payment)
}

export const refundable = ({ amount, refunds }: Payment): number =>
  amount.amount -
  refunds.reduce((sum, refund) => sum + (refund.status === 'FAILED' ? 0 : refund.amount.amount), 0)

interface NewRefund {
  readonly amount: Amount
  readonly reason?: string | undefined
  readonly key?: string | undefined
}

export function refund(state: State, payment: Payment, { amount, reason, key }: NewRefund): Refund {
  const entry = book(state, 'refund', payment, { amount, entryState: 'pending', key })
  const made: Refund = {
    ...{ id: `${payment.id}_${newId(20)}`, payment, amount, reason, createdAt: state.now(), entry },
    status: 'PENDING',
  }
  payment.refunds.push(made)
  state.refunds.set(made.id, made)
  emit(state, 'refund.created', made)
  touch(state, payment)
  return made
}

export function endRefund(state: State, one: Refund, status: 'COMPLETED' | 'FAILED'): void {
  one.status = status
  mark(state, one.entry, status === 'COMPLETED' ? 'done' : 'failed')
  emit(state, 'refund.updated', one)
}

/** Time passes: reservations lapse, refunds end and fees are known. */
export function passTime(state: State): void {
  const now = state.now()
  for (const payment of state.payments.values()) {
    if (payment.status === 'APPROVED' && now >= payment.delayedUntil)
      cancel(state, payment, payment.delayedUntil)
    const isDue = payment.completedAt !== undefined && now >= payment.completedAt + FEE_MS
    if (!isDue || payment.fee !== undefined) continue
    payment.fee = Math.floor((payment.amount.amount * 29) / 1_000) + 30
    touch(state, payment)
  }
  for (const one of state.refunds.values())
    if (one.status === 'PENDING' && now >= one.createdAt + state.refundMs) endRefund(state, one, 'COMPLETED')
  payOutDue(state)
}
