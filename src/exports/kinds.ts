import { assert } from '../base/assert.ts'
import { eventIdOf } from '../base/ids.ts'
import type { Context } from '../context.ts'
import { mayLag, type Queryable } from '../db/database.ts'
import type { Cell } from '../http/content/csv.ts'
import { type App, findProfile } from '../merchants/app.ts'
import { everythingPage } from '../moving/everything.ts'
import { COLUMNS as EVERYTHING_COLUMNS } from '../moving/format.ts'
import {
  decimal,
  type ExportColumn,
  exportPage,
  PAYMENT_COLUMNS,
  planExport,
} from '../payments/search/export.ts'
import type { PaymentFilter } from '../payments/search/filter.ts'
import { flushSearch } from '../payments/search/writing/writer.ts'
import type { Permission } from '../people/access/roles.ts'
import {
  type CustomerRow,
  type DisputeRow,
  type EventRow,
  type LinkRow,
  type OfPayment,
  pageOfCustomers,
  pageOfDisputes,
  pageOfEvents,
  pageOfLinks,
  pageOfRefunds,
  type RefundRow,
  type RowPage,
  type RowPlace,
  type RowWindow,
} from './store/rows.ts'

/** Which rows an export has. Times are of the app. */
interface Selection {
  readonly from: Date | undefined
  /** Not included. */
  readonly to: Date
  /** Of payments: as in the list, with the zone of its days and the time of words such as `today`. */
  readonly filter: PaymentFilter
  readonly timeZone: string
  readonly now: Date
  /** Of everything: the merchant's key, which seals the tokens. */
  readonly sealingKey?: Uint8Array | undefined
}

/** Cells of the wanted columns, newest row first, and where the next page begins. */
export interface CellPage {
  readonly rows: readonly (readonly Cell[])[]
  readonly next: RowPlace | undefined
}

/** Reads the page after a place. */
type ReadPage = (after: RowPlace | undefined, limit: number) => Promise<CellPage>

interface Kind {
  /** Needed to make, see and read the export. */
  readonly permission: Permission
  /** What the period is about, for the reference. */
  readonly period: string
  /** By name, in the order of the file. */
  readonly columns: Readonly<Record<string, { readonly about: string; readonly isUsual?: true }>>
  open(ctx: Context, app: App, selection: Selection, columns: readonly string[]): Promise<ReadPage>
}

const usual = { isUsual: true } as const
const time = (value: Date | null): string | null => value?.toISOString() ?? null

type Columns<Row> = Readonly<Record<string, ExportColumn<Row>>>

/** What is known of the payment of a row. */
const OF_PAYMENT: Columns<OfPayment> = {
  referenceId: { ...usual, about: 'Your reference of the payment.', cell: (row) => row.referenceId },
  orderId: { ...usual, about: 'Your order number.', cell: (row) => row.orderId },
  customerId: { about: 'Your id of the customer.', cell: (row) => row.customerId },
  provider: { ...usual, about: 'The provider.', cell: (row, app) => profileOf(row, app)?.provider },
  profile: { about: 'The name of its profile.', cell: (row, app) => profileOf(row, app)?.name },
  method: { about: 'The payment method.', cell: (row) => row.method },
  providerPaymentId: {
    ...usual,
    about: "The provider's id of the payment.",
    cell: (row) => row.providerPaymentId,
  },
  email: { ...usual, about: 'The e-mail address of the payer.', cell: (row) => row.email },
  name: { ...usual, about: 'The name of the payer.', cell: (row) => row.name },
}

const profileOf = ({ profileId }: OfPayment, app: App) =>
  profileId === null ? undefined : findProfile(app, profileId)

const REFUNDS: Columns<RefundRow> = {
  refundId: { ...usual, about: 'The id of the refund.', cell: (row) => row.refundId },
  paymentId: { ...usual, about: 'The id of its payment.', cell: (row) => row.paymentId },
  createdTime: { ...usual, about: 'When it was asked for.', cell: (row) => time(row.createdTime) },
  state: { ...usual, about: '`pending`, `done` or `failed`.', cell: (row) => row.state },
  amount: { ...usual, about: 'What is given back.', cell: (row) => decimal(row.amountMinor, row.currency) },
  currency: { ...usual, about: 'ISO 4217.', cell: (row) => row.currency },
  description: { ...usual, about: 'Why, as the refund was asked for.', cell: (row) => row.description },
  ...OF_PAYMENT,
}

