import { describe, expect, it } from 'vitest'
import { decimalText } from '../../src/base/money.ts'
import { createProviders } from '../../src/providers/registry.ts'
import { type Feed, samplesOf } from './kit/samples.ts'

/** Fewer say too little about a provider. */
const FEWEST = 12

const providers = createProviders([])
const ids = [...providers.keys()]

const feeds = new Map<string, Feed>()
for (const id of ids) feeds.set(id, ((await import(`./${id}/samples.ts`)) as { feed: Feed }).feed)

describe.each(ids)('published samples of %s', (provider) => {
  const samples = samplesOf(provider)

  it(`are at least ${FEWEST}, each with its source`, () => {
    expect(samples.length).toBeGreaterThanOrEqual(FEWEST)
    expect(samples.filter(({ source, shows }) => !source || !shows)).toEqual([])
  })

  it('show its settled lines, where the adapter reads them', () => {
    const settled = samples.filter(({ kind }) => kind.startsWith('settle'))
    expect(settled.length > 0).toBe(providers.get(provider)?.settlements !== undefined)
  })

  it.each(samples)('$name: $shows', async ({ kind, body, given, expect: expected }) => {
    const fed = feeds.get(provider)?.[kind]
    if (!fed) throw new Error(`test/providers/${provider}/samples.ts cannot feed a sample of kind ${kind}`)
    expect(readable(await fed(body, given))).toMatchObject({ result: expected })
  })
})

/** The result as JSON: money as `10.00 EUR`, times as ISO 8601. */
const readable = (result: unknown): unknown =>
  JSON.parse(JSON.stringify({ result }, (_name, value) => (isMoney(value) ? textOf(value) : value)))

const isMoney = (value: unknown): value is { minor: bigint; currency: string } =>
  typeof value === 'object' && value !== null && 'minor' in value && 'currency' in value

const textOf = ({ minor, currency }: { minor: bigint; currency: string }): string =>
  `${decimalText(minor, currency)} ${currency}`
