import { describe, expect, it } from 'vitest'
import { periodEnd, periodStart, presetSpan } from './periods.ts'

const calendar = { timeZone: 'Asia/Tokyo', monthStartsOn: 20 }
const text = (date: Date | undefined) => date?.toISOString()
const at = (time: string) => new Date(time)

it('a week begins on Monday in the zone of the app', () => {
  for (const [time, start, end] of [
    ['2026-11-22T14:59:59.999Z', '2026-11-15T15:00:00.000Z', '2026-11-22T15:00:00.000Z'],
    ['2026-11-22T15:00:00.000Z', '2026-11-22T15:00:00.000Z', '2026-11-29T15:00:00.000Z'],
  ] as const) {
    const ends = [periodStart(at(time), 'week', calendar), periodEnd(at(time), 'week', calendar)]
    expect(ends.map(text)).toEqual([start, end])
  }
})

describe('a month that begins on the 20th', () => {
  it('contains the days up to the 19th of the next one, in the zone of the app', () => {
    // Before and after the midnight in Tokyo at which the 20th begins.
    for (const [time, start, end] of [
      ['2026-11-19T14:59:59.999Z', '2026-10-19T15:00:00.000Z', '2026-11-19T15:00:00.000Z'],
      ['2026-11-19T15:00:00.000Z', '2026-11-19T15:00:00.000Z', '2026-12-19T15:00:00.000Z'],
      ['2027-01-05T00:00:00.000Z', '2026-12-19T15:00:00.000Z', '2027-01-19T15:00:00.000Z'],
    ] as const) {
      const ends = [periodStart(at(time), 'month', calendar), periodEnd(at(time), 'month', calendar)]
      expect(ends.map(text)).toEqual([start, end])
    }
  })

  it('is that of the presets, and changes neither days nor weeks', () => {
    const now = at('2026-11-25T03:00:00.000Z')
    const last = presetSpan('last-month', now, calendar)
    expect(text(presetSpan('this-month', now, calendar).from)).toBe('2026-11-19T15:00:00.000Z')
    expect([last.from, last.to].map(text)).toEqual(['2026-10-19T15:00:00.000Z', '2026-11-19T15:00:00.000Z'])
    for (const every of ['day', 'week'] as const)
      expect(periodEnd(now, every, calendar)).toEqual(
        periodEnd(now, every, { ...calendar, monthStartsOn: 1 }),
      )
  })
})
