import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { instantOf, isTimeZone, nextStart, startOf, wallTime } from './zone.ts'

const zone = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
)
const time = fc.date({ min: new Date('1990-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })

describe('a time zone', () => {
  it('is an IANA name', () => {
    for (const name of ['UTC', 'Europe/Berlin', 'Etc/GMT+5']) expect(isTimeZone(name)).toBe(true)
    for (const name of ['', '+02:00', 'Mars/Base', '../etc', 'x'.repeat(65)])
      expect(isTimeZone(name)).toBe(false)
  })

  it('shows each instant as a wall time that leads back to it, except in the hour that is repeated', () => {
    fc.assert(
      fc.property(time, zone, (instant, timeZone) => {
        const back = instantOf(wallTime(instant, timeZone), timeZone)
        expect(instant.getTime() - back.getTime()).toBeOneOf([0, 30 * 60_000, 60 * 60_000])
        expect(wallTime(back, timeZone)).toEqual(wallTime(instant, timeZone))
      }),
    )
  })

  it('begins a day at its first instant, also when the clock changes', () => {
    const dayOf = (text: string) => instantOf(new Date(`${text}T00:00Z`), 'Europe/Berlin').toISOString()
    expect(dayOf('2026-03-29')).toBe('2026-03-28T23:00:00.000Z')
    expect(dayOf('2026-03-30')).toBe('2026-03-29T22:00:00.000Z')
    // The clock is moved at midnight.
    const skipped = instantOf(new Date('2018-11-04T00:00Z'), 'America/Sao_Paulo')
    expect(wallTime(skipped, 'America/Sao_Paulo').toISOString()).toBe('2018-11-04T01:00:00.000Z')
  })

  it('has units that follow each other', () => {
    const wall = new Date('2026-01-31T23:59:59.999Z')
    expect(startOf(wall, 'month').toISOString()).toBe('2026-01-01T00:00:00.000Z')
    expect(nextStart(startOf(wall, 'month'), 'month').toISOString()).toBe('2026-02-01T00:00:00.000Z')
    expect(nextStart(startOf(wall, 'day'), 'day').toISOString()).toBe('2026-02-01T00:00:00.000Z')
    expect(nextStart(startOf(wall, 'hour'), 'hour').toISOString()).toBe('2026-02-01T00:00:00.000Z')
  })
})
