import { assert } from '../base/assert.ts'
import { type Queryable, sql } from '../db/database.ts'

export interface StoredFacts {
  readonly hasRefund: boolean
  readonly hasDecline: boolean
  /** Owners who can sign in with a password alone. */
  readonly unprotectedOwners: number
  readonly backupTime: Date | null
}

/** A server that archives its WAL continuously is backed up without a row in `backups`. */
const BACKUP_TIME =
  'greatest((select max(taken_time) from backups), (select last_archived_time from pg_stat_archiver))'

/** In order: reasons of `payment_outcome` that are no decline. Thousands of payments may have each. */
const NO_DECLINES = ['authorization_expired', 'cancelled', 'expired', 'fraud_rejected']

/** Looks between these reasons in the index, so that the first row is nearly always a decline. */
const HAS_DECLINE = `exists (
       select from unnest(array['', '${NO_DECLINES.join("', '")}'],
         array['${NO_DECLINES.join("', '")}', chr(1114111)]) v (above, below) cross join lateral (
         select from payment_search s where s.app_id = $1 and s.reason > v.above and s.reason < v.below
           and payment_outcome(s.state, s.reason, s.captured_minor) = 'declined' limit 1) d)`

const FACTS = sql<StoredFacts>(
  'going_live.facts',
  `select exists (select from refunds r where r.app_id = $1 and r.state = 'done') as has_refund,
     ${HAS_DECLINE} as has_decline,
     (select count(*)::integer from memberships m join people p using (person_id)
      where m.license_id = $2 and m.role = 'Owner' and not p.is_disabled and p.totp_enabled_time is null
        and not exists (select from passkeys k where k.person_id = p.person_id)) as unprotected_owners,
     ${BACKUP_TIME} as backup_time`,
)

export async function selectFacts(db: Queryable, appId: string, licenseId: string): Promise<StoredFacts> {
  const [row] = await db.query(FACTS, [appId, licenseId])
  assert(row, 'a select without a table has a row')
  return row
}

const BACKUP = sql<Pick<StoredFacts, 'backupTime'>>(
  'going_live.backup',
  `select ${BACKUP_TIME} as backup_time`,
)

export const selectBackup = async (db: Queryable): Promise<Date | null> =>
  (await db.query(BACKUP, []))[0]?.backupTime ?? null
