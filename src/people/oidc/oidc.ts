import type { Configuration } from 'openid-client'
import { MINUTE, SECOND } from '../../base/clock.ts'
import { CONSOLE_PAGES } from '../../base/console-pages.ts'
import { ApiError, notFound } from '../../base/errors.ts'
import { errorData } from '../../base/log.ts'
import type { Context } from '../../context.ts'
import { readEmail } from '../accounts/email.ts'
import type { SignInClient } from '../person.ts'
import { proveSession } from '../sessions/sessions.ts'
import { proceed, type SignInResult } from '../sign-in/sign-in.ts'
import { readValue, signValue } from '../sign-in/signed-value.ts'
import type { SignedIn } from '../signed-in.ts'
import { loadOpenid, oidcProviders } from './discovery.ts'
import { matchAndVerify, matchPerson, type OidcClaims } from './match.ts'

// Sign-in by OpenID Connect: code flow with PKCE, state and nonce.

/** Time to sign in at the provider. */
const FLOW_MS = 15 * MINUTE
/** A proof needs a sign-in at the provider within this time. */
const PROOF_SECONDS = (5 * MINUTE) / SECOND

interface Flow {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** The session that asks for a fresh proof. */
  readonly sessionId?: string
  /** The page to go to afterwards. */
  readonly next?: string
}

/** The flow is kept in a cookie. */
const MAX_NEXT = 800

export const hasOidc = ({ config }: Pick<Context, 'config'>): boolean => config.oidc !== undefined

type OidcConfig = NonNullable<Context['config']['oidc']>

async function provider(ctx: Context): Promise<{ openid: Configuration; oidc: OidcConfig }> {
  const { oidc } = ctx.config
  if (!oidc) throw notFound('The path')
  const openid = await oidcProviders(ctx)
    .get(oidc.issuer)
    .catch((error: unknown) => {
      ctx.log.warn('oidc.discovery_failed', { issuer: oidc.issuer, ...errorData(error) })
      return undefined
    })
  if (!openid) throw new ApiError('unavailable', 'The OpenID provider does not answer. Try again later.')
  return { openid, oidc }
}

/** Where to lead the browser, and the value of the sign-in cookie. With a person: for a fresh proof. */
export async function startOidc(
  ctx: Context,
  person?: SignedIn,
  next = '',
): Promise<{ url: string; cookie: string }> {
  const { openid } = await provider(ctx)
  const library = await loadOpenid()
  const flow: Flow = {
    state: library.randomState(),
    nonce: library.randomNonce(),
    verifier: library.randomPKCECodeVerifier(),
    ...(person && { sessionId: person.sessionId }),
    ...(next !== '' && next.length <= MAX_NEXT && { next }),
  }
  const url = library.buildAuthorizationUrl(openid, {
    redirect_uri: ctx.config.publicUrl + CONSOLE_PAGES.oidcCallback,
    scope: 'openid email profile',
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await library.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
    ...(person && { prompt: 'login', max_age: String(PROOF_SECONDS) }),
  })
  return { url: url.href, cookie: signValue(ctx, 'oidc', flow, FLOW_MS) }
}

/** What a started sign-in is for: a fresh proof of a session or not, and the page to go to afterwards. */
export function openOidc(
  ctx: Context,
  cookie: string,
): { readonly isProof: boolean; readonly next: string | undefined } | undefined {
  const flow = readValue<Flow>(ctx, 'oidc', cookie)
  return flow && { isProof: flow.sessionId !== undefined, next: flow.next }
}

/** What the browser brings back from the provider. */
export interface OidcReturn {
  readonly cookie: string
  /** The query of the request, without `?`. */
  readonly query: string
}

/** Signs in the person of a verified e-mail address. A second factor of the person is still asked for. */
export async function signInWithOidc(
  ctx: Context,
  answer: OidcReturn,
  client: SignInClient,
): Promise<SignInResult> {
  const claims = await finish(ctx, answer, undefined)
  const person = claims && (await matchAndVerify(ctx, claims, client))
  return person ? proceed(ctx, person, client) : { kind: 'refused' }
}

/**
 * A fresh proof at the provider. Returns the new token of the session, or undefined, also for a person with a
 * second factor: their proofs have a code.
 */
export async function proveWithOidc(
  ctx: Context,
  person: SignedIn,
  answer: OidcReturn,
  client: SignInClient,
): Promise<string | undefined> {
  if (person.hasSecondFactor) return undefined
  const claims = await finish(ctx, answer, person.sessionId)
  const found = claims && (await matchPerson(ctx, claims, client))
  return found?.personId === person.personId ? proveSession(ctx, person) : undefined
}

/** The verified claims; undefined when the person declined or anything is wrong. */
async function finish(
  ctx: Context,
  { cookie, query }: OidcReturn,
  sessionId: string | undefined,
): Promise<OidcClaims | undefined> {
  const flow = readValue<Flow>(ctx, 'oidc', cookie)
  if (!flow || flow.sessionId !== sessionId) return undefined
  const { openid, oidc } = await provider(ctx)
  const library = await loadOpenid()
  try {
    const url = new URL(`${ctx.config.publicUrl}${CONSOLE_PAGES.oidcCallback}?${query}`)
    const tokens = await library.authorizationCodeGrant(openid, url, {
      pkceCodeVerifier: flow.verifier,
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      idTokenExpected: true,
      ...(sessionId !== undefined && { maxAge: PROOF_SECONDS }),
    })
    const claims = tokens.claims()
    if (!claims) return undefined
    // Some providers send the address only there.
    const more = claims.email === undefined
    const info = more ? await library.fetchUserInfo(openid, tokens.access_token, claims.sub) : claims
    return readClaims(oidc, claims.sub, info)
  } catch (error) {
    ctx.log.warn('oidc.sign_in_failed', errorData(error))
    return undefined
  }
}

interface Claims {
  readonly [claim: string]: unknown
}

/** Only a verified address counts: others may belong to another person. */
function readClaims(
  { issuer, emailDomain }: OidcConfig,
  subject: string,
  info: Claims,
): OidcClaims | undefined {
  const email = typeof info.email === 'string' ? readEmail(info.email) : undefined
  if (!email || info.email_verified !== true) return undefined
  if (emailDomain !== undefined && !email.endsWith(`@${emailDomain}`)) return undefined
  const name = typeof info.name === 'string' && info.name.trim() !== '' ? info.name : email
  return { issuer, subject, email, name }
}
