/** Accents keep a text readable and reveal texts that are missing from the catalogue. */
const ACCENTED: Readonly<Record<string, string>> = {
  a: 'á',
  e: 'é',
  i: 'í',
  o: 'ó',
  u: 'ú',
  c: 'ç',
  n: 'ñ',
  s: 'š',
  y: 'ý',
  z: 'ž',
}

/** Share by which a text is lengthened: German and Finnish are about 40 % longer than English. */
const LONGER = 0.4

function stretch(text: string): string {
  const accented = text.replace(/[aeioucnsyz]/g, (letter) => ACCENTED[letter] ?? letter)
  return `${accented} ${'~~~~ '.repeat(Math.ceil((text.length * LONGER) / 5)).trim()}`
}

/** Returns the catalogue with every text accented and 40 % longer. */
export function pseudo<Catalogue>(catalogue: Catalogue): Catalogue {
  return stretched(catalogue) as Catalogue
}

function stretched(entry: unknown): unknown {
  if (typeof entry === 'string') return stretch(entry)
  if (typeof entry === 'function') return (values: object) => stretch(String(entry(values)))
  return Object.fromEntries(Object.entries(entry as object).map(([key, value]) => [key, stretched(value)]))
}