const DISPUTES: Columns<DisputeRow> = {
  disputeId: { ...usual, about: "The provider's id of the dispute.", cell: (row) => row.disputeId },
  paymentId: { ...usual, about: 'The id of its payment.', cell: (row) => row.paymentId },
  createdTime: { ...usual, about: 'When the service learned of it.', cell: (row) => time(row.createdTime) },
  state: { ...usual, about: '`open`, `won` or `lost`.', cell: (row) => row.state },
  amount: {
    ...usual,
    about: 'What is disputed; empty where the provider does not tell.',
    cell: (row) => (row.amountMinor === null ? null : decimal(row.amountMinor, row.currency)),
  },
  currency: { ...usual, about: 'ISO 4217.', cell: (row) => row.currency },
  reason: { ...usual, about: "The provider's reason.", cell: (row) => row.reason },
  evidenceDueTime: { ...usual, about: 'Until when you can answer.', cell: (row) => time(row.evidenceDue) },
  url: { about: 'Its page at the provider.', cell: (row) => row.url },
  ...OF_PAYMENT,
}

const CUSTOMERS: Columns<CustomerRow> = {
  customerId: { ...usual, about: 'Your id of the customer.', cell: (row) => row.customerId },
  createdTime: { ...usual, about: 'When it was created.', cell: (row) => time(row.createdTime) },
  firstName: { ...usual, about: 'The first name.', cell: (row) => row.firstName },
  lastName: { ...usual, about: 'The last name.', cell: (row) => row.lastName },
  email: { ...usual, about: 'The e-mail address.', cell: (row) => row.email },
  mobileNumber: { ...usual, about: 'The telephone number.', cell: (row) => row.mobileNumber },
  isBlocked: { ...usual, about: '`true` or `false`.', cell: (row) => String(row.isBlocked) },
  fraudPolicyId: { about: 'The fraud policy of the customer.', cell: (row) => row.fraudPolicyId },
  erasedTime: { about: 'When personal data was erased.', cell: (row) => time(row.erasedTime) },
}

const LINKS: Columns<LinkRow> = {
  paymentId: { ...usual, about: 'The id of its payment.', cell: (row) => row.paymentId },
  createdTime: { ...usual, about: 'When it was made.', cell: (row) => time(row.createdTime) },
  state: { ...usual, about: 'The state of the payment.', cell: (row) => row.state },
  amount: { ...usual, about: 'What is to be paid.', cell: (row) => decimal(row.amountMinor, row.currency) },
  captured: { ...usual, about: 'What was taken.', cell: (row) => decimal(row.capturedMinor, row.currency) },
  refunded: {
    ...usual,
    about: 'What was given back.',
    cell: (row) => decimal(row.refundedMinor, row.currency),
  },
  currency: { ...usual, about: 'ISO 4217.', cell: (row) => row.currency },
  description: { ...usual, about: 'What the payer reads.', cell: (row) => row.description },
  expirationTime: { ...usual, about: 'Until when it can be paid.', cell: (row) => time(row.expirationTime) },
  ...OF_PAYMENT,
}

