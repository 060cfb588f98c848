import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { invalid } from '../../base/errors.ts'
import { mistaken } from '../../base/mistakes.ts'
import { sha256 } from '../../base/secret.ts'
import type { Context } from '../../context.ts'
import type { SignInClient } from '../person.ts'
import { proveSession } from '../sessions/sessions.ts'
import { completePending, completeSignIn, findPending, type SignInResult } from '../sign-in/sign-in.ts'
import type { SignedIn } from '../signed-in.ts'
import { type Passkey, recordPasskeyUse, selectPasskey, selectPasskeys } from '../store/passkeys.ts'
import { selectPerson } from '../store/people.ts'
import { loadWebAuthn, newChallenge, readChallenge, takeChallenge } from './challenges.ts'
import { relyingParty } from './passkeys.ts'

const REFUSED = { kind: 'refused' } as const

/** What a passkey is for: to sign in, as the second factor of a pending sign-in, or as a fresh proof. */
export type PasskeyPurpose =
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'second-factor'; readonly token: string; readonly personId: string }
  | { readonly kind: 'proof'; readonly person: SignedIn }

function purposeText(purpose: PasskeyPurpose): string {
  if (purpose.kind === 'sign-in') return 'sign-in'
  if (purpose.kind === 'proof') return `proof:${purpose.person.sessionId}`
  return `second-factor:${sha256(purpose.token).toString('base64url')}`
}

/**
 * Options for `navigator.credentials.get`, and the value to send back with its answer. To sign in, no
 * passkeys are named: the browser offers those that it has, and nothing tells whether an account exists.
 */
export async function startPasskey(ctx: Context, purpose: PasskeyPurpose) {
  const { bytes, state } = newChallenge(ctx, purposeText(purpose))
  const personId = purpose.kind === 'proof' ? purpose.person.personId : undefined
  const owner = purpose.kind === 'second-factor' ? purpose.personId : personId
  const known = owner === undefined ? [] : await selectPasskeys(ctx.db, owner)
  const options = await (await loadWebAuthn()).generateAuthenticationOptions({
    rpID: relyingParty(ctx).rpID,
    challenge: bytes,
    userVerification: 'required',
    ...(owner !== undefined && { allowCredentials: known.map(({ credentialId }) => ({ id: credentialId })) }),
  })
  return { options, state }
}

export interface PasskeyAnswer {
  readonly state: string
  /** As the browser sent it; not trusted. */
  readonly response: unknown
}

/** Signs in with a passkey alone: it is something the person has, and verifies its user. */
export async function signInWithPasskey(
  ctx: Context,
  answer: PasskeyAnswer,
  client: SignInClient,
): Promise<SignInResult> {
  const passkey = await checkedPasskey(ctx, { kind: 'sign-in' }, answer)
  const person = passkey && (await selectPerson(ctx.db, passkey.personId))
  return person && !person.isDisabled ? completeSignIn(ctx, passkey, client) : REFUSED
}

/** Completes a pending sign-in with a passkey of the same person. */
export async function completeWithPasskey(
  ctx: Context,
  token: string,
  answer: PasskeyAnswer,
  client: SignInClient,
): Promise<SignInResult> {
  const pending = await findPending(ctx, token, client)
  if (!pending) return REFUSED
  const { personId } = pending
  const passkey = await checkedPasskey(ctx, { kind: 'second-factor', token, personId }, answer)
  return passkey?.personId === personId ? completePending(ctx, token, pending, client) : REFUSED
}

/** A fresh proof by passkey. Returns the new token of the session. */
export async function proveWithPasskey(
  ctx: Context,
  person: SignedIn,
  answer: PasskeyAnswer,
): Promise<string> {
  const passkey = await checkedPasskey(ctx, { kind: 'proof', person }, answer)
  if (passkey?.personId !== person.personId) throw invalid([mistaken('passkey', 'passkey')])
  return proveSession(ctx, person)
}

/** The passkey that signed the challenge; undefined when anything about the answer is wrong. */
async function checkedPasskey(
  ctx: Context,
  purpose: PasskeyPurpose,
  { state, response }: PasskeyAnswer,
): Promise<Awaited<ReturnType<typeof selectPasskey>>> {
  const challenge = readChallenge(ctx, purposeText(purpose), state)
  const id = (response as { id?: unknown } | null)?.id
  const passkey = typeof id === 'string' ? await selectPasskey(ctx.db, id) : undefined
  if (challenge === undefined || !passkey) return undefined
  const counter = await verifiedCounter(ctx, passkey, challenge, response)
  if (counter === undefined || !(await takeChallenge(ctx, challenge))) return undefined
  await recordPasskeyUse(ctx.db, passkey.credentialId, counter, ctx.clock.now())
  return passkey
}

/** The new signature counter. Where there is one, it grows; otherwise the authenticator was copied. */
async function verifiedCounter(ctx: Context, passkey: Passkey, expectedChallenge: string, response: unknown) {
  const { rpID, origin } = relyingParty(ctx)
  try {
    const { verified, authenticationInfo } = await (await loadWebAuthn()).verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.counter,
      },
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch (error) {
    ctx.log.debug('passkey.refused', { reason: (error as Error).message })
    return undefined
  }
}
