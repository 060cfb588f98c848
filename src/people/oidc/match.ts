import { LIMITS } from '../../base/limits.ts'
import { acting, type Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import { readName } from '../accounts/settings.ts'
import { verifyAddress } from '../accounts/verify.ts'
import { addMember } from '../members/invitations.ts'
import { actorOf, newPersonId, type Person, type SignInClient } from '../person.ts'
import { sessions } from '../sessions/cache.ts'
import { addIdentity, type OidcIdentity, selectIdentity } from '../store/identities.ts'
import { markInvitationsUsed } from '../store/links.ts'
import { insertPerson, lockPerson, selectPerson, selectPersonByEmail } from '../store/people.ts'

/** What the provider says about a person, verified. */
export interface OidcClaims extends OidcIdentity {
  readonly email: string
  readonly name: string
}

/**
 * The person of these claims: by the identity, by the address, or by an open invitation to the address, which
 * is accepted. No owner is made this way: an invitation of an owner needs its link.
 */
export async function matchPerson(
  ctx: Context,
  claims: OidcClaims,
  client: SignInClient,
): Promise<Person | undefined> {
  return ctx.db.transaction((tx) => matched(ctx, tx, claims, client))
}

/** The same for a sign-in, which is the first proof of the address if there was none before. */
export async function matchAndVerify(
  ctx: Context,
  claims: OidcClaims,
  client: SignInClient,
): Promise<Person | undefined> {
  const person = await ctx.db.transaction(async (tx) => {
    const found = await matched(ctx, tx, claims, client)
    const locked = found && (await lockPerson(tx, found.personId))
    if (!locked || locked.isVerified || locked.email !== claims.email) return locked
    await verifyAddress(acting(ctx, actorOf(locked, client)), tx, locked)
    await addIdentity(tx, claims, locked.personId, ctx.clock.now())
    return selectPerson(tx, locked.personId)
  })
  sessions(ctx).clear()
  return person
}

async function matched(
  ctx: Context,
  tx: Queryable,
  claims: OidcClaims,
  client: SignInClient,
): Promise<Person | undefined> {
  const known = await selectIdentity(tx, claims)
  const person =
    (known === undefined ? await selectPersonByEmail(tx, claims.email) : await selectPerson(tx, known)) ??
    (await joinByInvitation(ctx, tx, claims, client))
  if (!person || person.isDisabled) return undefined
  const owner = await addIdentity(tx, claims, person.personId, ctx.clock.now())
  return owner === person.personId ? person : undefined
}

async function joinByInvitation(
  ctx: Context,
  tx: Queryable,
  { email, name }: OidcClaims,
  client: SignInClient,
): Promise<Person | undefined> {
  const now = ctx.clock.now()
  const invitations = await markInvitationsUsed(tx, email, now)
  if (invitations.length === 0) return undefined
  const personId = newPersonId(ctx.random)
  const shown = readName(name.slice(0, LIMITS.nameLength))
  const account = { personId, email, name: shown, passwordHash: null, isVerified: true, now }
  const person = await insertPerson(tx, account)
  if (!person) return undefined
  for (const link of invitations) await addMember(acting(ctx, actorOf(person, client)), tx, personId, link)
  return person
}
