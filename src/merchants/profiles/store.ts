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
   set name = $3, methods = $4, currency = $5, currencies = $6, is_active = $7, settings = $8, fees = $9
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
