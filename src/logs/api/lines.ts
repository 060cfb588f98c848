import type { AnsweredRequest } from '../../http/answered.ts'
import type { App } from '../../merchants/app.ts'
import { LOGS } from '../limits.ts'
import { type Masking, maskedJson, shortened, storable } from '../mask.ts'

/** One request of an app, as it is written. */
export interface ApiLine {
  readonly appId: string
  readonly startTime: Date
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly query: string | null
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly keyId: string | null
  readonly personId: string | null
  readonly address: string
  readonly idempotencyKey: string | null
  readonly isReplayed: boolean
  readonly paymentId: number | null
  /** The code of a refusal. */
  readonly error: string | null
  readonly requestBody: string | null
  readonly answerBody: string | null
}

/** What a line shows of bodies: all of a sandbox app, refusals of a live one. */
export const showsBodies = ({ isSandbox }: App, status: number): boolean =>
  isSandbox || (status >= 400 && status < 500)

export function lineOf(
  request: AnsweredRequest,
  app: App,
  startTime: Date,
  masking: Masking,
): Omit<ApiLine, 'requestBody' | 'answerBody'> {
  const [path = '', ...query] = request.url.split('?')
  const { idempotencyKey, answer } = request
  return {
    appId: app.appId,
    startTime,
    requestId: request.requestId,
    method: request.method,
    path: plain(path, masking),
    query: query.length === 0 ? null : maskedQuery(query.join('?'), masking),
    route: request.route,
    status: request.status,
    ms: Math.max(0, Math.round(request.ms)),
    keyId: request.keyId ?? null,
    personId: request.personId ?? null,
    address: request.address,
    idempotencyKey: idempotencyKey === undefined ? null : plain(idempotencyKey, masking),
    isReplayed: request.isReplayed,
    paymentId: paymentIdOf(request),
    error: request.status >= 400 ? (/"code":"([a-z_0-9]{1,64})"/.exec(answer ?? '')?.[1] ?? null) : null,
  }
}

const plain = (text: string, masking: Masking): string => storable(shortened(text, LOGS.textLength, masking))

function maskedQuery(query: string, masking: Masking): string {
  const members: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(query.slice(0, LOGS.textLength))) members[name] = value
  return maskedJson(members, masking, LOGS.textLength)
}

const ID = /^\d{1,15}$/
/** Our answers name the payment among their first members. */
const PAYMENT_ID = /^\{"appId":"[^"]{1,64}","paymentId":(\d{1,15})[,}]/

function paymentIdOf({ params, answer }: AnsweredRequest): number | null {
  const { paymentId = '' } = params
  if (ID.test(paymentId)) return Number(paymentId)
  const found = PAYMENT_ID.exec(answer?.slice(0, 200) ?? '')?.[1]
  return found === undefined ? null : Number(found)
}

/** A body as masked JSON. Only JSON can be masked by names, so anything else is described, not kept. */
export function maskedBody(body: Buffer | string | undefined, masking: Masking): string | null {
  if (body === undefined || body.length === 0) return null
  if (body.length > LOGS.readBytes) return note(`${body.length} bytes`)
  try {
    return maskedJson(JSON.parse(body.toString()), masking, LOGS.bodyBytes)
  } catch {
    return note(`${body.length} bytes that are not JSON`)
  }
}

/** JSON too, so that readers need not tell bodies and notes apart. */
const note = (what: string): string => JSON.stringify(`[${what}]`)

export const SECRET_ANSWER = note('an answer with a secret')
