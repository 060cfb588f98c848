import { parseMinor } from '../../../src/base/money.ts'
import { type Account, enter, isHeld, newId, type State, type Transaction } from './state.ts'

/** What happens to money. */

export type Processed =
  | { readonly transaction: Transaction; readonly code: number }
  | { readonly refused: number; readonly account?: Account; readonly original?: string }

export interface Asked {
  readonly type: 'authOnlyTransaction' | 'authCaptureTransaction'
  readonly amount: string
  readonly currency: string
  readonly refId: string
  readonly invoice: string
  readonly description: string
  readonly customer?: Readonly<Record<string, string>>
  readonly billTo?: Readonly<Record<string, string>>
  readonly account: Account
  readonly profile?: Transaction['profile']
  /** Undefined: not passed. */
  readonly duplicateSeconds: number | undefined
  /** The reason code of a decline. */
  readonly declines?: number
}

const OVER = ['voided', 'expired']

export function purchase(state: State, asked: Asked): Processed {
  const minor = parseMinor(asked.amount, asked.currency)
  if (minor === undefined || minor === 0n) return { refused: 5 }
  const { account } = asked
  const twin = [...state.transactions.values()].find(
    (one) => isTwin(state, one, { ...asked, minor, number: account.number }) && one.type === asked.type,
  )
  if (twin) return duplicate(twin, asked.duplicateSeconds)
  const { type, currency, refId, invoice, description, customer, billTo, profile, declines } = asked
  const isSale = type === 'authCaptureTransaction'
  const transaction: Transaction = {
    ...{ id: newId(), type, refId, invoice, description, account, currency, authMinor: minor },
    ...(customer ? { customer } : {}),
    ...(billTo ? { billTo } : {}),
    ...(profile ? { profile } : {}),
    submittedAt: state.now(),
    status: 'declined',
    settleMinor: 0n,
    responseCode: 2,
    reasonCode: declines ?? 1,
  }
  add(state, transaction)
  if (declines !== undefined) return { transaction, code: declines }
  if (state.filter) return hold(state, transaction)
  transaction.responseCode = 1
  if (isSale) take(state, transaction, 'sale')
  else reserve(state, transaction)
  const event = isSale ? 'payment.authcapture.created' : 'payment.authorization.created'
  state.tell(event, transaction)
  return { transaction, code: 1 }
}

function add(state: State, transaction: Transaction): void {
  state.transactions.set(transaction.id, transaction)
  if (state.isLagging) state.hidden.add(transaction.id)
}

interface Likeness {
  readonly minor: bigint
  readonly invoice: string
  readonly number: string
  readonly duplicateSeconds: number | undefined
}

const isTwin = (state: State, one: Transaction, asked: Likeness): boolean =>
  // With a window in the request, a repetition is refused also if the original was declined.
  !OVER.includes(one.status) &&
  (one.status !== 'declined' || asked.duplicateSeconds !== undefined) &&
  one.authMinor === asked.minor &&
  one.invoice === asked.invoice &&
  one.account.number === asked.number &&
  state.now() - one.submittedAt < (asked.duplicateSeconds ?? 120) * 1_000

/** The original is named only if the window was passed explicitly. */
const duplicate = ({ id, account }: Transaction, seconds: number | undefined): Processed => ({
  ...{ refused: 11, account },
  ...(seconds === undefined ? {} : { original: id }),
})

function hold(state: State, transaction: Transaction): Processed {
  const { filter } = state
  const isReserved = filter === 'authAndHold'
  transaction.filter = filter ?? 'hold'
  transaction.responseCode = 4
  transaction.reasonCode = isReserved ? 253 : 252
  transaction.status = isReserved ? 'FDSAuthorizedPendingReview' : 'FDSPendingReview'
  if (isReserved)
    enter(state, transaction, { kind: 'authorise', amountMinor: transaction.authMinor, state: 'done' })
  state.tell('payment.fraud.held', transaction)
  return { transaction, code: transaction.reasonCode }
}

function reserve(state: State, transaction: Transaction): void {
  transaction.status = 'authorizedPendingCapture'
  enter(state, transaction, { kind: 'authorise', amountMinor: transaction.authMinor, state: 'done' })
}

/** A bank debit is certain only when it has been settled. */
function take(
  state: State,
  transaction: Transaction,
  kind: 'sale' | 'capture',
  minor = transaction.authMinor,
): void {
  transaction.status = 'capturedPendingSettlement'
  transaction.settleMinor = minor
  transaction.capturedAt = state.now()
  const isCertain = transaction.account.kind === 'card'
  enter(state, transaction, { kind, amountMinor: minor, state: isCertain ? 'done' : 'pending' })
}

