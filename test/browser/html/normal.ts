const ID = '[0-9a-hjkmnp-tv-z]'

/**
 * What is random. Each value becomes `#1`, `#2` … in the order of its first use on the page, so that equal
 * values stay equal and different ones different.
 */
const RANDOM = new RegExp(
  [
    // The id of a form.
    `${ID}{20}\\.[\\w-]{22}`,
    // Ids with a prefix: app_…, key_…, req_…
    `(?<![0-9a-z_])[a-z]{2,5}_${ID}{10,40}(?![0-9a-z])`,
    `(?<=sk_(?:sandbox|live)_)${ID}{20,60}`,
    '(?<=whsec_)[\\w+/]{40,50}=*',
    // Keys of payments, notifications and operations.
    `(?<![\\w-])(?=[a-z]*[0-9][0-9]*[a-z])${ID}{16,80}(?![\\w-])`,
    '(?<![\\w-])(?=[A-Z]*[0-9])[0-9A-Z]{16,20}(?![\\w-])',
    `(?<=manual-)${ID}{16}`,
    '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    // Links of the customer panel carry what they are for.
    '(?<=/p/)eyJ[\\w-]{60,400}',
    // The beginning of a long one.
    '(?<=test-tools-)[0-9a-f]{2}(?=…)',
    `(?<=link_)${ID}{8}(?=…)`,
    '(?<![\\w-])[0-9a-f]{8}-[0-9a-f]{4}(?=…)',
    // Signatures, tokens of links and secrets of authenticator apps.
    '(?<![\\w-])[\\w-]{43}(?![\\w-])',
    '(?<![\\w-])[A-Z2-7]{32}(?![\\w-])',
  ].join('|'),
  'g',
)

/** Replaced by a fixed text: measured values, and hashes of files. */
const FIXED: readonly (readonly [RegExp, string])[] = [
  [/(\/assets\/[a-z-]+)\.[0-9a-f]{12}\./g, '$1.#hash.'],
  [/127\.0\.0\.1(:|%3A)\d{4,5}/g, 'loopback$1#port'],
  [/(?<=<path d=")M2 2h1v1h-1z[^"]*/g, '#qr'],
  [/\bref-\d+-(\d+)/g, 'ref-#process-$1'],
]

/** Measured by the page that shows the machine. */
const MEASURED = /(?<=\n<dd>)[^<\n]*\d[^<\n]*|\d[\d.,]*(?=\s(?:kB|MB|GB|bytes?|Bytes?))/g

/** Rows of the largest tables there: their order is that of the last statistics of PostgreSQL. */
const TABLES =
  /(?:<tr>\n<td>\n<code>[a-z_.]+\n<\/code>\n<\/td>(?:\n<td class="end">[^<]*\n?<\/td>)+\n<\/tr>\n?)+/g

const withoutMeasures = (page: string): string =>
  page.replaceAll(MEASURED, '#n').replaceAll(TABLES, '#tables\n')

export function normalised(text: string, origin: string): string {
  const seen = new Map<string, string>()
  const numbered = (value: string): string => {
    const known = seen.get(value) ?? `#${seen.size + 1}`
    seen.set(value, known)
    return known
  }
  let result = text.replaceAll(origin, 'http://tender.test')
  for (const [pattern, by] of FIXED) result = result.replaceAll(pattern, by)
  if (/^(?:GET|POST) \/console\/system/.test(text)) result = withoutMeasures(result)
  return result.replaceAll(RANDOM, numbered)
}
