import { decimalText } from '../../base/money.ts'
import type { Context } from '../../context.ts'
import { mayLag, type Queryable } from '../../db/database.ts'
import { csvLine } from '../../http/content/csv.ts'
import { type App, appNow, findProfile } from '../../merchants/app.ts'
import { readFilter } from './conditions.ts'
import { type PaymentDetails, selectDetails } from './export-store.ts'
import type { ListedPayment, PaymentFilter } from './filter.ts'
import { shownState } from './outcome.ts'
import { planSearch, type Scanned, scan, startOf } from './scan.ts'
import type { Position } from './store.ts'
import { flushSearch } from './writing/writer.ts'

const MAX_EXPORTED = 100_000
const EXPORTED_PAGE = 1_000

export interface ExportOptions {
  readonly timeZone?: string | undefined
  /** Only these payments. */
  readonly ids?: readonly number[] | undefined
}

/** The matching payments as CSV, newest first, at most 100,000 rows: chunks of text. */
export async function* exportPayments(
  ctx: Context,
  app: App,
  filter: PaymentFilter,
  { timeZone, ids }: ExportOptions = {},
): AsyncGenerator<string> {
  const { conditions } = readFilter(app, filter, { now: appNow(ctx, app), actor: ctx.actor, timeZone })
  await flushSearch(ctx, app.appId)
  const search = await planSearch(ctx, app, ids ? { ...conditions, ids } : conditions)
  const db = mayLag(ctx.db)
  yield HEADER
  let left = MAX_EXPORTED
  const page = (below: Position): Promise<Scanned> | undefined =>
    search && left > 0
      ? scan(ctx, app, search, { below, limit: Math.min(EXPORTED_PAGE, left), db })
      : undefined
  let next = page(startOf(undefined))
  while (next) {
    const { payments, next: below }: Scanned = await next
    left -= payments.length
    // Read while this page is written. When the reader leaves, its failure has no other reader.
    next = below && page(below)
    next?.catch(() => undefined)
    if (payments.length > 0) yield await csvOf(db, app, payments)
  }
}

type Exported = ListedPayment & PaymentDetails
type Cell = (payment: Exported, app: App) => string | number | null | undefined

const COLUMNS: Readonly<Record<string, Cell>> = {
  paymentId: ({ paymentId }) => paymentId,
  createdTime: ({ createdTime }) => createdTime.toISOString(),
  state: ({ state }) => state,
  stateTime: ({ stateTime }) => stateTime.toISOString(),
  amount: ({ amountMinor, currency }) => decimalText(amountMinor, currency),
  captured: ({ capturedMinor, currency }) => decimalText(capturedMinor, currency),
  refunded: ({ refundedMinor, currency }) => decimalText(refundedMinor, currency),
  currency: ({ currency }) => currency,
  referenceId: ({ referenceId }) => referenceId,
  orderId: ({ orderId }) => orderId,
  customerId: ({ customerId }) => customerId,
  provider: ({ profileId }, app) => (profileId === null ? null : findProfile(app, profileId)?.provider),
  profile: ({ profileId }, app) => (profileId === null ? null : findProfile(app, profileId)?.name),
  method: ({ method }) => method,
  brand: ({ brand }) => brand,
  last4: ({ last4 }) => last4,
  country: ({ country }) => country,
  flow: ({ flow }) => flow,
  fraudStatus: ({ fraudStatus }) => fraudStatus,
  reason: ({ reason }) => reason,
  status: shownState,
  fee: ({ feeMinor, currency }) => (feeMinor === null ? null : decimalText(feeMinor, currency)),
  disputed: ({ disputedMinor, currency }) => decimalText(disputedMinor, currency),
  net: (payment) => decimalText(netOf(payment), payment.currency),
  providerPaymentId: ({ providerPaymentId }) => providerPaymentId,
  captureId: ({ captureId }) => captureId,
  email: ({ email }) => email,
  name: ({ name }) => name,
  description: ({ description }) => description,
}
const CELLS = Object.values(COLUMNS)

/** Captured − refunded − fee − what open disputes may take. It may be negative. */
const netOf = ({ capturedMinor, refundedMinor, feeMinor, disputedMinor }: Exported): bigint =>
  capturedMinor - refundedMinor - (feeMinor ?? 0n) - disputedMinor

/** RFC 4180, with the mark by which spreadsheets recognise UTF-8. */
const HEADER = `\ufeff${Object.keys(COLUMNS).join(',')}\r\n`

async function csvOf(db: Queryable, app: App, payments: readonly ListedPayment[]): Promise<string> {
  const details = await selectDetails(
    db,
    app.appId,
    payments.map(({ paymentId }) => paymentId),
  )
  const lines = payments.flatMap((payment) => {
    const found = details.get(payment.paymentId)
    return found ? [csvLine(CELLS.map((cell) => cell({ ...payment, ...found }, app)))] : []
  })
  return lines.join('')
}
