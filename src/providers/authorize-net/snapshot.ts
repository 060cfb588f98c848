import { after, DAY } from '../../base/clock.ts'
import { money } from '../../base/money.ts'
import { isListed } from '../enumerations.ts'
import { isOurs } from '../kit/json.ts'
import type {
  CardFacts,
  Dispute,
  ExtraPayment,
  Facts,
  Handles,
  Recapture,
  RefundSeen,
  Snapshot,
  Stage,
} from '../outcome.ts'
import { declineOf, returnOf } from './reasons.ts'
import type { TransactionDetails } from './wire.ts'

/** Pure: transactions as snapshots. */

/** What a status means for the money. */
export type TransactionStanding =
  | 'authorised'
  /** Taken, and can only be voided until it is settled. */
  | 'unsettled'
  | 'settled'
  /** Its batch failed: the money did not come, or will come with another batch. */
  | 'not-settled'
  | 'held'
  | 'voided'
  | 'expired'
  | 'declined'
  | 'returned'
  | 'disputed'
  | 'dispute-won'
  | 'refund'
  | 'unclear'

const STANDINGS: Readonly<Record<string, TransactionStanding>> = {
  authorizedPendingCapture: 'authorised',
  capturedPendingSettlement: 'unsettled',
  pendingSettlement: 'unsettled',
  pendingFinalSettlement: 'unsettled',
  approvedReview: 'unsettled',
  // The void was refused: it stays what it was.
  couldNotVoid: 'unsettled',
  updatingSettlement: 'unsettled',
  settledSuccessfully: 'settled',
  settlementError: 'not-settled',
  FDSPendingReview: 'held',
  FDSAuthorizedPendingReview: 'held',
  underReview: 'held',
  authorizedPendingRelease: 'held',
  voided: 'voided',
  expired: 'expired',
  declined: 'declined',
  failedReview: 'declined',
  generalError: 'declined',
  communicationError: 'declined',
  returnedItem: 'returned',
  chargeback: 'disputed',
  chargebackReversal: 'dispute-won',
  refundPendingSettlement: 'refund',
  refundSettledSuccessfully: 'refund',
}

/** The provider's `transactionStatusEnum`. */
export const STATUSES = { handled: Object.keys(STANDINGS), ignored: [] }

type Line = Pick<TransactionDetails, 'status' | 'isReturned'>

/** A debit keeps its status when the payer's bank takes it back. Returned money is not disputed any more. */
export function standingOf({ status, isReturned }: Line): TransactionStanding {
  const standing = STANDINGS[status] ?? 'unclear'
  return isReturned && (standing === 'settled' || standing === 'disputed') ? 'returned' : standing
}

/** The more it says about the money, the earlier. A declined try says the least. */
const RANKS: readonly TransactionStanding[] = [
  ...(['settled', 'returned', 'disputed', 'dispute-won', 'unsettled', 'authorised', 'held'] as const),
  ...(['not-settled', 'unclear', 'voided', 'expired', 'declined'] as const),
]

/** Holds money of the customer, now or soon. */
export const holdsMoney = (line: Line): boolean =>
  ['settled', 'unsettled', 'authorised', 'held'].includes(standingOf(line))

/** The return of a debit is a transaction of its own, perhaps with the same invoice number. */
const isReturn = ({ status }: Line): boolean => status === 'returnedItem'

/** The transaction that counts among those of one reference. The customer may have tried several times. */
export function mainOf<T extends Line & Pick<TransactionDetails, 'id'>>(lines: readonly T[]): T | undefined {
  const rank = (line: T) => RANKS.indexOf(standingOf(line)) + (isReturn(line) ? RANKS.length : 0)
  const payments = lines.filter((line) => RANKS.includes(standingOf(line)))
  return payments.sort((one, other) => rank(one) - rank(other) || Number(other.id) - Number(one.id))[0]
}

/** The handle of a refund, and the id that it has at the provider. */
export const refundHandle = (key: string): string => `refund${key}`

export const knownRefunds = (handles: Handles): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(handles).flatMap(([name, id]) => {
      const [, key] = /^refund([0-9A-Z]{1,20})$/.exec(name) ?? []
      return key !== undefined && id !== undefined ? [[key, id] as const] : []
    }),
  )

export const paymentHandles = (id: string): Handles => ({ payment: id, lookup: id })

