import { type Database, type Queryable, sql } from '../db/database.ts'
import { lookup } from '../db/lookup.ts'
import { asMembers } from '../db/rows.ts'
import type { App, Profile } from './app.ts'

/** As JSON: times are texts, bytes are written as `\x…`. */
type Written<Value> = Value extends Date | Uint8Array
  ? string
  : Value extends readonly (infer One)[]
    ? readonly Written<One>[]
    : { readonly [Member in keyof Value]: Written<Value[Member]> }

export type WrittenProfile = Written<Profile>
export type WrittenApp = Written<App>

const SELECT_APP = sql<{ text: string }>(
  'directory.app',
  `select to_json(row)::text as text from (
     select ${asMembers(
       'a',
       `app_id, license_id, is_sandbox, is_active, friendly_name, created_time, payment_webhook_url,
       webhook_auth_scheme, webhook_auth_parameter, webhook_secret, webhook_previous_secret,
       webhook_previous_until, is_signing_enabled, webhook_states, webhook_kinds, is_webhook_paused,
       first_webhook_time,
       default_fraud_policy_id, checkout_methods, routing,
       clock_offset_ms, webhooks_held_until, max_refunds_daily, refund_approval_above, refund_emails,
       time_zone, month_starts_on, checkout_host, two_factor_required, require_otp_for_api_keys,
       personal_data_days, retry_guard, accept_late_payments, statement_descriptor`,
     )},
       exists (select from fraud_policies f where f.app_id = a.app_id) as "hasFraudPolicies",
       exists (select from customers c where c.app_id = a.app_id and c.is_blocked) as "hasBlockedCustomers",
       array(select k.kind
         from unnest('{Card,Email,EmailDomain,Address,Customer,Country}'::text[]) as k (kind)
         where exists (select from block_entries b
           where b.app_id = a.app_id and b.kind = k.kind and not b.is_allowed)
       ) as "blockKinds",
       array(select k.kind from unnest('{Card,Email,Address,Customer}'::text[]) as k (kind)
         where exists (select from block_entries b
           where b.app_id = a.app_id and b.kind = k.kind and b.is_allowed)
       ) as "allowKinds",
       exists (select from settlement_sources t where t.app_id = a.app_id) as "hasSettlements",
       a.first_capture_time is not null as "hasFirstCapture",
       a.checkout_host_proven_time is not null as "isCheckoutHostProven",
       (select json_build_object('host', c.host, 'token', c.token)
        from checkout_host_claims c where c.app_id = a.app_id) as "hostClaim",
       (select branding from (select ${asMembers(
         'a',
         `logo_hash, color, slogan1, slogan2, support, terms_url, privacy_url, locale, theme,
         show_powered_by`,
       )}) branding) as branding,
       (select mails from (select a.payer_mails as payer, a.team_mails as team,
          a.mail_from_name as "fromName", a.mail_reply_to as "replyTo",
          a.team_addresses as "teamAddresses") mails) as mails,
       array(
         select profile from (
           select ${asMembers(
             'p',
             `profile_id, name, provider, methods, currency, currencies, is_active, settings, webhook_key,
             created_time, fees, account, accepted_time, account_methods, account_methods_time`,
           )},
             n.last_time as "lastNotificationTime",
             case when h.app_id is not null then json_build_object('diagnosis', h.diagnosis,
               'failures', h.failures, 'until', h.due_time) end as trouble
           from payment_profiles p
             left join profile_notifications n on n.app_id = p.app_id and n.profile_id = p.profile_id
             left join profile_health h on h.app_id = p.app_id and h.profile_id = p.profile_id
           where p.app_id = a.app_id order by p.profile_id) profile) as profiles
     from apps a where a.app_id = $1) row`,
)

export interface LiveKey {
  readonly appId: string
  readonly keyId: string
  readonly name: string
  readonly expiresTime: Date | null
  /** Null: the key may do everything. */
  readonly scopes: readonly string[] | null
}

const SELECT_KEY = sql<LiveKey>(
  'directory.key',
  `select app_id, key_id, name, expires_time, scopes from api_keys
   where app_id = $1 and key_hash = $2 and revoked_time is null`,
)

const TOUCH_KEY = sql<never>(
  'directory.touch_key',
  `update api_keys set last_used_time = $3, last_used_address = $4
   where app_id = $1 and key_id = $2 and (last_used_time is null or last_used_time < $3)`,
)

/** An app with its profiles: a `WrittenApp`. */
export async function selectApp(db: Queryable, appId: string): Promise<string | undefined> {
  const [row] = await db.query(SELECT_APP, [appId])
  return row?.text
}

const CHECKOUT_HOSTS = sql<{ checkoutHost: string; appId: string }>(
  'directory.checkoutHosts',
  'select checkout_host, app_id from apps where checkout_host is not null',
)

/** Every checkout host name with its app: as many as there are apps, so they are read together. */
export async function selectCheckoutHosts(db: Queryable): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query(CHECKOUT_HOSTS)
  return new Map(rows.map((row) => [row.checkoutHost, row.appId]))
}

const APP_OF_PROFILE = lookup<{ profile: number }, { appId: string }>('directory.appOfProfile', {
  columns: 'profile bigint',
  finds: 'select app_id from payment_profiles where profile_id = i.profile',
})

export async function findAppOfProfile(db: Database, profileId: number): Promise<string | undefined> {
  return (await db.batch(APP_OF_PROFILE, { profile: profileId }))?.appId
}

/** Finds a key of the app by hash, unless it is revoked. */
export async function selectKey(
  db: Queryable,
  appId: string,
  hash: Uint8Array,
): Promise<LiveKey | undefined> {
  const [row] = await db.query(SELECT_KEY, [appId, hash])
  return row
}

export interface KeyUse {
  readonly appId: string
  readonly keyId: string
  readonly time: Date
  /** The address of the client. */
  readonly address: string
}

export async function touchKey(db: Queryable, { appId, keyId, time, address }: KeyUse): Promise<void> {
  await db.query(TOUCH_KEY, [appId, keyId, time, address])
}
