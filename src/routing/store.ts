import { type Queryable, sql } from '../db/database.ts'
import type { Diagnosis } from '../merchants/profiles/diagnosis.ts'
import type { RoutingConfig } from '../merchants/routing-config.ts'

const SAVE = sql<never>('routing.save', 'update apps set routing = $2 where app_id = $1')

export async function saveRouting(db: Queryable, appId: string, config: RoutingConfig): Promise<void> {
  await db.query(SAVE, [appId, JSON.stringify(config)])
}

const LOCK = sql<{ routing: RoutingConfig | null }>(
  'routing.lock',
  'select routing from apps where app_id = $1 for no key update',
)

/** Reads the routing and locks the app until the transaction ends. */
export const lockRouting = async (tx: Queryable, appId: string): Promise<RoutingConfig | null> =>
  (await tx.query(LOCK, [appId]))[0]?.routing ?? null

const MARK = sql<never>(
  'routing.mark',
  `insert into profile_health (app_id, profile_id, failures, diagnosis, due_time) values ($1, $2, $3, $4, $5)
   on conflict (app_id, profile_id) do update
   set failures = excluded.failures, diagnosis = excluded.diagnosis, due_time = excluded.due_time`,
)

export interface Mark {
  readonly profileId: number
  readonly failures: number
  readonly diagnosis: Diagnosis
  readonly due: Date
}

/** Every node ranks the profile last until a probe succeeds. */
export async function markProfile(db: Queryable, appId: string, mark: Mark): Promise<void> {
  await db.query(MARK, [appId, mark.profileId, mark.failures, JSON.stringify(mark.diagnosis), mark.due])
}

const CLEAR = sql<never>('routing.clear', 'delete from profile_health where app_id = $1 and profile_id = $2')

export async function clearProfile(db: Queryable, appId: string, profileId: number): Promise<void> {
  await db.query(CLEAR, [appId, profileId])
}
