import {
  type Amount,
  book,
  type Movement,
  mark,
  minorOf,
  newId,
  notify,
  type Payment,
  type State,
} from './state.ts'
import { methodIn } from './views.ts'

/** Movements of money. */

export interface Asked {
  readonly key?: string | undefined
  readonly isDelayed?: boolean
}

/** The payer or the mandate pays. */
export function pay(state: State, payment: Payment, { key }: Asked = {}): void {
  const { body, amountMinor } = payment
  const isManual = body.captureMode === 'manual'
  payment.status = isManual ? 'authorized' : 'paid'
  if (isManual) payment.authorizedAt = state.now()
  else payment.paidAt = state.now()
  book(state, payment, { kind: isManual ? 'authorise' : 'sale', amountMinor, key })
  if (body.sequenceType === 'first') payment.mandateId = newMandate(state, body)
  notify(state, payment)
}

function newMandate(state: State, body: Payment['body']): string {
  const { customerId = '' } = body
  const method = methodIn(body) ?? 'creditcard'
  const id = newId('mdt')
  state.mandates.set(id, { id, customerId, method, status: 'valid' })
  return id
}

export function fail(state: State, payment: Payment, reason: string): void {
  payment.status = 'failed'
  payment.failure = reason
  notify(state, payment)
}

export function end(state: State, payment: Payment, status: 'canceled' | 'expired'): void {
  payment.status = status
  notify(state, payment)
}

export const sum = (movements: readonly Movement[], ...statuses: readonly string[]): bigint =>
  movements.filter(({ status }) => statuses.includes(status)).reduce((total, { minor }) => total + minor, 0n)

const captured = ({ captures }: Payment): bigint => sum(captures, 'succeeded', 'pending')

/** What is reserved and neither captured nor released. */
export const reserved = (payment: Payment): bigint =>
  payment.status === 'authorized' ? payment.amountMinor - captured(payment) : 0n

/** What can be refunded. Refunds that failed can be made again. */
export function refundable(payment: Payment): bigint {
  const isManual = payment.body.captureMode === 'manual'
  const taken = isManual
    ? sum(payment.captures, 'succeeded')
    : payment.status === 'paid'
      ? payment.amountMinor
      : 0n
  return taken - sum(payment.refunds, 'queued', 'pending', 'processing', 'refunded')
}

interface Wanted extends Asked {
  readonly amount: Amount
  readonly metadata?: unknown
  readonly description?: string
}

const keyOf = ({ metadata, key }: Wanted): string | undefined =>
  (metadata as { key?: string } | undefined)?.key ?? key

function movement(state: State, prefix: string, wanted: Wanted, made: Pick<Movement, 'entry' | 'status'>) {
  const { amount, metadata = null, description } = wanted
  return {
    ...{ id: newId(prefix), amount, minor: minorOf(amount), metadata, createdAt: state.now(), ...made },
    ...(description === undefined ? {} : { description }),
  } satisfies Movement
}

export function capture(state: State, payment: Payment, wanted: Wanted): Movement {
  const isPending = wanted.isDelayed === true
  const entry = book(state, payment, {
    ...{ kind: 'capture', amountMinor: minorOf(wanted.amount), key: keyOf(wanted) },
    state: isPending ? 'pending' : 'done',
  })
  const made: Movement = movement(state, 'cpt', wanted, {
    entry,
    status: isPending ? 'pending' : 'succeeded',
  })
  payment.captures.push(made)
  const finish = () => {
    made.status = 'succeeded'
    mark(state, entry, 'done')
    if (captured(payment) >= payment.amountMinor) payment.status = 'paid'
    payment.paidAt ??= state.now()
    notify(state, payment)
  }
  if (isPending) state.delayed.push(() => made.status === 'pending' && finish())
  else finish()
  return made
}

/** Without captures the payment is cancelled, else it is paid. */
export function release(state: State, payment: Payment, { key, isDelayed }: Asked = {}): void {
  const work = () => {
    const amountMinor = reserved(payment)
    if (payment.status !== 'authorized') return
    book(state, payment, { kind: 'void', amountMinor, key })
    payment.status = captured(payment) > 0n ? 'paid' : 'canceled'
    notify(state, payment)
  }
  if (isDelayed) state.delayed.push(work)
  else work()
}

/** A refund is on its way for some time. */
export function refund(state: State, payment: Payment, wanted: Wanted): Movement {
  const entry = book(state, payment, {
    ...{ kind: 'refund', amountMinor: minorOf(wanted.amount), key: keyOf(wanted) },
    state: 'pending',
  })
  const made = movement(state, 're', wanted, { entry, status: 'pending' })
  payment.refunds.push(made)
  return made
}

export function finishRefund(state: State, payment: Payment, made: Movement): void {
  made.status = 'refunded'
  mark(state, made.entry, 'done')
  notify(state, payment)
}

export function failRefund(state: State, payment: Payment, made: Movement): void {
  made.status = 'failed'
  mark(state, made.entry, 'failed')
  notify(state, payment)
}
