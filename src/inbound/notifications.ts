import { createHash } from 'node:crypto'
import { after, SECOND } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'
import { errorData } from '../base/log.ts'
import { sameBytes, sha256 } from '../base/secret.ts'
import type { Context } from '../context.ts'
import type { Job } from '../jobs/loop.ts'
import { type App, callProvider, findProfile, type Profile } from '../merchants/app.ts'
import { loadApp, loadAppOfProfile } from '../merchants/directory.ts'
import { followHint } from '../payments/operations/recheck.ts'
import type { Hint } from '../providers/port.ts'
import {
  claimDueNotifications,
  endNotification,
  keepNotification,
  type Notification,
  notificationsDue,
} from './store.ts'

/** A worker takes over after this long; below it, the request that brought the notification is at work. */
const LEASE_MS = 30 * SECOND
const BATCH = 20

export interface Inbound {
  readonly headers: Readonly<Record<string, string>>
  readonly url: string
  readonly body: Uint8Array
}

interface Owner {
  readonly app: App
  readonly profile: Profile
}

/**
 * A provider's call: stored as it came, verified, de-duplicated. It is only a hint: unless
 * it says what is known already, the provider is read afterwards, while it already has its answer.
 */
export async function receiveNotification(
  ctx: Context,
  { app, profile }: Owner,
  inbound: Inbound,
): Promise<void> {
  const { headers, url, body } = inbound
  const digest = createHash('sha256').update(body).digest()
  const now = ctx.clock.now()
  const notification = {
    appId: app.appId,
    profileId: profile.profileId,
    digest,
    headers,
    url,
    body,
    receivedTime: now,
    tries: 0,
  }
  const isNew = await keepNotification(ctx.db, notification, after(now, LEASE_MS))
  if (!isNew) return
  const hints = await verify(ctx, app, profile, notification)
  if (!hints) throw new ApiError('invalid_signature', 'The signature of the notification does not verify.')
  ctx.background.keep('notification', follow(ctx, app, notification, hints))
}

/** Undefined for a profile that does not exist and for a wrong key. */
export async function findOwner(
  ctx: Context,
  profileId: number,
  webhookKey: string,
): Promise<Owner | undefined> {
  const app = await loadAppOfProfile(ctx, profileId)
  const profile = app && findProfile(app, profileId)
  return profile && sameBytes(sha256(profile.webhookKey), sha256(webhookKey)) ? { app, profile } : undefined
}

/** What the notification is about, or undefined when it is forged. */
async function verify(ctx: Context, app: App, profile: Profile, notification: Notification) {
  const { headers, url, body } = notification
  const received = await callProvider(ctx, app, profile, (adapter, provider) =>
    adapter.receive(provider, { headers, url, rawBody: body }),
  )
  if (received.kind === 'events') return received.hints
  await endNotification(ctx.db, notification, received.kind)
  return received.kind === 'forged' ? undefined : []
}

/** While the provider cannot be read the notification stays, and is followed again when its lease ends. */
async function follow(ctx: Context, app: App, notification: Notification, hints: readonly Hint[]) {
  let isFollowed = true
  for (const hint of hints) isFollowed = (await followHint(ctx, app, hint)) && isFollowed
  if (isFollowed) await endNotification(ctx.db, notification, 'done')
}

/** Takes over notifications that were stored and not followed. */
export const notificationsJob = (ctx: Context): Job => ({
  name: 'notifications',
  everyMs: SECOND,
  due: [notificationsDue],
  async runOnce() {
    const now = ctx.clock.now()
    const due = await claimDueNotifications(ctx.db, { now, until: after(now, LEASE_MS), limit: BATCH })
    for (const notification of due) await takeOver(ctx, notification)
    return due.length
  },
})

async function takeOver(ctx: Context, notification: Notification): Promise<void> {
  try {
    const app = await loadApp(ctx, notification.appId)
    const profile = app && findProfile(app, notification.profileId)
    const hints = profile && (await verify(ctx, app, profile, notification))
    if (hints) await follow(ctx, app, notification, hints)
  } catch (error) {
    ctx.log.warn('notification.failed', errorData(error))
  }
}
