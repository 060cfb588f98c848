import { hasCardNumber } from '../../base/cards/find.ts'
import { after } from '../../base/clock.ts'
import { eventIdOf } from '../../base/ids.ts'
import type { Context } from '../../context.ts'
import { type App, appNow } from '../../merchants/app.ts'
import { loadApp } from '../../merchants/directory.ts'
import type { PostReply } from '../../net/post.ts'
import { WEBHOOKS } from '../schedule.ts'
import type { Claimed } from './claim-store.ts'
import { type DeliveryAttempt, type Ended, type Ending, endTry, releaseLease } from './end-store.ts'
import { noteFailure, noteSuccess } from './notes.ts'
import { resultOf, type TryResult } from './rules.ts'
import { signedHeaders } from './sign.ts'

export interface Trying {
  /** Our own stop. */
  readonly signal?: AbortSignal
  /** The try is over and about to be written down. */
  readonly onEnding?: () => void
  /** A test is answered at once: it is never tried again. */
  readonly once?: true
}

/**
 * One try of one delivery, from its lease to its end. Undefined: the lease was lost, so somebody else has
 * it.
 */
export async function deliver(
  ctx: Context,
  delivery: Claimed,
  trying: Trying = {},
): Promise<Ended | undefined> {
  const start = ctx.clock.now()
  // Held up until the lease could end before an answer comes: whoever takes it over sends it.
  if (after(start, WEBHOOKS.timeoutMs) > delivery.leaseEnd) return undefined
  const app = await loadApp(ctx, delivery.appId)
  const url = delivery.url ?? app?.paymentWebhookUrl
  if (!app || !url) return await endTry(ctx.db, unsent(ctx, delivery))
  const secrets = secretsOf(ctx, app)
  const reply = await send(ctx, { delivery, url, secrets, now: start }, trying)
  const now = ctx.clock.now()
  if (reply.kind === 'interrupted') return await released(ctx, delivery, trying)
  const result = final(resultOf(reply, { now, tries: delivery.tries, chance: () => chance(ctx) }), trying)
  const target = { app, endpoint: delivery.endpoint, url: withoutQuery(url) }
  // Before the place in flight is given up, so that a failing endpoint is not sent more in between.
  if (result.status !== 'delivered') await noteFailure(ctx, target, { ...result, now, chance: chance(ctx) })
  const attempt = attemptOf(app, { reply, result, secrets, start, now })
  const { status } = result
  const dueTime = dueTimeOf(result)
  trying.onEnding?.()
  const ended = await endTry(ctx.db, { delivery, status, dueTime, attempt, now })
  report(ctx, delivery, { result, ended, url, latencyMs: attempt.latencyMs })
  if (ended?.inTrouble && status === 'delivered') await noteSuccess(ctx, target)
  return ended
}

/** Our own shutdown is not a failed try: nothing is recorded, and the next process sends it at once. */
async function released(ctx: Context, delivery: Claimed, trying: Trying): Promise<Ended> {
  trying.onEnding?.()
  await releaseLease(ctx.db, delivery, ctx.clock.now())
  const { appId, paymentId, sequence } = delivery
  ctx.log.debug('webhook.released', { appId, eventId: eventIdOf(paymentId, sequence) })
  return { hasNext: false, inTrouble: false }
}

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '')

/** From 0 to 1. */
const chance = (ctx: Pick<Context, 'random'>): number => (ctx.random.bytes(1)[0] ?? 0) / 255

/** The address was taken away while the delivery waited. */
const unsent = (ctx: Context, delivery: Claimed): Ending => ({
  delivery,
  status: 'dropped',
  dueTime: null,
  attempt: undefined,
  now: ctx.clock.now(),
})

const dueTimeOf = (result: TryResult): Date | null =>
  result.status === 'waiting' ? (result.dueTime ?? null) : null

const final = (result: TryResult, { once }: Trying): TryResult =>
  once && result.status === 'waiting' ? { status: 'exhausted', error: result.error } : result

