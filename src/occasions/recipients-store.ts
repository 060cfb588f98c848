import { type Queryable, sql } from '../db/database.ts'

export interface Recipient {
  readonly address: string
  /** The language of the person with this address. */
  readonly language: string | null
}

const LANGUAGES = sql<Recipient>(
  'occasions.languages',
  `select i.address, p.language from unnest($1::text[]) as i (address)
     left join people p on p.email = lower(i.address) order by 1`,
)
const MEMBERS = sql<Recipient>(
  'occasions.members',
  `select p.email as address, p.language from memberships m join people p on p.person_id = m.person_id
   where m.license_id = $1 and not p.is_disabled
     and (m.role = any ($2::text[]) or exists (select from own_roles o
       where o.role_id = m.role and o.license_id = m.license_id and $4 = any (o.permissions)))
   order by 1 limit $3`,
)

export const withLanguages = (db: Queryable, addresses: readonly string[]): Promise<Recipient[]> =>
  db.query(LANGUAGES, [addresses])

/** People with one of these roles in the licence, or with a role of the merchant that has the permission. */
export const membersOf = (
  db: Queryable,
  licenseId: string,
  {
    roles,
    permission,
    most,
  }: {
    readonly roles: readonly string[]
    readonly permission?: string
    readonly most: number
  },
): Promise<Recipient[]> => db.query(MEMBERS, [licenseId, roles, most, permission ?? null])
