import { describe, expect, it } from 'vitest'
import { readRange } from './range.ts'

const NOW = new Date('2026-11-16T23:30:00Z')
const shown = (query: Parameters<typeof readRange>[0], timeZone = 'UTC', monthStartsOn = 1) => {
  const { range, from, to } = readRange(query, NOW, { timeZone, monthStartsOn })
  return [range, from.toISOString(), to.toISOString()]
}

describe('the period of the overview', () => {
  it('is seven days, today included, unless the address says another', () => {
    expect(shown({})).toEqual(['7d', '2026-11-10T00:00:00.000Z', '2026-11-17T00:00:00.000Z'])
    expect(shown({ range: 'today' })).toEqual([
      'today',
      '2026-11-16T00:00:00.000Z',
      '2026-11-17T00:00:00.000Z',
    ])
    expect(shown({ range: '<b>' })[0]).toBe('7d')
  })

  it('consists of days of the time zone', () => {
    expect(shown({ range: 'today' }, 'Asia/Tokyo')).toEqual([
      'today',
      '2026-11-16T15:00:00.000Z',
      '2026-11-17T15:00:00.000Z',
    ])
  })

  it('is a month that begins on the day of the app', () => {
    const months = (first: number, zone = 'UTC') =>
      (['this-month', 'last-month'] as const).map((range) => shown({ range }, zone, first).slice(1))
    expect(months(1)).toEqual([
      ['2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
      ['2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'],
    ])
    expect(months(17)).toEqual([
      ['2026-10-17T00:00:00.000Z', '2026-11-17T00:00:00.000Z'],
      ['2026-09-17T00:00:00.000Z', '2026-10-17T00:00:00.000Z'],
    ])
    // There it is the 17th already.
    expect(months(17, 'Asia/Tokyo')[0]).toEqual(['2026-11-16T15:00:00.000Z', '2026-12-16T15:00:00.000Z'])
  })

  it('includes both days of a custom one', () => {
    const custom = { range: 'custom', from: '2026-11-01', to: '2026-11-01' }
    expect(shown(custom)).toEqual(['custom', '2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'])
  })

  it.each([
    { range: 'custom' },
    { range: 'custom', from: '2026-11-05', to: '2026-11-01' },
    { range: 'custom', from: '1999-01-01', to: '2026-11-01' },
    { range: 'custom', from: '2026-99-99', to: 'x' },
  ])('falls back to seven days: %j', (query) => {
    expect(shown(query)[0]).toBe('7d')
  })
})