interface Secrets {
  /** The newest first. */
  readonly signing: readonly string[]
  readonly authorization: string | undefined
  /** Masked in the stored copy of an answer. */
  readonly hidden: readonly string[]
}

interface Opened {
  readonly current: string
  readonly previous: string | undefined
  readonly authorization: string | undefined
  readonly hidden: readonly string[]
}

/**
 * Decrypted texts only. An app object lives until its row changes, possibly as long as the process, so
 * nothing that depends on the time may be cached under it.
 */
const opened = new WeakMap<App, Opened>()

function open(ctx: Context, app: App): Opened {
  const cached = opened.get(app)
  if (cached) return cached
  const current = ctx.vault.open(app.webhookSecret)
  const previous = app.webhookPreviousSecret ? ctx.vault.open(app.webhookPreviousSecret) : undefined
  const parameter = app.webhookAuthParameter ? ctx.vault.open(app.webhookAuthParameter) : ''
  const authorization = [app.webhookAuthScheme ?? '', parameter].filter((part) => part !== '').join(' ')
  const hidden = [current, previous ?? '', parameter].filter((text) => text !== '')
  const texts = { current, previous, authorization: authorization || undefined, hidden }
  opened.set(app, texts)
  return texts
}

/** The previous secret signs until its end, which is checked on every try. */
function secretsOf(ctx: Context, app: App): Secrets {
  const { current, previous, authorization, hidden } = open(ctx, app)
  const until = app.webhookPreviousUntil
  const isValid = previous !== undefined && until !== null && until > appNow(ctx, app)
  return { signing: isValid ? [current, previous] : [current], authorization, hidden }
}

type Answered = Exclude<PostReply, { kind: 'interrupted' }>

/** A secret that stands across the cut of an answer is still read whole, so that none of it is kept. */
const OVERLAP_BYTES = 2_048

interface Sending {
  readonly delivery: Claimed
  readonly url: string
  readonly secrets: Secrets
  readonly now: Date
}

function send(ctx: Context, { delivery, url, secrets, now }: Sending, trying: Trying): Promise<PostReply> {
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
    },
    timeoutMs: WEBHOOKS.timeoutMs,
    answerBytes: WEBHOOKS.answerBytes + OVERLAP_BYTES,
    answerMs: WEBHOOKS.answerMs,
    ...(trying.signal ? { signal: trying.signal } : {}),
  })
}

interface Tried {
  readonly reply: Answered
  readonly result: TryResult
  readonly secrets: Secrets
  readonly start: Date
  readonly now: Date
}

function attemptOf(app: App, { reply, result, secrets, start, now }: Tried): DeliveryAttempt {
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

/**
 * What is kept of an answer. One that repeats what we sent must not put our secrets into the list of
 * attempts.
 */
function excerpt(text: string, hidden: readonly string[]): string {
  let clean = text
  for (const secret of hidden)
    for (const written of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
      clean = clean.replaceAll(written, '***')
  if (hasCardNumber(clean)) return '[not kept: it holds a card number]'
  const bytes = Buffer.from(clean)
  return bytes.length <= WEBHOOKS.answerBytes
    ? clean
    : bytes.subarray(0, WEBHOOKS.answerBytes).toString('utf8')
}

interface Report {
  readonly result: TryResult
  readonly ended: Ended | undefined
  readonly url: string
  readonly latencyMs: number
}

/** Never the address's query: it may carry a token. */
function report(ctx: Context, delivery: Claimed, { result, ended, url, latencyMs }: Report): void {
  const { appId, paymentId, sequence, type } = delivery
  const line = { appId, eventId: eventIdOf(paymentId, sequence), type, url: withoutQuery(url), latencyMs }
  if (!ended) ctx.log.warn('webhook.lease_lost', line)
  else if (result.status === 'delivered') ctx.log.debug('webhook.delivered', line)
  else if (result.status === 'exhausted') ctx.log.warn('webhook.exhausted', { ...line, error: result.error })
  else ctx.log.info('webhook.failed', { ...line, error: result.error, nextTime: result.dueTime })
}
