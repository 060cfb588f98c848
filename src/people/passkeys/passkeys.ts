import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { ApiError, invalid, notFound } from '../../base/errors.ts'
import { mistaken } from '../../base/mistakes.ts'
import type { Context } from '../../context.ts'
import { readName } from '../accounts/settings.ts'
import { tellOfAccess } from '../mails.ts'
import { rotateSession } from '../sessions/sessions.ts'
import type { SignedIn } from '../signed-in.ts'
import { deletePasskey, insertPasskey, type Passkey, selectPasskeys } from '../store/passkeys.ts'
import { lockPerson } from '../store/people.ts'
import { auditPerson } from '../totp/commands.ts'
import { loadWebAuthn, newChallenge, readChallenge, takeChallenge } from './challenges.ts'

/** Devices and password managers of one person. */
const MAX_PASSKEYS = 10

/** The party that passkeys are made for: this host. A passkey of another origin is refused. */
export function relyingParty({ config }: Pick<Context, 'config'>): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(config.publicUrl)
  return { rpID: hostname, origin }
}

export const listPasskeys = (ctx: Context, personId: string): Promise<Passkey[]> =>
  selectPasskeys(ctx.db, personId)

const purposeOf = ({ sessionId }: SignedIn): string => `register:${sessionId}`

/** Options for `navigator.credentials.create`, and the value to send back with its answer. */
export async function startPasskeyRegistration(ctx: Context, person: SignedIn) {
  const { bytes, state } = newChallenge(ctx, purposeOf(person))
  const known = await selectPasskeys(ctx.db, person.personId)
  const options = await (await loadWebAuthn()).generateRegistrationOptions({
    rpName: 'Tender',
    rpID: relyingParty(ctx).rpID,
    userName: person.email,
    userDisplayName: person.name ?? person.email,
    userID: new Uint8Array(Buffer.from(person.personId)),
    challenge: bytes,
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
    // A passkey stands for both factors, so it must verify its user by PIN, finger or face.
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  })
  return { options, state }
}

interface RegistrationAnswer {
  readonly state: string
  /** As the browser sent it; not trusted. */
  readonly response: unknown
  readonly name: string
}

/** Adds the passkey. Returns the new token of the session; the caller has checked for a fresh proof. */
export async function addPasskey(ctx: Context, person: SignedIn, answer: RegistrationAnswer) {
  const name = readName(answer.name)
  const challenge = readChallenge(ctx, purposeOf(person), answer.state)
  const info = challenge === undefined ? undefined : await verified(ctx, challenge, answer.response)
  if (!info || challenge === undefined || !(await takeChallenge(ctx, challenge))) throw refused()
  const { credential, credentialBackedUp } = info
  const passkey = await ctx.db.transaction(async (tx) => {
    await lockPerson(tx, person.personId)
    if ((await selectPasskeys(tx, person.personId)).length >= MAX_PASSKEYS)
      throw new ApiError('not_possible', `A person has at most ${MAX_PASSKEYS} passkeys.`)
    const added = await insertPasskey(tx, {
      credentialId: credential.id,
      personId: person.personId,
      publicKey: credential.publicKey,
      counter: credential.counter,
      transports: (credential.transports ?? []).slice(0, 8),
      name,
      isSynced: credentialBackedUp,
      createdTime: ctx.clock.now(),
      lastUsedTime: null,
    })
    if (!added) throw refused()
    await auditPerson(ctx, tx, person, 'person.passkey_added')
    await tellOfAccess(ctx, tx, person.personId, { what: 'passkey', name })
    return added
  })
  return { passkey, token: await rotateSession(ctx, person) }
}

const refused = (): ApiError => invalid([mistaken('passkey', 'passkey')])

async function verified(ctx: Context, expectedChallenge: string, response: unknown) {
  const { rpID, origin } = relyingParty(ctx)
  try {
    const { registrationInfo } = await (await loadWebAuthn()).verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
    })
    return registrationInfo
  } catch (error) {
    ctx.log.debug('passkey.registration_refused', { reason: (error as Error).message })
    return undefined
  }
}

/** Removes a passkey; the caller has checked for a fresh proof. */
export async function removePasskey(ctx: Context, person: SignedIn, credentialId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await deletePasskey(tx, person.personId, credentialId))) throw notFound('The passkey')
    await auditPerson(ctx, tx, person, 'person.passkey_removed')
  })
}
