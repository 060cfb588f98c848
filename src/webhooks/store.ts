import { type Queryable, sql } from '../db/database.ts'
import type { Attempt } from './delivery/end-store.ts'

export const STATUSES = ['pending', 'delivered', 'exhausted', 'dropped'] as const
export type Status = (typeof STATUSES)[number]

/** What has not ended: now, later, or under way. */
const PENDING = ['ready', 'waiting', 'sending']

export interface Delivery {
  readonly paymentId: number
  readonly sequence: number
  readonly type: string
  readonly state: string | null
  readonly createdTime: Date
  /** '' is the app's address. */
  readonly endpoint: string
  readonly status: Status
  readonly queuedTime: Date
  /** Real time. */
  readonly dueTime: Date | null
}

interface DeliveryRow {
  payment_id: string
  sequence: number
  type: string
  state: string | null
  created_time: Date
  endpoint: string
  status: string
  queued_time: Date
  due_time: Date | null
}

const deliveryOf = (row: DeliveryRow): Delivery => ({
  paymentId: Number(row.payment_id),
  sequence: row.sequence,
  type: row.type,
  state: row.state,
  createdTime: row.created_time,
  endpoint: row.endpoint,
  status: PENDING.includes(row.status) ? 'pending' : (row.status as Status),
  queuedTime: row.queued_time,
  dueTime: row.due_time,
})

