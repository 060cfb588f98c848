import { knownCustomer } from '../../customers/commands.ts'
import { type Queryable, type Statement, sql } from '../../db/database.ts'

/** A place in rows from newest to oldest: the time of a row and the rest of its key. */
export interface RowPlace {
  /** ISO 8601. */
  readonly time: string
  readonly key: readonly (string | number)[]
}

export interface RowWindow {
  readonly from: Date | undefined
  /** Not included. */
  readonly to: Date
  readonly after: RowPlace | undefined
  readonly limit: number
}

/** Rows read by one statement, and where the next one goes on: undefined at the end. */
export interface RowPage<Row> {
  readonly rows: readonly Row[]
  readonly next: RowPlace | undefined
}

/** What the exports of payments tell of the payment of a row. */
export interface OfPayment {
  readonly paymentId: number
  readonly currency: string
  readonly referenceId: string
  readonly orderId: string | null
  readonly customerId: string
  readonly profileId: number | null
  readonly method: string | null
  readonly providerPaymentId: string | null
  readonly email: string | null
  readonly name: string | null
}

const OF_PAYMENT = `p.payment_id, p.currency, p.reference_id,
     nullif(p.details ->> 'orderId', '') as order_id, p.customer_id, p.profile_id, p.method,
     p.handles ->> 'payment' as provider_payment_id,
     coalesce(nullif(p.details #>> '{customerOrder,customer,email}', ''),
       p.pay_info #>> '{payer,email}') as email,
     coalesce(nullif(concat_ws(' ', nullif(p.details #>> '{customerOrder,customer,firstName}', ''),
       nullif(p.details #>> '{customerOrder,customer,lastName}', '')), ''),
       p.pay_info #>> '{payer,fullName}') as name`

/** `$1` app, `$2` from, `$3` and the following the place, then the limit. */
const keyed = (table: string, columns: readonly string[], types: readonly string[]): string => {
  const own = columns.map((column) => `${table}.${column}`).join(', ')
  const given = types.map((type, at) => `$${at + 3}::${type}`).join(', ')
  return `${table}.app_id = $1 and ${table}.${columns[0]} >= $2 and (${own}) < (${given})
     order by ${columns.map((column) => `${table}.${column} desc`).join(', ')} limit $${types.length + 3}`
}

/** Before the first row that is older than `to`: no key is smaller than these. */
const valuesOf = (
  appId: string,
  { from, to, after, limit }: RowWindow,
  least: readonly (string | number)[],
) => [appId, from ?? '-infinity', after?.time ?? to, ...(after?.key ?? least), limit]

async function page<Row extends { readonly createdTime: Date }>(
  db: Queryable,
  { statement, values, limit }: { statement: Statement<Row>; values: readonly unknown[]; limit: number },
  keyOf: (row: Row) => RowPlace['key'],
): Promise<RowPage<Row>> {
  const rows = await db.query(statement, values)
  const last = rows.length < limit ? undefined : rows.at(-1)
  return { rows, next: last && { time: last.createdTime.toISOString(), key: keyOf(last) } }
}

export interface RefundRow extends OfPayment {
  readonly refundId: string
  readonly amountMinor: bigint
  readonly state: string
  readonly description: string | null
  readonly createdTime: Date
}

const REFUNDS = sql<RefundRow>(
  'exports.refunds',
  `select r.refund_id, r.amount_minor, r.state, r.description, r.created_time, ${OF_PAYMENT}
   from (
     select r.* from refunds r
     where ${keyed('r', ['created_time', 'payment_id', 'refund_id'], ['timestamptz', 'bigint', 'text'])}) r
     join payments p on p.app_id = r.app_id and p.payment_id = r.payment_id
   order by r.created_time desc, r.payment_id desc, r.refund_id desc`,
)

export const pageOfRefunds = (db: Queryable, appId: string, window: RowWindow): Promise<RowPage<RefundRow>> =>
  page(
    db,
    { statement: REFUNDS, values: valuesOf(appId, window, [0, '']), limit: window.limit },
    ({ paymentId, refundId }) => [paymentId, refundId],
  )

export interface CustomerRow {
  readonly customerId: string
  readonly createdTime: Date
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string | null
  readonly mobileNumber: string | null
  readonly isBlocked: boolean
  readonly fraudPolicyId: number | null
  readonly erasedTime: Date | null
}

const CUSTOMERS = sql<CustomerRow>(
  'exports.customers',
  `select c.customer_id, c.created_time, c.first_name, c.last_name, c.email, c.mobile_number, c.is_blocked,
     c.fraud_policy_id, c.erased_time
   from customers c where ${knownCustomer('c')}
     and ${keyed('c', ['created_time', 'customer_id'], ['timestamptz', 'text'])}`,
)

