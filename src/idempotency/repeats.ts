import { createHash } from 'node:crypto'
import { after } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { errorData } from '../base/log.ts'
import { sameBytes } from '../base/secret.ts'
import type { Context } from '../context.ts'
import type { Answer, Repeatable, Repeats } from '../http/answer.ts'
import {
  claimKey,
  completeKey,
  findIdempotencyKey,
  type KeyClaim,
  type KnownKey,
  releaseKey,
} from './store.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'vault' | 'log'>

/** A key may be released between the read and the claim; the loop is bounded anyway. */
const ATTEMPTS = 3
const SEALED = 'x-sealed'

/** Runs a request once per Idempotency-Key; repeats get the stored response. */
export function createRepeats(ctx: Ctx): Repeats {
  return async (request, work) => {
    const claim = claimFor(ctx, request)
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (await claimKey(ctx.db, claim)) return runClaimed(ctx, claim, request, work)
      const known = await findIdempotencyKey(ctx.db, claim)
      if (known) return replayed(ctx, claim, known)
    }
    throw inUse()
  }
}

function claimFor({ clock }: Ctx, request: Repeatable): KeyClaim {
  const now = clock.now()
  return {
    scope: request.scope,
    key: request.key,
    fingerprint: fingerprintOf(request),
    now,
    lockedUntil: after(now, LIMITS.idempotencyLockMs),
    keptSince: after(now, -LIMITS.idempotencyKeptMs),
  }
}

function fingerprintOf({ method, target, rawBody }: Repeatable): Uint8Array {
  return createHash('sha256').update(`${method} ${target}\n`).update(rawBody).digest()
}

async function runClaimed(
  ctx: Ctx,
  claim: KeyClaim,
  { secret }: Repeatable,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const answer = await work()
  try {
    // Only a final response is stored. After a transient failure the repeat finds finished work by its key
    // (payments/requests/repeat.ts).
    if (answer.isTransient) await releaseKey(ctx.db, claim)
    else await completeKey(ctx.db, claim, secret ? sealed(ctx, answer) : answer)
  } catch (error) {
    // The work is committed, so the response is still sent; the key stays locked until its lock expires.
    ctx.log.warn('idempotency.not_stored', errorData(error))
  }
  return answer
}

function sealed({ vault }: Ctx, answer: Answer): Answer {
  const body = Buffer.from(vault.seal(answer.body)).toString('base64')
  return { ...answer, headers: { ...answer.headers, [SEALED]: 'true' }, body }
}

function replayed(ctx: Ctx, claim: KeyClaim, known: KnownKey): Answer {
  if (!sameBytes(known.fingerprint, claim.fingerprint))
    throw new ApiError('idempotency_key_reused', 'This Idempotency-Key was used for another request.')
  if (known.status === null) throw inUse()
  const { [SEALED]: isSealed, ...headers } = known.headers ?? {}
  const body = known.body ?? ''
  return {
    status: known.status,
    headers: { ...headers, 'idempotent-replayed': 'true' },
    body: isSealed ? ctx.vault.open(Buffer.from(body, 'base64')) : body,
  }
}

const inUse = (): ApiError =>
  new ApiError('idempotency_key_in_use', 'The first request with this Idempotency-Key is still running.')
