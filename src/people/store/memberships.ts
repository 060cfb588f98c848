import { type Queryable, sql } from '../../db/database.ts'
import type { Person, RefundLimits } from '../person.ts'
import type { Membership } from '../signed-in.ts'
import { PERSON_COLUMNS } from './people.ts'

/** The own role of a membership `m`. */
export const OWN_ROLE = `(select json_build_object('name', o.name, 'permissions', o.permissions)
     from own_roles o where o.role_id = m.role and o.license_id = m.license_id)`

const INSERT = sql<{ personId: string }>(
  'memberships.insert',
  `insert into memberships (license_id, person_id, role, refund_limits, created_time)
   values ($1, $2, $3, $4, $5) on conflict (license_id, person_id) do nothing returning person_id`,
)
const UPDATE = sql<{ personId: string }>(
  'memberships.update',
  `update memberships set role = $3, refund_limits = $4 where license_id = $1 and person_id = $2
   returning person_id`,
)
const DELETE = sql<{ personId: string }>(
  'memberships.delete',
  'delete from memberships where license_id = $1 and person_id = $2 returning person_id',
)
const FIND = sql<Membership>(
  'memberships.find',
  `select license_id, role, refund_limits, ${OWN_ROLE} as own_role from memberships m
   where license_id = $1 and person_id = $2`,
)
const OF_PERSON = sql<Membership>(
  'memberships.of_person',
  `select license_id, role, refund_limits, ${OWN_ROLE} as own_role from memberships m
   where person_id = $1 order by license_id`,
)
const LOCK_LICENSE = sql<{ licenseId: string }>(
  'memberships.lock_license',
  // Not `for update`, which would block inserts of rows that reference the licence.
  'select license_id from licenses where license_id = $1 for no key update',
)
const COUNT_OWNERS = sql<{ count: number }>(
  'memberships.count_owners',
  `select count(*)::int as count from memberships m join people p using (person_id)
   where m.license_id = $1 and m.role = 'Owner' and not p.is_disabled`,
)
const COUNT = sql<{ count: number }>(
  'memberships.count',
  'select count(*)::int as count from memberships where license_id = $1',
)
const LIST = sql<Person & Membership & { readonly memberSince: Date }>(
  'memberships.list',
  `select ${PERSON_COLUMNS}, m.license_id, m.role, m.refund_limits, ${OWN_ROLE} as own_role,
     m.created_time as member_since
   from memberships m join people p using (person_id)
   where m.license_id = $1 order by m.created_time, p.person_id limit $2`,
)
const FIRST_LICENSE = sql<{ licenseId: string }>(
  'memberships.first_license',
  'select license_id from licenses order by created_time, license_id limit 1',
)
const OWNED = sql<{ licenseId: string }>(
  'memberships.owned',
  `select license_id from memberships where person_id = $1 and role = 'Owner' order by license_id limit 1`,
)

/** As it is stored: an own role by its id. */
type StoredMembership = Omit<Membership, 'ownRole'>

export interface NewMembership extends StoredMembership {
  readonly personId: string
  readonly now: Date
}

const limitsText = (limits: RefundLimits | null): string | null => (limits ? JSON.stringify(limits) : null)

/** False when the person is a member already. */
export async function insertMembership(tx: Queryable, membership: NewMembership): Promise<boolean> {
  const { licenseId, personId, role, refundLimits, now } = membership
  const values = [licenseId, personId, role, limitsText(refundLimits), now]
  return (await tx.query(INSERT, values)).length > 0
}

export async function updateMembership(tx: Queryable, personId: string, membership: StoredMembership) {
  const { licenseId, role, refundLimits } = membership
  return (await tx.query(UPDATE, [licenseId, personId, role, limitsText(refundLimits)])).length > 0
}

export const deleteMembership = async (tx: Queryable, licenseId: string, personId: string) =>
  (await tx.query(DELETE, [licenseId, personId])).length > 0

export const selectMembership = async (
  db: Queryable,
  licenseId: string,
  personId: string,
): Promise<Membership | undefined> => (await db.query(FIND, [licenseId, personId]))[0]

export const selectMemberships = (db: Queryable, personId: string): Promise<Membership[]> =>
  db.query(OF_PERSON, [personId])

/** Locks the members of a licence until the transaction ends. False when there is no such licence. */
export const lockMembers = async (tx: Queryable, licenseId: string): Promise<boolean> =>
  (await tx.query(LOCK_LICENSE, [licenseId])).length > 0

/** Owners who can sign in. */
export const countOwners = async (tx: Queryable, licenseId: string): Promise<number> =>
  (await tx.query(COUNT_OWNERS, [licenseId]))[0]?.count ?? 0

export const countMembers = async (tx: Queryable, licenseId: string): Promise<number> =>
  (await tx.query(COUNT, [licenseId]))[0]?.count ?? 0

/** A person with the role in one licence. */
export interface Member extends Membership {
  readonly person: Person
  readonly memberSince: Date
}

export const selectMembers = async (db: Queryable, licenseId: string, most: number): Promise<Member[]> =>
  (await db.query(LIST, [licenseId, most])).map(
    ({ licenseId: id, role, ownRole, refundLimits, memberSince, ...person }) => ({
      ...{ licenseId: id, role, ownRole, refundLimits, memberSince, person },
    }),
  )

export const firstLicense = async (db: Queryable): Promise<string | undefined> =>
  (await db.query(FIRST_LICENSE))[0]?.licenseId

/** A licence that the person owns. */
export const ownedLicense = async (db: Queryable, personId: string): Promise<string | undefined> =>
  (await db.query(OWNED, [personId]))[0]?.licenseId