/** Where a page begins: after this one, from the newest to the oldest. */
export interface Cursor {
  readonly time: Date
  readonly paymentId: number
  readonly sequence: number
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

const COLUMNS = `e.payment_id, e.sequence, e.type, e.state, e.created_time, d.endpoint, d.status,
     d.queued_time, d.due_time`
const JOIN = 'e.app_id = d.app_id and e.payment_id = d.payment_id and e.sequence = d.sequence'

/** $1 app, $2 since, $3 to $5 the cursor, $6 limit; `time` is the column that orders. */
const pageOf = (table: 'd' | 'e', time: string) => `${table}.app_id = $1 and ${table}.${time} >= $2
     and (${table}.${time}, ${table}.payment_id, ${table}.sequence) < ($3, $4, $5)`
const newestFirst = (table: 'd' | 'e', time: string) =>
  `order by ${table}.${time} desc, ${table}.payment_id desc, ${table}.sequence desc limit $6`

// One statement for each way to walk an index; each begins with the app.

const DELIVERIES = sql<DeliveryRow>(
  'webhooks.list',
  `select ${COLUMNS} from events e join deliveries d on ${JOIN}
   where ${pageOf('e', 'created_time')} and ($7::text[] is null or d.status = any ($7))
   ${newestFirst('e', 'created_time')}`,
)

const DELIVERIES_OF_PAYMENT = sql<DeliveryRow>(
  'webhooks.listOfPayment',
  `select ${COLUMNS} from events e join deliveries d on ${JOIN}
   where ${pageOf('e', 'created_time')} and ($7::text[] is null or d.status = any ($7)) and e.payment_id = $8
   order by e.sequence desc limit $6`,
)

const PENDING_ONLY = sql<DeliveryRow>(
  'webhooks.listPending',
  `select ${COLUMNS} from deliveries d join events e on ${JOIN}
   where ${pageOf('d', 'queued_time')} and d.due_time is not null
   ${newestFirst('d', 'queued_time')}`,
)

const FAILED_ONLY = sql<DeliveryRow>(
  'webhooks.listFailed',
  `select ${COLUMNS} from deliveries d join events e on ${JOIN}
   where ${pageOf('d', 'queued_time')} and d.status in ('exhausted', 'dropped') and d.status = $7
   ${newestFirst('d', 'queued_time')}`,
)

export async function listDeliveries(
  db: Queryable,
  appId: string,
  filter: DeliveryFilter,
): Promise<Delivery[]> {
  return (await deliveryRows(db, filter, pageValues(appId, filter))).map(deliveryOf)
}

function deliveryRows(db: Queryable, { status, paymentId }: DeliveryFilter, page: readonly unknown[]) {
  const statuses = status === 'pending' ? PENDING : status === undefined ? null : [status]
  if (paymentId !== undefined) return db.query(DELIVERIES_OF_PAYMENT, [...page, statuses, paymentId])
  if (status === 'pending') return db.query(PENDING_ONLY, page)
  if (isWalkedByQueue(status)) return db.query(FAILED_ONLY, [...page, status])
  return db.query(DELIVERIES, [...page, statuses])
}

/** What is undelivered is found in the order in which it was queued. */
export const isWalkedByQueue = (status: Status | undefined): boolean =>
  status !== undefined && status !== 'delivered'

/** Bounds always: with "or there is none" the index would be read from its end to every later page. */
const pageValues = (appId: string, { since, before, limit }: Filter): unknown[] => [
  appId,
  since ?? '-infinity',
  before?.time ?? 'infinity',
  before?.paymentId ?? 0,
  before?.sequence ?? 0,
  limit,
]

export interface StoredEvent extends Cursor {
  readonly body: string
}

interface EventRow {
  created_time: Date
  payment_id: string
  sequence: number
  body: string
}

const EVENTS = sql<EventRow>(
  'webhooks.events',
  `select e.created_time, e.payment_id, e.sequence, e.body from events e
   where ${pageOf('e', 'created_time')} ${newestFirst('e', 'created_time')}`,
)

const EVENTS_OF_PAYMENT = sql<EventRow>(
  'webhooks.eventsOfPayment',
  `select e.created_time, e.payment_id, e.sequence, e.body from events e
   where ${pageOf('e', 'created_time')} and e.payment_id = $7 order by e.sequence desc limit $6`,
)

export async function listEvents(db: Queryable, appId: string, filter: Filter): Promise<StoredEvent[]> {
  const values = pageValues(appId, filter)
  const rows =
    filter.paymentId === undefined
      ? await db.query(EVENTS, values)
      : await db.query(EVENTS_OF_PAYMENT, [...values, filter.paymentId])
  return rows.map((row) => ({
    time: row.created_time,
    paymentId: Number(row.payment_id),
    sequence: row.sequence,
    body: row.body,
  }))
}

export interface EventKey {
  readonly paymentId: number
  readonly sequence: number
}

const FIND = sql<DeliveryRow>(
  'webhooks.find',
  `select ${COLUMNS} from events e join deliveries d on ${JOIN}
   where e.app_id = $1 and e.payment_id = $2 and e.sequence = $3`,
)

export async function findDelivery(
  db: Queryable,
  appId: string,
  { paymentId, sequence }: EventKey,
): Promise<Delivery | undefined> {
  const [row] = await db.query(FIND, [appId, paymentId, sequence])
  return row && deliveryOf(row)
}

export type NumberedAttempt = Attempt & EventKey & { readonly attempt: number }

export interface TriedDelivery extends Delivery {
  readonly attempts: readonly NumberedAttempt[]
}

interface AttemptRow {
  payment_id: string
  sequence: number
  attempt: number
  start_time: Date
  latency_ms: number
  http_status: number | null
  error: string | null
  response: string | null
  next_time: Date | null
}

const ATTEMPTS = sql<AttemptRow>(
  'webhooks.attempts',
  `select a.payment_id, a.sequence, a.attempt, a.start_time, a.latency_ms, a.http_status, a.error, a.response,
     a.next_time
   from unnest($2::bigint[], $3::integer[]) as k (payment_id, sequence)
     join delivery_attempts a on a.app_id = $1 and a.payment_id = k.payment_id and a.sequence = k.sequence
   order by a.payment_id, a.sequence, a.attempt`,
)

export async function listAttempts(
  db: Queryable,
  appId: string,
  keys: readonly EventKey[],
): Promise<NumberedAttempt[]> {
  const payments = keys.map(({ paymentId }) => paymentId)
  const rows = await db.query(ATTEMPTS, [appId, payments, keys.map(({ sequence }) => sequence)])
  return rows.map((row) => ({
    paymentId: Number(row.payment_id),
    sequence: row.sequence,
    attempt: row.attempt,
    startTime: row.start_time,
    latencyMs: row.latency_ms,
    httpStatus: row.http_status,
    error: row.error,
    response: row.response,
    nextTime: row.next_time,
  }))
}
