/** Replies are read member by member, because nothing about them is certain. */
export type MollieJson = Readonly<Record<string, unknown>>

/** An object, or an empty one. */
export function objectAt(value: unknown, name?: string): MollieJson {
  const found = name === undefined ? value : objectAt(value)[name]
  return typeof found === 'object' && found !== null ? (found as MollieJson) : {}
}

export function textAt(value: unknown, name: string): string | undefined {
  const found = objectAt(value)[name]
  return typeof found === 'string' && found !== '' ? found : undefined
}

export function listAt(value: unknown, name: string): readonly MollieJson[] | undefined {
  const found = objectAt(value)[name]
  return Array.isArray(found) ? found.map((item) => objectAt(item)) : undefined
}

/** A date without a time is the beginning of that day. */
export function timeAt(value: unknown, name: string): Date | undefined {
  const time = new Date(textAt(value, name) ?? '')
  return Number.isNaN(time.getTime()) ? undefined : time
}

export const linkAt = (value: unknown, name: string): string | undefined =>
  textAt(objectAt(objectAt(value, '_links'), name), 'href')

/** Ids end up in paths, so nothing else than an id is sent. */
const ID = /^[A-Za-z0-9_]{1,64}$/
export const isId = (value: string | undefined): value is string => value !== undefined && ID.test(value)
