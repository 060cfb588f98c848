import { after, MINUTE } from '../../base/clock.ts'
import { sha256 } from '../../base/secret.ts'
import { acting, type Context } from '../../context.ts'
import { readEmail } from '../accounts/email.ts'
import { tellOfSignIn } from '../mails.ts'
import { hashPassword, needsRehash, passwordWork, verifyPassword } from '../passwords/hash.ts'
import { actorOf, type SignInClient } from '../person.ts'
import { newToken, openSession } from '../sessions/sessions.ts'
import { selectMemberships } from '../store/memberships.ts'
import {
  endPending,
  insertPending,
  type PendingSignIn,
  selectPending,
  takePendingTry,
} from '../store/pending.ts'
import { lockPerson } from '../store/people.ts'
import { replaceHash, type SignInFacts, selectForSignIn } from '../store/secrets.ts'
import { attemptSucceeded, rememberNetwork, takeAttempt } from '../throttle/throttle.ts'
import { auditPerson, usesCodeOrRecovery } from '../totp/commands.ts'

/** The result of a step of signing in. */
export type SignInResult =
  | { readonly kind: 'signed-in'; readonly token: string; readonly personId: string }
  /** The token is of a pending sign-in, not of a session. */
  | { readonly kind: 'second-factor'; readonly token: string }
  /** One answer for an unknown address, a wrong password and a disabled account. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'wait'; readonly seconds: number }

const REFUSED = { kind: 'refused' } as const

/** Time to find the phone with the authenticator. */
const PENDING_MS = 10 * MINUTE
/** After these, the password is asked for again. */
const CODE_TRIES = 5

interface EmailAndPassword {
  readonly email: string
  readonly password: string
}

/**
 * Signs in by password. For an unknown address, work and answer are those of a wrong password. Decision 0116.
 */
export async function signIn(
  ctx: Context,
  { email, password }: EmailAndPassword,
  client: SignInClient,
): Promise<SignInResult> {
  const address = readEmail(email)
  const found = await selectForSignIn(ctx.db, address ?? '', client.network)
  const attempt = {
    purpose: 'password',
    account: address ?? sha256(email).toString('hex'),
    network: client.network,
    isKnownNetwork: found?.isKnownNetwork ?? false,
  } as const
  const seconds = await takeAttempt(ctx, attempt)
  if (seconds > 0) return { kind: 'wait', seconds }
  const job = { password, network: client.network }
  const isRight = await verifyPassword(passwordWork(ctx), found?.passwordHash, job)
  if (!found || !isRight || found.isDisabled) return REFUSED
  await attemptSucceeded(ctx, attempt)
  await raiseCost(ctx, found, job)
  const { personId, accessVersion, hasTotp } = found
  return proceed(ctx, { personId, accessVersion, hasTotp }, client)
}

async function raiseCost(ctx: Context, found: SignInFacts, job: { password: string; network: string }) {
  const { personId, passwordHash: hash } = found
  if (!hash || !needsRehash(passwordWork(ctx), hash)) return
  await replaceHash(ctx.db, personId, hash, await hashPassword(passwordWork(ctx), ctx.random, job))
}

/** A person whose secret was right, with the version of the access that it was compared with. */
export interface ProvedPerson {
  readonly personId: string
  /** When all sessions have ended since, the secret may be gone, and the sign-in is refused. */
  readonly accessVersion: number
}

/** The step after the first factor: the second, or a session. */
export async function proceed(
  ctx: Context,
  { hasTotp, ...proved }: ProvedPerson & { readonly hasTotp: boolean },
  client: SignInClient,
): Promise<SignInResult> {
  const { personId } = proved
  if (!hasTotp) return completeSignIn(ctx, proved, client)
  const token = newToken(ctx)
  await insertPending(ctx.db, sha256(token), personId, after(ctx.clock.now(), PENDING_MS))
  return { kind: 'second-factor', token }
}

/** All factors are proved: a new session, with a new token. */
export async function completeSignIn(
  ctx: Context,
  { personId, accessVersion }: ProvedPerson,
  client: SignInClient,
): Promise<SignInResult> {
  const token = await ctx.db.transaction(async (tx) => {
    const person = await lockPerson(tx, personId)
    if (person?.accessVersion !== accessVersion) return undefined
    const isNewNetwork = await rememberNetwork(ctx, tx, personId, client.network)
    if (isNewNetwork) await tellOfSignIn(ctx, tx, personId, client)
    const memberships = await selectMemberships(tx, personId)
    const actor = actorOf(person, client)
    await auditPerson(acting(ctx, actor), tx, { personId, memberships }, 'person.signed_in')
    return openSession(ctx, tx, personId, client)
  })
  return token === undefined ? REFUSED : { kind: 'signed-in', token, personId }
}

/** The pending sign-in of a token, for the page that asks for the second factor. */
export async function findPending(
  ctx: Context,
  token: string | undefined,
  { network }: Pick<SignInClient, 'network'>,
): Promise<PendingSignIn | undefined> {
  return token === undefined ? undefined : selectPending(ctx.db, sha256(token), ctx.clock.now(), network)
}

/** Completes a pending sign-in with a code of the authenticator or a recovery code. */
export async function signInWithCode(
  ctx: Context,
  { token, code }: { readonly token: string; readonly code: string },
  client: SignInClient,
): Promise<SignInResult> {
  const pending = await findPending(ctx, token, client)
  if (!pending) return REFUSED
  const { personId } = pending
  const attempt = {
    purpose: 'second-factor',
    account: personId,
    network: client.network,
    isKnownNetwork: pending.isKnownNetwork,
  } as const
  const seconds = await takeAttempt(ctx, attempt)
  if (seconds > 0) return { kind: 'wait', seconds }
  const isRight =
    (await takePendingTry(ctx.db, sha256(token), CODE_TRIES)) &&
    (await usesCodeOrRecovery(ctx, personId, code))
  if (!isRight) return REFUSED
  await attemptSucceeded(ctx, attempt)
  return completePending(ctx, token, pending, client)
}

/** Exchanges a pending sign-in for a session, once. */
export async function completePending(
  ctx: Context,
  token: string,
  pending: PendingSignIn,
  client: SignInClient,
): Promise<SignInResult> {
  const proved = { personId: pending.personId, accessVersion: pending.accessVersion }
  return (await endPending(ctx.db, sha256(token))) ? completeSignIn(ctx, proved, client) : REFUSED
}
