import type { Queryable } from '../db/database.ts'
import { sql } from '../db/database.ts'
import type { MethodKind } from '../providers/outcome.ts'

export interface AppRow {
  app_id: string
  license_id: string
  is_sandbox: boolean
  is_active: boolean
  friendly_name: string
  created_time: Date
  payment_webhook_url: string | null
  webhook_auth_scheme: string | null
  webhook_auth_parameter: Uint8Array | null
  default_fraud_policy_id: string | null
  checkout_methods: string[]
  has_first_capture: boolean
  clock_offset_ms: string
}

export interface ProfileRow {
  profile_id: string
  name: string
  provider: string
  methods: MethodKind[]
  currency: string
  currencies: string[] | null
  is_active: boolean
  settings: Uint8Array
  webhook_key: string
  created_time: Date
}

export interface KeyRow {
  key_id: string
  expires_time: Date | null
}

const SELECT_APP = sql<AppRow>(
  'directory.app',
  `select app_id, license_id, is_sandbox, is_active, friendly_name, created_time, payment_webhook_url,
     webhook_auth_scheme, webhook_auth_parameter, default_fraud_policy_id, checkout_methods,
     first_capture_time is not null as has_first_capture, clock_offset_ms
   from apps where app_id = $1`,
)

const SELECT_PROFILES = sql<ProfileRow>(
  'directory.profiles',
  `select profile_id, name, provider, methods, currency, currencies, is_active, settings, webhook_key,
     created_time
   from payment_profiles where app_id = $1 order by profile_id`,
)

const SELECT_KEY = sql<KeyRow>(
  'directory.key',
  `select key_id, expires_time from api_keys where app_id = $1 and key_hash = $2 and revoked_time is null`,
)

const TOUCH_KEY = sql<never>(
  'directory.touch_key',
  `update api_keys set last_used_time = $3
   where app_id = $1 and key_id = $2 and (last_used_time is null or last_used_time < $3)`,
)

export async function selectApp(db: Queryable, appId: string): Promise<AppRow | undefined> {
  const [row] = await db.query(SELECT_APP, [appId])
  return row
}

export const selectProfiles = (db: Queryable, appId: string): Promise<ProfileRow[]> =>
  db.query(SELECT_PROFILES, [appId])

/** The key of this app that has this hash and is not revoked. */
export async function selectKey(db: Queryable, appId: string, hash: Uint8Array): Promise<KeyRow | undefined> {
  const [row] = await db.query(SELECT_KEY, [appId, hash])
  return row
}

export async function touchKey(db: Queryable, appId: string, keyId: string, now: Date): Promise<void> {
  await db.query(TOUCH_KEY, [appId, keyId, now])
}
