import { ApiError } from '../../base/errors.ts'
import type { Context } from '../../context.ts'
import type { Customer } from '../../customers/commands.ts'
import type { App } from '../../merchants/app.ts'
import type { ListedPayment, PaymentFilter } from './filter.ts'

export interface ListOptions {
  /** From `PaymentPage.next`. */
  readonly cursor?: string | undefined
  readonly pageSize?: number | undefined
  /** Days in the filter begin at midnight of this IANA zone. Default: UTC. */
  readonly timeZone?: string | undefined
}

export interface PaymentPage {
  readonly payments: readonly ListedPayment[]
  /** The cursor of the next page, if there may be one. */
  readonly next?: string
  /** The cursor of the newest row, for `countNewer`. */
  readonly newest?: string
  /** True: the page ends early because the search has read many rows. `next` continues it. */
  readonly isPartial: boolean
  /** Parts of the filter that were not understood and are ignored: `state:faild`. */
  readonly notUnderstood: readonly string[]
}

/** The payments of an app that match the filter, newest first. */
export function listPayments(
  _ctx: Context,
  _app: App,
  _filter: PaymentFilter,
  _options: ListOptions = {},
): Promise<PaymentPage> {
  throw new ApiError('not_possible', 'Not yet.')
}

/** How many matching payments are newer than a cursor, at most 100. */
export function countNewer(
  _ctx: Context,
  _app: App,
  _filter: PaymentFilter,
  _options: { readonly newest: string; readonly timeZone?: string | undefined },
): Promise<number> {
  throw new ApiError('not_possible', 'Not yet.')
}

export interface Found {
  readonly payments: readonly ListedPayment[]
  readonly customers: readonly Customer[]
}

/** For the palette: payments by id, reference, customer, e-mail or last four digits, and customers. */
export function findAnything(_ctx: Context, _app: App, _text: string): Promise<Found> {
  throw new ApiError('not_possible', 'Not yet.')
}

/** Payments held for review, oldest first. */
export function heldPayments(
  _ctx: Context,
  _app: App,
  _options: { readonly cursor?: string | undefined; readonly pageSize?: number | undefined } = {},
): Promise<{ readonly payments: readonly ListedPayment[]; readonly next?: string }> {
  throw new ApiError('not_possible', 'Not yet.')
}

/** How many payments are held, at most 100. */
export function countHeld(_ctx: Context, _app: App): Promise<number> {
  throw new ApiError('not_possible', 'Not yet.')
}

/** The matching payments as CSV, newest first, at most 100,000 rows: chunks of text. */
export function exportPayments(
  _ctx: Context,
  _app: App,
  _filter: PaymentFilter,
  _options: { readonly timeZone?: string | undefined } = {},
): AsyncIterable<string> {
  throw new ApiError('not_possible', 'Not yet.')
}