/** Which amount was taken: after a void the provider does not tell it any more. */
export const captureHandles = (id: string, capturedMinor: bigint): Handles => ({
  ...paymentHandles(id),
  capture: id,
  captured: String(capturedMinor),
})

export const capturedBefore = ({ captured }: Handles): bigint | undefined =>
  captured !== undefined && /^\d{1,18}$/.test(captured) ? BigInt(captured) : undefined

export function snapshotOf(
  one: TransactionDetails,
  handles: Handles,
  refunds: readonly TransactionDetails[],
): Snapshot {
  const { currency } = one.authorised
  const none = money(0n, currency)
  const standing = standingOf(one)
  const wasCaptured = capturedBefore(handles)
  const review: NonNullable<Snapshot['review']> = standing === 'held' ? 'open' : 'approved'
  const common = {
    kind: 'snapshot',
    ...(one.invoice ? { reference: one.invoice } : {}),
    ...(one.wasFiltered ? { review } : {}),
    facts: factsOf(one),
    ...{ refunded: none, refunds: [], captured: none },
    handles: paymentHandles(one.id),
    ...(isListed(STATUSES, one.status) ? {} : { unlisted: [`status ${one.status.slice(0, 60)}`] }),
  } as const
  const authorised = one.type === 'authOnlyTransaction' ? { authorised: one.authorised } : {}
  switch (standing) {
    case 'authorised':
      return { ...common, stage: 'authorised', authorised: one.authorised, facts: reserved(one) }
    case 'held':
      return { ...common, stage: 'authorised', authorised: one.authorised, facts: reserved(one) }
    case 'unsettled':
      // A debit can still bounce until it is settled.
      if (one.payment.kind === 'bank') return { ...common, stage: 'processing' }
      return { ...common, ...authorised, ...taken(one, refunds) }
    case 'settled':
      return { ...common, ...authorised, ...taken(one, refunds) }
    case 'disputed':
    case 'dispute-won':
      return { ...common, ...authorised, ...taken(one, refunds), disputes: [disputeOf(one)] }
    case 'not-settled':
      return wasCaptured === undefined
        ? { ...common, stage: 'declined', decline: notSettled(one) }
        : { ...common, ...authorised, stage: 'processing', recapture: failedBatch(one) }
    case 'returned':
      if (wasCaptured === undefined)
        return { ...common, stage: 'declined', decline: returnOf(one.returnCode ?? '') }
      return {
        ...common,
        ...taken({ ...one, settled: money(wasCaptured, currency) }, refunds),
        isReturned: true,
      }
    case 'voided':
      if (wasCaptured === undefined) return { ...common, stage: 'cancelled' }
      return { ...common, ...authorised, ...voidedAfter(one, wasCaptured) }
    case 'expired':
      return { ...common, stage: 'expired', authorised: one.authorised }
    case 'declined':
      return { ...common, stage: 'declined', decline: declineOf(one.reasonCode, one.reasonText) }
    case 'refund':
    case 'unclear':
      return { ...common, stage: 'processing' }
  }
}

/** The provider disputes a transaction as a whole. */
const disputeOf = (one: TransactionDetails): Dispute => ({
  id: one.id,
  state: standingOf(one) === 'disputed' ? 'open' : 'won',
  amount: one.settled,
})

/** With its handles, every step is about this payment and not about the one that counts. */
export const extraOf = (one: TransactionDetails): ExtraPayment => ({
  id: one.id,
  handles: ['settled', 'unsettled'].includes(standingOf(one))
    ? captureHandles(one.id, one.settled.minor)
    : paymentHandles(one.id),
})

const NOT_SETTLED = 'The batch of the transaction was not settled.'

export const notSettled = ({ status }: TransactionDetails): NonNullable<Snapshot['decline']> => ({
  reason: 'processing-error',
  retry: 'later',
  raw: { code: status, message: NOT_SETTLED },
})

const failedBatch = ({ settledAt, submittedAt }: TransactionDetails): Recapture => ({
  since: settledAt ?? submittedAt ?? new Date(0),
  problem: NOT_SETTLED,
})

const WINDOW_MS = 30 * DAY

const reserved = (one: TransactionDetails): Facts => ({
  ...factsOf(one),
  ...(one.submittedAt ? { authorisedUntil: after(one.submittedAt, WINDOW_MS) } : {}),
})

type Taken = Pick<Snapshot, 'stage' | 'captured' | 'refunded' | 'refunds' | 'handles'>

