/** Accents that leave a word readable and show at once what was never put into a catalogue. */
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

/** Two letters in five again at its end: German and Finnish are about that much longer than English. */
const LONGER = 0.4

function stretch(text: string): string {
  const accented = text.replace(/[aeioucnsyz]/g, (letter) => ACCENTED[letter] ?? letter)
  return `${accented} ${'~~~~ '.repeat(Math.ceil((text.length * LONGER) / 5)).trim()}`
}

/** A catalogue with every text accented and 40 % longer, made from another one. */
export function pseudo<Catalogue>(catalogue: Catalogue): Catalogue {
  return stretched(catalogue) as Catalogue
}

function stretched(entry: unknown): unknown {
  if (typeof entry === 'string') return stretch(entry)
  if (typeof entry === 'function') return (...values: unknown[]) => stretch(String(entry(...values)))
  return Object.fromEntries(Object.entries(entry as object).map(([key, value]) => [key, stretched(value)]))
}
