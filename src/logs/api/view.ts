import type { ApiCall, ApiCallDetails, ApiCursor } from './call.ts'
import type { ApiHistogram } from './commands.ts'

export const callView = (call: ApiCall) => ({
  requestId: call.requestId,
  time: call.startTime.toISOString(),
  method: call.method,
  path: call.path,
  route: call.route,
  status: call.status,
  ms: call.ms,
  keyId: call.keyId,
  personId: call.personId,
  address: call.address,
  idempotencyKey: call.idempotencyKey,
  isReplayed: call.isReplayed,
  paymentId: call.paymentId,
  error: call.error,
})

/** Bodies are stored as JSON. */
const json = (text: string | null): unknown => (text === null ? null : JSON.parse(text))

export const detailsView = (call: ApiCallDetails) => ({
  ...callView(call),
  query: json(call.query),
  requestBody: json(call.requestBody),
  answerBody: json(call.answerBody),
})

export const histogramView = ({ from, to, bucket, buckets }: ApiHistogram) => ({
  from: from.toISOString(),
  to: to.toISOString(),
  bucket,
  buckets: buckets.map((each) => ({ ...each, time: each.time.toISOString() })),
})

export const cursorText = ({ time, lineId }: ApiCursor): string => `${time.getTime()}-${lineId}`

export function readCursor(text: string | undefined): ApiCursor | undefined {
  const [time, lineId] = (text ?? '').split('-').map(Number)
  return time === undefined || lineId === undefined ? undefined : { time: new Date(time), lineId }
}
