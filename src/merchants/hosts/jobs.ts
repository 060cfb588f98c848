import { MINUTE } from '../../base/clock.ts'
import { errorData } from '../../base/log.ts'
import type { Context } from '../../context.ts'
import type { Job } from '../../jobs/loop.ts'
import { checkClaim } from './claims.ts'
import { claimsDue, type HostClaim, takeDueClaims } from './store.ts'

/** Checked at once, each for up to 15 s. */
const BATCH = 10

/** Checks the host names that apps ask for until their proof is found. */
export const hostClaimsJob = (ctx: Context): Job => ({
  name: 'host-claims',
  everyMs: MINUTE,
  due: [claimsDue],
  async runOnce() {
    const claims = await takeDueClaims(ctx.db, ctx.clock.now(), BATCH)
    await Promise.all(claims.map((claim) => checkSafely(ctx, claim)))
    return claims.length
  },
})

async function checkSafely(ctx: Context, claim: HostClaim): Promise<void> {
  try {
    const verdict = await checkClaim(ctx, claim)
    ctx.log.info('host.checked', { appId: claim.appId, host: claim.host, verdict })
  } catch (error) {
    ctx.log.warn('job.row_failed', { job: 'host-claims', appId: claim.appId, ...errorData(error) })
  }
}
