import { type Queryable, sql } from '../../db/database.ts'

const FIND = sql<{ personId: string }>(
  'identities.find',
  'select person_id from oidc_identities where issuer = $1 and subject = $2',
)
const ADD = sql<{ personId: string }>(
  'identities.add',
  `insert into oidc_identities as i (issuer, subject, person_id, created_time, last_used_time)
   values ($1, $2, $3, $4, $4)
   on conflict (issuer, subject) do update set last_used_time = excluded.last_used_time
   returning i.person_id`,
)

const LIST = sql<{ issuer: string }>(
  'identities.list',
  'select issuer from oidc_identities where person_id = $1 order by created_time, issuer',
)
const DELETE_ALL = sql<never>('identities.delete_all', 'delete from oidc_identities where person_id = $1')

/** The account of a person at an OpenID provider. The subject never changes, unlike the e-mail address. */
export interface OidcIdentity {
  readonly issuer: string
  readonly subject: string
}

export const selectIdentity = async (db: Queryable, { issuer, subject }: OidcIdentity) =>
  (await db.query(FIND, [issuer, subject]))[0]?.personId

/** Returns the person that the identity belongs to: another one, when it was added at the same time. */
export async function addIdentity(
  tx: Queryable,
  { issuer, subject }: OidcIdentity,
  personId: string,
  now: Date,
): Promise<string | undefined> {
  const [row] = await tx.query(ADD, [issuer, subject, personId, now])
  return row?.personId
}

/** The providers at which the person has signed in. */
export const selectIssuers = async (db: Queryable, personId: string): Promise<string[]> =>
  (await db.query(LIST, [personId])).map(({ issuer }) => issuer)

export async function deleteIdentities(tx: Queryable, personId: string): Promise<void> {
  await tx.query(DELETE_ALL, [personId])
}
