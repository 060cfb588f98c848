import { SECOND } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import { hmacSha256 } from '../../base/secret.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import {
  addNetwork,
  clearThrottle,
  giveBackThrottles,
  lockThrottles,
  updateThrottles,
} from '../store/throttles.ts'
import { afterAttempt, type ThrottleKind, waitMs } from './rules.ts'

// Attempts to sign in, limited on all nodes together. An attempt is counted before the secret is checked, so
// that attempts sent at the same time count too, and taken back when it succeeds.

/** A try of a password or code. */
export interface SignInAttempt {
  /** Passwords and codes are counted apart. */
  readonly purpose: 'password' | 'second-factor' | 'proof' | 'reset'
  /** The e-mail address, of an existing account or not, or the id of a person. */
  readonly account: string
  readonly network: string
  readonly isKnownNetwork: boolean
}

/** Networks that are kept for a person: home, office, phone and travels of some months. */
const MAX_NETWORKS = 20

const WITHOUT_OWN: readonly ThrottleKind[] = ['account', 'network']

function kindsOf({ purpose, isKnownNetwork }: SignInAttempt): readonly ThrottleKind[] {
  if (purpose === 'reset') return ['reset', 'network']
  return isKnownNetwork ? ['own'] : ['own', ...WITHOUT_OWN]
}

type Ctx = Pick<Context, 'db' | 'clock' | 'vault'>

/** Keyed, so that the table does not tell which addresses were tried. */
function subjectOf({ vault }: Ctx, kind: ThrottleKind, attempt: SignInAttempt): Uint8Array {
  const { purpose, account, network } = attempt
  const parts = { own: [account, network], account: [account], network: [network], reset: [account] }[kind]
  return hmacSha256(vault.derive('sign-in-throttle'), JSON.stringify([purpose, kind, ...parts]))
}

/** Counts an attempt and returns 0, or the seconds to wait; then nothing is counted. */
export async function takeAttempt(ctx: Ctx, attempt: SignInAttempt): Promise<number> {
  const now = ctx.clock.now()
  const kinds = kindsOf(attempt)
  const subjects = kinds.map((kind) => subjectOf(ctx, kind, attempt))
  const longestMs = await ctx.db.transaction(async (tx) => {
    const states = await lockThrottles(tx, subjects, now)
    const longest = Math.max(...states.map((state) => waitMs(state, now)))
    if (longest > 0) return longest
    const next = states.map((state, n) => afterAttempt(kinds[n] as ThrottleKind, state, now))
    await updateThrottles(tx, subjects, next, now)
    return 0
  })
  return Math.ceil(longestMs / SECOND)
}

/** Takes the attempt back after success. Failures from this network before it no longer count. */
export async function attemptSucceeded(ctx: Ctx, attempt: SignInAttempt): Promise<void> {
  await clearThrottle(ctx.db, subjectOf(ctx, 'own', attempt))
  if (attempt.isKnownNetwork) return
  const others = WITHOUT_OWN.map((kind) => subjectOf(ctx, kind, attempt))
  await giveBackThrottles(ctx.db, others, ctx.clock.now())
}

/** Records the network of a completed sign-in. Returns whether it is another than all before. */
export const rememberNetwork = (
  ctx: Pick<Ctx, 'clock'>,
  tx: Queryable,
  personId: string,
  network: string,
): Promise<boolean> => addNetwork(tx, personId, { network, now: ctx.clock.now(), most: MAX_NETWORKS })

export const tooManyAttempts = (seconds: number): ApiError =>
  new ApiError('too_many_requests', `Too many attempts: try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })
