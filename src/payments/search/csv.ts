import { decimalText } from '../../base/money.ts'
import { csvLine } from '../../http/content/csv.ts'
import { type App, findProfile } from '../../merchants/app.ts'
import type { ListedPayment } from './filter.ts'

type Cell = (payment: ListedPayment, app: App) => string | number | null | undefined

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
}
const CELLS = Object.values(COLUMNS)

/** RFC 4180, with the mark by which spreadsheets recognise UTF-8. */
export const HEADER = `\ufeff${Object.keys(COLUMNS).join(',')}\r\n`

export const csvOf = (app: App, payments: readonly ListedPayment[]): string =>
  payments.map((payment) => csvLine(CELLS.map((cell) => cell(payment, app)))).join('')
