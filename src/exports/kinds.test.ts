import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { EXPORT_KINDS } from './kinds.ts'

/** The tables below `## Columns`: by kind, one line for each column. */
function documented(): Record<string, string[]> {
  const [, text = ''] = readFileSync('docs/guides/exports.md', 'utf8').split('\n## Columns\n')
  const sections = text.split('\n### ').slice(1)
  return Object.fromEntries(
    sections.map((section) => [
      section.split('\n')[0] ?? '',
      [...section.matchAll(/^\| `(\w+)` +\| (.+?) +\| (yes)? *\|$/gm)].map(
        ([, name, about, usual]) => `${name}: ${about}${usual ? ' (usual)' : ''}`,
      ),
    ]),
  )
}

it('the guide has every column of every kind, in its order, with what it holds', () => {
  const columns = Object.entries(EXPORT_KINDS).map(([kind, { columns: all }]) => [
    kind,
    Object.entries(all).map(([name, { about, isUsual }]) => `${name}: ${about}${isUsual ? ' (usual)' : ''}`),
  ])
  expect(documented()).toEqual(Object.fromEntries(columns))
})
