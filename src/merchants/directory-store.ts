import { type Database, type Queryable, sql } from '../db/database.ts'
import { lookup } from '../db/lookup.ts'
import type { MethodKind } from '../providers/outcome.ts'
import type { ProfileFees } from './app.ts'
import type { PayerMail, TeamMail } from './apps/mail-kinds.ts'
import type { RoutingConfig } from './routing-config.ts'

/** The row as JSON: times are texts, bytes are written as `\x…`. */
export interface AppRow {
  app_id: string
  license_id: string
  is_sandbox: boolean
  is_active: boolean
  friendly_name: string
  created_time: string
  payment_webhook_url: string | null
  webhook_auth_scheme: string | null
  webhook_auth_parameter: string | null
  webhook_secret: string
  webhook_previous_secret: string | null
  webhook_previous_until: string | null
  is_signing_enabled: boolean
  default_fraud_policy_id: number | null
  has_fraud_policies: boolean
  routing: RoutingConfig | null
  checkout_methods: string[]
  has_first_capture: boolean
  clock_offset_ms: number
  webhooks_held_until: string | null
  max_refunds_daily: number | null
  refund_emails: string[]
  time_zone: string
  checkout_host: string | null
  is_host_proven: boolean
  host_claim: { host: string; token: string } | null
  two_factor_required: boolean
  require_otp_for_api_keys: boolean
  personal_data_days: number | null
  logo_hash: string | null
  color: string | null
  slogan1: string | null
  slogan2: string | null
  support: string | null
  terms_url: string | null
  privacy_url: string | null
  locale: string | null
  theme: 'light' | 'dark' | null
  show_powered_by: boolean
  payer_mails: PayerMail[]
  team_mails: TeamMail[]
  mail_from_name: string | null
  mail_reply_to: string | null
  team_addresses: string[]
  profiles: readonly ProfileRow[]
}

export interface ProfileRow {
  profile_id: number
  name: string
  provider: string
  methods: MethodKind[]
  currency: string
  currencies: string[] | null
  is_active: boolean
  settings: string
  webhook_key: string
  created_time: string
  fees: ProfileFees | null
  account: string | null
  last_notification_time: string | null
  trouble: string | null
  trouble_failures: number | null
  trouble_due_time: string | null
}

export interface LiveKeyRow {
  key_id: string
  name: string
  expires_time: Date | null
  scopes: string[] | null
}

const SELECT_APP = sql<{ text: string }>(
  'directory.app',
  `select to_json(row)::text as text from (
     select a.app_id, a.license_id, a.is_sandbox, a.is_active, a.friendly_name, a.created_time,
       a.payment_webhook_url, a.webhook_auth_scheme, a.webhook_auth_parameter, a.webhook_secret,
       a.webhook_previous_secret, a.webhook_previous_until, a.is_signing_enabled,
       a.default_fraud_policy_id, a.checkout_methods,
       a.routing, exists (select from fraud_policies f where f.app_id = a.app_id) as has_fraud_policies,
       a.first_capture_time is not null as has_first_capture, a.clock_offset_ms, a.webhooks_held_until,
       a.max_refunds_daily,
       a.refund_emails, a.time_zone, a.checkout_host,
       a.checkout_host_proven_time is not null as is_host_proven,
       (select json_build_object('host', c.host, 'token', c.token)
        from checkout_host_claims c where c.app_id = a.app_id) as host_claim,
       a.two_factor_required, a.require_otp_for_api_keys,
       a.personal_data_days, a.logo_hash, a.color,
       a.slogan1, a.slogan2, a.support, a.terms_url, a.privacy_url, a.locale, a.theme,
       a.show_powered_by,
       a.payer_mails, a.team_mails, a.mail_from_name, a.mail_reply_to, a.team_addresses,
       array(
         select profile from (
           select p.profile_id, p.name, p.provider, p.methods, p.currency, p.currencies, p.is_active,
             p.settings, p.webhook_key, p.created_time, p.fees, p.account,
             n.last_time as last_notification_time, h.says as trouble, h.failures as trouble_failures,
             h.due_time as trouble_due_time
           from payment_profiles p
             left join profile_notifications n on n.app_id = p.app_id and n.profile_id = p.profile_id
             left join profile_health h on h.app_id = p.app_id and h.profile_id = p.profile_id
           where p.app_id = a.app_id order by p.profile_id) profile) as profiles
     from apps a where a.app_id = $1) row`,
)

const SELECT_KEY = sql<LiveKeyRow>(
  'directory.key',
  `select key_id, name, expires_time, scopes from api_keys
   where app_id = $1 and key_hash = $2 and revoked_time is null`,
)

const TOUCH_KEY = sql<never>(
  'directory.touch_key',
  `update api_keys set last_used_time = $3, last_used_address = $4
   where app_id = $1 and key_id = $2 and (last_used_time is null or last_used_time < $3)`,
)

/** An app with its profiles: an `AppRow` as JSON. */
export async function selectApp(db: Queryable, appId: string): Promise<string | undefined> {
  const [row] = await db.query(SELECT_APP, [appId])
  return row?.text
}

const CHECKOUT_HOSTS = sql<{ checkout_host: string; app_id: string }>(
  'directory.checkoutHosts',
  'select checkout_host, app_id from apps where checkout_host is not null',
)

/** Every checkout host name with its app: as many as there are apps, so they are read together. */
export async function selectCheckoutHosts(db: Queryable): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query(CHECKOUT_HOSTS)
  return new Map(rows.map((row) => [row.checkout_host, row.app_id]))
}

const APP_OF_PROFILE = lookup<{ profile: number }, { app_id: string }>('directory.appOfProfile', {
  asks: 'profile bigint',
  finds: 'select app_id from payment_profiles where profile_id = i.profile',
})

export async function findAppOfProfile(db: Database, profileId: number): Promise<string | undefined> {
  const row = await db.batch(APP_OF_PROFILE, { profile: profileId })
  return row?.app_id
}

/** Finds a key of the app by hash, unless it is revoked. */
export async function selectKey(
  db: Queryable,
  appId: string,
  hash: Uint8Array,
): Promise<LiveKeyRow | undefined> {
  const [row] = await db.query(SELECT_KEY, [appId, hash])
  return row
}

export interface KeyUse {
  readonly appId: string
  readonly keyId: string
  readonly time: Date
  /** Of the client. */
  readonly address: string
}

export async function touchKey(db: Queryable, { appId, keyId, time, address }: KeyUse): Promise<void> {
  await db.query(TOUCH_KEY, [appId, keyId, time, address])
}