const EVENTS: Columns<EventRow> = {
  eventId: { ...usual, about: 'The id of the event.', cell: (row) => eventIdOf(row.paymentId, row.sequence) },
  type: { ...usual, about: 'The type of the event.', cell: (row) => row.type },
  createdTime: { ...usual, about: 'When it happened.', cell: (row) => time(row.createdTime) },
  paymentId: {
    ...usual,
    about: 'The payment; empty for a test of the endpoint.',
    cell: (row) => (row.state === null ? null : row.paymentId),
  },
  state: { ...usual, about: 'The state that the payment entered.', cell: (row) => row.state },
  sequence: { about: 'Its number among the events of the payment.', cell: (row) => row.sequence },
  delivery: {
    ...usual,
    about: 'The webhook: `pending`, `delivered`, `exhausted`, `dropped`; empty where there is none.',
    cell: (row) => row.delivery,
  },
  tries: { about: 'How many times it was sent.', cell: (row) => row.tries },
  url: {
    about: 'Where it was sent, without the query.',
    cell: ({ endpoint }, app) =>
      (endpoint === '' ? app.paymentWebhookUrl : endpoint)?.replace(/[?#].*$/s, ''),
  },
}

type Read<Row> = (db: Queryable, appId: string, window: RowWindow) => Promise<RowPage<Row>>

function kind<Row>(about: Pick<Kind, 'permission' | 'period'>, columns: Columns<Row>, read: Read<Row>): Kind {
  return {
    ...about,
    columns,
    async open(ctx, app, { from, to }, names) {
      // Some rows are written with those of the search.
      await flushSearch(ctx, app.appId)
      const cells = cellsOf(columns, names)
      return async (after, limit) => {
        const { rows, next } = await read(mayLag(ctx.db), app.appId, { from, to, after, limit })
        return { rows: rows.map((row) => cells(row, app)), next }
      }
    },
  }
}

function cellsOf<Row>(columns: Columns<Row>, names: readonly string[]) {
  const wanted = names.flatMap((name) => columns[name] ?? [])
  return (row: Row, app: App): Cell[] => wanted.map(({ cell }) => cell(row, app))
}

const PAYMENTS: Kind = {
  permission: 'PaymentRead',
  period: 'created in it',
  columns: PAYMENT_COLUMNS,
  async open(ctx, app, { from, to, filter, timeZone, now }, names) {
    const period = { to, ...(from && { from }) }
    const plan = await planExport(ctx, app, filter, { timeZone, now, period })
    const cells = cellsOf(PAYMENT_COLUMNS, names)
    return async (after, limit) => {
      if (!plan) return { rows: [], next: undefined }
      const below = after && { time: new Date(after.time), paymentId: Number(after.key[0]) }
      const { payments, next } = await exportPage(ctx, app, plan, { below, limit })
      return {
        rows: payments.map((payment) => cells(payment, app)),
        next: next && { time: next.time.toISOString(), key: [next.paymentId] },
      }
    }
  },
}

/** Customers, stored methods and payments, in the form of an import. The period does not count. */
const EVERYTHING: Kind = {
  permission: 'LicenseManagement',
  period: 'at any time',
  columns: Object.fromEntries(
    Object.entries(EVERYTHING_COLUMNS).map(([name, about]) => [name, { ...usual, about }]),
  ),
  async open(ctx, app, { sealingKey: key }) {
    assert(key !== undefined, 'an export of everything has a key')
    return (after, limit) => everythingPage(ctx, app, { key, after, limit })
  },
}

/** What can be exported. */
export const EXPORT_KINDS = {
  payments: PAYMENTS,
  refunds: kind({ permission: 'PaymentRead', period: 'asked for in it' }, REFUNDS, pageOfRefunds),
  disputes: kind({ permission: 'PaymentRead', period: 'opened in it' }, DISPUTES, pageOfDisputes),
  customers: kind({ permission: 'CustomerRead', period: 'created in it' }, CUSTOMERS, pageOfCustomers),
  links: kind({ permission: 'PaymentRead', period: 'made in it' }, LINKS, pageOfLinks),
  events: kind({ permission: 'DeveloperRead', period: 'that happened in it' }, EVENTS, pageOfEvents),
  everything: EVERYTHING,
} as const satisfies Readonly<Record<string, Kind>>

export type ExportKind = keyof typeof EXPORT_KINDS

export const KIND_NAMES = Object.keys(EXPORT_KINDS) as readonly ExportKind[]

export const columnsOf = (kind: ExportKind): readonly string[] => Object.keys(EXPORT_KINDS[kind].columns)

/** The columns of an export that names none. */
export const usualColumns = (kind: ExportKind): readonly string[] =>
  Object.entries<{ isUsual?: true }>(EXPORT_KINDS[kind].columns).flatMap(([name, { isUsual }]) =>
    isUsual ? [name] : [],
  )
