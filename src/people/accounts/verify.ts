import type { Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import type { Person } from '../person.ts'
import { deleteIdentities, selectIssuers } from '../store/identities.ts'
import { dropOthersResets } from '../store/links.ts'
import { selectMemberships } from '../store/memberships.ts'
import { deletePasskeys, selectPasskeys } from '../store/passkeys.ts'
import { clearSecrets, updateVerified } from '../store/secrets.ts'
import { deleteSessions } from '../store/sessions.ts'
import { auditPerson } from '../totp/commands.ts'

/**
 * The person proved the address. At the first time everything that was set before ends: another person may
 * have opened the account with a link that was shown to them. The person must be locked. Decision 0140.
 */
export async function verifyAddress(ctx: Context, tx: Queryable, person: Person): Promise<void> {
  if (person.isVerified) return
  const { personId } = person
  await clearSecrets(tx, personId)
  await removeOtherWays(tx, personId)
  await deleteSessions(tx, personId)
  await dropOthersResets(tx, personId)
  await updateVerified(tx, personId, ctx.clock.now())
  const memberships = await selectMemberships(tx, personId)
  await auditPerson(ctx, tx, { personId, memberships }, 'person.address_verified')
}

/** Removes passkeys and identities at OpenID providers. */
export async function removeOtherWays(tx: Queryable, personId: string): Promise<void> {
  await deletePasskeys(tx, personId)
  await deleteIdentities(tx, personId)
}

/** The names of passkeys and the providers with which the person can sign in. */
export async function otherWaysOf(
  { db }: Pick<Context, 'db'>,
  personId: string,
): Promise<{ readonly passkeys: readonly string[]; readonly issuers: readonly string[] }> {
  const passkeys = (await selectPasskeys(db, personId)).map(({ name }) => name)
  return { passkeys, issuers: await selectIssuers(db, personId) }
}
