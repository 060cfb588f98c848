import { expect, it } from 'vitest'
import { daysOf, type Slot, slotsOf } from './period.ts'

const at = (text: string): Date => new Date(`2026-11-${text}:00Z`)
const text = ({ begin, end }: { begin: Date; end: Date }): string =>
  [begin, end].map((time) => time.toISOString().slice(8, 16)).join(' to ')

const read = (from: string, to: string, slots: readonly Slot[], without: readonly Date[] = []) => {
  const { days, quarters, moves } = daysOf({ from: at(from), to: at(to), without }, slots)
  return {
    days: days.map(text),
    quarters: quarters.map(text),
    moves: moves.map((move) => `${text(move)}: ${move.from} to ${move.to}`),
  }
}

it('reads whole days of UTC as days, and what is around them as quarters', () => {
  const slots = slotsOf({ from: at('01T10:15'), to: at('04T06:00') }, 'day', 'UTC')
  expect(read('01T10:15', '04T06:00', slots)).toEqual({
    days: ['02T00:00 to 03T00:00', '03T00:00 to 04T00:00'],
    quarters: ['01T10:15 to 02T00:00', '04T00:00 to 04T06:00'],
    moves: [],
  })
})

it('moves the quarters of a day that belong to another day of the zone', () => {
  const period = { from: at('01T00:00'), to: at('03T00:00') }
  expect(read('01T00:00', '03T00:00', slotsOf(period, 'day', 'Europe/Berlin')).moves).toEqual([
    '01T23:00 to 02T00:00: 0 to 1',
    '02T23:00 to 03T00:00: 1 to 2',
  ])
  expect(read('01T00:00', '03T00:00', slotsOf(period, 'day', 'America/New_York')).moves).toEqual([
    '01T00:00 to 01T04:00: 1 to 0',
    '02T00:00 to 02T05:00: 2 to 1',
  ])
})

it('reads a day by quarters while one of them is counted again, and where hours are shown', () => {
  const period = { from: at('01T00:00'), to: at('03T00:00') }
  expect(read('01T00:00', '03T00:00', slotsOf(period, 'day', 'UTC'), [at('01T00:00')])).toEqual({
    days: ['02T00:00 to 03T00:00'],
    quarters: ['01T00:00 to 02T00:00'],
    moves: [],
  })
  expect(read('01T00:00', '03T00:00', slotsOf(period, 'hour', 'UTC')).days).toEqual([])
})

it('begins months on the day of the app, with the name of the month they begin in', () => {
  const year = { from: new Date('2026-01-10T00:00:00Z'), to: new Date('2026-04-08T00:00:00Z') }
  expect(
    slotsOf(year, 'month', 'UTC', 8).map(({ key, startTime }) => [key, startTime.toISOString()]),
  ).toEqual([
    ['2026-01', '2026-01-08T00:00:00.000Z'],
    ['2026-02', '2026-02-08T00:00:00.000Z'],
    ['2026-03', '2026-03-08T00:00:00.000Z'],
  ])
})
