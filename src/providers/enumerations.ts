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
