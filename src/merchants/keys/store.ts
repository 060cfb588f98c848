import { type Queryable, sql } from '../../db/database.ts'

export interface StoredKey {
  readonly keyId: string
  readonly name: string
  readonly kind: 'app' | 'license'
  readonly hint: string
  readonly createdTime: Date
  readonly expiresTime: Date | null
  readonly revokedTime: Date | null
  readonly lastUsedTime: Date | null
  readonly lastUsedAddress: string | null
  readonly createdBy: string | null
  /** Null: the key may do everything. */
  readonly scopes: readonly string[] | null
}

export interface NewKey {
  readonly appId: string
  readonly keyId: string
  readonly hash: Uint8Array
  readonly name: string
  readonly kind: 'app' | 'license'
  readonly hint: string
  readonly now: Date
  readonly expiresTime: Date | null
  /** The person who made it. */
  readonly createdBy: string | null
  readonly scopes: readonly string[] | null
}

const COLUMNS = `key_id, name, kind, hint, created_time, expires_time, revoked_time, last_used_time,
     last_used_address, created_by, scopes`

const INSERT = sql<StoredKey>(
  'keys.insert',
  `insert into api_keys (app_id, key_id, key_hash, name, kind, hint, created_time, expires_time, created_by,
     scopes)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${COLUMNS}`,
)

const LOCK_APP = sql<{ appId: string }>(
  'keys.lock_app',
  // Not `for update`, which would block inserts of rows that reference the app.
  'select app_id from apps where app_id = $1 for no key update',
)

const COUNT_ACTIVE = sql<{ count: number }>(
  'keys.count_active',
  `select count(*)::int as count from api_keys
   where app_id = $1 and kind = 'app' and revoked_time is null
     and (expires_time is null or expires_time > $2)`,
)

const LIST = sql<StoredKey>(
  'keys.list',
  `select ${COLUMNS} from api_keys
   where app_id = $1 and ($2::text is null or (created_time, key_id) >
     (select created_time, key_id from api_keys where app_id = $1 and key_id = $2))
   order by created_time, key_id limit $3`,
)

const FIND = sql<StoredKey>('keys.find', `select ${COLUMNS} from api_keys where app_id = $1 and key_id = $2`)

const NAMES = sql<{ keyId: string; name: string }>(
  'keys.names',
  'select key_id, name from api_keys where app_id = $1 and key_id = any($2::text[])',
)

const FIND_LICENSE_KEY = sql<{ keyId: string; keyHash: Uint8Array }>(
  'keys.find_license_key',
  `select key_id, key_hash from api_keys
   where app_id = $1 and kind = 'license' and revoked_time is null
     and (expires_time is null or expires_time > $2)
   order by created_time desc, key_id limit 1`,
)

const REVOKE = sql<StoredKey>(
  'keys.revoke',
  `update api_keys set revoked_time = coalesce(revoked_time, $3) where app_id = $1 and key_id = $2
   returning ${COLUMNS}`,
)

const RENAME = sql<StoredKey>(
  'keys.rename',
  `update api_keys set name = $3 where app_id = $1 and key_id = $2 and revoked_time is null
   returning ${COLUMNS}`,
)

const EXPIRE = sql<StoredKey>(
  'keys.expire',
  `update api_keys set expires_time = least(expires_time, $3) where app_id = $1 and key_id = $2
     and revoked_time is null and (expires_time is null or expires_time > $4)
   returning ${COLUMNS}`,
)

export async function insertKey(db: Queryable, key: NewKey): Promise<StoredKey> {
  const values = [key.appId, key.keyId, key.hash, key.name, key.kind, key.hint, key.now]
  const [row] = await db.query(INSERT, [...values, key.expiresTime, key.createdBy, key.scopes])
  return row as StoredKey
}

/** Counts active keys under a lock on the app, so that the number stays exact until the transaction ends. */
export async function countActiveKeys(tx: Queryable, appId: string, now: Date): Promise<number> {
  await tx.query(LOCK_APP, [appId])
  // A separate statement sees rows committed while it waited for the lock.
  const [row] = await tx.query(COUNT_ACTIVE, [appId, now])
  return row?.count ?? 0
}

/** In order of creation, after this key. */
export const listKeys = (
  db: Queryable,
  appId: string,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<StoredKey[]> => db.query(LIST, [appId, after ?? null, limit])

export const findKeyRow = async (
  db: Queryable,
  appId: string,
  keyId: string,
): Promise<StoredKey | undefined> => (await db.query(FIND, [appId, keyId]))[0]

/** The names of these keys, by id. */
export async function keyNames(
  db: Queryable,
  appId: string,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = keyIds.length === 0 ? [] : await db.query(NAMES, [appId, keyIds])
  return new Map(rows.map(({ keyId, name }) => [keyId, name]))
}

/** The newest live licence key. */
export const findLicenseKey = async (db: Queryable, appId: string, now: Date) =>
  (await db.query(FIND_LICENSE_KEY, [appId, now]))[0]

export const revokeKeyRow = async (
  db: Queryable,
  appId: string,
  keyId: string,
  now: Date,
): Promise<StoredKey | undefined> => (await db.query(REVOKE, [appId, keyId, now]))[0]

/** Undefined for a key that is revoked or does not exist. */
export const renameKeyRow = async (
  db: Queryable,
  appId: string,
  keyId: string,
  name: string,
): Promise<StoredKey | undefined> => (await db.query(RENAME, [appId, keyId, name]))[0]

/** Sets the expiry of a live key; undefined when the key is not live. */
export async function expireKeyRow(
  db: Queryable,
  { appId, keyId }: { readonly appId: string; readonly keyId: string },
  end: Date,
  now: Date,
): Promise<StoredKey | undefined> {
  const [row] = await db.query(EXPIRE, [appId, keyId, end, now])
  return row
}