export const pageOfCustomers = (
  db: Queryable,
  appId: string,
  window: RowWindow,
): Promise<RowPage<CustomerRow>> =>
  page(
    db,
    { statement: CUSTOMERS, values: valuesOf(appId, window, ['']), limit: window.limit },
    ({ customerId }) => [customerId],
  )

export interface EventRow {
  readonly paymentId: number
  readonly sequence: number
  readonly type: string
  readonly state: string | null
  readonly createdTime: Date
  readonly delivery: string | null
  readonly tries: number | null
  /** '' stands for the URL of the app. */
  readonly endpoint: string | null
}

const EVENTS = sql<EventRow>(
  'exports.events',
  `select e.payment_id, e.sequence, e.type, e.state, e.created_time, d.tries, d.endpoint,
     case when d.status in ('ready', 'waiting', 'sending') then 'pending' else d.status end as delivery
   from (
     select e.app_id, e.payment_id, e.sequence, e.type, e.state, e.created_time from events e
     where ${keyed('e', ['created_time', 'payment_id', 'sequence'], ['timestamptz', 'bigint', 'integer'])}) e
     left join lateral (
       select d.tries, d.status, coalesce(x.url, d.endpoint) as endpoint
       from deliveries d
         left join app_endpoints x on x.app_id = d.app_id and x.endpoint_id = d.endpoint_id
       where d.app_id = e.app_id and d.payment_id = e.payment_id and d.sequence = e.sequence
       order by d.endpoint_id limit 1) d on true
   order by e.created_time desc, e.payment_id desc, e.sequence desc`,
)

export const pageOfEvents = (db: Queryable, appId: string, window: RowWindow): Promise<RowPage<EventRow>> =>
  page(
    db,
    { statement: EVENTS, values: valuesOf(appId, window, [0, 0]), limit: window.limit },
    ({ paymentId, sequence }) => [paymentId, sequence],
  )

export interface LinkRow extends OfPayment {
  readonly createdTime: Date
  readonly state: string
  readonly amountMinor: bigint
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
  readonly description: string | null
  readonly expirationTime: Date | null
  readonly isLink: boolean
}

/** All payments of hosted pages: few of them are links, so that a page of links is shorter. */
const LINKS = sql<LinkRow>(
  'exports.links',
  `select s.created_time, p.state, p.amount_minor, p.captured_minor, p.refunded_minor,
     p.details ->> 'description' as description, p.expiration_time,
     coalesce((p.details ->> 'isLink')::boolean, false) as is_link, ${OF_PAYMENT}
   from (
     select s.app_id, s.payment_id, s.created_time from payment_search s
     where ${keyed('s', ['created_time', 'payment_id'], ['timestamptz', 'bigint'])}) s
     join payments p on p.app_id = s.app_id and p.payment_id = s.payment_id
   order by s.created_time desc, s.payment_id desc`,
)

export async function pageOfLinks(
  db: Queryable,
  appId: string,
  window: RowWindow,
): Promise<RowPage<LinkRow>> {
  const values = valuesOf(appId, window, [0])
  const { rows, next } = await page(db, { statement: LINKS, values, limit: window.limit }, (row) => [
    row.paymentId,
  ])
  return { rows: rows.filter(({ isLink }) => isLink), next }
}

export interface DisputeRow extends OfPayment {
  readonly createdTime: Date
  readonly disputeId: string
  readonly state: string
  readonly amountMinor: bigint | null
  readonly reason: string | null
  readonly evidenceDue: Date | null
  readonly url: string | null
}

const DISPUTES = sql<DisputeRow>(
  'exports.disputes',
  `select d.opened_time as created_time, d.dispute_id, d.state, d.amount_minor, d.reason,
     d.due_time as evidence_due, d.url, ${OF_PAYMENT}
   from (
     select d.* from disputes d
     where ${keyed('d', ['opened_time', 'payment_id', 'dispute_id'], ['timestamptz', 'bigint', 'text'])}) d
     join payments p on p.app_id = d.app_id and p.payment_id = d.payment_id
   order by d.opened_time desc, d.payment_id desc, d.dispute_id desc`,
)

/** By the time at which they were opened. */
export const pageOfDisputes = (
  db: Queryable,
  appId: string,
  window: RowWindow,
): Promise<RowPage<DisputeRow>> =>
  page(
    db,
    { statement: DISPUTES, values: valuesOf(appId, window, [0, '']), limit: window.limit },
    ({ paymentId, disputeId }) => [paymentId, disputeId],
  )
