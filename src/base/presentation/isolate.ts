const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

const isolated = (value: unknown): unknown =>
  typeof value !== 'string' || value.startsWith(FIRST_STRONG_ISOLATE)
    ? value
    : `${FIRST_STRONG_ISOLATE}${value}${POP_ISOLATE}`

/**
 * Returns the catalogue with inserted values wrapped in direction isolates. Without them, right-to-left text
 * would move the last dot of `Acme Inc.` to the other side and reverse `•••• 4242`.
 */
export function isolating<Catalogue>(catalogue: Catalogue): Catalogue {
  return wrapped(catalogue) as Catalogue
}

function wrapped(entry: unknown): unknown {
  if (typeof entry === 'string') return entry
  if (typeof entry === 'function') return (...values: unknown[]) => entry(...values.map(isolated))
  return Object.fromEntries(Object.entries(entry as object).map(([key, value]) => [key, wrapped(value)]))
}
