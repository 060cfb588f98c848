import { hasCardNumber } from '../../base/cards/find.ts'
import { after } from '../../base/clock.ts'
import { eventIdOf } from '../../base/ids.ts'
import { inSpan, requestSpan, type Span, type SpanStart, setStatus } from '../../base/tracing/tracer.ts'
import type { Context } from '../../context.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { loadApp } from '../../merchants/directory.ts'
import type { PostReply } from '../../net/post.ts'
import { holdBack } from '../hold-store.ts'
import { WEBHOOKS } from '../schedule.ts'
import type { Claimed } from './claim-store.ts'
import { type DeliveryAttempt, type Ended, type Ending, endTry, releaseLease } from './end-store.ts'
import { noteFailure, noteSuccess } from './notes.ts'
import { resultOf, type TryResult } from './rules.ts'
import { signedHeaders } from './sign.ts'

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
  const url = delivery.url ?? app?.paymentWebhookUrl
  if (!app || !url) return await endTry(ctx.db, droppedEnding(ctx, delivery))
  if (isHeldBack(ctx, app) && !options.once) return await delay(ctx, app, delivery, options)
  const secrets = secretsOf(ctx, app)
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
  if (ended?.inTrouble && status === 'delivered') await noteSuccess(ctx, target)
  return ended
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
  await holdBack(ctx.db, delivery, after(app.webhooksHeldUntil, -app.clockOffsetMs))
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

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '')

const random = (ctx: Pick<Context, 'random'>): number => (ctx.random.bytes(1)[0] ?? 0) / 255

/** The webhook address was removed while the delivery waited. */
const droppedEnding = (ctx: Context, delivery: Claimed): Ending => ({
  delivery,
  status: 'dropped',
  dueTime: null,
  attempt: undefined,
  now: ctx.clock.now(),
})

const dueTimeOf = (result: TryResult): Date | null =>
  result.status === 'waiting' ? (result.dueTime ?? null) : null

const final = (result: TryResult, { once }: TryOptions): TryResult =>
  once && result.status === 'waiting' ? { status: 'exhausted', error: result.error } : result

interface Secrets {
  /** Newest first. */
  readonly signing: readonly string[]
  readonly authorization: string | undefined
  /** Masked in the stored excerpt of a reply. */
  readonly hidden: readonly string[]
}

interface OpenedSecrets {
  readonly current: string
  readonly previous: string | undefined
  readonly authorization: string | undefined
  readonly hidden: readonly string[]
}

/**
 * Decrypted secrets by app. An app object is reused until its row changes, possibly for the life of the
 * process, so nothing that depends on the time may be cached here.
 */
const openedSecrets = new WeakMap<App, OpenedSecrets>()

function open(ctx: Context, app: App): OpenedSecrets {
  const cached = openedSecrets.get(app)
  if (cached) return cached
  const current = ctx.vault.open(app.webhookSecret)
  const previous = app.webhookPreviousSecret ? ctx.vault.open(app.webhookPreviousSecret) : undefined
  const parameter = app.webhookAuthParameter ? ctx.vault.open(app.webhookAuthParameter) : ''
  const authorization = [app.webhookAuthScheme ?? '', parameter].filter((part) => part !== '').join(' ')
  const hidden = [current, previous ?? '', parameter].filter((text) => text !== '')
  const texts = { current, previous, authorization: authorization || undefined, hidden }
  openedSecrets.set(app, texts)
  return texts
}

/** The previous secret signs until it expires, which is checked on every try. */
function secretsOf(ctx: Context, app: App): Secrets {
  const { current, previous, authorization, hidden } = open(ctx, app)
  const until = app.webhookPreviousUntil
  const isValid = previous !== undefined && until !== null && until > appNow(ctx, app)
  const signing = !app.isSigningEnabled ? [] : isValid ? [current, previous] : [current]
  return { signing, authorization, hidden }
}

type CompleteReply = Exclude<PostReply, { kind: 'interrupted' }>

