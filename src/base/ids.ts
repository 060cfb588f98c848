import { randomFillSync } from 'node:crypto'

/** Source of randomness; a seeded one replays a simulation. */
export interface Random {
  bytes(count: number): Uint8Array
}

/** Bytes are generated in blocks: for an id of twenty bytes the call costs more than the bytes. */
const PAGE_BYTES = 4_096

function createSystemRandom(): Random {
  const page = new Uint8Array(PAGE_BYTES)
  let used = PAGE_BYTES
  return {
    bytes(count) {
      if (count > PAGE_BYTES) return randomFillSync(new Uint8Array(count))
      if (used + count > PAGE_BYTES) {
        randomFillSync(page)
        used = 0
      }
      const bytes = page.slice(used, used + count)
      // Returned bytes are erased from the block.
      page.fill(0, used, used + count)
      used += count
      return bytes
    },
  }
}

export const systemRandom: Random = createSystemRandom()

// Crockford's alphabet has no I, L, O, U: an id read aloud or typed from paper survives.
const LOWER = '0123456789abcdefghjkmnpqrstvwxyz'
const UPPER = LOWER.toUpperCase()

/** `length` characters of five random bits each. */
export function randomText(random: Random, length: number, alphabet = LOWER): string {
  let text = ''
  for (const byte of random.bytes(length)) text += alphabet[byte & 31]
  return text
}

const APP_PREFIX = 'app_'
const APP_PART = 12

export const newAppId = (random: Random): string => APP_PREFIX + randomText(random, APP_PART)
export const newLicenseId = (random: Random): string => `lic_${randomText(random, 16)}`

/**
 * A hosted page's key: which app (to find its shard), then 130 random bits (to be unguessable).
 * Decision 0007.
 */
export const newPaymentKey = (random: Random, appId: string): string =>
  appPart(appId) + randomText(random, 26)

/** An operation's key is also the provider's idempotency key and our reference there: 100 random bits. */
export const newOperationKey = (random: Random): string => randomText(random, 20, UPPER)

/** The id of a webhook, the same on every attempt. */
export const eventIdOf = (paymentId: number, sequence: number): string => `evt_${paymentId}_${sequence}`

export function readEventId(text: string): { paymentId: number; sequence: number } | undefined {
  const [, payment, sequence] = /^evt_(\d{1,15})_(\d{1,9})$/.exec(text) ?? []
  return payment && sequence ? { paymentId: Number(payment), sequence: Number(sequence) } : undefined
}

/** As Standard Webhooks writes it: 256 random bits. */
export const newWebhookSecret = (random: Random): string =>
  `whsec_${Buffer.from(random.bytes(32)).toString('base64')}`

export const newLeaseToken = (random: Random): string => randomText(random, 16)

const REQUEST_TIME = 9

/** Begins with its time, so that the log finds the request without an index of ids. Decision 0194. */
export function newRequestId(random: Random, now: Date): string {
  let time = ''
  for (let left = now.getTime(); time.length < REQUEST_TIME; left = Math.floor(left / LOWER.length))
    time = LOWER[left % LOWER.length] + time
  return `req_${time}${randomText(random, 20 - REQUEST_TIME)}`
}

/** Undefined for an id that was not made here. */
export function timeOfRequestId(id: string): Date | undefined {
  const [, time] = /^req_([0-9a-hjkmnp-tv-z]{9})[0-9a-hjkmnp-tv-z]{11}$/.exec(id) ?? []
  return time === undefined
    ? undefined
    : new Date([...time].reduce((sum, digit) => sum * LOWER.length + LOWER.indexOf(digit), 0))
}

/** The part of an app id that keys and links carry, so that they can be looked up within their app. */
export const appPart = (appId: string): string => appId.slice(APP_PREFIX.length)

/** The app that a key or link text names, or undefined when it cannot name one. */
export function appIdFromPart(text: string): string | undefined {
  const part = text.slice(0, APP_PART)
  return /^[0-9a-z]{12}$/.test(part) ? APP_PREFIX + part : undefined
}

const PAYER_PART = 24

/**
 * A payer of a payment link who is asked for no name is a customer with an id of the service. `part`:
 * lower-case letters and digits that no other payer of the app has.
 */
export const payerIdOf = (part: string): string => `payer-${part.slice(0, PAYER_PART)}`

export const isPayerId = (customerId: string): boolean => /^payer-[0-9a-z]{24}$/.test(customerId)
