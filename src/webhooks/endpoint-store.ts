import { type Database, type Due, type Queryable, sql } from '../db/database.ts'
import { lookup } from '../db/lookup.ts'
import { sameDelivery } from './endpoint.ts'

/** A further webhook endpoint of an app; the first one is in the app itself. */
export interface FurtherEndpoint {
  readonly endpointId: number
  /** Its name in the queue. */
  readonly endpoint: string
  readonly url: string
  readonly authScheme: string | null
  /** Sealed. */
  readonly authParameter: Uint8Array | null
  /** Sealed. */
  readonly secret: Uint8Array
  /** The previous secret, sealed, while it still signs too. */
  readonly previousSecret: Uint8Array | null
  readonly previousUntil: Date | null
  /** Null: every state. */
  readonly states: readonly string[] | null
  /** Null: every kind. */
  readonly kinds: readonly string[] | null
  readonly isPaused: boolean
  readonly createdTime: Date
}

const COLUMNS = `endpoint_id, endpoint, url, auth_scheme, auth_parameter, secret, previous_secret,
     previous_until, states, kinds, is_paused, created_time`

const OF_APP = sql<FurtherEndpoint>(
  'endpoints.ofApp',
  `select ${COLUMNS} from app_endpoints where app_id = $1 order by endpoint_id`,
)

export const listFurther = (db: Queryable, appId: string): Promise<FurtherEndpoint[]> =>
  db.query(OF_APP, [appId])

const FIND = lookup<{ app: string; endpoint: number }, FurtherEndpoint>('endpoints.find', {
  columns: 'app text, endpoint integer',
  finds: `select ${COLUMNS} from app_endpoints where app_id = i.app and endpoint_id = i.endpoint`,
})

export const findFurther = (
  db: Database,
  appId: string,
  endpointId: number,
): Promise<FurtherEndpoint | undefined> => db.batch(FIND, { app: appId, endpoint: endpointId })

/** Payments of the app are written meanwhile: their foreign keys do not wait for this lock. */
const LOCK_APP = sql<never>('endpoints.lockApp', 'select from apps where app_id = $1 for no key update')

const COUNT = sql<{ count: number }>(
  'endpoints.count',
  'select count(*)::integer as count from app_endpoints where app_id = $1',
)

/** The number of further endpoints; none is added before the transaction ends. */
export async function countFurther(tx: Queryable, appId: string): Promise<number> {
  await tx.query(LOCK_APP, [appId])
  return (await tx.query(COUNT, [appId]))[0]?.count ?? 0
}

const ADD = sql<FurtherEndpoint>(
  'endpoints.add',
  `insert into app_endpoints (app_id, endpoint_id, endpoint, url, auth_scheme, auth_parameter, secret, states,
     kinds, is_paused, created_time)
   select $1, n.id, 'we_' || n.id, $2, $3, $4, $5, $6, $7, $8, $9
   from (select nextval('webhook_endpoint_ids')::integer as id) n
   returning ${COLUMNS}`,
)

export type NewFurther = Pick<
  FurtherEndpoint,
  'url' | 'authScheme' | 'authParameter' | 'secret' | 'states' | 'kinds' | 'isPaused' | 'createdTime'
>

export async function addFurther(
  tx: Queryable,
  appId: string,
  added: NewFurther,
): Promise<FurtherEndpoint | undefined> {
  const { url, authScheme, authParameter, secret, states, kinds, isPaused, createdTime } = added
  const values = [appId, url, authScheme, authParameter, secret, states, kinds, isPaused, createdTime]
  return (await tx.query(ADD, values))[0]
}

/** Absent fields stay unchanged; null clears. */
export interface FurtherChanges {
  readonly url?: string | undefined
  readonly authScheme?: string | null | undefined
  readonly authParameter?: Uint8Array | null | undefined
  readonly states?: readonly string[] | null | undefined
  readonly kinds?: readonly string[] | null | undefined
  readonly isPaused?: boolean | undefined
}

const CHANGE = sql<FurtherEndpoint>(
  'endpoints.change',
  `update app_endpoints set url = case when $3 then $4 else url end,
     auth_scheme = case when $5 then $6 else auth_scheme end,
     auth_parameter = case when $7 then $8 else auth_parameter end,
     states = case when $9 then $10::text[] else states end,
     kinds = case when $11 then $12::text[] else kinds end,
     is_paused = case when $13 then $14::boolean else is_paused end
   where app_id = $1 and endpoint_id = $2 returning ${COLUMNS}`,
)

