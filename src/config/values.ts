import { parseRanges, type Range } from '../base/addresses.ts'
import { Secret } from '../base/secret.ts'
import { parseUrl } from '../base/text.ts'
import { addressesOf } from '../db/addresses.ts'

export interface Setting<T> {
  readonly description: string
  /** Completes the sentence "NAME must be …". */
  readonly mustBe: string
  /** Undefined when the text is invalid. */
  readonly parse: (text: string) => T | undefined
  /** `{PORT}` stands for that setting's value. */
  readonly byDefault?: string | { readonly development: string; readonly production: string }
  /** Describes the default in the reference when `byDefault` is absent. */
  readonly defaultSays?: string
  readonly isSecret?: true
}

// Parsers of setting values. Undefined when the text is invalid.

export const MIN_KEY_LENGTH = 32

export function oneOf<T extends string>(...allowed: readonly T[]): (text: string) => T | undefined {
  return (text) => allowed.find((one) => one === text)
}

export function wholeNumber(max: number): (text: string) => number | undefined {
  return (text) => (/^\d{1,9}$/.test(text) && Number(text) <= max ? Number(text) : undefined)
}

export const count = (text: string, most: number): number | undefined => wholeNumber(most)(text) || undefined

export function yesOrNo(text: string): boolean | undefined {
  if (text === 'true' || text === '1') return true
  return text === 'false' || text === '0' ? false : undefined
}

export function onOrOff(text: string): boolean | undefined {
  if (text === 'on') return true
  return text === 'off' ? false : undefined
}

export function publicUrl(text: string): string | undefined {
  const url = parseUrl(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || /[?#]/.test(text))
    return undefined
  let end = url.href.length
  while (url.href[end - 1] === '/') end--
  return url.href.slice(0, end)
}

/** Origins by provider id, without a slash at the end. */
export function providerOrigins(text: string): Readonly<Record<string, string>> | undefined {
  const given = parsedJson(text)
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
  const entries = Object.entries(given).map(([id, value]) => [id, originOf(value)] as const)
  return entries.every(([, origin]) => origin !== undefined)
    ? (Object.fromEntries(entries) as Record<string, string>)
    : undefined
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function originOf(value: unknown): string | undefined {
  const url = typeof value === 'string' ? publicUrl(value) : undefined
  return url !== undefined && new URL(url).pathname === '/' ? url : undefined
}

export function databaseUrl(text: string): Secret | undefined {
  // The driver also accepts an address without a host, with a socket in the query.
  const isUrl = (address: string) => parseUrl(address.replace('@/', '@localhost/')) !== undefined
  const addresses = addressesOf(text)
  return addresses.length > 0 && addresses.every(isUrl) ? new Secret(text) : undefined
}

export function secretKeys(text: string): readonly Secret[] | undefined {
  const keys = text.split(',').map((key) => key.trim())
  return keys.every((key) => key.length >= MIN_KEY_LENGTH) ? keys.map((key) => new Secret(key)) : undefined
}

export const trustedProxies = (text: string): readonly Range[] | undefined => parseRanges(text)

/** In lower case and without a final dot, as they are compared. */
export function hostNames(text: string): readonly string[] | undefined {
  const names = text.split(',').map((name) => name.trim().toLowerCase().replace(/\.$/, ''))
  return names.every((name) => /^[a-z0-9][a-z0-9.-]{0,252}$/.test(name)) ? names : undefined
}

/** In lower case, as in Node's request headers. */
export const headerName = (text: string): string | undefined =>
  /^[A-Za-z][\w-]{0,63}$/.test(text) ? text.toLowerCase() : undefined
