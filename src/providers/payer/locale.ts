import type { KnownPayer } from './payer.ts'

/**
 * The provider's name for the payer's language: with the region that the payer's own tag or country names,
 * else the first one of the language. Undefined if the provider does not have it; it then chooses by itself.
 */
export function localeAmong(names: readonly string[], { locale, country }: KnownPayer): string | undefined {
  if (locale === undefined) return undefined
  const [language = '', ...others] = locale.split('-')
  const regions = [others.at(-1), country].flatMap((region) => (region ? `${language}-${region}` : []))
  for (const wanted of [...regions, language]) {
    const found = names.find((name) => tagOf(name) === wanted.toLowerCase())
    if (found) return found
  }
  return names.find((name) => tagOf(name).split('-')[0] === language)
}

/** Some providers write `de_DE`. */
const tagOf = (name: string): string => name.replace('_', '-').toLowerCase()
