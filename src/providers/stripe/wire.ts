/** Replies are read member by member, because nothing about them is certain. */
export type Json = Readonly<Record<string, unknown>>

/** An object, or an empty one. */
export const objectAt = (value: unknown, ...path: readonly string[]): Json => {
  const found = at(value, path)
  return typeof found === 'object' && found !== null ? (found as Json) : {}
}

export const textAt = (value: unknown, ...path: readonly string[]): string | undefined => {
  const found = at(value, path)
  return typeof found === 'string' && found !== '' ? found : undefined
}

export const numberAt = (value: unknown, ...path: readonly string[]): number | undefined => {
  const found = at(value, path)
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined
}

export const listAt = (value: unknown, ...path: readonly string[]): readonly Json[] => {
  const found = at(value, path)
  return Array.isArray(found) ? found.map((item) => objectAt(item)) : []
}

/** The id of an object that is expanded or not. */
export const idAt = (value: unknown, name: string): string | undefined =>
  textAt(value, name) ?? textAt(value, name, 'id')

/** Unix seconds. */
export function timeAt(value: unknown, ...path: readonly string[]): Date | undefined {
  const seconds = numberAt(value, ...path)
  return seconds === undefined || seconds <= 0 ? undefined : new Date(seconds * 1_000)
}

function at(value: unknown, path: readonly string[]): unknown {
  let found = value
  for (const name of path)
    found = typeof found === 'object' && found !== null ? (found as Json)[name] : undefined
  return found
}

/** Ids of Stripe end up in paths, so they are never sent as anything else than an id. */
const ID = /^[A-Za-z0-9_]{1,255}$/
export const isId = (value: string | undefined): value is string => value !== undefined && ID.test(value)