export function capture(state: State, id: string, amount: string | undefined): Processed {
  const one = state.transactions.get(id)
  if (!one) return { refused: 33 }
  if (one.status !== 'authorizedPendingCapture')
    return { refused: one.settleMinor > 0n ? 311 : 33, account: one.account }
  const minor = amount === undefined ? one.authMinor : parseMinor(amount, one.currency)
  if (minor === undefined || minor === 0n || minor > one.authMinor)
    return { refused: 47, account: one.account }
  take(state, one, 'capture', minor)
  state.tell('payment.priorAuthCapture.created', one)
  return { transaction: one, code: 1 }
}

export function voidIt(state: State, id: string): Processed {
  const one = state.transactions.get(id)
  if (!one) return { refused: 16 }
  const { account } = one
  if (one.status === 'voided') return { refused: 310, account }
  switch (one.status) {
    case 'authorizedPendingCapture':
      enter(state, one, { kind: 'void', amountMinor: one.authMinor, state: 'done' })
      break
    case 'capturedPendingSettlement':
      // Everything that was taken goes back.
      for (const entry of state.ledger)
        if (entry.transId === id && entry.state === 'pending') entry.state = 'done'
      enter(state, one, { kind: 'refund', amountMinor: one.settleMinor, state: 'done' })
      break
    case 'refundPendingSettlement':
      for (const entry of state.ledger) if (entry.transId === id) entry.state = 'failed'
      break
    default:
      return { refused: 16, account }
  }
  one.status = 'voided'
  one.settleMinor = 0n
  delete one.capturedAt
  state.tell('payment.void.created', one)
  return { transaction: one, code: 1 }
}

export interface AskedRefund {
  readonly refTransId: string
  readonly amount: string
  readonly number: string
  readonly invoice: string
  readonly description: string
  readonly refId: string
  readonly duplicateSeconds: number | undefined
}

export function refund(state: State, asked: AskedRefund): Processed {
  const original = state.transactions.get(asked.refTransId)
  if (!original) return { refused: 16 }
  const { account, currency } = original
  const minor = parseMinor(asked.amount, currency)
  if (minor === undefined || minor === 0n) return { refused: 5, account }
  const isOther = asked.number !== '' && !account.number.endsWith(asked.number.slice(-4))
  if (original.status !== 'settledSuccessfully' || isOther) return { refused: 54, account }
  const refunds = refundsOf(state, original)
  const twin = refunds.find((one) => isTwin(state, one, { ...asked, minor, number: account.number }))
  if (twin) return duplicate(twin, asked.duplicateSeconds)
  const returned = refunds.reduce((sum, { settleMinor }) => sum + settleMinor, 0n)
  if (returned + minor > original.settleMinor) return { refused: 55, account }
  const { refTransId, invoice, description, refId } = asked
  const transaction: Transaction = {
    ...{ id: newId(), type: 'refundTransaction', refTransId, invoice, description, refId, account, currency },
    ...{ authMinor: minor, submittedAt: state.now(), status: 'refundPendingSettlement', settleMinor: minor },
    ...{ responseCode: 1, reasonCode: 1, capturedAt: state.now() },
  }
  add(state, transaction)
  enter(state, transaction, { kind: 'refund', amountMinor: minor, state: 'done', key: invoice })
  state.tell('payment.refund.created', transaction)
  return { transaction, code: 1 }
}

export const refundsOf = (state: State, { id }: Transaction): Transaction[] =>
  [...state.transactions.values()].filter(
    (one) => one.type === 'refundTransaction' && one.refTransId === id && one.status !== 'voided',
  )

/** Decides about a transaction that the fraud filters hold. `declines`: the bank says no after all. */
export function review(state: State, id: string, action: string, declines?: number): Processed {
  const one = state.transactions.get(id)
  if (!one || !isHeld(one)) return { refused: 16, ...(one ? { account: one.account } : {}) }
  const wasReserved = one.status === 'FDSAuthorizedPendingReview'
  if (action === 'decline') {
    one.status = wasReserved ? 'voided' : 'declined'
    if (!wasReserved) one.responseCode = 2
    if (wasReserved) enter(state, one, { kind: 'void', amountMinor: one.authMinor, state: 'done' })
    state.tell('payment.fraud.declined', one)
    return { transaction: one, code: wasReserved ? 1 : 251 }
  }
  if (!wasReserved && declines !== undefined) {
    Object.assign(one, { status: 'declined', responseCode: 2, reasonCode: declines })
    return { transaction: one, code: declines }
  }
  one.responseCode = 1
  one.reasonCode = 1
  const isSale = one.type === 'authCaptureTransaction'
  if (isSale) take(state, one, wasReserved ? 'capture' : 'sale')
  else if (wasReserved) one.status = 'authorizedPendingCapture'
  else reserve(state, one)
  state.tell('payment.fraud.approved', one)
  return { transaction: one, code: 1 }
}