/** Read beyond the stored length, so that a secret across the cut is masked as a whole. */
const OVERLAP_BYTES = 2_048

interface WebhookRequest {
  readonly delivery: Claimed
  readonly url: string
  readonly secrets: Secrets
  readonly now: Date
}

/** The merchant's server gets `traceparent`, so that its own spans continue the trace. */
function send(ctx: Context, request: WebhookRequest, options: TryOptions): Promise<PostReply> {
  return inSpan(ctx.tracer, requestSpan('POST', request.url), async (span) => {
    const reply = await post(ctx, request, options, span)
    if (reply.kind === 'reply') setStatus(span, reply.status)
    else span?.fail(reply.kind)
    return reply
  })
}

function post(
  ctx: Context,
  { delivery, url, secrets, now }: WebhookRequest,
  options: TryOptions,
  span: Span | undefined,
): Promise<PostReply> {
  const { body, paymentId, sequence } = delivery
  const id = eventIdOf(paymentId, sequence)
  return ctx.post.send({
    owner: delivery.appId,
    url,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Tender-Webhooks/1',
      ...signedHeaders({ id, body, now, secrets: secrets.signing }),
      ...(secrets.authorization === undefined ? {} : { authorization: secrets.authorization }),
      ...span?.headers(),
    },
    timeoutMs: WEBHOOKS.timeoutMs,
    answerBytes: WEBHOOKS.answerBytes + OVERLAP_BYTES,
    answerMs: WEBHOOKS.answerMs,
    ...(options.signal ? { signal: options.signal } : {}),
  })
}

interface FinishedTry {
  readonly reply: CompleteReply
  readonly result: TryResult
  readonly secrets: Secrets
  readonly start: Date
  readonly now: Date
}

function attemptOf(app: App, { reply, result, secrets, start, now }: FinishedTry): DeliveryAttempt {
  const appTime = (time: Date) => after(time, app.clockOffsetMs)
  const dueTime = dueTimeOf(result)
  return {
    startTime: appTime(start),
    latencyMs: Math.max(0, now.getTime() - start.getTime()),
    httpStatus: reply.kind === 'reply' ? reply.status : null,
    error: result.status === 'delivered' ? null : result.error,
    response: reply.kind === 'reply' && reply.text !== '' ? excerpt(reply.text, secrets.hidden) : null,
    nextTime: dueTime && appTime(dueTime),
  }
}

/** The stored part of a reply. An endpoint may echo the request, so our secrets are masked. */
function excerpt(text: string, hidden: readonly string[]): string {
  let clean = text
  for (const secret of hidden)
    for (const encoded of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
      clean = clean.replaceAll(encoded, '***')
  if (hasCardNumber(clean)) return '[not kept: it holds a card number]'
  const bytes = Buffer.from(clean)
  return bytes.length <= WEBHOOKS.answerBytes
    ? clean
    : bytes.subarray(0, WEBHOOKS.answerBytes).toString('utf8')
}

interface Summary {
  readonly result: TryResult
  readonly ended: Ended | undefined
  readonly url: string
  readonly latencyMs: number
}

/** The query of the URL is not logged: it may hold a token. */
function logResult(ctx: Context, delivery: Claimed, { result, ended, url, latencyMs }: Summary): void {
  const told = ended ? result.status : 'lease-lost'
  ctx.meter?.tried(told, latencyMs)
  ctx.tracer?.current()?.set({ 'tender.webhook.result': told })
  const { appId, paymentId, sequence, type } = delivery
  const line = { appId, eventId: eventIdOf(paymentId, sequence), type, url: withoutQuery(url), latencyMs }
  if (!ended) ctx.log.warn('webhook.lease_lost', line)
  else if (result.status === 'delivered') ctx.log.debug('webhook.delivered', line)
  else if (result.status === 'exhausted') ctx.log.warn('webhook.exhausted', { ...line, error: result.error })
  else ctx.log.info('webhook.failed', { ...line, error: result.error, nextTime: result.dueTime })
}
