import { describe, expect, it } from 'vitest'
import {
  foundItems,
  movedPlace,
  type PaletteItem,
  readRecent,
  shownItems,
  withRecent,
} from './palette-items.ts'

const items: PaletteItem[] = [
  { group: 'recent', label: 'Payment 10001', href: '/console/a/payments/10001' },
  { group: 'goTo', label: 'Payment links', href: '/console/a/links' },
  { group: 'goTo', label: 'Payments', href: '/console/a/payments' },
  { group: 'goTo', label: 'Überblick', href: '/console/a/overview' },
  { group: 'act', label: 'Create payment link', href: '/console/a/links/new' },
]
const labels = (query: string, more: PaletteItem[] = []) =>
  shownItems([...items, ...more], query).map(({ label }) => label)

describe('what the palette shows', () => {
  it('is everything before something is typed', () => {
    expect(labels('')).toHaveLength(5)
  })

  it('is what has every word, those that begin with it first', () => {
    expect(labels('payments')).toEqual(['Payments'])
    expect(labels('link pay')).toEqual(['Payment links', 'Create payment link'])
    expect(labels('create')).toEqual(['Create payment link'])
  })

  it('ignores accents and case', () => {
    expect(labels('UBER')).toEqual(['Überblick'])
  })

  it('has what the server found first, unfiltered', () => {
    expect(labels('4242', [{ group: 'found', label: '10007', href: '/console/a/payments/10007' }])).toEqual([
      '10007',
    ])
  })
})

it('arrows move round the list', () => {
  expect(movedPlace(0, 'ArrowDown', 3)).toBe(1)
  expect(movedPlace(2, 'ArrowDown', 3)).toBe(0)
  expect(movedPlace(0, 'ArrowUp', 3)).toBe(2)
  expect(movedPlace(1, 'PageDown', 3)).toBe(2)
  expect(movedPlace(-1, 'ArrowDown', 0)).toBe(-1)
})

it('remembers each page once, the newest first, and a few of them', () => {
  const visited = (place: number) => ({ label: String(place), href: `/console/a/payments/${place}` })
  let recent = withRecent([], visited(0))
  for (let place = 1; place < 12; place++) recent = withRecent(recent, visited(place))
  expect(withRecent(recent, visited(8)).map(({ label }) => label)).toEqual([
    '8',
    '11',
    '10',
    '9',
    '7',
    '6',
    '5',
    '4',
  ])
})

it('stored and found addresses lead nowhere else', () => {
  expect(readRecent('[{"label":"x","href":"https://evil.example"}]')).toEqual([])
  expect(readRecent('no json')).toEqual([])
  expect(readRecent(null)).toEqual([])
  expect(foundItems([{ label: 'x', href: 'javascript:alert(1)' }, null, {}], {})).toEqual([])
  expect(foundItems({ error: true }, {})).toEqual([])
  // The palette has screens and actions itself: they would stand there twice.
  expect(foundItems([{ kind: 'screen', label: 'Payments', href: '/console/a/payments' }], {})).toEqual([])
  const found = [{ kind: 'payment', label: '10007', href: '/console/a/payments/10007', detail: 'Dana' }]
  expect(foundItems(found, { payment: 'Payment' })).toMatchObject([{ detail: 'Payment · Dana' }])
})
