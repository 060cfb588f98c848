import { assert } from '../../base/assert.ts'
import { type Queryable, sql } from '../../db/database.ts'
import type { ProfileFees } from '../app.ts'

export interface ProfileRecord {
  readonly name: string
  readonly methods: readonly string[]
  readonly currency: string
  readonly currencies: readonly string[] | null
  readonly isActive: boolean
  readonly settings: Uint8Array
  readonly fees: ProfileFees | null
}

export interface NewProfileRecord extends ProfileRecord {
  readonly appId: string
  readonly provider: string
  readonly webhookKey: string
  readonly now: Date
}

const INSERT = sql<{ profileId: number }>(
  'profiles.insert',
  `insert into payment_profiles (app_id, name, provider, methods, currency, currencies, is_active, settings,
     webhook_key, created_time, fees)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning profile_id`,
)

const LOCK_SETTINGS = sql<{ settings: Uint8Array }>(
  'profiles.lock_settings',
  'select settings from payment_profiles where app_id = $1 and profile_id = $2 for update',
)

const UPDATE = sql<never>(
  'profiles.update',
  `update payment_profiles
   set name = $3, methods = $4, currency = $5, currencies = $6, is_active = $7, settings = $8, fees = $9,
     accepted_time = case when settings = $8 then accepted_time end,
     account_methods = case when settings = $8 then account_methods end,
     account_methods_time = case when settings = $8 then account_methods_time end
   where app_id = $1 and profile_id = $2`,
)

export async function insertProfile(db: Queryable, profile: NewProfileRecord): Promise<number> {
  const { appId, name, provider, methods, currency, currencies, isActive, settings, webhookKey, now, fees } =
    profile
  const values = [
    appId,
    name,
    provider,
    methods,
    currency,
    currencies,
    isActive,
    settings,
    webhookKey,
    now,
    jsonOf(fees),
  ]
  const [row] = await db.query(INSERT, values)
  assert(row, 'an insert returns its row')
  return row.profileId
}

const jsonOf = (fees: ProfileFees | null): string | null => fees && JSON.stringify(fees)

/** Reads the settings and locks the profile until the transaction ends. */
export const lockSettings = async (
  tx: Queryable,
  appId: string,
  profileId: number,
): Promise<Uint8Array | undefined> => (await tx.query(LOCK_SETTINGS, [appId, profileId]))[0]?.settings

export async function updateProfile(
  tx: Queryable,
  appId: string,
  profileId: number,
  profile: ProfileRecord,
): Promise<void> {
  const { name, methods, currency, currencies, isActive, settings, fees } = profile
  await tx.query(UPDATE, [
    appId,
    profileId,
    name,
    methods,
    currency,
    currencies,
    isActive,
    settings,
    jsonOf(fees),
  ])
}

const IS_USED = sql<{ used: boolean }>(
  'profiles.is_used',
  `select exists (select from payment_search where app_id = $1 and profile_id = $2)
     or exists (select from payment_method_tokens
       where app_id = $1 and profile_id = $2 and removed_time is null) as used`,
)

/** Payments or stored methods of the profile exist at the provider. */
export const isProfileUsed = async (db: Queryable, appId: string, profileId: number): Promise<boolean> =>
  (await db.query(IS_USED, [appId, profileId]))[0]?.used === true

const NOTE_ACCOUNT = sql<never>(
  'profiles.note_account',
  'update payment_profiles set account = $3 where app_id = $1 and profile_id = $2',
)

export async function noteAccount(
  db: Queryable,
  appId: string,
  profileId: number,
  account: string | null,
): Promise<void> {
  await db.query(NOTE_ACCOUNT, [appId, profileId, account])
}

const NOTE_ACCEPTED = sql<never>(
  'profiles.note_accepted',
  'update payment_profiles set accepted_time = $3 where app_id = $1 and profile_id = $2',
)

/** Null: the provider refuses the settings. */
export async function noteAccepted(
  db: Queryable,
  appId: string,
  profileId: number,
  time: Date | null,
): Promise<void> {
  await db.query(NOTE_ACCEPTED, [appId, profileId, time])
}

const NOTE_ACCOUNT_METHODS = sql<never>(
  'profiles.note_account_methods',
  `update payment_profiles set account_methods = $3, account_methods_time = $4
   where app_id = $1 and profile_id = $2`,
)

interface NotedMethods {
  readonly appId: string
  readonly profileId: number
  readonly accountMethods: readonly string[]
  readonly accountMethodsTime: Date
}

export async function noteAccountMethods(db: Queryable, noted: NotedMethods): Promise<void> {
  const { appId, profileId, accountMethods, accountMethodsTime } = noted
  await db.query(NOTE_ACCOUNT_METHODS, [appId, profileId, accountMethods, accountMethodsTime])
}

const IS_REFERRED_TO = sql<{ found: boolean }>(
  'profiles.is_referred_to',
  // Payments that can still be paid may be limited to the profile. Only removals read so much.
  `select exists (select from payments where app_id = $1
       and (profile_id = $2 or details::jsonb -> 'paymentProfiles' @> to_jsonb($2::bigint)))
     or exists (select from fraud_policies f, json_array_elements(f.rules) rule
       where f.app_id = $1 and (rule -> 'profiles')::jsonb @> to_jsonb($2::bigint))
     or exists (select from operations where app_id = $1 and profile_id = $2)
     or exists (select from method_keepings where app_id = $1 and profile_id = $2)
     or exists (select from payment_method_tokens where app_id = $1 and profile_id = $2)
     or exists (select from settlement_lines where app_id = $1 and profile_id = $2)
     or exists (select from settlement_reports where app_id = $1 and profile_id = $2)
     or exists (select from payouts where app_id = $1 and profile_id = $2) as found`,
)

/** Whether any row of payments, policies, methods or settlements names the profile. */
export const isReferredTo = async (tx: Queryable, appId: string, profileId: number): Promise<boolean> =>
  (await tx.query(IS_REFERRED_TO, [appId, profileId]))[0]?.found === true

const REMOVE_PARTS = [
  'provider_notifications',
  'profile_notifications',
  'profile_health',
  'settlement_sources',
].map((table) =>
  sql<never>(`profiles.remove_${table}`, `delete from ${table} where app_id = $1 and profile_id = $2`),
)

const REMOVE = sql<never>(
  'profiles.remove',
  'delete from payment_profiles where app_id = $1 and profile_id = $2',
)

/** Removes a profile that nothing refers to, with what was noted about it. */
export async function deleteProfile(tx: Queryable, appId: string, profileId: number): Promise<void> {
  for (const statement of [...REMOVE_PARTS, REMOVE]) await tx.query(statement, [appId, profileId])
}
