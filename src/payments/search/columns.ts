import { decimalText } from '../../base/money.ts'
import { type App, findProfile } from '../../merchants/app.ts'
import type { PaymentDetails } from './export-store.ts'
import type { ListedPayment } from './filter.ts'
import { shownState } from './outcome.ts'

/** The columns of lists and exports of payments. Pure. */

export type ExportedPayment = ListedPayment & PaymentDetails
type Cell = (payment: ExportedPayment, app: App) => string | number | null | undefined

const CELLS = {
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
} satisfies Record<string, Cell>

export type ColumnId = keyof typeof CELLS

/** Captured − refunded − fee − what open disputes may take. It may be negative. */
const netOf = ({ capturedMinor, refundedMinor, feeMinor, disputedMinor }: ExportedPayment): bigint =>
  capturedMinor - refundedMinor - (feeMinor ?? 0n) - disputedMinor

/** Columns that the list of the console can show, and the columns of an export that have what they show. */
const OF_LIST = {
  amount: ['amount', 'currency'],
  state: ['status', 'reason'],
  method: ['method', 'brand', 'last4'],
  customer: ['name', 'email', 'customerId'],
  reference: ['referenceId'],
  provider: ['provider', 'profile'],
  created: ['createdTime'],
  id: ['paymentId'],
  captured: ['captured'],
  refunded: ['refunded'],
  fraud: ['fraudStatus'],
  order: ['orderId'],
  country: ['country'],
  flow: ['flow'],
} as const satisfies Readonly<Record<string, readonly ColumnId[]>>

export type ListColumnId = keyof typeof OF_LIST
export const LIST_COLUMNS = Object.keys(OF_LIST) as ListColumnId[]

/** A column by its id, which is its heading in a file. The texts `columns` have titles for people. */
export interface PaymentColumn {
  readonly id: ColumnId
  readonly value: Cell
}

const isColumn = (name: string): name is ColumnId => Object.hasOwn(CELLS, name)

/** The columns of these names, in their order, each once; unknown names are left out. All for no names. */
export function columnsNamed(names: readonly string[] = []): PaymentColumn[] {
  const wanted = names.length > 0 ? new Set(names.filter(isColumn)) : (Object.keys(CELLS) as ColumnId[])
  return [...wanted].map((id) => ({ id, value: CELLS[id] }))
}

/** Names for `columnsNamed`: what these columns of the list show. */
export const exportedAs = (columns: readonly ListColumnId[]): ColumnId[] =>
  columns.flatMap((column) => OF_LIST[column])
