import { type Queryable, sql } from '../../db/database.ts'

export interface NewApp {
  readonly appId: string
  readonly licenseId: string
  readonly isSandbox: boolean
  readonly friendlyName: string
  readonly webhookSecret: Uint8Array
  readonly checkoutMethods: readonly string[]
  readonly now: Date
}

const INSERT_LICENSE = sql<never>(
  'licenses.insert',
  'insert into licenses (license_id, name, code_hash, created_time) values ($1, $2, $3, $4)',
)

const INSERT_APP = sql<never>(
  'licenses.insert_app',
  `insert into apps
     (app_id, license_id, is_sandbox, friendly_name, webhook_secret, checkout_methods, created_time)
   values ($1, $2, $3, $4, $5, $6, $7)`,
)

const LIST_CODES = sql<{ codeHash: Uint8Array }>(
  'licenses.list_codes',
  `select code_hash from licenses where license_id = $1
   union all select code_hash from license_codes where license_id = $1`,
)

const ANY = sql<{ licenseId: string }>('licenses.any', 'select license_id from licenses limit 1')

const LIST_APPS = sql<{ appId: string; isSandbox: boolean }>(
  'licenses.list_apps',
  'select app_id, is_sandbox from apps where license_id = $1 order by is_sandbox desc',
)

export async function insertLicense(
  db: Queryable,
  license: {
    readonly licenseId: string
    readonly name: string
    readonly codeHash: Uint8Array
    readonly now: Date
  },
): Promise<void> {
  await db.query(INSERT_LICENSE, [license.licenseId, license.name, license.codeHash, license.now])
}

export async function insertApp(db: Queryable, app: NewApp): Promise<void> {
  const { appId, licenseId, isSandbox, friendlyName, webhookSecret, checkoutMethods, now } = app
  await db.query(INSERT_APP, [appId, licenseId, isSandbox, friendlyName, webhookSecret, checkoutMethods, now])
}

export const listCodeHashes = async (db: Queryable, licenseId: string): Promise<Uint8Array[]> =>
  (await db.query(LIST_CODES, [licenseId])).map((row) => row.codeHash)

export const anyLicense = async (db: Queryable): Promise<boolean> => (await db.query(ANY)).length > 0

const DESCRIBE = sql<{ appId: string }>(
  'licenses.describe',
  `with license as (update licenses set name = coalesce($2, name) where license_id = $1),
     profile as (update payment_profiles p set currency = coalesce($4, p.currency) from apps a
       where a.license_id = $1 and a.is_sandbox and p.app_id = a.app_id and p.currency = 'USD'
         and p.provider = 'sandbox')
   update apps set time_zone = case time_zone when 'UTC' then coalesce($3, 'UTC') else time_zone end,
     friendly_name = coalesce(
     $2 || case when is_sandbox then ' (sandbox)' else ' (live)' end, friendly_name)
   where license_id = $1 returning app_id`,
)

/** What the first owner says about the business. It replaces initial values; undefined stays as it is. */
export interface Business {
  readonly name?: string | undefined
  /** Of both apps. */
  readonly timeZone?: string | undefined
  /** Of the profiles of the sandbox. */
  readonly currency?: string | undefined
}

/** Returns the ids of the apps. */
export const updateBusiness = async (
  db: Queryable,
  licenseId: string,
  { name, timeZone, currency }: Business,
): Promise<string[]> =>
  (await db.query(DESCRIBE, [licenseId, name, timeZone, currency])).map(({ appId }) => appId)

export const listLicenseApps = (db: Queryable, licenseId: string) => db.query(LIST_APPS, [licenseId])

const FIND_NAME = sql<{ name: string }>(
  'licenses.find_name',
  'select name from licenses where license_id = $1',
)

export const findLicenseName = async (db: Queryable, licenseId: string): Promise<string | undefined> =>
  (await db.query(FIND_NAME, [licenseId]))[0]?.name

export interface ListedLicense {
  readonly licenseId: string
  readonly name: string
  readonly createdTime: Date
  readonly hasOwner: boolean
  readonly apps: readonly {
    readonly appId: string
    readonly name: string
    readonly isSandbox: boolean
    readonly isActive: boolean
  }[]
}

const LIST = sql<ListedLicense>(
  'licenses.list',
  `select l.license_id, l.name, l.created_time, exists (select from memberships m
     where m.license_id = l.license_id and m.role = 'Owner') as has_owner, (
     select coalesce(json_agg(json_build_object(
       'appId', a.app_id, 'name', a.friendly_name, 'isSandbox', a.is_sandbox, 'isActive', a.is_active)), '[]')
     from (select * from apps where license_id = l.license_id order by is_sandbox desc limit 10) a) as apps
   from licenses l where l.license_id > $1 order by l.license_id limit $2`,
)

/** In order of their ids, after this one. */
export const listLicenses = (db: Queryable, after: string, limit: number): Promise<ListedLicense[]> =>
  db.query(LIST, [after, limit])
/** A shop that has a code of the licence. */
export interface LicenseGrant {
  readonly host: string
  readonly grantedBy: string
  readonly createdTime: Date
}

const LOCK = sql<{ licenseId: string }>(
  'licenses.lock',
  'select license_id from licenses where license_id = $1 for no key update',
)
const LIST_GRANTS = sql<LicenseGrant>(
  'licenses.list_grants',
  'select host, granted_by, created_time from license_codes where license_id = $1 order by host',
)
const UPSERT_GRANT = sql<never>(
  'licenses.upsert_grant',
  `insert into license_codes (license_id, host, code_hash, granted_by, created_time)
   values ($1, $2, $3, $4, $5)
   on conflict (license_id, host) do update
     set code_hash = excluded.code_hash, granted_by = excluded.granted_by,
       created_time = excluded.created_time`,
)
const DELETE_GRANT = sql<{ host: string }>(
  'licenses.delete_grant',
  'delete from license_codes where license_id = $1 and host = $2 returning host',
)

/** Two grants at once wait for each other. False when there is no such licence. */
export const lockLicense = async (tx: Queryable, licenseId: string): Promise<boolean> =>
  (await tx.query(LOCK, [licenseId])).length > 0

export const selectGrants = (db: Queryable, licenseId: string): Promise<LicenseGrant[]> =>
  db.query(LIST_GRANTS, [licenseId])

export async function upsertGrant(
  tx: Queryable,
  licenseId: string,
  { host, grantedBy, createdTime }: LicenseGrant,
  codeHash: Uint8Array,
): Promise<void> {
  await tx.query(UPSERT_GRANT, [licenseId, host, codeHash, grantedBy, createdTime])
}

export const deleteGrant = async (tx: Queryable, licenseId: string, host: string): Promise<boolean> =>
  (await tx.query(DELETE_GRANT, [licenseId, host])).length > 0
