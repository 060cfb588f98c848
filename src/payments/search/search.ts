import { LIMITS } from '../../base/limits.ts'
import type { Context } from '../../context.ts'
import { type Customer, customerPage } from '../../customers/commands.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { RETRY_ADVICE } from '../../providers/outcome.ts'
import type { State } from '../machine.ts'
import { type ChargeSum, MAX_CHARGES, sumFailedCharges } from './charges-store.ts'
import { readFilter } from './conditions.ts'
import { selectDetails } from './export-store.ts'
import type { ListedPayment, ListOrder, PaymentFilter } from './filter.ts'
import { planSearch, type Scanned, type SearchPlan, scan, startOf } from './scan.ts'
import { type SortedPage, sortedPayments } from './sorted.ts'
import { type RankedPayments, rankPayments } from './sorted-store.ts'
import {
  type CurrencyTotal,
  countAbove,
  countStates,
  type HeldFilter,
  type Position,
  type SizedPayment,
  type Sums,
  selectHeld,
  sumPayments,
} from './store.ts'
import { flushSearch } from './writing/writer.ts'

export interface ListOptions {
  /** From `PaymentPage.next`. */
  readonly cursor?: string | undefined
  readonly pageSize?: number | undefined
  /** Days in the filter begin at midnight of this IANA zone. Default: UTC. */
  readonly timeZone?: string | undefined
  /** Rows to leave out first, at most 10,000. */
  readonly skip?: number | undefined
  /** Default: the newest first. */
  readonly order?: ListOrder | undefined
  /** Only these payments. */
  readonly ids?: readonly number[] | undefined
  /** Counts and sums what the filter matches. */
  readonly hasTotals?: boolean | undefined
}

/** Of the whole list, not of one page. */
export interface PaymentTotals {
  readonly count: number
  readonly currencies: readonly CurrencyTotal[]
  /** True: there may be more than these. Only so many payments are read. */
  readonly isPartial: boolean
}

export interface PaymentPage {
  readonly payments: readonly SizedPayment[]
  /** The cursor of the next page, if there may be one. */
  readonly next?: string
  /** The cursor of the newest row, for `countNewer`. */
  readonly newest?: string
  /** True: the page ends early because the search has read many rows. `next` continues it. */
  readonly isPartial: boolean
  /** Parts of the filter that were not understood and are ignored: `state:faild`. */
  readonly notUnderstood: readonly string[]
  readonly totals?: PaymentTotals
}

const NOTHING: Scanned = { payments: [], next: undefined, isPartial: false }
const NOTHING_LISTED: SortedPage = { payments: [], next: undefined, isPartial: false }

/** The payments of an app that match the filter, newest first or in another order. */
export async function listPayments(
  ctx: Context,
  app: App,
  filter: PaymentFilter,
  options: ListOptions = {},
): Promise<PaymentPage> {
  const { cursor, pageSize = LIMITS.defaultPageSize, timeZone, skip = 0, order, hasTotals = false } = options
  const { conditions, notUnderstood } = readFilter(app, filter, {
    now: appNow(ctx, app),
    actor: ctx.actor,
    timeZone,
  })
  await flushSearch(ctx, app.appId)
  const { ids = conditions.ids } = options
  const search = await planSearch(ctx, app, { ...conditions, ...(ids && { ids }) })
  const { payments, next, isPartial, sums } = !search
    ? { ...NOTHING_LISTED, sums: undefined }
    : order
      ? await sortedPayments(ctx, app, search, { cursor, pageSize, order })
      : await newestFirst(ctx, app, search, { cursor, pageSize, skip, hasTotals })
  const [first] = payments
  return {
    payments,
    ...(next ? { next } : {}),
    ...(first && !cursor && !order ? { newest: cursorOf(first) } : {}),
    isPartial,
    notUnderstood,
    ...(hasTotals ? { totals: totalsOf(sums) } : {}),
  }
}

interface NewestWanted {
  readonly cursor: string | undefined
  readonly pageSize: number
  readonly skip: number
  readonly hasTotals: boolean
}

