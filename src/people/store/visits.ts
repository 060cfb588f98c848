import { DAY } from '../../base/clock.ts'
import { ago, type Due, type Queryable, sql } from '../../db/database.ts'

/** An operator in a licence of others, for a limited time. */
export interface LicenseVisit {
  readonly licenseId: string
  readonly personId: string
  readonly reason: string
  readonly createdTime: Date
  readonly expiresTime: Date
}

/** Ended visits are kept this long for questions; the audit log keeps its entries for ever. */
const KEPT_MS = 30 * DAY

const UPSERT = sql<never>(
  'visits.upsert',
  `insert into license_visits (license_id, person_id, reason, created_time, expires_time)
   values ($1, $2, $3, $4, $5)
   on conflict (license_id, person_id) do update
     set reason = excluded.reason, created_time = excluded.created_time,
       expires_time = excluded.expires_time`,
)
const END = sql<{ licenseId: string }>(
  'visits.end',
  `update license_visits set expires_time = $3
   where license_id = $1 and person_id = $2 and expires_time > $3 returning license_id`,
)

/** Replaces an earlier visit of the person. */
export async function upsertVisit(tx: Queryable, visit: LicenseVisit): Promise<void> {
  const { licenseId, personId, reason, createdTime, expiresTime } = visit
  await tx.query(UPSERT, [licenseId, personId, reason, createdTime, expiresTime])
}

/** False when there is none, or it has ended. */
export const endVisitRow = async (tx: Queryable, licenseId: string, personId: string, now: Date) =>
  (await tx.query(END, [licenseId, personId, now])).length > 0

export const visitsDue: Due = (now) => `license_visits where expires_time < ${ago(now, KEPT_MS)}`

const FORGET = sql<{ personId: string }>(
  'visits.forget',
  `delete from license_visits where (license_id, person_id) in (
     select license_id, person_id from ${visitsDue('$1::timestamptz')} limit $2) returning person_id`,
)

export const forgetVisits = async (db: Queryable, now: Date, most: number): Promise<number> =>
  (await db.query(FORGET, [now, most])).length
