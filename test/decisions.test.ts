import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** The decision records: status and date, the list, and the file that each of them explains. */

const FOLDER = 'docs/decisions'
const RECORDS = readdirSync(FOLDER)
  .filter((name) => /^\d{4}-/.test(name))
  .map((name) => ({ number: name.slice(0, 4), name, text: readFileSync(join(FOLDER, name), 'utf8') }))
const LIST = readFileSync(join(FOLDER, 'README.md'), 'utf8')

/** Folders whose files name the record that explains them. */
const SOURCES = [
  'src',
  'packages/cli/src',
  'packages/service/src',
  'packages/sdk/src',
  'packages/vendure/src',
  'packages/medusa/src',
  'scripts',
  'test/simulate',
]
const NAMED = /\b[Dd]ecisions?[ /](\d{4})\b/g

function sourceTexts(): string[] {
  return SOURCES.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:tsx?|js)$/.test(name))
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  )
}

const namedIn = (text: string): string[] => [...text.matchAll(NAMED)].map(([, number = '']) => number)

describe('each decision record', () => {
  it('has its number, a status and a date in its first lines', () => {
    const status =
      /^# (\d{4})\. .+\n\nStatus: (?:accepted|replaced by \[\d{4}\]).*\. Date: [\d-]{10}\.\n\n## Context\n/
    const wrong = RECORDS.filter(({ number, text }) => status.exec(text)?.[1] !== number)
    expect(wrong.map(({ name }) => name)).toEqual([])
    expect(RECORDS.length).toBeGreaterThan(70)
  })

  it('is in the list once, under a subject', () => {
    const [, ...groups] = LIST.split('\n## ')
    const listed = groups.flatMap((group) => [...group.matchAll(/^- \[(\d{4})\]\(([^)]+)\) .+$/gm)])
    expect(listed.map(([, number, file]) => `${number} ${file}`).sort()).toEqual(
      RECORDS.map(({ number, name }) => `${number} ${name}`),
    )
  })

  it('is named by the file that it explains, and no file names one that does not exist', () => {
    const named = new Set(sourceTexts().flatMap(namedIn))
    const numbers = RECORDS.map(({ number }) => number)
    expect(numbers.filter((number) => !named.has(number))).toEqual([])
    expect([...named].filter((number) => !numbers.includes(number))).toEqual([])
  })

  it('links to files that exist', () => {
    const texts = [...RECORDS, { name: 'README.md', text: LIST }]
    const broken = texts.flatMap(({ name, text }) =>
      [...text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)]
        .filter(([, path = '']) => !existsSync(join(FOLDER, path)))
        .map(([, path]) => `${name}: ${path}`),
    )
    expect(broken).toEqual([])
  })

  it('names source files that exist', () => {
    const files = ['src', 'test', 'scripts', 'docs', 'packages', 'migrations'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    )
    const exists = (path: string) => files.some((file) => `/${file}`.endsWith(`/${path}`))
    const missing = RECORDS.flatMap(({ name, text }) =>
      [...text.matchAll(/`([\w./-]+\.(?:tsx?|sql|md))`/g)]
        .filter(([, path = '']) => !exists(path))
        .map(([, path]) => `${name}: ${path}`),
    )
    expect(missing).toEqual([])
  })

  it('names paths from the root that exist', () => {
    const paths = RECORDS.flatMap(({ name, text }) =>
      [...text.matchAll(/`((?:src|test|scripts|docs|packages|migrations)\/[\w./-]*)`/g)].map(
        ([, path = '']) => ({
          ...{ name, path },
        }),
      ),
    )
    const missing = paths.filter(({ path }) => !existsSync(path))
    expect(missing.map(({ name, path }) => `${name}: ${path}`)).toEqual([])
    expect(paths.length).toBeGreaterThan(10)
  })
})
