import { type Queryable, sql } from '../../db/database.ts'

// Password hashes, TOTP secrets and recovery codes.

export interface SignInFacts {
  personId: string
  passwordHash: string | null
  hasTotp: boolean
  isDisabled: boolean
  isKnownNetwork: boolean
  accessVersion: number
}

const SIGN_IN = sql<SignInFacts>(
  'people.sign_in',
  `select p.person_id, p.password_hash, p.totp_enabled_time is not null as has_totp, p.is_disabled,
     p.access_version,
     exists (select from person_networks n where n.person_id = p.person_id and n.network = $2)
       as is_known_network
   from people p where p.email = $1`,
)
const FIND_PASSWORD = sql<{ passwordHash: string | null }>(
  'people.password',
  'select password_hash from people where person_id = $1',
)
const SET_PASSWORD = sql<{ personId: string }>(
  'people.set_password',
  'update people set password_hash = $2 where person_id = $1 returning person_id',
)
const SET_VERIFIED = sql<never>(
  'people.set_verified',
  'update people set verified_time = $2 where person_id = $1',
)
const CLEAR_SECRETS = sql<never>(
  'people.clear_secrets',
  `with networks as (delete from person_networks where person_id = $1)
   update people set password_hash = null, totp_enabled_time = null, totp_secret = null, recovery_codes = '{}'
   where person_id = $1`,
)
const REHASH = sql<never>(
  'people.rehash',
  // Only the hash that was verified: the password may have been changed since.
  'update people set password_hash = $3 where person_id = $1 and password_hash = $2',
)
const FIND_TOTP = sql<{ totpSecret: Uint8Array | null; isEnabled: boolean }>(
  'people.totp',
  'select totp_secret, totp_enabled_time is not null as is_enabled from people where person_id = $1',
)
const PREPARE_TOTP = sql<{ personId: string }>(
  'people.prepare_totp',
  `update people set totp_secret = $2 where person_id = $1 and totp_enabled_time is null
   returning person_id`,
)
const ENABLE_TOTP = sql<{ personId: string }>(
  'people.enable_totp',
  `update people set totp_enabled_time = $2, recovery_codes = $3
   where person_id = $1 and totp_enabled_time is null and totp_secret is not null returning person_id`,
)
const DISABLE_TOTP = sql<{ personId: string }>(
  'people.disable_totp',
  `update people set totp_enabled_time = null, totp_secret = null, recovery_codes = '{}'
   where person_id = $1 and totp_secret is not null returning person_id`,
)
const USE_STEP = sql<{ personId: string }>(
  'people.use_totp_step',
  `update people set totp_last_step = $2 where person_id = $1 and totp_last_step < $2 returning person_id`,
)
const USE_RECOVERY = sql<{ remaining: number }>(
  'people.use_recovery_code',
  `update people set recovery_codes = array_remove(recovery_codes, $2::bytea)
   where person_id = $1 and $2::bytea = any(recovery_codes)
   returning cardinality(recovery_codes) as remaining`,
)
const SET_RECOVERY = sql<{ personId: string }>(
  'people.set_recovery_codes',
  `update people set recovery_codes = $2 where person_id = $1 and totp_enabled_time is not null
   returning person_id`,
)
const COUNT_RECOVERY = sql<{ remaining: number }>(
  'people.count_recovery_codes',
  'select cardinality(recovery_codes) as remaining from people where person_id = $1',
)

export const selectForSignIn = async (db: Queryable, email: string, network: string) =>
  (await db.query(SIGN_IN, [email, network]))[0]

export const selectPasswordHash = async (db: Queryable, personId: string): Promise<string | undefined> =>
  (await db.query(FIND_PASSWORD, [personId]))[0]?.passwordHash ?? undefined

export const updatePassword = async (db: Queryable, personId: string, hash: string): Promise<boolean> =>
  (await db.query(SET_PASSWORD, [personId, hash])).length > 0

/** Null: the address counts as not verified. */
export async function updateVerified(tx: Queryable, personId: string, time: Date | null): Promise<void> {
  await tx.query(SET_VERIFIED, [personId, time])
}

/** Removes password, second factor, recovery codes and the networks of earlier sign-ins. */
export async function clearSecrets(tx: Queryable, personId: string): Promise<void> {
  await tx.query(CLEAR_SECRETS, [personId])
}

/** Replaces a hash by one of the same password with current parameters. */
export async function replaceHash(db: Queryable, personId: string, was: string, hash: string): Promise<void> {
  await db.query(REHASH, [personId, was, hash])
}

export const selectTotp = async (db: Queryable, personId: string) =>
  (await db.query(FIND_TOTP, [personId]))[0]

/** False when TOTP is in use already. */
export const prepareTotp = async (db: Queryable, personId: string, sealed: Uint8Array): Promise<boolean> =>
  (await db.query(PREPARE_TOTP, [personId, sealed])).length > 0

export const enableTotp = async (tx: Queryable, personId: string, now: Date, codes: readonly Uint8Array[]) =>
  (await tx.query(ENABLE_TOTP, [personId, now, codes])).length > 0

export const disableTotp = async (tx: Queryable, personId: string): Promise<boolean> =>
  (await tx.query(DISABLE_TOTP, [personId])).length > 0

/** False when this step or a later one was used before, on any node. */
export const useStep = async (db: Queryable, personId: string, step: number): Promise<boolean> =>
  (await db.query(USE_STEP, [personId, step])).length > 0

/** False when the person has no such code any more. */
export const useRecoveryCode = async (db: Queryable, personId: string, hash: Uint8Array): Promise<boolean> =>
  (await db.query(USE_RECOVERY, [personId, hash])).length > 0

export const updateRecoveryCodes = async (tx: Queryable, personId: string, codes: readonly Uint8Array[]) =>
  (await tx.query(SET_RECOVERY, [personId, codes])).length > 0

export const countRecoveryCodes = async (db: Queryable, personId: string): Promise<number> =>
  (await db.query(COUNT_RECOVERY, [personId]))[0]?.remaining ?? 0
