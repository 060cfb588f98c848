import { LIMITS } from '../../base/limits.ts'
import { type Queryable, sql } from '../../db/database.ts'
import { boundedPage, type Page, type PageRow, pageOf } from '../../db/page.ts'
import { COLUMNS, type Delivery, JOIN, LEASED, PENDING, type Status } from '../list-store.ts'

/** Position in a list from newest to oldest; a page begins after it. */
export interface Cursor {
  readonly time: Date
  readonly paymentId: number
  readonly sequence: number
  /** Only in lists of deliveries; absent: 0. */
  readonly endpointId?: number
}

export interface Filter {
  readonly paymentId: number | undefined
  readonly since: Date | undefined
  readonly before: Cursor | undefined
  readonly limit: number
}

export interface DeliveryFilter extends Filter {
  readonly status: Status | undefined
}

/** Bytes of a row in the response, without its texts of variable length. */
const DELIVERY_BYTES = 400
const ATTEMPT_BYTES = 200

/** $1 app, $2 since, $3 to $5 cursor, $6 limit. */
const EVENT_AFTER_CURSOR = `e.app_id = $1 and e.created_time >= $2
     and (e.created_time, e.payment_id, e.sequence) < ($3, $4, $5)`

/** The same of deliveries in the order of the queue; $8 is the endpoint of the cursor. */
const QUEUED_AFTER_CURSOR = `d.app_id = $1 and d.queued_time >= $2
     and (d.queued_time, d.payment_id, d.sequence, d.endpoint_id) < ($3, $4, $5, $8)`
const NEWEST_QUEUED =
  'order by d.queued_time desc, d.payment_id desc, d.sequence desc, d.endpoint_id desc limit $6'

/**
 * Deliveries in the order of their events: for each event in the order of the index, its deliveries by
 * endpoint. The condition on the event alone is the one that the index can use. $9 statuses.
 */
const OF_EVENTS = `select ${COLUMNS} from events e cross join lateral (
       select * from deliveries d where ${JOIN} order by d.endpoint_id desc) d
     where e.app_id = $1 and e.created_time >= $2
       and (e.created_time, e.payment_id, e.sequence) <= ($3, $4, $5)
       and (e.created_time, e.payment_id, e.sequence, d.endpoint_id) < ($3, $4, $5, $8)
       and ($9::text[] is null or d.status = any ($9))`

/** Deliveries with the size of each, its attempts included. $7 bytes. */
const deliveries = (rows: string, time: string) =>
  boundedPage(
    `select k.*, ${DELIVERY_BYTES} + octet_length(coalesce(k.further_url, k.endpoint)) + tries.bytes as size
     from (${rows}) k cross join lateral (
       select coalesce(sum(${ATTEMPT_BYTES} + coalesce(octet_length(a.error), 0)), 0)::integer as bytes
       from (
         select error from delivery_attempts a
         where a.app_id = $1 and a.payment_id = k.payment_id and a.sequence = k.sequence
           and a.endpoint_id = k.endpoint_id
         order by a.attempt desc limit ${LIMITS.shownAttempts}) a) tries`,
    { order: `${time} desc, payment_id desc, sequence desc, endpoint_id desc`, bytes: '$7' },
  )

// One statement for each index; each starts with the app.

type SizedDelivery = Delivery & PageRow

const DELIVERIES = sql<SizedDelivery>(
  'webhooks.list',
  deliveries(
    `${OF_EVENTS} order by e.created_time desc, e.payment_id desc, e.sequence desc limit $6`,
    'created_time',
  ),
)

const DELIVERIES_OF_PAYMENT = sql<SizedDelivery>(
  'webhooks.listOfPayment',
  deliveries(`${OF_EVENTS} and e.payment_id = $10 order by e.sequence desc limit $6`, 'created_time'),
)

/**
 * Those that wait by their index, and those that are being sent by their leases: these are few, on all nodes,
 * and `offset 0` keeps the planner from reading all deliveries of the app instead.
 */
const PENDING_ONLY = sql<SizedDelivery>(
  'webhooks.listPending',
  deliveries(
    `select ${COLUMNS} from (
       (select * from deliveries d
        where ${QUEUED_AFTER_CURSOR} and d.due_time is not null and d.lease_token is null ${NEWEST_QUEUED})
       union all
       (select * from (${LEASED} offset 0) d where ${QUEUED_AFTER_CURSOR} ${NEWEST_QUEUED})) d
     join events e on ${JOIN} ${NEWEST_QUEUED}`,
    'queued_time',
  ),
)

