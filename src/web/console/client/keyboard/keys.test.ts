import { expect, it } from 'vitest'
import { type Press, readPress } from './keys.ts'

const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  hasControl: false,
  hasAlt: false,
  isTyping: false,
  isDialogOpen: false,
  ...more,
})

it.each([
  ['/', { name: 'search' }],
  ['.', { name: 'dock' }],
  ['?', { name: 'help' }],
  ['j', { name: 'move', by: 1 }],
  ['k', { name: 'move', by: -1 }],
  ['x', { name: 'select' }],
  ['r', { name: 'press', key: 'r' }],
])('%s is a command', (key, command) => {
  expect(readPress(press(key), 0)).toEqual({ command })
})

it('g waits for a second key, and only for a moment', () => {
  const { waitingSince } = readPress(press('g'), 1_000)
  expect(readPress(press('p'), 1_500, waitingSince)).toEqual({ command: { name: 'go', key: 'p' } })
  expect(readPress(press('p'), 9_000, waitingSince)).toEqual({ command: { name: 'press', key: 'p' } })
})

it('letters belong to the field that has the focus, but the palette opens from there', () => {
  expect(readPress(press('r', { isTyping: true }), 0)).toEqual({})
  expect(readPress(press('K', { isTyping: true, hasControl: true }), 0)).toEqual({
    command: { name: 'palette' },
  })
})

it('shortcuts of the browser and the system are left alone', () => {
  expect(readPress(press('r', { hasControl: true }), 0)).toEqual({})
  expect(readPress(press('k', { hasAlt: true }), 0)).toEqual({})
  expect(readPress(press('Enter'), 0)).toEqual({})
})

it('nothing happens behind an open dialog', () => {
  expect(readPress(press('k', { isDialogOpen: true, hasControl: true }), 0)).toEqual({})
})
