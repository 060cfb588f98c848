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
  webhook_secret: Uint8Array
  webhook_previous_secret: Uint8Array | null
  webhook_previous_until: Date | null
  default_fraud_policy_id: string | null
  has_fraud_policies: boolean
  routing: object | null
  checkout_methods: string[]
  has_first_capture: boolean
  clock_offset_ms: string
  logo_hash: string | null
  color: string | null
  slogan1: string | null
  slogan2: string | null
  support: string | null
  terms_url: string | null
  privacy_url: string | null
  locale: string | null
  theme: 'light' | 'dark' | null
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
  trouble: string | null
  trouble_failures: number | null
  trouble_due_time: Date | null
}

export interface KeyRow {
  key_id: string
  expires_time: Date | null
}

const SELECT_APP = sql<AppRow>(
  'directory.app',
  `select app_id, license_id, is_sandbox, is_active, friendly_name, created_time, payment_webhook_url,
     webhook_auth_scheme, webhook_auth_parameter, webhook_secret, webhook_previous_secret,
     webhook_previous_until, default_fraud_policy_id, checkout_methods, routing,
     exists (select from fraud_policies f where f.app_id = apps.app_id) as has_fraud_policies,
     first_capture_time is not null as has_first_capture, clock_offset_ms,
     logo_hash, color, slogan1, slogan2, support, terms_url, privacy_url, locale, theme
   from apps where app_id = $1`,
)

const SELECT_PROFILES = sql<ProfileRow>(
  'directory.profiles',
  `select p.profile_id, p.name, p.provider, p.methods, p.currency, p.currencies, p.is_active, p.settings,
     p.webhook_key, p.created_time, h.says as trouble, h.failures as trouble_failures,
     h.due_time as trouble_due_time
   from payment_profiles p
     left join profile_health h on h.app_id = p.app_id and h.profile_id = p.profile_id
   where p.app_id = $1 order by p.profile_id`,
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

/** Apps that changed, to every node. */
export const CHANNEL = 'tender_apps'

const TELL = sql<never>('directory.tell', `select pg_notify('${CHANNEL}', $1)`)

export async function tellNodes(db: Queryable, appId: string): Promise<void> {
  await db.query(TELL, [appId])
}

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