async function newestFirst(
  ctx: Context,
  app: App,
  search: SearchPlan,
  { cursor, pageSize, skip, hasTotals }: NewestWanted,
): Promise<SortedPage & { readonly sums: Sums | undefined }> {
  const { driver, residual, isPlain } = search
  const below = readCursor(cursor) ?? startOf(undefined)
  const walk = { driver, below: startOf(residual.to), from: residual.from }
  const whole = () => scan(ctx, app, search, { below, limit: pageSize, skip })
  if (hasTotals && skip === 0 && isDear(search)) {
    const wanted = { order: 'newest', after: keyOf(below), residual, limit: pageSize + 1 } as const
    const ranked = await rankPayments(ctx.db, app.appId, walk, wanted)
    const page = (await firstOf(ctx, app, search, { ranked, below, pageSize })) ?? (await whole())
    return { ...page, next: page.next && cursorText(page.next), sums: ranked }
  }
  const [{ payments, next, isPartial }, sums] = await Promise.all([
    whole(),
    hasTotals ? sumPayments(ctx.db, app.appId, walk, isPlain ? undefined : residual) : undefined,
  ])
  return { payments, next: next && cursorText(next), isPartial, sums }
}

/** A set is read as a whole for its page too, and customers that words mean are read before the first row. */
const isDear = ({ driver, residual: { textWords, customerWords } }: SearchPlan): boolean =>
  driver.by === 'ids' || textWords !== undefined || customerWords !== undefined

const keyOf = ({ time, paymentId }: Position) => ({ key: time.toISOString(), paymentId })

interface FirstOf {
  readonly ranked: RankedPayments
  readonly below: Position
  readonly pageSize: number
}

/** The payments that the totals have met first. Undefined: they do not tell what the page has. */
async function firstOf(
  ctx: Context,
  app: App,
  search: SearchPlan,
  { ranked: { ids, isPartial }, below, pageSize }: FirstOf,
): Promise<Scanned | undefined> {
  // The rows of several values are in no order, and are not all read.
  if (isPartial && (search.driver.values.length > 1 || ids.length <= pageSize)) return undefined
  const { customer: _, ...is } = search.residual.is
  const residual = { is, not: search.residual.not }
  const found = { ...search, driver: { by: 'ids', values: ids } as const, residual }
  const page = await scan(ctx, app, found, { below, limit: pageSize })
  return page.payments.length === Math.min(pageSize, ids.length) ? page : undefined
}

const totalsOf = ({ totals, isPartial }: Sums = { totals: [], isPartial: false }): PaymentTotals => ({
  count: totals.reduce((sum, { count }) => sum + count, 0),
  currencies: totals,
  isPartial,
})

/** `1794744000000-10001` */
const cursorText = ({ time, paymentId }: Position): string => `${time.getTime()}-${paymentId}`

/** A page that begins after this payment. */
export const cursorOf = ({ createdTime, paymentId }: ListedPayment): string =>
  cursorText({ time: createdTime, paymentId })

export const CURSOR = '^\\d{1,15}-\\d{1,15}$'

/** A cursor that this service did not make begins at the newest payment. */
function readCursor(text: string | undefined): Position | undefined {
  const [, time, paymentId] = /^(\d{1,15})-(\d{1,15})$/.exec(text ?? '') ?? []
  if (time === undefined || paymentId === undefined) return undefined
  const { time: latest } = startOf(undefined)
  return { time: new Date(Math.min(Number(time), latest.getTime())), paymentId: Number(paymentId) }
}

const MAX_COUNTED = 100

/** How many matching payments are newer than a cursor, at most 100. */
export async function countNewer(
  ctx: Context,
  app: App,
  filter: PaymentFilter,
  options: { readonly newest: string; readonly timeZone?: string | undefined },
): Promise<number> {
  const above = readCursor(options.newest)
  if (!above) return 0
  const { conditions } = readFilter(app, filter, {
    now: appNow(ctx, app),
    actor: ctx.actor,
    timeZone: options.timeZone,
  })
  await flushSearch(ctx, app.appId)
  const search = await planSearch(ctx, app, conditions)
  if (!search) return 0
  const { residual } = search
  return countAbove(ctx.db, app.appId, { above, to: conditions.to, residual, limit: MAX_COUNTED })
}

export interface Found {
  readonly payments: readonly ListedPayment[]
  readonly customers: readonly Customer[]
}

const MAX_FOUND = 8
const MIN_SEARCHED = 2

