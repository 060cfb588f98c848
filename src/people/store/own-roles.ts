import { type Queryable, sql } from '../../db/database.ts'
import type { OwnRole } from '../signed-in.ts'

/** A role that a merchant made, with its id. */
export interface StoredRole extends OwnRole {
  readonly roleId: `role_${string}`
}

const LIST = sql<StoredRole>(
  'own_roles.list',
  'select role_id, name, permissions from own_roles where license_id = $1 order by name, role_id',
)
const INSERT = sql<StoredRole>(
  'own_roles.insert',
  `insert into own_roles (role_id, license_id, name, permissions, created_time)
   values ($1, $2, $3, $4, $5) on conflict (license_id, name) do nothing
   returning role_id, name, permissions`,
)
const UPDATE = sql<StoredRole>(
  'own_roles.update',
  `update own_roles set name = $3, permissions = $4
   where license_id = $1 and role_id = $2
     and not exists (select from own_roles o where o.license_id = $1 and o.name = $3 and o.role_id <> $2)
   returning role_id, name, permissions`,
)
const DELETE = sql<never>('own_roles.delete', 'delete from own_roles where license_id = $1 and role_id = $2')
const USES = sql<{ count: number }>(
  'own_roles.uses',
  `select (select count(*) from memberships where license_id = $1 and role = $2)::int
     + (select count(*) from person_links where license_id = $1 and role = $2 and kind = 'invitation'
         and used_time is null and expires_time > $3)::int as count`,
)

export const selectOwnRoles = (db: Queryable, licenseId: string): Promise<StoredRole[]> =>
  db.query(LIST, [licenseId])

export interface NewRole extends StoredRole {
  readonly licenseId: string
  readonly now: Date
}

/** Undefined when the licence has a role with this name. */
export const insertOwnRole = async (tx: Queryable, role: NewRole): Promise<StoredRole | undefined> =>
  (await tx.query(INSERT, [role.roleId, role.licenseId, role.name, role.permissions, role.now]))[0]

/** Undefined when another role has this name. */
export const updateOwnRole = async (
  tx: Queryable,
  licenseId: string,
  { roleId, name, permissions }: StoredRole,
): Promise<StoredRole | undefined> => (await tx.query(UPDATE, [licenseId, roleId, name, permissions]))[0]

export const deleteOwnRole = (tx: Queryable, licenseId: string, roleId: string) =>
  tx.query(DELETE, [licenseId, roleId])

/** Members with the role, and open invitations to it. */
export const countUses = async (tx: Queryable, licenseId: string, roleId: string, now: Date) =>
  (await tx.query(USES, [licenseId, roleId, now]))[0]?.count ?? 0
