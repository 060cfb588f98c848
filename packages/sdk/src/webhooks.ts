import type { Payment } from './generated/types.ts'

/**
 * Verifies webhooks of Tender. Web Crypto only and no dependencies, so it runs in Node, Bun, Deno, browsers
 * and workers alike. The signatures follow the Standard Webhooks specification.
 */

/** A payment entered a state. Read the payment from the API before acting on it. */
export interface PaymentStateChanged {
  readonly type: 'payment.state_changed'
  readonly eventId: string
  readonly createdTime: string
  /** Counts from 1 for each payment. */
  readonly sequence: number
  /** What the event is about. Absent from events that an earlier version wrote. */
  readonly kind?: 'payment' | 'refund' | 'dispute'
  /** The full payment after the change. */
  readonly payment: Payment
}

/** A test event, sent on request. */
export interface WebhookTest {
  readonly type: 'webhook.test'
  readonly eventId: string
  readonly createdTime: string
  readonly sequence: number
}

export type WebhookEvent = PaymentStateChanged | WebhookTest

export type WebhookProblem =
  | 'missing-header'
  | 'too-old'
  | 'too-new'
  | 'wrong-signature'
  | 'unusable-secret'
  | 'not-json'

/** The request must not be trusted. `problem` is for your program, `message` for your log. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly problem: WebhookProblem
  constructor(problem: WebhookProblem, message: string) {
    super(message)
    this.problem = problem
  }
}

/** A `Headers` object, or a plain object as in Node and most frameworks. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** Maximum difference between the sender's clock and yours, in seconds. Default: 300. */
  readonly toleranceSeconds?: number
  /** Current time, for tests. */
  readonly now?: Date
}

const TOLERANCE_SECONDS = 300
const PREFIX = 'whsec_'

/**
 * Returns the event if the signature is valid and recent; throws a WebhookError otherwise. `rawBody` must be
 * the received bytes: a parsed and re-serialised body may differ. `secret` may be a list during rotation.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  const signatures = header(headers, 'webhook-signature')
  checkAge(timestamp, options)
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody
  const content = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body)
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (!(await anyMatches(secrets, signatures, content)))
    throw new WebhookError('wrong-signature', 'None of the signatures was made with your secret.')
  return parsed(body)
}

function header(headers: WebhookHeaders, name: string): string {
  const value =
    'get' in headers && typeof headers.get === 'function' ? headers.get(name) : plain(headers, name)
  if (!value) throw new WebhookError('missing-header', `The header ${name} is missing.`)
  return value
}

function plain(headers: object, name: string): string | undefined {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return Array.isArray(found) ? found[0] : (found as string | undefined)
}

function checkAge(
  timestamp: string,
  { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() }: VerifyOptions,
) {
  const age = /^\d{1,15}$/.test(timestamp) ? now.getTime() / 1_000 - Number(timestamp) : Number.NaN
  if (Number.isNaN(age))
    throw new WebhookError('missing-header', 'The header webhook-timestamp is no number.')
  if (age > toleranceSeconds) throw new WebhookError('too-old', 'The webhook is too old: it may be a replay.')
  if (age < -toleranceSeconds)
    throw new WebhookError('too-new', 'The webhook is from the future: check your clock.')
}

/** Web Crypto compares in constant time. */
async function anyMatches(
  secrets: readonly string[],
  header: string,
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const signatures = header
    .split(' ')
    .flatMap((part) => (part.startsWith('v1,') ? [bytes(part.slice(3))] : []))
  let matches = false
  for (const secret of secrets) {
    const key = await keyOf(secret)
    for (const signature of signatures)
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, content))) matches = true
  }
  return matches
}

function keyOf(secret: string): Promise<CryptoKey> {
  const raw = bytes(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret)
  if (!raw || raw.length === 0)
    throw new WebhookError('unusable-secret', 'The secret is not one: it should look like whsec_….')
  return crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** Decodes base64; undefined if the text is invalid. */
function bytes(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length)
  whole.set(first)
  whole.set(second, first.length)
  return whole
}

function parsed(body: Uint8Array): WebhookEvent {
  let event: unknown
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new WebhookError('not-json', 'The body is genuine but not JSON.')
  }
  if (typeof event === 'object' && event !== null) return event as WebhookEvent
  throw new WebhookError('not-json', 'The body is no event.')
}
