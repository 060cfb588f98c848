import { decimalText } from '../../base/money.ts'
import { parseInstant } from '../../base/time/instant.ts'
import type { Context } from '../../context.ts'
import type { App } from '../../merchants/app.ts'
import { stillMatches } from './conditions.ts'
import type { ListOrder } from './filter.ts'
import { type SearchPlan, startOf } from './scan.ts'
import {
  rankPayments,
  type SortedPayment,
  type SortedPosition,
  selectSorted,
  sortedPlace,
} from './sorted-store.ts'
import { type SizedPayment, type Sums, sumPayments } from './store.ts'

export interface SortedPage {
  readonly payments: readonly SizedPayment[]
  /** The cursor of the next page. */
  readonly next: string | undefined
  readonly isPartial: boolean
}

interface Wanted {
  readonly order: ListOrder
  readonly cursor: string | undefined
  readonly pageSize: number
}

/** Statements of each kind that a page may need when rows that match are far apart. */
const ROUNDS = 2

/**
 * A page of a search in another order than the newest first, and its totals. What the search finds is sorted
 * as a set, if it is not too much; otherwise the index of the order is walked, which then soon meets enough.
 */
export async function sortedPayments(
  ctx: Pick<Context, 'db'>,
  { appId }: App,
  { driver, residual, isPlain }: SearchPlan,
  { order, cursor, pageSize }: Wanted,
): Promise<SortedPage & { readonly sums: Sums }> {
  const walk = { driver, below: startOf(residual.to), from: residual.from }
  const found: SortedPayment[] = []
  let after = readSorted(order, cursor)
  // Without other conditions the totals cost least, and tell whether there is a set.
  let sums = isPlain ? await sumPayments(ctx.db, appId, walk, undefined) : undefined
  let isEnd = false
  for (let round = 0; round < ROUNDS && !isEnd && found.length <= pageSize; round++) {
    // One row more than wanted tells whether there is a next page.
    const limit = pageSize + 1 - found.length
    const page = { order, after, residual, limit }
    const ranked = sums?.isPartial ? undefined : await rankPayments(ctx.db, appId, walk, page)
    sums ??= ranked
    const ids = ranked?.isPartial ? undefined : ranked?.ids
    const rows = await selectSorted(ctx.db, appId, { ...page, ids })
    found.push(...rows.filter((row) => !row.isChanged || stillMatches(residual, row)))
    const last = rows.length === limit || ids?.length === limit ? rows.at(-1) : undefined
    const place = last
      ? positionOf(order, last)
      : ids
        ? undefined
        : await sortedPlace(ctx.db, appId, { order, after })
    isEnd = place === undefined
    after = place ?? after
  }
  const payments = found.slice(0, pageSize)
  const last = payments.at(-1)
  const hasMore = found.length > pageSize && last
  const next = hasMore ? positionOf(order, last) : isEnd ? undefined : after
  return {
    payments,
    next: next && `${next.key}~${next.paymentId}`,
    isPartial: !hasMore && !isEnd,
    sums: sums ?? NO_SUMS,
  }
}

const NO_SUMS: Sums = { totals: [], isPartial: false }

type By = 'time' | 'amount' | 'state'
const BY: Readonly<Record<ListOrder, By>> = {
  oldest: 'time',
  largest: 'amount',
  smallest: 'amount',
  states: 'state',
  statesBack: 'state',
}

function positionOf(order: ListOrder, payment: SortedPayment): SortedPosition {
  const { createdTime, amountMinor, currency, listedState, paymentId } = payment
  const time = createdTime.toISOString()
  const keys = { time, amount: decimalText(amountMinor, currency), state: `${listedState} ${time}` }
  return { key: keys[BY[order]], paymentId }
}

const isTime = (key: string): boolean => parseInstant(key) !== undefined

const IS_KEY: Readonly<Record<By, (key: string) => boolean>> = {
  time: isTime,
  amount: (key) => /^\d{1,15}(\.\d{1,4})?$/.test(key),
  state: (key) => /^[A-Za-z]{1,40} /.test(key) && isTime(key.replace(/^\w+ /, '')),
}

/** A cursor that does not fit the order begins at its first payment. */
function readSorted(order: ListOrder, cursor = ''): SortedPosition | undefined {
  const [, key = '', paymentId] = /^([A-Za-z\d.: -]{1,80})~(\d{1,15})$/.exec(cursor) ?? []
  return IS_KEY[BY[order]](key) && paymentId !== undefined ? { key, paymentId: Number(paymentId) } : undefined
}
