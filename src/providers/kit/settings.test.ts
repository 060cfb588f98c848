import { describe, expect, it } from 'vitest'
import { declineOf, declineTable } from './declines.ts'
import { partsOf, textSettings } from './settings.ts'

const schema = textSettings(
  {
    apiKey: {
      ...{ label: 'API key', secret: true, required: true, help: 'From the dashboard.', trims: true },
      ...{ pattern: /^(?:test|live)_[a-z]{1,8}$/, expected: 'must be an API key' },
      problem: (text, { isSandbox }) =>
        text.startsWith('live') === isSandbox ? 'is a key of the other mode' : undefined,
    },
    secrets: {
      ...{ label: 'Secrets', secret: true, required: false },
      ...{ pattern: /^s\d{1,4}$/, expected: 'must be secrets', several: 2 },
    },
  },
  ({ apiKey, secrets }) => ({ apiKey, secrets: partsOf(secrets) }),
)
const parse = (value: unknown, isSandbox = true) => schema.parse(value, { isSandbox })
const problems = (value: unknown) => {
  const parsed = parse(value)
  return parsed.ok ? [] : parsed.problems.map(({ field, message }) => `${field} ${message}`)
}

describe('settings', () => {
  it('have a pattern, and no spaces around them', () => {
    expect(parse({ apiKey: ' test_abc\n' })).toEqual({
      ok: true,
      config: { apiKey: 'test_abc', secrets: [] },
    })
    expect(parse({ apiKey: 'test_abc', secrets: 's1, s2' })).toMatchObject({
      ok: true,
      config: { secrets: ['s1', 's2'] },
    })
  })

  it('that are wrong are named, all at once', () => {
    expect(problems({ apiKey: 'x', secrets: 's1 s2 s3' })).toEqual([
      'apiKey must be an API key',
      'secrets must be secrets',
    ])
    expect(problems({ apiKey: 'live_abc' })).toEqual(['apiKey is a key of the other mode'])
  })

  it('are refused whatever they are, without an error', () => {
    for (const value of [
      undefined,
      null,
      'text',
      7,
      [],
      { apiKey: null },
      { apiKey: {} },
      { apiKey: ['test_abc'] },
    ])
      expect(problems(value), JSON.stringify(value)).toEqual(['apiKey must be an API key'])
    expect(problems({ apiKey: 'test_abc', secrets: 7 })).toEqual(['secrets must be secrets'])
    expect(problems({ apiKey: `test_${'a'.repeat(1_000_000)}` })).toEqual(['apiKey must be an API key'])
    expect(problems({ apiKey: 'test_abc', secrets: null })).toEqual([])
  })

  it('are described in their order, without their patterns', () => {
    expect(schema.fields).toEqual([
      { name: 'apiKey', label: 'API key', secret: true, required: true, help: 'From the dashboard.' },
      { name: 'secrets', label: 'Secrets', secret: true, required: false },
    ])
  })
})

describe('a table of declines', () => {
  const table = declineTable([
    ['insufficient-funds', 'later', 'no_money\n  51'],
    ['blocked', 'never', 'blocked'],
  ])

  it('gives every code of a row its meaning', () => {
    expect([...table.keys()]).toEqual(['no_money', '51', 'blocked'])
    expect(declineOf(table.get('51'), { code: '51' })).toEqual({
      ...{ reason: 'insufficient-funds', retry: 'later', raw: { code: '51' } },
    })
  })

  it('has no meaning for other codes, also for those of every object', () => {
    for (const code of ['', 'constructor', '__proto__', 'of-next-year'])
      expect(declineOf(table.get(code), { code })).toMatchObject({ reason: 'generic', isUnlisted: true })
  })

  it('lists a code once', () => {
    expect(() => declineTable([['blocked', 'never', 'a a']])).toThrow('listed twice')
  })
})
