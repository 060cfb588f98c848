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
   where m.license_id = $1 and m.role = any ($2::text[]) and not p.is_disabled order by 1 limit $3`,
)

export const withLanguages = (db: Queryable, addresses: readonly string[]): Promise<Recipient[]> =>
  db.query(LANGUAGES, [addresses])

/** People with one of these roles in the licence. */
export const membersOf = (
  db: Queryable,
  licenseId: string,
  { roles, most }: { readonly roles: readonly string[]; readonly most: number },
): Promise<Recipient[]> => db.query(MEMBERS, [licenseId, roles, most])
