import type { HttpCall, HttpReply } from '../../net/http.ts'
import { LOGS } from '../limits.ts'
import { MASK, type Masking, maskedJson, shortened, storable } from '../mask.ts'
import { meaningOf } from '../names.ts'

export type CallOutcome = 'reply' | 'not-sent' | 'timeout' | 'connection-lost' | 'unreadable-reply'

/** One request to a provider and its reply, as it is written. */
export interface ProviderLine {
  readonly appId: string
  readonly startTime: Date
  readonly profileId: number
  readonly paymentId: number | null
  readonly attempt: number | null
  /** What the request is for: a step of an operation, `read`, `keep`, `check` and so on. */
  readonly step: string
  readonly method: string
  readonly url: string
  /** JSON. */
  readonly requestHeaders: string
  readonly requestBody: string | null
  readonly outcome: CallOutcome
  readonly status: number | null
  readonly ms: number
  readonly responseBody: string | null
}

/** A request to a provider; headers and bodies are masked JSON. */
export interface ProviderCall extends Omit<ProviderLine, 'appId'> {
  readonly lineId: number
}

/** A request that got no reply, or an error as its reply. */
export type ProviderError = Omit<ProviderCall, 'attempt' | 'requestHeaders' | 'requestBody' | 'responseBody'>

/** Headers whose values are shown. Of any other header only the name is. */
const SHOWN_HEADER =
  /^(?:accept|content-type|idempotency-key|prefer|user-agent|paypal-request-id|stripe-version)$/

/** What was sent and what came back, masked. */
export function exchangeOf(call: HttpCall, reply: HttpReply, masking: Masking) {
  const isReply = reply.kind === 'reply'
  return {
    method: call.method,
    url: maskedUrl(call, masking),
    requestHeaders: maskedHeaders(call.headers ?? {}, masking),
    requestBody: requestBodyOf(call, masking),
    outcome: (isReply ? 'reply' : reply.kind === 'not-sent' ? 'not-sent' : reply.why) satisfies CallOutcome,
    status: isReply ? reply.status : null,
    responseBody: isReply ? bodyOf(reply.body, masking) : JSON.stringify(reply.cause.slice(0, 200)),
  } as const
}

/** `loggedPath` replaces a path that contains a token. */
function maskedUrl({ url, loggedPath }: HttpCall, masking: Masking): string {
  const { origin, pathname, search } = new URL(url)
  const members = [...new URLSearchParams(search)].map(([name, value]) =>
    meaningOf(name).isSecret ? `${name}=${MASK}` : `${name}=${value}`,
  )
  const query = members.length === 0 ? '' : `?${members.join('&')}`
  return storable(shortened(`${origin}${loggedPath ?? pathname}${query}`, LOGS.textLength, masking))
}

function maskedHeaders(headers: Readonly<Record<string, string>>, masking: Masking): string {
  const shown = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    SHOWN_HEADER.test(name.toLowerCase()) ? value : MASK,
  ])
  return maskedJson(Object.fromEntries(shown), masking, LOGS.textLength)
}

function requestBodyOf({ json, form, text }: HttpCall, masking: Masking): string | null {
  if (json !== undefined) return maskedJson(json, masking, LOGS.bodyBytes)
  if (form) return maskedJson(nestedForm(form), masking, LOGS.bodyBytes)
  return text === undefined || text === '' ? null : textBody(text, masking)
}

/** `payment_method_data[billing_details][email]` has the name of its last part, and its parent. */
const nestedForm = (form: Readonly<Record<string, string>>): Record<string, unknown> => {
  const root = Object.create(null) as Record<string, unknown>
  for (const [name, value] of Object.entries(form)) {
    const parts = name.split(/[[\]]+/).filter(Boolean)
    const last = parts.pop() ?? name
    let at = root
    for (const part of parts) {
      const next = Object.hasOwn(at, part) ? at[part] : undefined
      if (typeof next === 'object' && next !== null) at = next as Record<string, unknown>
      else {
        const made = Object.create(null) as Record<string, unknown>
        at[part] = made
        at = made
      }
    }
    at[last] = value
  }
  return root
}

function bodyOf(body: unknown, masking: Masking): string | null {
  if (body === undefined) return null
  return typeof body === 'string' ? textBody(body, masking) : maskedJson(body, masking, LOGS.bodyBytes)
}

/** Signed JSON is sent as a text. Other texts are pages of errors. */
function textBody(text: string, masking: Masking): string {
  if (text.length <= LOGS.readBytes && /^\s{0,20}[[{]/.test(text)) {
    try {
      return maskedJson(JSON.parse(text), masking, LOGS.bodyBytes)
    } catch {
      return JSON.stringify(`[${text.length} characters that are not JSON]`)
    }
  }
  return maskedJson(text, masking, LOGS.bodyBytes)
}
