import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { createFakeProvider } from '../../test/support/provider.ts'
import { createProviders } from './registry.ts'

/** Folders of src/providers that are not adapters. */
const OTHERS = ['contract', 'kit', 'methods', 'movements', 'payer']

it('has every adapter folder of src/providers, under the name of the folder', () => {
  const folders = readdirSync(fileURLToPath(new URL('.', import.meta.url)), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !OTHERS.includes(entry.name))
    .map(({ name }) => name)
  expect([...createProviders([]).keys()].sort()).toEqual(folders.sort())
})

it('adds the built-in adapters by their id', () => {
  const { adapter } = createFakeProvider({ id: 'sandbox' })
  expect(createProviders([adapter]).get('sandbox')).toBe(adapter)
})

it('refuses two adapters with one id', () => {
  const adapters = [createFakeProvider({ id: 'acorn' }).adapter, createFakeProvider({ id: 'acorn' }).adapter]
  expect(() => createProviders(adapters)).toThrow('two providers have the id acorn')
})

it('gives every provider a mark that differs from the others in letters, shape and colour', () => {
  const marks = [...createProviders([]).values()].map(({ manifest }) => manifest.mark)
  for (const member of ['letters', 'shape'] as const)
    expect(new Set(marks.map((mark) => mark?.[member])).size).toBe(marks.length)
  const hues = marks.map((mark) => mark?.hue ?? -1).sort((a, b) => a - b)
  const gaps = hues.slice(1).map((hue, place) => hue - (hues[place] ?? hue))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(25)
})
