const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

const isolated = (value: unknown): unknown =>
  typeof value !== 'string' || value.startsWith(FIRST_STRONG_ISOLATE)
    ? value
    : `${FIRST_STRONG_ISOLATE}${value}${POP_ISOLATE}`

/**
 * The same catalogue, whose values keep their own direction: in a sentence from right to left, `Acme Inc.`
 * would lose its last dot to the other side, and `•••• 4242` would be read the wrong way round.
 */
export function isolating<Catalogue>(catalogue: Catalogue): Catalogue {
  return wrapped(catalogue) as Catalogue
}

function wrapped(entry: unknown): unknown {
  if (typeof entry === 'string') return entry
  if (typeof entry === 'function') return (...values: unknown[]) => entry(...values.map(isolated))
  return Object.fromEntries(Object.entries(entry as object).map(([key, value]) => [key, wrapped(value)]))
}
