import { decimalText } from '../../base/money.ts'
import type { Context } from '../../context.ts'
import { mayLag, type Queryable } from '../../db/database.ts'
import { type Cell, csvLine } from '../../http/content/csv.ts'
import { type App, appNow, findProfile } from '../../merchants/app.ts'
import { earlier, later, readFilter } from './conditions.ts'
import { type PaymentDetails, selectDetails } from './export-store.ts'
import type { Conditions, ListedPayment, PaymentFilter } from './filter.ts'
import { shownState } from './outcome.ts'
import { planSearch, type Scanned, type SearchPlan, scan, startOf } from './scan.ts'
import type { Position } from './store.ts'
import { flushSearch } from './writing/writer.ts'

const MAX_EXPORTED = 100_000
const EXPORTED_PAGE = 1_000

type Period = Pick<Conditions, 'from' | 'to'>

export interface ExportOptions {
  /** Of days and words such as `today` in the filter. */
  readonly timeZone?: string | undefined
  /** The app's time by default. */
  readonly now?: Date | undefined
  /** Besides what the filter says about the creation. */
  readonly period?: Period | undefined
  /** Only these payments. */
  readonly ids?: readonly number[] | undefined
}

/** How the matching payments are found. Undefined: nothing can match. */
export async function planExport(
  ctx: Context,
  app: App,
  filter: PaymentFilter,
  { timeZone, ids, period, now = appNow(ctx, app) }: ExportOptions = {},
): Promise<SearchPlan | undefined> {
  const { conditions } = readFilter(app, filter, { now, timeZone, actor: ctx.actor })
  await flushSearch(ctx, app.appId)
  return planSearch(ctx, app, { ...conditions, ...bounds(conditions, period), ...(ids && { ids }) })
}

/** Parts of a filter that mean nothing: an export would have more than was asked for. */
export const unknownParts = (ctx: Context, app: App, filter: PaymentFilter): readonly string[] =>
  readFilter(app, filter, { now: appNow(ctx, app), timeZone: app.timeZone, actor: ctx.actor }).notUnderstood

/** Both the filter and the period must hold. */
function bounds({ from, to }: Conditions, period: Period = {}): Period {
  const [begin, end] = [later(from, period.from), earlier(to, period.to)]
  return { ...(begin && { from: begin }), ...(end && { to: end }) }
}

export interface ExportedPage {
  readonly payments: readonly ExportedPayment[]
  /** Where to go on; undefined at the end. */
  readonly next: Position | undefined
}

/** A page, newest first. It may have fewer payments than wanted although there are more. */
export async function exportPage(
  ctx: Context,
  app: App,
  plan: SearchPlan,
  { below = startOf(undefined), limit }: { readonly below?: Position | undefined; readonly limit: number },
): Promise<ExportedPage> {
  const db = mayLag(ctx.db)
  const { payments, next } = await scan(ctx, app, plan, { below, limit, db })
  return { payments: await withDetails(db, app, payments), next }
}

/** The matching payments as CSV with all columns, newest first, at most 100,000 rows: chunks of text. */
export async function* exportPayments(
  ctx: Context,
  app: App,
  filter: PaymentFilter,
  options: ExportOptions = {},
): AsyncGenerator<string> {
  const plan = await planExport(ctx, app, filter, options)
  const db = mayLag(ctx.db)
  yield HEADER
  let left = MAX_EXPORTED
  const page = (below: Position): Promise<Scanned> | undefined =>
    plan && left > 0 ? scan(ctx, app, plan, { below, limit: Math.min(EXPORTED_PAGE, left), db }) : undefined
  let next = page(startOf(undefined))
  while (next) {
    const { payments, next: below }: Scanned = await next
    left -= payments.length
    // Read while this page is written. When the reader leaves, its failure has no other reader.
    next = below && page(below)
    next?.catch(() => undefined)
    if (payments.length > 0) yield csvOf(await withDetails(db, app, payments), app)
  }
}

export type ExportedPayment = ListedPayment & PaymentDetails

/** A column of an export. */
export interface ExportColumn<Row> {
  /** What it has, for the reference. */
  readonly about: string
  readonly cell: (row: Row, app: App) => Cell
  /** Part of an export that does not name its columns. */
  readonly isUsual?: true
}

export const decimal = (minor: bigint, currency: string): Cell => ({ decimal: decimalText(minor, currency) })

const usual = { isUsual: true } as const