function taken(one: TransactionDetails, found: readonly TransactionDetails[]): Taken {
  const { currency } = one.settled
  const sorted = [...found].sort((a, b) => Number(a.id) - Number(b.id))
  const refunds = sorted.map((refund) => refundSeen(refund, one))
  const back = refunds
    .filter(({ state }) => state === 'done')
    .reduce((sum, { amount }) => sum + amount.minor, 0n)
  const ids = Object.fromEntries(found.map((each) => [refundHandle(refundKey(each, one)), each.id]))
  return {
    stage: 'captured',
    captured: one.settled,
    refunded: money(back, currency),
    refunds,
    handles: { ...captureHandles(one.id, one.settled.minor), ...ids },
  }
}

/** The id of a refund in our handles: our key of it, or the provider's id if it was made elsewhere. */
export const refundKey = (refund: TransactionDetails, paid: TransactionDetails): string =>
  keyOf(refund, paid) ?? refund.id

/** Our key is the invoice number. A refund that was made elsewhere has that of its payment. */
const keyOf = ({ invoice }: TransactionDetails, paid: TransactionDetails): string | undefined =>
  isOurs(invoice) && invoice !== paid.invoice ? invoice : undefined

/** Why a refund gives nothing back. Until a failed batch is settled again, the customer has no money. */
function refundProblem(one: TransactionDetails): string | undefined {
  const standing = standingOf(one)
  if (standing === 'not-settled') return 'the batch of the refund was not settled at the provider.'
  return standing === 'voided' || standing === 'declined'
    ? 'the refund was voided at the provider.'
    : undefined
}

function refundSeen(one: TransactionDetails, paid: TransactionDetails): RefundSeen {
  const problem = refundProblem(one)
  const operationKey = keyOf(one, paid)
  const isKnown = standingOf(one) !== 'unclear' && standingOf(one) !== 'held'
  return {
    id: one.id,
    ...(operationKey === undefined ? {} : { operationKey }),
    amount: one.authorised,
    state: problem ? 'failed' : isKnown ? 'done' : 'pending',
    ...(problem ? { problem } : {}),
  }
}

/** A void before the settlement gives everything back. */
function voidedAfter(one: TransactionDetails, capturedMinor: bigint): Taken {
  const amount = money(capturedMinor, one.authorised.currency)
  const refunds: RefundSeen[] = [{ id: `${one.id}-void`, amount, state: 'done' }]
  const handles = captureHandles(one.id, capturedMinor)
  return { stage: 'captured', captured: amount, refunded: amount, refunds, handles }
}

/** A page that was opened, and on which nothing was paid so far. `tried` is a declined try. */
export function pageSnapshot(currency: string, isOver: boolean, tried?: TransactionDetails): Snapshot {
  const none = money(0n, currency)
  const stage: Stage = isOver ? (tried ? 'declined' : 'expired') : 'needs-customer'
  return {
    ...{ kind: 'snapshot', handles: {}, stage, captured: none, refunded: none, refunds: [] },
    facts: {},
    ...(tried ? { decline: declineOf(tried.reasonCode, tried.reasonText) } : {}),
    ...(tried?.invoice ? { reference: tried.invoice } : {}),
  }
}

const PASSES = { avs: /^[XYDMF]$/, cvv: /^M$/ }
const FAILS = { avs: /^[NAZWC]$/, cvv: /^N$/ }

function factsOf(one: TransactionDetails): Facts {
  const { payment, payer, avs = '', cvv = '' } = one
  const address = PASSES.avs.test(avs) ? 'pass' : FAILS.avs.test(avs) ? 'fail' : undefined
  const cvc = PASSES.cvv.test(cvv) ? 'pass' : FAILS.cvv.test(cvv) ? 'fail' : undefined
  const isCard = payment.kind === 'card'
  return {
    method: isCard ? 'CreditCard' : 'ElectronicCheck',
    ...(isCard ? { card: cardOf(payment.number, payment.brand) } : {}),
    ...(Object.keys(payer).length > 0 ? { payer } : {}),
    ...(isCard && (address || cvc)
      ? { checks: { ...(address ? { address } : {}), ...(cvc ? { cvc } : {}) } }
      : {}),
  }
}

export function cardOf(number: string | undefined, brand: string | undefined): CardFacts {
  const last4 = /\d{4}$/.exec(number ?? '')?.[0]
  return { ...(brand ? { brand } : {}), ...(last4 ? { last4 } : {}) }
}
