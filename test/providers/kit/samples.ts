import { readdirSync, readFileSync } from 'node:fs'

/**
 * Published samples: answers and events as a provider's documentation, its official description or the tests
 * of its official SDK publish them. They are facts with a source, and they judge the adapter: whoever reads a
 * sample writes what it means before the code is changed to match.
 */
export interface Sample {
  /** The page, repository and file, or description that publishes it. */
  readonly source: string
  /** A sentence: what the sample shows. */
  readonly shows: string
  /** Which function of `Feed` takes it. */
  readonly kind: string
  /** As published; only ids of ours, such as the reference, are put in. */
  readonly body: unknown
  /** Further inputs, such as what was known before. */
  readonly given?: unknown
  /** Matched by `toMatchObject` with the result. Money is `10.00 EUR`, a time ISO 8601. */
  readonly expect: unknown
}

/** Feeds a sample of each kind to `receive` or to a pure function of the adapter. */
export type Feed = Readonly<Record<string, (body: unknown, given: unknown) => unknown>>

export interface NamedSample extends Sample {
  readonly name: string
}

/** The samples in `test/providers/<id>/samples/*.json`, by name. */
export function samplesOf(provider: string): NamedSample[] {
  const folder = new URL(`../${provider}/samples/`, import.meta.url)
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return names.toSorted().map((name) => ({
    ...(JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Sample),
    name: name.replace('.json', ''),
  }))
}
