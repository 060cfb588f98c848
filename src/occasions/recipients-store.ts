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
const OWNERS = sql<Recipient>(
  'occasions.owners',
  `select p.email as address, p.language from memberships m join people p on p.person_id = m.person_id
   where m.license_id = $1 and m.role = 'Owner' and not p.is_disabled order by 1 limit $2`,
)

export const withLanguages = (db: Queryable, addresses: readonly string[]): Promise<Recipient[]> =>
  db.query(LANGUAGES, [addresses])

export const ownersOf = (db: Queryable, licenseId: string, most: number): Promise<Recipient[]> =>
  db.query(OWNERS, [licenseId, most])
