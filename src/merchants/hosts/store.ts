import { type Due, type Queryable, sql } from '../../db/database.ts'

/** A host name that an app asks for. */
export interface HostClaim {
  readonly appId: string
  readonly host: string
  readonly token: string
}

const CLAIM = sql<never>(
  'hosts.claim',
  `insert into checkout_host_claims as c (app_id, host, token, created_time, due_time)
   values ($1, $2, $3, $4, $5)
   on conflict (app_id) do update set host = excluded.host,
     token = case when c.host = excluded.host then c.token else excluded.token end,
     created_time = excluded.created_time, due_time = excluded.due_time, tries = 0`,
)

interface NewClaim {
  readonly appId: string
  readonly host: string
  readonly token: string
  readonly now: Date
  /** The time of the first check by the job. */
  readonly dueTime: Date
}

/** One claim for each app. The token of a name stays the same when it is asked for again. */
export async function insertClaim(db: Queryable, claim: NewClaim): Promise<void> {
  await db.query(CLAIM, [claim.appId, claim.host, claim.token, claim.now, claim.dueTime])
}

const DELETE = sql<{ appId: string }>(
  'hosts.delete_claim',
  'delete from checkout_host_claims where app_id = $1 returning app_id',
)

export async function deleteClaim(db: Queryable, appId: string): Promise<void> {
  await db.query(DELETE, [appId])
}

const HOLDER = sql<{ appId: string }>(
  'hosts.proven_holder',
  `select app_id from apps
   where checkout_host = $1 and app_id <> $2 and checkout_host_proven_time is not null`,
)

/** Whether another app has proved that the name is its own. */
export async function isHeldByOther(db: Queryable, host: string, appId: string): Promise<boolean> {
  return (await db.query(HOLDER, [host, appId])).length > 0
}

const TAKE_CHECK = sql<HostClaim>(
  'hosts.take_check',
  `update checkout_host_claims set checked_time = $2
   where app_id = $1 and (checked_time is null or checked_time <= $3)
   returning app_id, host, token`,
)

/** The claim, unless it was checked after `since`. */
export async function takeCheck(
  db: Queryable,
  appId: string,
  { now, since }: { readonly now: Date; readonly since: Date },
): Promise<HostClaim | undefined> {
  const [row] = await db.query(TAKE_CHECK, [appId, now, since])
  return row
}

const LOCK = sql<{ appId: string }>(
  'hosts.lock_claim',
  'select app_id from checkout_host_claims where app_id = $1 and host = $2 and token = $3 for update',
)

/** False when the claim was changed or removed meanwhile. */
export async function lockClaim(db: Queryable, { appId, host, token }: HostClaim): Promise<boolean> {
  return (await db.query(LOCK, [appId, host, token])).length > 0
}

const RELEASE = sql<{ appId: string }>(
  'hosts.release_unproven',
  `update apps set checkout_host = null
   where checkout_host = $1 and app_id <> $2 and checkout_host_proven_time is null returning app_id`,
)

/** Takes the name from an app that has it from before proofs. Returns the app's id. */
export async function releaseUnproven(
  db: Queryable,
  { host, appId }: HostClaim,
): Promise<string | undefined> {
  const [row] = await db.query(RELEASE, [host, appId])
  return row?.appId
}

const HOLD = sql<never>(
  'hosts.hold',
  'update apps set checkout_host = $2, checkout_host_proven_time = $3 where app_id = $1',
)

/** Violates `apps_checkout_host` when another app holds the name. */
export async function holdHost(db: Queryable, { appId, host }: HostClaim, now: Date): Promise<void> {
  await db.query(HOLD, [appId, host, now])
}

export const claimsDue: Due = (now) => `checkout_host_claims where due_time <= ${now}`

const TAKE_DUE = sql<HostClaim>(
  'hosts.take_due',
  `update checkout_host_claims set tries = tries + 1, checked_time = $1,
     due_time = case when created_time > $1::timestamptz - interval '30 days'
       then $1::timestamptz + least(interval '1 minute' * power(2, least(tries, 20)), interval '6 hours') end
   where app_id in (
     select app_id from ${claimsDue('$1::timestamptz')} order by due_time limit $2 for update skip locked)
   returning app_id, host, token`,
)

/** Claims to check now; each is due again after a minute, then after twice as long, for 30 days. */
export const takeDueClaims = (db: Queryable, now: Date, limit: number): Promise<HostClaim[]> =>
  db.query(TAKE_DUE, [now, limit])
