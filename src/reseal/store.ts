import { type Database, type Queryable, sql } from '../db/database.ts'

/** How a column holds sealed values: as bytes, as base64, or as members `sealed` of a list of hints. */
type Format = 'bytes' | 'base64' | 'hints'

export interface SealedColumn {
  readonly table: string
  readonly column: string
  readonly format: Format
  /** Which rows have sealed values, where not all do. */
  readonly where?: string
}

const bytes = (table: string, column: string): SealedColumn => ({ table, column, format: 'bytes' })

/** Everything that is sealed under SECRET_KEY. A test compares it with the schema. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  bytes('installation_keys', 'sealed'),
  bytes('apps', 'webhook_auth_parameter'),
  bytes('apps', 'webhook_secret'),
  bytes('apps', 'webhook_previous_secret'),
  bytes('app_endpoints', 'auth_parameter'),
  bytes('app_endpoints', 'secret'),
  bytes('app_endpoints', 'previous_secret'),
  bytes('payment_profiles', 'settings'),
  bytes('people', 'totp_secret'),
  bytes('payment_method_tokens', 'token'),
  bytes('method_removals', 'token'),
  bytes('provider_movements', 'sealed'),
  bytes('settlement_rows', 'sealed'),
  bytes('dispute_answers', 'sealed'),
  bytes('dispute_files', 'sealed'),
  bytes('import_chunks', 'sealed'),
  bytes('mails', 'content'),
  bytes('sandbox_bank.secret', 'sealed'),
  {
    table: 'idempotency_keys',
    column: 'body',
    format: 'base64',
    where: `headers->>'x-sealed' = 'true'`,
  },
  {
    table: 'provider_notifications',
    column: 'hints',
    format: 'hints',
    where: `hints::text like '%"sealed%'`,
  },
]

const SAMPLE = sql<{ sealed: Uint8Array }>(
  'reseal.sample',
  `(select sealed from installation_keys order by purpose limit 1)
   union all (select webhook_secret from apps where webhook_secret is not null limit 1) limit 1`,
)

/** A sealed value: of the first start, or of an app that is older. Undefined in a new installation. */
export const selectSample = async (db: Database): Promise<Uint8Array | undefined> =>
  (await db.query(SAMPLE))[0]?.sealed

const MISSING = sql<{ name: string }>(
  'reseal.missing_tables',
  'select t as name from unnest($1::text[]) t where to_regclass(t) is null',
)

/** Tables with sealed values that the database does not have: no service of this version has used it. */
export const selectMissingTables = async (db: Database): Promise<readonly string[]> =>
  (await db.query(MISSING, [SEALED_COLUMNS.map(({ table }) => table)])).map(({ name }) => name)

const TYPES = { bytes: 'bytea', base64: 'text', hints: 'text' } as const

/** The column as text or bytes: JSON has no equality. */
const asComparable = ({ column, format }: SealedColumn): string =>
  format === 'hints' ? `${column}::text` : column

export interface SealedRow {
  /** The place of the row; a change of the row changes it. */
  readonly at: string
  readonly value: Uint8Array | string
}

const nameOf = ({ table, column }: SealedColumn, what: string): string =>
  `reseal.${what}_${table.replace('.', '_')}_${column}`

/** The number of blocks of the table: it is read in ranges of them, so each row is read once in a pass. */
export async function countBlocks(db: Database, column: SealedColumn): Promise<number> {
  const text = `select (pg_relation_size('${column.table}'::regclass)
    / current_setting('block_size')::bigint)::int as blocks`
  const [row] = await db.query(sql<{ blocks: number }>(nameOf(column, 'blocks'), text))
  return row?.blocks ?? 0
}

interface Range {
  readonly first: number
  readonly end: number
  /** Values that it sealed are left out. */
  readonly keyId: Uint8Array
}

/** Rows of these blocks whose value another key may have sealed. */
export function selectSealed(
  db: Database,
  column: SealedColumn,
  { first, end, keyId }: Range,
): Promise<SealedRow[]> {
  const value = asComparable(column)
  const other =
    column.format === 'bytes' ? `substring(${column.column} from 2 for 4) <> $3` : '$3 is not null'
  const text = `select ctid::text as at, ${value} as value from ${column.table}
   where ctid >= $1::tid and ctid < $2::tid and ${column.column} is not null
     and ${other.replace('$3', '$3::bytea')}${column.where ? ` and ${column.where}` : ''}`
  const values = [`(${first},0)`, `(${end},0)`, keyId]
  return db.query(sql<SealedRow>(nameOf(column, 'read'), text), values)
}

export interface Resealed extends SealedRow {
  readonly fresh: Uint8Array | string
}

/** Rows that were changed since they were read stay as they are. Returns how many were written. */
export async function updateSealed(
  db: Database,
  column: SealedColumn,
  rows: readonly Resealed[],
): Promise<number> {
  const type = TYPES[column.format]
  const fresh = column.format === 'hints' ? 'i.fresh::json' : 'i.fresh'
  const text = `update ${column.table} t set ${column.column} = ${fresh}
   from unnest($1::text[]::tid[], $2::${type}[], $3::${type}[]) as i (at, value, fresh)
   where t.ctid = i.at and t.${asComparable(column)} = i.value returning 1 as n`
  const values = [rows.map(({ at }) => at), rows.map(({ value }) => value), rows.map((row) => row.fresh)]
  return (await db.query(sql<{ n: number }>(nameOf(column, 'write'), text), values)).length
}

const LICENSE_KEYS = sql<LicenseKey>(
  'reseal.license_keys',
  `select k.app_id, a.license_id, a.is_sandbox, k.key_id, k.key_hash, k.hint
   from api_keys k join apps a using (app_id) where k.kind = 'license' and k.revoked_time is null
   order by k.app_id, k.key_id`,
)

export interface LicenseKey {
  readonly appId: string
  readonly licenseId: string
  readonly isSandbox: boolean
  readonly keyId: string
  readonly keyHash: Uint8Array
  readonly hint: string
}

/** The keys that licence codes give out, one or a few for each app. */
export const selectLicenseKeys = (db: Database): Promise<LicenseKey[]> => db.query(LICENSE_KEYS)

const REVOKE = sql<{ keyId: string }>(
  'reseal.revoke_key',
  `update api_keys set revoked_time = $3 where app_id = $1 and key_id = $2 and revoked_time is null
   returning key_id`,
)

export async function revokeLicenseKey(db: Queryable, key: LicenseKey, now: Date): Promise<boolean> {
  return (await db.query(REVOKE, [key.appId, key.keyId, now])).length > 0
}
