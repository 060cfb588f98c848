/**
 * The values of a provider's enumerations (status, event, result code) by name. A handled value has a meaning
 * in the adapter, an ignored one is known and changes nothing on purpose. Any other value is counted and
 * logged, like a decline code that is not listed.
 */
export type Enumerations = Readonly<Record<string, Enumeration>>

export interface Enumeration {
  readonly handled: readonly string[]
  readonly ignored: readonly string[]
}

export const isListed = ({ handled, ignored }: Enumeration, value: string): boolean =>
  handled.includes(value) || ignored.includes(value)

/** Values that the enumerations do not have, as texts to count. */
export const unlistedOf = <E extends Enumerations>(
  enumerations: E,
  values: readonly (readonly [keyof E & string, string | undefined])[],
): string[] =>
  values.flatMap(([name, value]) => {
    const known = enumerations[name]
    return value === undefined || !known || isListed(known, value) ? [] : [`${name} ${value}`.slice(0, 100)]
  })

/** Values with white space between them. */
export const words = (text: string): readonly string[] => text.trim().split(/\s+/)
