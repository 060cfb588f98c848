import { after, MINUTE, SECOND } from '../../base/clock.ts'
import { ApiError, invalid, notFound } from '../../base/errors.ts'
import { expected } from '../../base/mistakes.ts'
import type { Context } from '../../context.ts'
import { type Queryable, violatedConstraint } from '../../db/database.ts'
import type { App } from '../app.ts'
import { auditApp } from '../app-audit.ts'
import { forgetApp, loadApp } from '../directory.ts'
import { ownNames } from './own-names.ts'
import { isProved, newToken } from './proof.ts'
import {
  deleteClaim,
  type HostClaim,
  holdHost,
  insertClaim,
  isHeldByOther,
  lockClaim,
  releaseUnproven,
  takeCheck,
} from './store.ts'

/** Between two checks that people ask for: each asks servers of others. */
const CHECK_PAUSE_MS = 5 * SECOND

/** The job begins to check a name after this time. */
const FIRST_CHECK_MS = MINUTE

/** Asks for a host name. It has no effect, for this app and for others, until it is proved. Decision 0147. */
export async function claimHost(ctx: Context, tx: Queryable, app: App, host: string): Promise<void> {
  if (ownNames(ctx.config).has(host)) throw invalid([expected('domain', 'otherHost')])
  if (host === app.checkoutHost && app.isCheckoutHostProven) return await deleteClaim(tx, app.appId)
  if (await isHeldByOther(tx, host, app.appId)) throw taken()
  const dueTime = after(ctx.clock.now(), FIRST_CHECK_MS)
  await insertClaim(tx, { appId: app.appId, host, token: newToken(ctx), now: ctx.clock.now(), dueTime })
  const before = { claimedHost: app.hostClaim?.host ?? null }
  if (before.claimedHost === host) return
  const entry = { action: 'app.changed', target: `app:${app.appId}`, before, after: { claimedHost: host } }
  await auditApp(ctx, tx, app, entry)
}

export const removeClaim = (tx: Queryable, { appId }: App): Promise<void> => deleteClaim(tx, appId)

const taken = (): ApiError =>
  new ApiError('checkout_host_taken', 'Another app uses this host name.', {
    errors: [expected('domain', 'freeHost')],
  })

/** `taken`: proved, but another app proved it before. */
export type ClaimVerdict = 'proven' | 'not-found' | 'taken'

/** Checks the name that the app asks for, now. */
export async function checkClaimNow(ctx: Context, app: App): Promise<ClaimVerdict> {
  if (!app.hostClaim && app.isCheckoutHostProven) return 'proven'
  if (!app.hostClaim) throw notFound('The host name')
  const now = ctx.clock.now()
  const claim = await takeCheck(ctx.db, app.appId, { now, since: after(now, -CHECK_PAUSE_MS) })
  if (claim) return await checkClaim(ctx, claim)
  const seconds = CHECK_PAUSE_MS / SECOND
  throw new ApiError('too_many_requests', `The name was just checked: try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })
}

/** The name takes effect when its proof is found. */
export async function checkClaim(ctx: Context, claim: HostClaim): Promise<ClaimVerdict> {
  if (!(await isProved(ctx, claim))) return 'not-found'
  const app = await loadApp(ctx, claim.appId)
  if (!app) return 'not-found'
  try {
    const released = await ctx.db.transaction((tx) => hold(ctx, tx, app, claim))
    for (const appId of [app.appId, ...(released ?? [])]) forgetApp(ctx, appId)
    return released ? 'proven' : 'not-found'
  } catch (error) {
    if (violatedConstraint(error) === 'apps_checkout_host') return 'taken'
    throw error
  }
}

/** Returns the apps that lose the name; undefined when the claim has changed since the check. */
async function hold(ctx: Context, tx: Queryable, app: App, claim: HostClaim): Promise<string[] | undefined> {
  if (!(await lockClaim(tx, claim))) return undefined
  const released = await releaseUnproven(tx, claim)
  await holdHost(tx, claim, ctx.clock.now())
  await deleteClaim(tx, app.appId)
  await auditApp(ctx, tx, app, {
    action: 'app.changed',
    target: `app:${app.appId}`,
    before: { checkoutHost: app.checkoutHost },
    after: { checkoutHost: claim.host },
  })
  return released === undefined ? [] : [released]
}
