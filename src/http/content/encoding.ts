/** Content codings that answers are compressed with, the preferred one first. */
const CODINGS = ['br', 'gzip'] as const

export type Coding = (typeof CODINGS)[number]

/** More codings than any client names: the rest of a longer header is ignored. */
const MAX_CODINGS = 20

/**
 * The coding for an Accept-Encoding header (RFC 9110, 12.5.3): the highest weight wins, brotli before gzip
 * where they are equal. Undefined stands for identity.
 */
export function negotiateCoding(
  header: string | string[] | undefined,
  codings: readonly Coding[] = CODINGS,
): Coding | undefined {
  const weights = readWeights(String(header ?? ''))
  const weightOf = (coding: string): number => weights.get(coding) ?? weights.get('*') ?? 0
  let best: Coding | undefined
  // Identity is always acceptable unless it is refused, but it loses against any coding that was named.
  for (const coding of codings) {
    const weight = weightOf(coding)
    if (weight > 0 && weight >= (weights.get('identity') ?? 0) && weight > (best ? weightOf(best) : 0))
      best = coding
  }
  return best
}

function readWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',', MAX_CODINGS)) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim())
    if (name === '') continue
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    weights.set(name === 'x-gzip' ? 'gzip' : name, readWeight(weight))
  }
  return weights
}

/** A weight that cannot be read refuses the coding. */
function readWeight(text: string | undefined): number {
  if (text === undefined) return 1
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0
}
