import { MINUTE } from '../base/clock.ts'
import { type Queryable, sql } from '../db/database.ts'

const ARRIVALS = sql<{ verified: boolean; forged: boolean }>(
  'inbound.arrivals',
  `select coalesce(bool_or(status <> 'forged' and not (status = 'new' and hints is null)), false) as verified,
     coalesce(bool_or(status = 'forged'), false) as forged
   from (
     select status, hints from provider_notifications where app_id = $1 and profile_id = $2 limit $3
   ) seen`,
)

/** Whether notifications of the profile were verified, and whether some were forged, among some of them. */
export async function selectArrivals(db: Queryable, appId: string, profileId: number, most: number) {
  const [row] = await db.query(ARRIVALS, [appId, profileId, most])
  return { hasVerified: row?.verified ?? false, hasForged: row?.forged ?? false }
}

// Several nodes may have seen the same old time: one of them writes.
const NOTE_LAST_TIME = sql<never>(
  'inbound.note_last_time',
  `insert into profile_notifications as n (app_id, profile_id, last_time) values ($1, $2, $3)
   on conflict (app_id, profile_id) do update set last_time = excluded.last_time
     where n.last_time <= excluded.last_time - interval '${MINUTE} milliseconds'`,
)

interface Arrived {
  readonly appId: string
  readonly profileId: number
  readonly now: Date
}

export async function noteLastTime(db: Queryable, { appId, profileId, now }: Arrived): Promise<void> {
  await db.query(NOTE_LAST_TIME, [appId, profileId, now])
}
