const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

function isolated(value: unknown): unknown {
  if (typeof value !== 'string' || value.startsWith(FIRST_STRONG_ISOLATE)) return value
  return `${FIRST_STRONG_ISOLATE}${value}${POP_ISOLATE}`
}

const allIsolated = (values: object): object =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isolated(value)]))

/**
 * Returns the catalogue with inserted values wrapped in direction isolates. Without them, right-to-left text
 * would move the last dot of `Acme Inc.` to the other side and reverse `•••• 4242`.
 */
export function isolating<Catalogue>(catalogue: Catalogue): Catalogue {
  return wrapped(catalogue) as Catalogue
}

function wrapped(entry: unknown): unknown {
  if (typeof entry === 'string') return entry
  if (typeof entry === 'function') return (values: object) => entry(allIsolated(values))
  return Object.fromEntries(Object.entries(entry as object).map(([key, value]) => [key, wrapped(value)]))
}
