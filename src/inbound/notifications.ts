import { createHash } from 'node:crypto'
import { after, SECOND } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { errorData } from '../base/log.ts'
import { sameBytes, sha256 } from '../base/secret.ts'
import type { Context } from '../context.ts'
import { createShares } from '../jobs/shares.ts'
import { type App, findProfile, type Profile } from '../merchants/app.ts'
import { loadAppOfProfile } from '../merchants/directory.ts'
import { findAdapter } from '../merchants/profiles/adapter.ts'
import { slot } from '../node/slot.ts'
import { reportsNothingNew, selectsAttempt } from '../payments/provider/movements/follow-hint.ts'
import type { Hint } from '../providers/hint.ts'
import type { Received } from '../providers/port.ts'
import { noteArrival } from './arrivals.ts'
import { follow, verify, withKey } from './follow.ts'
import { packHints } from './hints.ts'
import { FOLLOWING } from './jobs.ts'
import { keepNotification, keepRepeated, type NotificationKey } from './store.ts'

export interface Inbound {
  readonly headers: Readonly<Record<string, string>>
  readonly url: string
  readonly body: Uint8Array
}

interface Owner {
  readonly app: App
  readonly profile: Profile
}

const notificationShares = slot('notificationShares', () => createShares(LIMITS.notifications), {
  holds: 'notifications in progress, by profile and app',
  until: 'the end of each',
  restart: 'nothing: the job follows what is stored',
})

/**
 * Verifies a provider's call and stores its events, without headers, URL and body. Events are only hints: the
 * payment is read from the provider after the call was answered. Concurrent work per profile is limited;
 * calls above the limit are stored for the job.
 */
export async function receiveNotification(
  ctx: Context,
  { app, profile }: Owner,
  inbound: Inbound,
): Promise<void> {
  const digest = createHash('sha256').update(inbound.body).digest()
  const name = { appId: app.appId, profileId: profile.profileId, digest }
  if (findAdapter(ctx, profile)?.manifest.unsignedNotifications)
    return receiveUnsigned(ctx, { app, profile }, { name, inbound })
  const shares = notificationShares(ctx)
  if (!shares.take(name)) {
    await keepUnverified(ctx, name, inbound, ctx.clock.now())
    return ctx.signals.wake(FOLLOWING)
  }
  let isFollowing = false
  try {
    const hints = await verifyAndKeep(ctx, app, profile, { name, inbound })
    if (!hints) return
    isFollowing = true
    const following = follow(ctx, app, name, hints).finally(() => shares.release(name))
    ctx.background.keep('notification', following, app.appId)
  } finally {
    if (!isFollowing) shares.release(name)
  }
}

/**
 * A call that proves nothing: anyone with the address can send it. It costs one look-up, and nothing is
 * stored or read from the provider unless it names an attempt of the profile. An attempt whose id is not
 * stored yet is still open, so it is read anyway.
 */
async function receiveUnsigned(
  ctx: Context,
  { app, profile }: Owner,
  { name, inbound }: IncomingCall,
): Promise<void> {
  const received = await verify(ctx, app, profile, inbound)
  if (received.kind === 'forged')
    throw new ApiError('invalid_signature', 'The call is not a notification of the provider.')
  const hints: Hint[] = []
  for (const hint of received.kind === 'events' ? received.hints : [])
    if (await selectsAttempt(ctx, app, name.profileId, hint)) hints.push(hint)
  if (hints.length === 0) return
  noteArrival(ctx, app, profile, received)
  const now = ctx.clock.now()
  const stored = packHints(ctx.vault, hints)
  const due = after(now, LIMITS.notificationPauseMs)
  const arrival = { ...name, now, status: 'new', due, hints: stored, call: null } as const
  const receivedTime = await keepRepeated(ctx.db, arrival)
  // Above the limit the job follows it.
  if (!receivedTime || !notificationShares(ctx).take(name)) return
  const following = follow(ctx, app, { ...name, receivedTime }, hints)
  const done = following.finally(() => notificationShares(ctx).release(name))
  ctx.background.keep('notification', done, app.appId)
}

/** Undefined for an unknown profile and for a wrong key. */
export async function findOwner(
  ctx: Context,
  profileId: number,
  webhookKey: string,
): Promise<Owner | undefined> {
  const app = await loadAppOfProfile(ctx, profileId)
  const profile = app && findProfile(app, profileId)
  return profile && sameBytes(sha256(profile.webhookKey), sha256(webhookKey)) ? { app, profile } : undefined
}

interface IncomingCall {
  readonly name: NotificationKey
  readonly inbound: Inbound
}

/** Events to process now; undefined: none, or left to the job. */
async function verifyAndKeep(
  ctx: Context,
  app: App,
  profile: Profile,
  { name, inbound }: IncomingCall,
): Promise<readonly Hint[] | undefined> {
  const now = ctx.clock.now()
  const due = after(now, LIMITS.notificationPauseMs)
  let received: Received
  try {
    received = await verify(ctx, app, profile, inbound)
  } catch (error) {
    ctx.log.warn('notification.not_verified', { ...aboutOf(name), ...errorData(error) })
    await keepUnverified(ctx, name, inbound, due)
    return undefined
  }
  noteArrival(ctx, app, profile, received)
  const bare = { ...name, now, hints: null, call: null }
  if (received.kind === 'events') {
    const { hints } = received
    if (await areKnown(ctx, app, profile, hints)) {
      await keepNotification(ctx.db, { ...bare, status: 'done', due: null })
      return undefined
    }
    const stored = packHints(ctx.vault, hints)
    const kept = await keepNotification(ctx.db, { ...bare, status: 'new', due, hints: stored })
    return kept === 'kept' ? hints : undefined
  }
  await keepNotification(ctx.db, { ...bare, status: received.kind, due: null })
  if (received.kind === 'forged')
    throw new ApiError('invalid_signature', 'The signature of the notification does not verify.')
  return undefined
}

/** Most notifications report what the reply to our own call has said before. */
async function areKnown(
  ctx: Context,
  app: App,
  { profileId }: Profile,
  hints: readonly Hint[],
): Promise<boolean> {
  for (const hint of hints) if (!(await reportsNothingNew(ctx, app, profileId, hint))) return false
  return true
}

/**
 * Stores the call, without its webhookKey, until it can be verified. If the same bytes already wait
 * unverified, the sender must repeat the call, because one of the two may be forged.
 */
async function keepUnverified(
  ctx: Context,
  name: NotificationKey,
  inbound: Inbound,
  due: Date,
): Promise<void> {
  const { headers, url, body } = inbound
  const call = { headers, url: withKey(url, ''), body }
  const now = ctx.clock.now()
  const kept = await keepNotification(ctx.db, { ...name, now, status: 'new', due, hints: null, call })
  if (kept === 'unverified')
    throw new ApiError('unavailable', 'The notification waits to be verified. Send it again later.', {
      headers: { 'retry-after': String(LIMITS.notificationPauseMs / SECOND) },
    })
}

const aboutOf = ({ appId, profileId }: NotificationKey) => ({ appId, profileId })
