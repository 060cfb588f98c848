import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const NAMED = /\b(?:batchSql|sql)(?:<[^()]*>)?\(\s*(?:\{\s*name:\s*)?'([^']+)'/g

/** A connection prepares a name once, and refuses another text with it wherever the first was used. */
it('no two statements have the same name', async () => {
  const files = (await readdir('src', { recursive: true })).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.ts$/.test(file),
  )
  const places = new Map<string, string[]>()
  for (const file of files)
    for (const [, name = ''] of (await readFile(join('src', file), 'utf8')).matchAll(NAMED))
      places.set(name, [...(places.get(name) ?? []), file])
  expect(places.size).toBeGreaterThan(500)
  expect([...places].filter(([, named]) => named.length > 1)).toEqual([])
})
