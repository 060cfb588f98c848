import type { Actor } from '../../base/actor.ts'
import { DAY } from '../../base/clock.ts'
import { ago, type Due, type Queryable, sql } from '../../db/database.ts'

/** `FraudDecision` comes from the verdicts of fraud policies; all others are rows of customer_activity. */
export const ACTIVITY_TYPES = [
  'Blocked',
  'Unblocked',
  'PolicyChanged',
  'PolicyReset',
  'DetailsChanged',
  'MethodAdded',
  'MethodRemoved',
  'Erased',
  'FraudDecision',
] as const
type ActivityType = (typeof ACTIVITY_TYPES)[number]

export interface StoredActivity {
  readonly customerId: string
  readonly type: Exclude<ActivityType, 'FraudDecision'>
  readonly time: Date
  /** Never personal data: it outlives an erasure. */
  readonly data?: object
  readonly actor?: Pick<Actor, 'kind' | 'id' | 'name'> | undefined
}

const INSERT = sql<never>(
  'activity.insert',
  `insert into customer_activity (app_id, customer_id, activity_time, type, data, actor)
   values ($1, $2, $3, $4, $5, $6)`,
)

export async function insertActivity(db: Queryable, appId: string, activity: StoredActivity): Promise<void> {
  const { customerId, time, type, data, actor } = activity
  await db.query(INSERT, [appId, customerId, time, type, jsonOf(data), jsonOf(byOf(actor))])
}

const INSERT_MANY = sql<never>(
  'activity.insert_many',
  `insert into customer_activity (app_id, customer_id, activity_time, type, data, actor)
   select $1, "customerId", $2, $3, data, $5
   from json_to_recordset($4) as r ("customerId" text, data json)`,
)

/** The same happened to many customers. */
export async function insertActivities(
  db: Queryable,
  appId: string,
  { time, type, actor }: Omit<StoredActivity, 'customerId' | 'data'>,
  rows: readonly Pick<StoredActivity, 'customerId' | 'data'>[],
): Promise<void> {
  await db.query(INSERT_MANY, [appId, time, type, JSON.stringify(rows), jsonOf(byOf(actor))])
}

const byOf = (actor: StoredActivity['actor']) => actor && { kind: actor.kind, id: actor.id, name: actor.name }

const jsonOf = (value: object | undefined): string | null => (value ? JSON.stringify(value) : null)

export interface Activity {
  readonly activityId: string
  readonly customerId: string
  readonly type: ActivityType
  readonly time: Date
  readonly data: object | null
  readonly actor: Pick<Actor, 'kind' | 'id' | 'name'> | null
}

export interface ActivityFilter {
  readonly customerId?: string | undefined
  readonly type?: ActivityType | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly offset: number
  readonly limit: number
}

const within = (time: string) => `($4::timestamptz is null or ${time} >= $4)
       and ($5::timestamptz is null or ${time} < $5)`

/** Each part reads one index backwards up to the end of the page. One statement for each kind of list. */
const listText = (condition: string): string => `
  select * from (
    (select 'a' || activity_id as activity_id, customer_id, type, activity_time as time, data, actor
     from customer_activity
     where app_id = $1 and ${condition} and ($3::text is null or type = $3) and ${within('activity_time')}
     order by activity_time desc limit $6::integer + $7::integer)
    union all
    (select 'v' || payment_id || '-' || attempt, customer_id, 'FraudDecision', verdict_time,
       json_build_object('decision', decision, 'paymentId', payment_id, 'attempt', attempt,
         'fraudPolicyId', policy_id), null
     from fraud_verdicts
     where app_id = $1 and ${condition} and decision <> 'Accept'
       and ($3::text is null or $3 = 'FraudDecision') and ${within('verdict_time')}
     order by verdict_time desc limit $6::integer + $7::integer)) found
  order by time desc, activity_id desc offset $6::integer limit $7::integer`

const LIST = sql<Activity>('activity.list', listText('$2::text is null'))
const LIST_OF_CUSTOMER = sql<Activity>('activity.list_of_customer', listText('customer_id = $2'))

/** Newest first. */
export async function listActivity(
  db: Queryable,
  appId: string,
  { customerId, type, from, to, offset, limit }: ActivityFilter,
): Promise<Activity[]> {
  const values = [appId, customerId ?? null, type ?? null, from ?? null, to ?? null, offset, limit]
  return await db.query(customerId === undefined ? LIST : LIST_OF_CUSTOMER, values)
}

/** Longer than any dispute about a payment. */
const KEPT_MS = 550 * DAY

export const oldActivityDue: Due = (now) => `customer_activity where activity_time < ${ago(now, KEPT_MS)}`

const REMOVE_OLD = sql<{ appId: string }>(
  'activity.remove_old',
  `delete from customer_activity where (app_id, activity_id) in (
     select app_id, activity_id from ${oldActivityDue('$1::timestamptz')} limit $2)
   returning app_id`,
)

export const removeOldActivity = async (db: Queryable, now: Date, most: number): Promise<number> =>
  (await db.query(REMOVE_OLD, [now, most])).length