/** One statement, so that concurrent changes do not overwrite each other. */
export async function changeFurther(
  tx: Queryable,
  appId: string,
  endpointId: number,
  changes: FurtherChanges,
): Promise<FurtherEndpoint | undefined> {
  const { url, authScheme, authParameter, states, kinds, isPaused } = changes
  const fields = [url, authScheme, authParameter, states, kinds, isPaused]
  const values = fields.flatMap((value) => [value !== undefined, value ?? null])
  return (await tx.query(CHANGE, [appId, endpointId, ...values]))[0]
}

const CHANGE_FIRST = sql<never>(
  'endpoints.changeFirst',
  `update apps set webhook_states = case when $2 then $3::text[] else webhook_states end,
     webhook_kinds = case when $4 then $5::text[] else webhook_kinds end,
     is_webhook_paused = case when $6 then $7::boolean else is_webhook_paused end
   where app_id = $1`,
)

/** What only the first endpoint has of its own; its address is a setting of the app. */
export async function changeFirst(
  tx: Queryable,
  appId: string,
  { states, kinds, isPaused }: Pick<FurtherChanges, 'states' | 'kinds' | 'isPaused'>,
): Promise<void> {
  const values = [states, kinds, isPaused].flatMap((value) => [value !== undefined, value ?? null])
  await tx.query(CHANGE_FIRST, [appId, ...values])
}

const ROTATE = sql<FurtherEndpoint>(
  'endpoints.rotate',
  `update app_endpoints set previous_secret = secret, previous_until = $4, secret = $3
   where app_id = $1 and endpoint_id = $2 returning ${COLUMNS}`,
)

/** Stores the new sealed secret; the previous one signs too until the given time. */
export async function rotateFurther(
  tx: Queryable,
  appId: string,
  endpointId: number,
  { sealed, previousUntil }: { readonly sealed: Uint8Array; readonly previousUntil: Date },
): Promise<FurtherEndpoint | undefined> {
  return (await tx.query(ROTATE, [appId, endpointId, sealed, previousUntil]))[0]
}

const REMOVE = sql<FurtherEndpoint>(
  'endpoints.remove',
  `delete from app_endpoints where app_id = $1 and endpoint_id = $2 returning ${COLUMNS}`,
)

export const removeFurther = async (
  tx: Queryable,
  appId: string,
  endpointId: number,
): Promise<FurtherEndpoint | undefined> => (await tx.query(REMOVE, [appId, endpointId]))[0]

const FORGET_HEALTH = sql<never>(
  'endpoints.forgetHealth',
  'delete from webhook_endpoints where app_id = $1 and endpoint = $2',
)

/** The endpoint starts afresh. */
export async function forgetHealth(tx: Queryable, appId: string, endpoint: string): Promise<void> {
  await tx.query(FORGET_HEALTH, [appId, endpoint])
}

const DROP = sql<{ paymentId: number }>(
  'endpoints.drop',
  `update deliveries d set status = 'dropped', due_time = null
   from (select q.app_id, q.payment_id, q.sequence, q.endpoint_id from deliveries q
     where q.app_id = $1 and q.due_time is not null and q.endpoint_id = $2 and q.status <> 'sending'
     order by q.queued_time limit $3 for update of q skip locked) q
   where ${sameDelivery('d', 'q')}
   returning d.payment_id`,
)

/** Drops deliveries of an endpoint that was removed; those in flight end by themselves. Returns how many. */
export const dropDeliveries = async (
  db: Queryable,
  appId: string,
  { endpointId, limit }: { readonly endpointId: number; readonly limit: number },
): Promise<number> => (await db.query(DROP, [appId, endpointId, limit])).length

const PAUSED = `(
     select a.app_id, '' collate "C" as endpoint, a.clock_offset_ms from apps a where a.is_webhook_paused
     union all
     select x.app_id, x.endpoint, a.clock_offset_ms from app_endpoints x join apps a on a.app_id = x.app_id
     where x.is_paused)`

export const pausedDue: Due = () => `${PAUSED} paused`

const DROP_PAUSED = sql<{ paymentId: number }>(
  'endpoints.dropPaused',
  `update deliveries d set status = 'dropped', due_time = null
   from (
     select q.app_id, q.payment_id, q.sequence, q.endpoint_id
     from ${PAUSED} p cross join lateral (
       select r.app_id, r.payment_id, r.sequence, r.endpoint_id from deliveries r
       where r.app_id = p.app_id and r.endpoint = p.endpoint and r.status = 'ready'
         and r.queued_time < $1::timestamptz + p.clock_offset_ms * interval '1 millisecond'
       order by r.due_time limit $2 for update of r skip locked) q
     limit $2) q
   where ${sameDelivery('d', 'q')}
   returning d.payment_id`,
)

/** A paused endpoint collects its events for a time; those queued before are dropped. Decision 0180. */
export const dropPaused = async (
  db: Queryable,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> => (await db.query(DROP_PAUSED, [before, limit])).length