export const PAYMENT_COLUMNS: Readonly<Record<string, ExportColumn<ExportedPayment>>> = {
  paymentId: { ...usual, about: 'The id of the payment.', cell: ({ paymentId }) => paymentId },
  createdTime: {
    ...usual,
    about: 'When it was created.',
    cell: ({ createdTime }) => createdTime.toISOString(),
  },
  state: { about: 'The state of the API.', cell: ({ state }) => state },
  stateTime: { about: 'When it entered its state.', cell: ({ stateTime }) => stateTime.toISOString() },
  amount: {
    ...usual,
    about: 'What is to be paid.',
    cell: ({ amountMinor, currency }) => decimal(amountMinor, currency),
  },
  captured: {
    ...usual,
    about: 'What was taken.',
    cell: ({ capturedMinor, currency }) => decimal(capturedMinor, currency),
  },
  refunded: {
    ...usual,
    about: 'What was given back.',
    cell: ({ refundedMinor, currency }) => decimal(refundedMinor, currency),
  },
  currency: { ...usual, about: 'ISO 4217.', cell: ({ currency }) => currency },
  referenceId: { ...usual, about: 'Your reference.', cell: ({ referenceId }) => referenceId },
  orderId: { ...usual, about: 'Your order number.', cell: ({ orderId }) => orderId },
  customerId: { ...usual, about: 'Your id of the customer.', cell: ({ customerId }) => customerId },
  provider: {
    ...usual,
    about: 'The provider of the last attempt.',
    cell: ({ profileId }, app) => (profileId === null ? null : findProfile(app, profileId)?.provider),
  },
  profile: {
    about: 'The name of its profile.',
    cell: ({ profileId }, app) => (profileId === null ? null : findProfile(app, profileId)?.name),
  },
  method: { ...usual, about: 'The payment method.', cell: ({ method }) => method },
  brand: { about: 'The brand of the card.', cell: ({ brand }) => brand },
  last4: { about: 'The last four digits of the card.', cell: ({ last4 }) => last4 },
  wallet: { about: 'The wallet that the card was in.', cell: ({ wallet }) => wallet },
  country: { about: 'The country of the payer or the card.', cell: ({ country }) => country },
  flow: { about: 'How it is paid: on the hosted page, directly, …', cell: ({ flow }) => flow },
  fraudStatus: { about: 'What the fraud rules found.', cell: ({ fraudStatus }) => fraudStatus },
  reason: {
    about: 'Why it failed, or why the last attempt was declined.',
    cell: ({ reason }) => reason,
  },
  status: { ...usual, about: 'The state as lists show it: `declined`, `part-refunded`, …', cell: shownState },
  fee: {
    ...usual,
    about: 'The fee that the provider reported.',
    cell: ({ feeMinor, currency }) => (feeMinor === null ? null : decimal(feeMinor, currency)),
  },
  disputed: {
    about: 'What open disputes may take.',
    cell: ({ disputedMinor, currency }) => decimal(disputedMinor, currency),
  },
  net: {
    ...usual,
    about: 'captured − refunded − fee − disputed. It may be negative.',
    cell: (payment) => decimal(netOf(payment), payment.currency),
  },
  providerPaymentId: {
    ...usual,
    about: "The provider's id of the payment.",
    cell: ({ providerPaymentId }) => providerPaymentId,
  },
  captureId: { about: "The provider's id of the capture.", cell: ({ captureId }) => captureId },
  email: { ...usual, about: 'The e-mail address of the payer.', cell: ({ email }) => email },
  name: { ...usual, about: 'The name of the payer.', cell: ({ name }) => name },
  description: { about: 'The description of the payment.', cell: ({ description }) => description },
}
const CELLS = Object.values(PAYMENT_COLUMNS)

/** Captured − refunded − fee − what open disputes may take. It may be negative. */
const netOf = ({ capturedMinor, refundedMinor, feeMinor, disputedMinor }: ExportedPayment): bigint =>
  capturedMinor - refundedMinor - (feeMinor ?? 0n) - disputedMinor

/** RFC 4180, with the mark by which spreadsheets recognise UTF-8. */
const HEADER = `\ufeff${csvLine(Object.keys(PAYMENT_COLUMNS))}`

const csvOf = (payments: readonly ExportedPayment[], app: App): string =>
  payments.map((payment) => csvLine(CELLS.map(({ cell }) => cell(payment, app)))).join('')

async function withDetails(
  db: Queryable,
  app: App,
  payments: readonly ListedPayment[],
): Promise<ExportedPayment[]> {
  const details = await selectDetails(
    db,
    app.appId,
    payments.map(({ paymentId }) => paymentId),
  )
  return payments.flatMap((payment) => {
    const found = details.get(payment.paymentId)
    return found ? [{ ...payment, ...found }] : []
  })
}
