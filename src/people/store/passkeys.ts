import { type Due, type Queryable, sql } from '../../db/database.ts'

export interface Passkey {
  readonly credentialId: string
  readonly personId: string
  readonly publicKey: Uint8Array
  readonly counter: number
  readonly transports: readonly string[]
  readonly name: string
  /** Copied to other devices of the person by the maker of the device. */
  readonly isSynced: boolean
  readonly createdTime: Date
  readonly lastUsedTime: Date | null
}

const COLUMNS = `credential_id, person_id, public_key, counter, transports, name, is_synced, created_time,
  last_used_time`

const INSERT = sql<Passkey>(
  'passkeys.insert',
  `insert into passkeys (credential_id, person_id, public_key, counter, transports, name, is_synced,
     created_time)
   values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (credential_id) do nothing returning ${COLUMNS}`,
)
const FIND = sql<Passkey & { readonly accessVersion: number }>(
  'passkeys.find',
  `select ${COLUMNS}, (select access_version from people p where p.person_id = k.person_id)
   from passkeys k where credential_id = $1`,
)
const LIST = sql<Passkey>(
  'passkeys.list',
  `select ${COLUMNS} from passkeys where person_id = $1 order by created_time, credential_id`,
)
const USE = sql<{ credentialId: string }>(
  'passkeys.use',
  `update passkeys set counter = greatest(counter, $2), last_used_time = $3 where credential_id = $1
   returning credential_id`,
)
const DELETE = sql<{ credentialId: string }>(
  'passkeys.delete',
  'delete from passkeys where person_id = $1 and credential_id = $2 returning credential_id',
)
const DELETE_ALL = sql<never>('passkeys.delete_all', 'delete from passkeys where person_id = $1')
const USE_CHALLENGE = sql<{ expiresTime: Date }>(
  'passkeys.use_challenge',
  `insert into used_challenges (challenge_hash, expires_time) values ($1, $2)
   on conflict (challenge_hash) do nothing returning expires_time`,
)

/** Undefined when the credential is registered already. */
export async function insertPasskey(tx: Queryable, passkey: Passkey): Promise<Passkey | undefined> {
  const { credentialId, personId, publicKey, counter, transports, name, isSynced, createdTime } = passkey
  const values = [credentialId, personId, publicKey, counter, transports, name, isSynced, createdTime]
  return (await tx.query(INSERT, values))[0]
}

/** With the version of its person's access at this time. */
export const selectPasskey = async (db: Queryable, credentialId: string) =>
  (await db.query(FIND, [credentialId]))[0]

export const selectPasskeys = (db: Queryable, personId: string): Promise<Passkey[]> =>
  db.query(LIST, [personId])

export async function recordPasskeyUse(db: Queryable, credentialId: string, counter: number, now: Date) {
  await db.query(USE, [credentialId, counter, now])
}

export const deletePasskey = async (tx: Queryable, personId: string, credentialId: string) =>
  (await tx.query(DELETE, [personId, credentialId])).length > 0

export async function deletePasskeys(tx: Queryable, personId: string): Promise<void> {
  await tx.query(DELETE_ALL, [personId])
}

/** False when the challenge was answered before, on any node. */
export const useChallenge = async (db: Queryable, hash: Uint8Array, expiresTime: Date): Promise<boolean> =>
  (await db.query(USE_CHALLENGE, [hash, expiresTime])).length > 0

export const challengesDue: Due = (now) => `used_challenges where expires_time < ${now}`

const FORGET = sql<{ expiresTime: Date }>(
  'passkeys.forget_challenges',
  `delete from used_challenges where challenge_hash in (
     select challenge_hash from ${challengesDue('$1::timestamptz')} limit $2) returning expires_time`,
)

export const forgetChallenges = async (db: Queryable, now: Date, most: number): Promise<number> =>
  (await db.query(FORGET, [now, most])).length
