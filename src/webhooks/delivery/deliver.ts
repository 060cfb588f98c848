import { after } from '../../base/clock.ts'
import { eventIdOf } from '../../base/ids.ts'
import { inSpan, type SpanStart } from '../../base/tracing/tracer.ts'
import type { Context } from '../../context.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { forgetApp, loadApp } from '../../merchants/directory.ts'
import { findFurther } from '../endpoint-store.ts'
import { delayWebhooks } from '../hold-store.ts'
import { WEBHOOKS } from '../schedule.ts'
import type { Claimed } from './claim-store.ts'
import { type Ended, type Ending, endTry, noteFirst, releaseLease } from './end-store.ts'
import { noteFailure, noteSuccess, type Target } from './notes.ts'
import { resultOf, type TryResult } from './rules.ts'
import { furtherSecrets, type Secrets, secretsOf } from './secrets.ts'
import { send } from './send-request.ts'
import { attemptOf, dueTimeOf, logResult, withoutQuery } from './try-record.ts'

export interface TryOptions {
  /** Aborts when this node stops. */
  readonly signal?: AbortSignal
  /** Called before the result of the try is written. */
  readonly onEnding?: () => void
  /** Called when the endpoint has acknowledged the delivery, before that is written. */
  readonly onAcknowledged?: () => void
  /** Writes the result instead of this function. */
  readonly record?: (ending: Ending) => Promise<Ended | undefined>
  /** Test events are never retried. */
  readonly once?: true
}

/**
 * Runs one try of a leased delivery and records its result. Returns undefined when the lease was lost:
 * another node holds the delivery now.
 */
export function deliver(
  ctx: Context,
  delivery: Claimed,
  options: TryOptions = {},
): Promise<Ended | undefined> {
  return inSpan(ctx.tracer, deliverySpan(ctx, delivery), () => tryOnce(ctx, delivery, options))
}

/** In the trace of the change, where this process made it; otherwise in a trace of its own. */
function deliverySpan({ tracer }: Context, { paymentId, sequence, type, tries }: Claimed): SpanStart {
  const parent = tracer?.causeOf(eventIdOf(paymentId, sequence)) ?? null
  return { name: `webhook ${type}`, attributes: { 'tender.webhook.try': tries + 1 }, parent }
}

async function tryOnce(ctx: Context, delivery: Claimed, options: TryOptions): Promise<Ended | undefined> {
  const start = ctx.clock.now()
  // Too late: the lease could end before a reply arrives. The delivery is claimed again when it ends.
  if (after(start, WEBHOOKS.timeoutMs) > delivery.leaseEnd) return undefined
  const app = await loadApp(ctx, delivery.appId)
  const address = app && (await addressOf(ctx, app, delivery))
  if (!app || !address) return await endTry(ctx.db, droppedEnding(ctx, delivery))
  if (isHeldBack(ctx, app) && !options.once) return await delay(ctx, app, delivery, options)
  const { url, secrets } = address
  const reply = await send(ctx, { delivery, url, secrets, now: start }, options)
  const now = ctx.clock.now()
  if (reply.kind === 'interrupted') return await release(ctx, delivery, options)
  const result = final(resultOf(reply, { now, tries: delivery.tries, chance: () => random(ctx) }), options)
  const target = { app, endpoint: delivery.endpoint, url: withoutQuery(url) }
  // Update the endpoint's health before this try stops counting as in flight, so that a failing endpoint gets
  // no more deliveries in between.
  if (result.status !== 'delivered') await noteFailure(ctx, target, { ...result, now, chance: random(ctx) })
  const attempt = attemptOf(app, { reply, result, secrets, start, now })
  const { status } = result
  const dueTime = dueTimeOf(result)
  if (status === 'delivered') options.onAcknowledged?.()
  const ending = { delivery, status, dueTime, attempt, now }
  const ended = await (options.record?.(ending) ?? recordNow(ctx, ending, options))
  logResult(ctx, delivery, { result, ended, url, latencyMs: attempt.latencyMs })
  if (ended && status === 'delivered') await noteDelivered(ctx, target, ended)
  return ended
}

async function noteDelivered(ctx: Context, target: Target, ended: Ended): Promise<void> {
  if (ended.inTrouble) await noteSuccess(ctx, target)
  const { app } = target
  if (app.firstWebhookTime !== null) return
  await noteFirst(ctx.db, app.appId, appNow(ctx, app))
  forgetApp(ctx, app.appId)
}

interface Address {
  readonly url: string
  readonly secrets: Secrets
}

/** Undefined: the address was removed while the delivery waited. */
async function addressOf(ctx: Context, app: App, delivery: Claimed): Promise<Address | undefined> {
  if (delivery.endpointId === 0) {
    const url = delivery.url ?? app.paymentWebhookUrl
    return url ? { url, secrets: secretsOf(ctx, app) } : undefined
  }
  const endpoint = await findFurther(ctx.db, app.appId, delivery.endpointId)
  return endpoint && { url: endpoint.url, secrets: furtherSecrets(ctx, app, endpoint) }
}

function recordNow(ctx: Context, ending: Ending, { onEnding }: TryOptions): Promise<Ended | undefined> {
  onEnding?.()
  return endTry(ctx.db, ending)
}

const isHeldBack = (ctx: Context, app: App): app is App & { webhooksHeldUntil: Date } =>
  app.webhooksHeldUntil !== null && app.webhooksHeldUntil > appNow(ctx, app)

/** The sandbox app holds back its webhooks: nothing is sent, and the delivery is due when that ends. */
async function delay(
  ctx: Context,
  app: App & { webhooksHeldUntil: Date },
  delivery: Claimed,
  options: TryOptions,
): Promise<Ended> {
  options.onEnding?.()
  await delayWebhooks(ctx.db, delivery, after(app.webhooksHeldUntil, -app.clockOffsetMs))
  return { hasNext: false, inTrouble: false }
}

/** A shutdown is not a failed try: nothing is recorded, and another node sends the delivery at once. */
async function release(ctx: Context, delivery: Claimed, options: TryOptions): Promise<Ended> {
  options.onEnding?.()
  await releaseLease(ctx.db, delivery, ctx.clock.now())
  const { appId, paymentId, sequence } = delivery
  ctx.log.debug('webhook.released', { appId, eventId: eventIdOf(paymentId, sequence) })
  return { hasNext: false, inTrouble: false }
}

const random = (ctx: Pick<Context, 'random'>): number => (ctx.random.bytes(1)[0] ?? 0) / 255

const droppedEnding = (ctx: Context, delivery: Claimed): Ending => ({
  delivery,
  status: 'dropped',
  dueTime: null,
  attempt: undefined,
  now: ctx.clock.now(),
})

const final = (result: TryResult, { once }: TryOptions): TryResult =>
  once && result.status === 'waiting' ? { status: 'exhausted', error: result.error } : result
