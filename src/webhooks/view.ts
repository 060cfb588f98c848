import { after } from '../base/clock.ts'
import { eventIdOf } from '../base/ids.ts'
import type { App } from '../merchants/app.ts'
import type { Health } from './delivery/health.ts'
import type { Delivery, NumberedAttempt, TriedDelivery } from './list-store.ts'
import type { Cursor } from './lists/store.ts'
import { problemSentence } from './problems.ts'

const iso = (time: Date | null): string | null => time?.toISOString() ?? null

/** Real time converted to the app's time. */
const appTime = (app: App, time: Date | null): string | null =>
  iso(time && (app.clockOffsetMs === 0 ? time : after(time, app.clockOffsetMs)))

const withoutQuery = (url: string | null): string | null => url?.replace(/[?#].*$/s, '') ?? null

export function deliveryView(app: App, delivery: TriedDelivery, options: { responses: boolean }) {
  return {
    eventId: eventIdOf(delivery.paymentId, delivery.sequence),
    type: delivery.type,
    paymentId: delivery.state === null ? null : delivery.paymentId,
    paymentState: delivery.state,
    sequence: delivery.sequence,
    createdTime: iso(delivery.createdTime),
    queuedTime: iso(delivery.queuedTime),
    url: urlOf(app, delivery),
    ...(delivery.endpointId > 0 ? { endpointId: delivery.endpoint } : {}),
    status: delivery.status,
    nextTryTime: appTime(app, delivery.dueTime),
    attempts: delivery.attempts.map((attempt) => attemptView(attempt, options)),
  }
}

/** Where a delivery goes, without the query. */
export function urlOf(app: App, { endpoint, endpointId, furtherUrl }: Delivery): string | null {
  if (endpointId > 0) return withoutQuery(furtherUrl)
  return endpoint === '' ? withoutQuery(app.paymentWebhookUrl) : endpoint
}

const attemptView = (attempt: NumberedAttempt, { responses }: { responses: boolean }) => ({
  attempt: attempt.attempt,
  time: iso(attempt.startTime),
  httpStatus: attempt.httpStatus,
  latencyMs: attempt.latencyMs,
  error: attempt.error && problemSentence(attempt.error),
  ...(responses ? { response: attempt.response } : {}),
  nextTryTime: iso(attempt.nextTime),
})

/** A failing endpoint in the app's response. */
export function endpointView(app: App, endpoint: Health) {
  const { url, failures, lastError, disabledTime, failingTime, dueTime } = endpoint
  const status = disabledTime ? 'disabled' : dueTime ? 'paused' : 'failing'
  const since = (disabledTime ?? failingTime).toISOString()
  return {
    url,
    status,
    since,
    failures,
    lastError: problemSentence(lastError),
    nextTryTime: disabledTime ? null : appTime(app, dueTime),
  } as const
}

export const cursorText = ({ time, paymentId, sequence, endpointId }: Cursor): string =>
  [time.getTime(), paymentId, sequence, ...(endpointId ? [endpointId] : [])].join('-')

export function readCursor(text: string | undefined): Cursor | undefined {
  const [time, paymentId, sequence, endpointId = 0] = (text ?? '').split('-').map(Number)
  if (time === undefined || paymentId === undefined || sequence === undefined) return undefined
  return { time: new Date(time), paymentId, sequence, endpointId }
}
