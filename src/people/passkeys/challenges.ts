import { after, MINUTE } from '../../base/clock.ts'
import { sha256 } from '../../base/secret.ts'
import type { Context } from '../../context.ts'
import { readValue, signValue } from '../sign-in/signed-value.ts'
import { useChallenge } from '../store/passkeys.ts'

/** Loaded when the first passkey is used: half a second and 30 MB that most processes do not need. */
export const loadWebAuthn = () => import('@simplewebauthn/server')

/** Time to touch the authenticator or type its PIN. */
const CHALLENGE_MS = 5 * MINUTE
const CHALLENGE_BYTES = 32

/** What the challenge is for, such as `register:ses_…`: the answer to one is refused for all others. */
type Purpose = string

interface Challenge {
  /** Base64url, as the browser repeats it. */
  readonly challenge: string
  readonly purpose: Purpose
}

/** A new challenge, and the signed value that the browser sends back with the answer. */
export function newChallenge(ctx: Context, purpose: Purpose) {
  const bytes = Buffer.from(ctx.random.bytes(CHALLENGE_BYTES))
  const value: Challenge = { challenge: bytes.toString('base64url'), purpose }
  return { bytes: new Uint8Array(bytes), state: signValue(ctx, 'passkey', value, CHALLENGE_MS) }
}

export function readChallenge(ctx: Context, purpose: Purpose, state: string): string | undefined {
  const value = readValue<Challenge>(ctx, 'passkey', state)
  return value?.purpose === purpose ? value.challenge : undefined
}

/** Accepts the answer to a challenge once. */
export const takeChallenge = (ctx: Context, challenge: string): Promise<boolean> =>
  useChallenge(ctx.db, sha256(challenge), after(ctx.clock.now(), CHALLENGE_MS))
