import { after, DAY } from '../base/clock.ts'
import { ApiError, notFound } from '../base/errors.ts'
import { eventIdOf, newLeaseToken, newWebhookSecret } from '../base/ids.ts'
import type { Context } from '../context.ts'
import { mayLag } from '../db/database.ts'
import { type App, appNow } from '../merchants/app.ts'
import { auditApp } from '../merchants/app-audit.ts'
import { forgetApp } from '../merchants/directory.ts'
import { deliver } from './delivery/deliver.ts'
import { listHealth, shiftEndpoints } from './delivery/health-store.ts'
import { noteRequest } from './delivery/notes.ts'
import { senderOf } from './delivery/sender.ts'
import { WRITTEN } from './delivery/topics.ts'
import {
  countDelivered,
  type Delivery,
  type DeliveryKey,
  type EventKey,
  findDelivery,
  findLastAttempt,
  listDeliveryAttempts,
  type NumberedAttempt,
  type TriedDelivery,
} from './list-store.ts'
import { problemSentence } from './problems.ts'
import {
  addTestEvent,
  countExhausted,
  newEventNumber,
  requeue,
  requeueFailed,
  rotateSecret,
  shiftDeliveries,
  stopSigning,
} from './resend-store.ts'
import { WEBHOOKS } from './schedule.ts'
import { endpointView } from './view.ts'

export async function withAttempts(
  ctx: Context,
  app: App,
  deliveries: readonly Delivery[],
  shown: { readonly responses: boolean },
): Promise<TriedDelivery[]> {
  const attempts = new Map<string, NumberedAttempt[]>(deliveries.map((delivery) => [keyOf(delivery), []]))
  for (const attempt of await listDeliveryAttempts(ctx.db, app.appId, deliveries, shown))
    attempts.get(keyOf(attempt))?.push(attempt)
  return deliveries.map((delivery) => ({ ...delivery, attempts: attempts.get(keyOf(delivery)) ?? [] }))
}

const keyOf = ({ paymentId, sequence, endpointId }: DeliveryKey): string =>
  `${paymentId}-${sequence}-${endpointId}`

const idOf = ({ paymentId, sequence }: EventKey): string => eventIdOf(paymentId, sequence)

/** Without an endpoint: the delivery to the first one that has one. */
export async function getDelivery(
  ctx: Context,
  app: App,
  key: EventKey | undefined,
  endpointId?: number,
): Promise<TriedDelivery> {
  const delivery = key && (await findDelivery(ctx.db, app.appId, key, endpointId))
  const [tried] = delivery ? await withAttempts(ctx, app, [delivery], { responses: true }) : []
  if (!tried) throw notFound('The webhook')
  return tried
}

/**
 * Queues a webhook again with all its retries, or sends a waiting one now. Also works for an event that was
 * not for the endpoint when it was written.
 */
export async function resend(
  ctx: Context,
  app: App,
  key: EventKey | undefined,
  endpointId = 0,
): Promise<TriedDelivery> {
  const endpoint = key && (await requeue(ctx.db, app.appId, { ...key, endpointId }, times(ctx, app)))
  if (endpoint !== undefined) {
    await noteRequest(ctx, { appId: app.appId, endpoint })
    ctx.signals.wake(WRITTEN)
  }
  return await getDelivery(ctx, app, key, endpointId)
}

/** Queues all exhausted and dropped webhooks since then again, oldest first. Returns their number. */
export async function resendFailed(ctx: Context, app: App, since: Date | undefined): Promise<number> {
  const endpoints = new Set<string>()
  const filter = { ...times(ctx, app), since, limit: WEBHOOKS.readyBatch }
  let resent = 0
  let batch: readonly string[]
  do {
    batch = await requeueFailed(ctx.db, app.appId, filter)
    for (const endpoint of batch) endpoints.add(endpoint)
    resent += batch.length
  } while (batch.length === filter.limit)
  for (const endpoint of endpoints) await noteRequest(ctx, { appId: app.appId, endpoint })
  ctx.signals.wake(WRITTEN)
  return resent
}

const times = (ctx: Context, app: App) => ({ now: ctx.clock.now(), appNow: appNow(ctx, app) })

const FIRST = { endpointId: 0, endpoint: '' }

