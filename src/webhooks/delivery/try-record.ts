import { hasCardNumber } from '../../base/cards/find.ts'
import { after } from '../../base/clock.ts'
import { eventIdOf } from '../../base/ids.ts'
import type { Context } from '../../context.ts'
import type { App } from '../../merchants/app.ts'
import type { PostReply } from '../../net/post.ts'
import { WEBHOOKS } from '../schedule.ts'
import type { Claimed } from './claim-store.ts'
import type { DeliveryAttempt, Ended } from './end-store.ts'
import type { TryResult } from './rules.ts'
import type { Secrets } from './secrets.ts'

export const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '')

export const dueTimeOf = (result: TryResult): Date | null =>
  result.status === 'waiting' ? (result.dueTime ?? null) : null

type CompleteReply = Exclude<PostReply, { kind: 'interrupted' }>

interface FinishedTry {
  readonly reply: CompleteReply
  readonly result: TryResult
  readonly secrets: Secrets
  readonly start: Date
  readonly now: Date
}

export function attemptOf(app: App, { reply, result, secrets, start, now }: FinishedTry): DeliveryAttempt {
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
export function logResult(ctx: Context, delivery: Claimed, { result, ended, url, latencyMs }: Summary): void {
  const status = ended ? result.status : 'lease-lost'
  ctx.meter?.tried(status, latencyMs)
  ctx.tracer?.current()?.setAttribute('tender.webhook.result', status)
  const { appId, paymentId, sequence, type } = delivery
  const line = { appId, eventId: eventIdOf(paymentId, sequence), type, url: withoutQuery(url), latencyMs }
  if (!ended) ctx.log.warn('webhook.lease_lost', line)
  else if (result.status === 'delivered') ctx.log.debug('webhook.delivered', line)
  else if (result.status === 'exhausted') ctx.log.warn('webhook.exhausted', { ...line, error: result.error })
  else ctx.log.info('webhook.failed', { ...line, error: result.error, nextTime: result.dueTime })
}
