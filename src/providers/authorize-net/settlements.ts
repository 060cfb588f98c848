import { isCurrency } from '../../base/currencies.ts'
import { fileProblem } from '../../base/files/file-problem.ts'
import { money, parseMinor } from '../../base/money.ts'
import { type Enumerations, unlistedOf } from '../enumerations.ts'
import { isOurs, numberAt, objectAt, present, textAt, timeAt, wordAt } from '../kit/json.ts'
import { unsupported } from '../kit/reply.ts'
import { cursorIn, cursorText, kindsOf, type LineRead, rawOf, readLines } from '../kit/settled.ts'
import type { NotDone, Unknown } from '../outcome.ts'
import type { Settlements } from '../port.ts'
import type { SettledPage, SettlementWindow } from '../settlement.ts'
import { listBatches, listOfBatch, PAGE_SIZE } from './calls.ts'
import { type AuthorizeNetContext, call } from './exchange.ts'
import type { AuthorizeNetSettings } from './manifest.ts'
import { STATUSES } from './snapshot.ts'
import { idOf, listOf } from './wire.ts'

/**
 * Settled money by batches. The acquirer pays the merchant and takes the fees, so only gross amounts are
 * known. A debit that the bank returns is a transaction of a later batch. Decision 0161.
 */
export const settlements: Settlements<AuthorizeNetSettings> = {
  usualDelayDays: 2,
  overlapDays: 2,
  // The provider lists batches of at most 31 days.
  maxWindowDays: 30,
  hasFees: false,
  hasPayouts: false,
  read,
}

/** Statuses that a settled batch moves money with. */
const KINDS = kindsOf({
  sale: 'settledSuccessfully',
  refund: 'refundSettledSuccessfully',
  return: 'returnedItem',
  dispute: 'chargeback',
  'dispute-reversal': 'chargebackReversal',
})
const TAKES = ['refund', 'return', 'dispute']

const LINE_VALUES = {
  transactionStatus: {
    handled: [...KINDS.keys()],
    ignored: STATUSES.handled.filter((status) => !KINDS.has(status)),
  },
  settlementState: { handled: ['settledSuccessfully'], ignored: ['settlementError', 'pendingSettlement'] },
} as const satisfies Enumerations

type Page = SettledPage | NotDone | Unknown

/** A page of one batch. The batches of the window are listed for each page, the oldest first. */
async function read(
  ctx: AuthorizeNetContext,
  window: SettlementWindow,
  cursor: string | undefined,
): Promise<Page> {
  const currency = ctx.profile?.currency
  if (currency === undefined || !isCurrency(currency))
    return unsupported('Authorize.Net reports amounts without a currency, and the profile names none.')
  const place = cursorIn(cursor)
  const listed = await call(ctx, listBatches(window.from, window.until))
  if (listed.kind !== 'read') return listed
  const batches = listOf(listed.value, 'batchList', 'batch').flatMap((item) => batchIn(item) ?? [])
  batches.sort((one, other) => Number(one.id) - Number(other.id))
  const wanted = textAt(place, 'batch')
  const index = wanted === undefined ? 0 : batches.findIndex(({ id }) => id === wanted)
  const [batch, following] = [batches[index], batches[index + 1]]
  if (!batch) return { kind: 'page', lines: [], payouts: [], bad: [] }
  const offset = numberAt(place, 'offset') ?? 1
  const found = await call(ctx, listOfBatch(batch.id, offset))
  if (found.kind !== 'read') return found
  const items = listOf(found.value, 'transactions', 'transaction')
  const isMore = items.length >= PAGE_SIZE
  const next = isMore ? { batch: batch.id, offset: offset + 1 } : following && { batch: following.id }
  return { ...pageOf(items, batch, currency), ...(next ? { next: cursorText(next) } : {}) }
}

// ---- pure -------------------------------------------------------------------------------------------------

export interface Batch {
  readonly id: string
  readonly time: Date
  readonly state: string
}

export function batchIn(item: unknown): Batch | undefined {
  const [id, time] = [idOf(item, 'batchId'), timeAt(item, 'settlementTimeUTC')]
  return id && time ? { id, time, state: wordAt(item, 'settlementState') ?? '' } : undefined
}

/** The lines of a batch. One that failed moved nothing: its transactions come with a later one. */
export function pageOf(items: readonly unknown[], batch: Batch, currency: string): SettledPage {
  const isSettled = batch.state === 'settledSuccessfully'
  const values = items.map((item) => ['transactionStatus', wordAt(item, 'transactionStatus')] as const)
  return {
    ...{ kind: 'page', payouts: [] },
    ...readLines(
      isSettled ? items : [],
      (item) => lineOf(item, batch, currency),
      (item) => idOf(item, 'transId'),
    ),
    unlisted: unlistedOf(LINE_VALUES, [['settlementState', batch.state], ...values]),
  }
}

/** Also lists the name of the payer and digits of the card. */
const RAW = ['transId', 'transactionStatus', 'submitTimeUTC', 'invoiceNumber', 'settleAmount', 'accountType']

function lineOf(item: unknown, batch: Batch, currency: string): LineRead {
  const kind = KINDS.get(wordAt(item, 'transactionStatus') ?? '')
  if (kind === undefined) return undefined
  const [id, text] = [idOf(item, 'transId'), wordAt(item, 'settleAmount')]
  const minor = text === undefined ? undefined : parseMinor(text, currency)
  if (!id || minor === undefined) return fileProblem('batch-line')
  const reference = wordAt(item, 'invoiceNumber')
  return {
    ...{ id: `${batch.id}/${id}`, kind, ids: [id], time: batch.time, raw: rawOf(objectAt(item), RAW) },
    gross: money(TAKES.includes(kind) ? -minor : minor, currency),
    ...present({ reference: isOurs(reference) ? reference : undefined }),
  }
}