/** Sends a test event to one endpoint, once, and returns the delivery. */
export async function sendTest(
  ctx: Context,
  app: App,
  to: Pick<Delivery, 'endpointId' | 'endpoint'> = FIRST,
): Promise<TriedDelivery> {
  if (to.endpointId === 0 && app.paymentWebhookUrl === null)
    throw new ApiError('not_possible', 'The app has no webhook address. Set paymentWebhookUrl first.')
  const createdTime = appNow(ctx, app)
  const key = { paymentId: await newEventNumber(ctx.db), sequence: 1, ...to }
  const type = 'webhook.test'
  const body = JSON.stringify({ type, eventId: idOf(key), createdTime, sequence: 1 })
  const lease = {
    leaseToken: newLeaseToken(ctx.random),
    leaseEnd: after(ctx.clock.now(), WEBHOOKS.leaseMs),
  }
  await addTestEvent(ctx.db, app.appId, { ...key, ...lease, type, createdTime, body })
  const place = { appId: app.appId, url: null, tries: 0, crowded: false, borrowed: false }
  await deliver(ctx, { ...key, ...lease, ...place, type, body }, { once: true })
  return await getDelivery(ctx, app, key, to.endpointId)
}

export interface NewSecret {
  /** Shown once. */
  readonly webhookSecret: string
  readonly previousValidUntil: Date
}

/** Replaces the signing secret. Both secrets sign for a day, so that receivers can be changed one by one. */
export async function rotateSigningSecret(ctx: Context, app: App): Promise<NewSecret> {
  const webhookSecret = newWebhookSecret(ctx.random)
  const previousValidUntil = after(appNow(ctx, app), WEBHOOKS.rotationMs)
  const sealed = ctx.vault.seal(webhookSecret)
  await ctx.db.transaction(async (tx) => {
    await rotateSecret(tx, app.appId, { sealed, previousUntil: previousValidUntil })
    const target = `app:${app.appId}`
    await auditApp(ctx, tx, app, { action: 'webhook_secret.rotated', target })
  })
  forgetApp(ctx, app.appId)
  ctx.log.info('webhook.secret_rotated', { appId: app.appId })
  return { webhookSecret, previousValidUntil }
}

/** Webhooks are sent without a signature until a new secret is asked for. */
export async function disableSigning(ctx: Context, app: App): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await stopSigning(tx, app.appId)
    await auditApp(ctx, tx, app, { action: 'webhook_secret.removed', target: `app:${app.appId}` })
  })
  forgetApp(ctx, app.appId)
}

/** Shifts due times after the app's clock was moved ahead. */
export async function moveDeliveryTimes(ctx: Context, { appId }: App, byMs: number): Promise<void> {
  // Wait for deliveries in flight, so that their retries are shifted too.
  await senderOf(ctx).idle(appId)
  await shiftDeliveries(ctx.db, appId, byMs)
  await shiftEndpoints(ctx.db, appId, byMs)
}

/** The newest try of a recent webhook; undefined when none was tried. */
export async function lastWebhook(ctx: Pick<Context, 'db'>, app: App) {
  const last = await findLastAttempt(ctx.db, app.appId)
  return last && { ...last, error: last.error && problemSentence(last.error) }
}

/** Exhausted webhooks are counted up to this number. */
const MAX_SHOWN = 1_000
/** Endpoints listed on the app. */
const ENDPOINTS_SHOWN = 100

/** The endpoints of the app that fail, with their health. */
export const healthOf = (ctx: Pick<Context, 'db'>, { appId }: App, limit: number) =>
  listHealth(ctx.db, appId, limit)

/** Exhausted webhooks and failing endpoints of the app. */
export async function webhookHealth(ctx: Pick<Context, 'db'>, app: App) {
  const [exhaustedCount, endpoints] = await Promise.all([
    countExhausted(ctx.db, app.appId, MAX_SHOWN),
    healthOf(ctx, app, ENDPOINTS_SHOWN),
  ])
  return { exhaustedCount, endpoints: endpoints.map((endpoint) => endpointView(app, endpoint)) }
}

const SHARE_MS = DAY
/** Events that are counted, the newest first. */
const MAX_EVENTS = 2_000

export interface DeliveredShare {
  /** Webhooks that were tried, and those of them that were answered with 2xx. */
  readonly tried: number
  readonly acknowledged: number
  /** False: only the newest 2,000 events are counted. */
  readonly isWhole: boolean
}

/** The webhooks for events of the last 24 hours. */
export async function deliveredShare(ctx: Pick<Context, 'db' | 'clock'>, app: App): Promise<DeliveredShare> {
  const since = new Date(appNow(ctx, app).getTime() - SHARE_MS)
  const { events, ...counts } = await countDelivered(mayLag(ctx.db), app.appId, { since, most: MAX_EVENTS })
  return { ...counts, isWhole: events < MAX_EVENTS }
}
