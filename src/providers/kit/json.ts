import { isWebUrl } from '../../base/text.ts'

/**
 * JSON of providers is read member by member, because nothing about it is certain. A path leads through own
 * members of objects. No reader throws; what is absent or of another kind is undefined, empty or not there.
 */
export type Json = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const name of path) found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  return found
}

/** An object, or an empty one. */
export function objectAt(value: unknown, ...path: readonly string[]): Json {
  const found = valueAt(value, ...path)
  return isObject(found) ? found : {}
}

/** A text that is not empty. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, ...path)
  return typeof found === 'string' && found !== '' ? found : undefined
}

export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = valueAt(value, ...path)
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined
}

/** A text or a number, as text. */
export function wordAt(value: unknown, ...path: readonly string[]): string | undefined {
  return textAt(value, ...path) ?? numberAt(value, ...path)?.toString()
}

/** The items of a list, whatever they are. Undefined: not a list. */
export function itemsAt(value: unknown, ...path: readonly string[]): readonly unknown[] | undefined {
  const found = valueAt(value, ...path)
  return Array.isArray(found) ? found : undefined
}

/** Objects of a list. An item that is none is an empty object; without a list there are none. */
export const listAt = (value: unknown, ...path: readonly string[]): readonly Json[] =>
  (itemsAt(value, ...path) ?? []).map((item) => objectAt(item))

/** Texts of a list, without its other items. */
export const textsAt = (value: unknown, ...path: readonly string[]): readonly string[] =>
  (itemsAt(value, ...path) ?? []).filter((item) => typeof item === 'string')

/** ISO 8601. A date without a time is the beginning of that day, in UTC. */
export function timeAt(value: unknown, ...path: readonly string[]): Date | undefined {
  const text = textAt(value, ...path)
  return text !== undefined && text.length <= 40 && /^\d{4}-\d\d-\d\d/.test(text)
    ? validTime(new Date(text))
    : undefined
}

/** Unix seconds. */
export function secondsAt(value: unknown, ...path: readonly string[]): Date | undefined {
  const seconds = numberAt(value, ...path)
  return seconds === undefined || seconds <= 0 ? undefined : validTime(new Date(seconds * 1_000))
}

const validTime = (time: Date): Date | undefined => (Number.isNaN(time.getTime()) ? undefined : time)

/** Customers follow it, so nothing but a web address is passed on. */
export function webUrlAt(value: unknown, ...path: readonly string[]): string | undefined {
  const text = textAt(value, ...path)
  return text !== undefined && isWebUrl(text) ? text : undefined
}

/** Ids of providers end up in paths and headers, so nothing else than an id is sent. */
export const matching =
  (pattern: RegExp) =>
  (value: unknown): value is string =>
    typeof value === 'string' && pattern.test(value)

/** A key or a reference of ours. */
export const isOurs = matching(/^[0-9A-Z]{20}$/)

/** The JSON of a notification. Undefined: it is none. */
export function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return undefined
  }
}

/** The entry for a text of a provider, never what every object inherits. */
export const entryOf = <T>(table: Readonly<Record<string, T>>, key: string | undefined): T | undefined =>
  key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined

/** Without the members that are undefined. */
export const present = <T extends object>(members: T): { [Name in keyof T]?: NonNullable<T[Name]> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never
