import { type Queryable, sql } from '../../db/database.ts'

const HAS_MEMBER = sql<{ isFound: boolean }>(
  'mails.has_member',
  `select exists (
     select from memberships m join people p on p.person_id = m.person_id
     where m.license_id = $1 and not p.is_disabled
       and (lower(p.email) = any ($2::text[]) or split_part(lower(p.email), '@', 2) = $3::text)
   ) as is_found`,
)

/** Whether a member of the licence has one of the addresses, or one of the domain. */
export async function hasMember(
  db: Queryable,
  licenseId: string,
  { addresses, domain }: { readonly addresses: readonly string[]; readonly domain: string | null },
): Promise<boolean> {
  const [row] = await db.query(HAS_MEMBER, [licenseId, addresses, domain])
  return row?.isFound ?? false
}