/** For the palette: payments by id, reference, customer, e-mail or last four digits, and customers. */
export async function findAnything(ctx: Context, app: App, text: string): Promise<Found> {
  const search = text.trim().slice(0, LIMITS.referenceIdLength)
  if (search.length < MIN_SEARCHED) return { payments: [], customers: [] }
  await flushSearch(ctx, app.appId)
  const [page, { customers }] = await Promise.all([
    findPayments(ctx, app, search),
    customerPage(ctx, app, { search, pageNumber: 1, pageSize: MAX_FOUND }),
  ])
  return { payments: page.payments, customers }
}

async function findPayments(ctx: Context, app: App, text: string): Promise<Scanned> {
  const newest = { below: startOf(undefined), limit: MAX_FOUND }
  const conditions = { is: {}, not: {}, text }
  const sample = await planSearch(ctx, app, conditions, { isSample: true })
  const found = sample ? await scan(ctx, app, sample, newest) : NOTHING
  if (!sample?.isSample || found.payments.length === MAX_FOUND) return found
  const search = await planSearch(ctx, app, conditions)
  return search ? scan(ctx, app, search, newest) : NOTHING
}

const OLDEST: Position = { time: new Date(0), paymentId: 0 }

/** Payments held for review, oldest first. */
export async function heldPayments(
  ctx: Context,
  app: App,
  options: HeldFilter & Pick<ListOptions, 'cursor' | 'pageSize'> = {},
): Promise<{ readonly payments: readonly ListedPayment[]; readonly next?: string }> {
  const { cursor, pageSize = LIMITS.defaultPageSize, ...filter } = options
  await flushSearch(ctx, app.appId)
  const above = readCursor(cursor) ?? OLDEST
  const found = await selectHeld(ctx.db, app.appId, { ...filter, above, limit: pageSize + 1 })
  const payments = found.slice(0, pageSize)
  const last = payments.at(-1)
  const hasNext = found.length > pageSize && last
  return {
    payments,
    ...(hasNext ? { next: cursorOf(last) } : {}),
  }
}

/** How many payments are in each of these states, at most 100 of each. */
export async function countInStates(
  ctx: Context,
  app: App,
  states: readonly State[],
): Promise<ReadonlyMap<string, number>> {
  await flushSearch(ctx, app.appId)
  return countStates(ctx.db, app.appId, states, MAX_COUNTED)
}

/** Who paid: as the order or the provider names them, else the customer. */
export interface ListedPayer {
  readonly name: string | null
  readonly email: string | null
}

export const payersOf = async (
  ctx: Pick<Context, 'db'>,
  { appId }: App,
  payments: readonly Pick<ListedPayment, 'paymentId'>[],
): Promise<ReadonlyMap<number, ListedPayer>> =>
  selectDetails(
    ctx.db,
    appId,
    payments.map(({ paymentId }) => paymentId),
  )

/** How many payments are held, at most 100. Like the list, it counts what was done before on this node. */
export async function countHeld(ctx: Context, app: App): Promise<number> {
  await flushSearch(ctx, app.appId)
  const held = await selectHeld(ctx.db, app.appId, { above: OLDEST, limit: MAX_COUNTED })
  return held.length
}

export interface FailedCharges extends Omit<ChargeSum, 'retry'> {
  readonly byRetry: readonly ChargeSum[]
  /** False: only the newest 2,000 failed charges of the period are counted. */
  readonly isWhole: boolean
}

/** What became of the charges of stored methods that failed in a period. */
export async function failedCharges(
  ctx: Context,
  app: App,
  period: { readonly from: Date; readonly to: Date },
): Promise<FailedCharges> {
  await flushSearch(ctx, app.appId)
  const sums = await sumFailedCharges(ctx.db, app.appId, period)
  const total = (of: 'failed' | 'recovered' | 'forbidden') => sums.reduce((all, sum) => all + sum[of], 0)
  const byRetry = RETRY_ADVICE.map(
    (retry) => sums.find((sum) => sum.retry === retry) ?? { retry, failed: 0, recovered: 0, forbidden: 0 },
  )
  const failed = total('failed')
  return {
    ...{ failed, recovered: total('recovered'), forbidden: total('forbidden'), byRetry },
    isWhole: failed < MAX_CHARGES,
  }
}

/** The query of the list that has exactly these charges, beside the period. */
export const CHARGES_LISTED_BY = {
  failed: 'flow:AutoPayment state:declined',
  recovered: 'flow:AutoPayment state:declined recovered:yes',
  forbidden: 'flow:AutoPayment state:declined reason:retry_forbidden',
} as const
