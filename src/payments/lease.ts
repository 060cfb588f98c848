import { after } from '../base/clock.ts'
import { newLeaseToken } from '../base/ids.ts'
import { LIMITS } from '../base/limits.ts'
import type { Context } from '../context.ts'

/** Work is somebody's own until then; the token fences off whoever had it before. */
export function newLease(ctx: Pick<Context, 'clock' | 'random'>): { now: Date; until: Date; token: string } {
  const now = ctx.clock.now()
  return { now, until: after(now, LIMITS.operationLeaseMs), token: newLeaseToken(ctx.random) }
}
