import { after } from '../base/clock.ts'
import { newLeaseToken } from '../base/ids.ts'
import { LIMITS } from '../base/limits.ts'
import type { Context } from '../context.ts'

/** A new lease. Its token invalidates the previous holder. */
export function newLease(ctx: Pick<Context, 'clock' | 'random'>): { now: Date; until: Date; token: string } {
  const now = ctx.clock.now()
  return { now, until: after(now, LIMITS.operationLeaseMs), token: newLeaseToken(ctx.random) }
}