const FAILED_ONLY = sql<SizedDelivery>(
  'webhooks.listFailed',
  deliveries(
    `select ${COLUMNS} from deliveries d join events e on ${JOIN}
     where ${QUEUED_AFTER_CURSOR} and d.status in ('exhausted', 'dropped') and d.status = $9
     ${NEWEST_QUEUED}`,
    'queued_time',
  ),
)

export type Sized<Item> = Item & { readonly size: number }

export async function pageOfDeliveries(
  db: Queryable,
  appId: string,
  filter: DeliveryFilter,
): Promise<Page<Sized<Delivery>>> {
  const page = [...pageValues(appId, filter), filter.before?.endpointId ?? 0]
  const rows = await deliveryRows(db, filter, page)
  return pageOf(rows, filter.limit)
}

function deliveryRows(db: Queryable, { status, paymentId }: DeliveryFilter, page: readonly unknown[]) {
  const statuses = status === 'pending' ? PENDING : status === undefined ? null : [status]
  if (paymentId !== undefined) return db.query(DELIVERIES_OF_PAYMENT, [...page, statuses, paymentId])
  if (status === 'pending') return db.query(PENDING_ONLY, page)
  if (isReadByQueue(status)) return db.query(FAILED_ONLY, [...page, status])
  return db.query(DELIVERIES, [...page, statuses])
}

/** Undelivered webhooks are listed by the time they were queued. */
export const isReadByQueue = (status: Status | undefined): boolean =>
  status !== undefined && status !== 'delivered'

/** Always pass bounds: with "or is null" conditions every page would read the index from its end. */
const pageValues = (appId: string, { since, before, limit }: Filter): unknown[] => [
  appId,
  since ?? '-infinity',
  before?.time ?? 'infinity',
  before?.paymentId ?? 0,
  before?.sequence ?? 0,
  // One row more than the page holds tells whether there is a next page.
  limit + 1,
  LIMITS.pageBytes,
]

/** An event without its body. */
export interface ListedEvent extends Cursor {
  readonly type: string
  /** The payment's; null for an event without a payment. */
  readonly state: string | null
}

/** octet_length does not read the stored text. */
const EVENT = `select e.created_time as time, e.payment_id, e.sequence, e.type, e.state,
     octet_length(e.body) as size from events e`
const EVENT_ORDER = { order: 'time desc, payment_id desc, sequence desc', bytes: '$7' }

const EVENTS = sql<ListedEvent & PageRow>(
  'webhooks.events',
  boundedPage(
    `${EVENT} where ${EVENT_AFTER_CURSOR}
     order by e.created_time desc, e.payment_id desc, e.sequence desc limit $6`,
    EVENT_ORDER,
  ),
)

const EVENTS_OF_PAYMENT = sql<ListedEvent & PageRow>(
  'webhooks.eventsOfPayment',
  boundedPage(
    `${EVENT} where ${EVENT_AFTER_CURSOR} and e.payment_id = $8
     order by e.sequence desc limit $6`,
    EVENT_ORDER,
  ),
)

/** The keys and sizes of a page of events, without the bodies. */
export async function pageOfEvents(
  db: Queryable,
  appId: string,
  filter: Filter,
): Promise<Page<Sized<ListedEvent>>> {
  const values = pageValues(appId, filter)
  const rows =
    filter.paymentId === undefined
      ? await db.query(EVENTS, values)
      : await db.query(EVENTS_OF_PAYMENT, [...values, filter.paymentId])
  return pageOf(rows, filter.limit)
}

const BODIES = sql<{ body: string }>(
  'webhooks.bodies',
  `select e.body
   from unnest($2::bigint[], $3::integer[]) with ordinality as k (payment_id, sequence, place)
     cross join lateral (
       select body from events e
       where e.app_id = $1 and e.payment_id = k.payment_id and e.sequence = k.sequence offset 0) e
   order by k.place`,
)

/** In the order of their keys. */
export async function selectBodies(db: Queryable, appId: string, keys: readonly Cursor[]): Promise<string[]> {
  const values = [appId, keys.map(({ paymentId }) => paymentId), keys.map(({ sequence }) => sequence)]
  return (await db.query(BODIES, values)).map(({ body }) => body)
}
