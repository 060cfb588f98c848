/** Replies and notifications are read member by member, because nothing about them is certain. */
export type AdyenJson = Readonly<Record<string, unknown>>

/** An object, or an empty one. */
export function objectAt(value: unknown, name?: string): AdyenJson {
  const found = name === undefined ? value : objectAt(value)[name]
  return typeof found === 'object' && found !== null ? (found as AdyenJson) : {}
}

export function textAt(value: unknown, name: string): string | undefined {
  const found = objectAt(value)[name]
  return typeof found === 'string' && found !== '' ? found : undefined
}

export function listAt(value: unknown, name: string): readonly AdyenJson[] {
  const found = objectAt(value)[name]
  return Array.isArray(found) ? found.map((item) => objectAt(item)) : []
}

export function timeAt(value: unknown, name: string): Date | undefined {
  const time = new Date(textAt(value, name) ?? '')
  return Number.isNaN(time.getTime()) ? undefined : time
}

/** Ids end up in paths, so nothing else than an id is sent. */
const ID = /^[A-Za-z0-9]{1,64}$/
export const isId = (value: string | undefined): value is string => value !== undefined && ID.test(value)
