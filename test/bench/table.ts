import { readFileSync, writeFileSync } from 'node:fs'
import type { Figure } from './bench.ts'

export type Result = Figure & { readonly bench: string }

type Row = readonly string[]

const HEAD: Row = ['Bench', 'What', 'Measured', 'Target', '']

/** The results as a Markdown table. */
export const tableOf = (results: readonly Result[]): string => aligned(results.map(rowOf))

const rowOf = ({ bench, what, value, target = '', ok }: Result): Row => [
  ...[bench, what, value, target],
  ok === undefined ? '' : ok ? 'met' : 'missed',
]

function aligned(rows: readonly Row[]): string {
  const widths = HEAD.map((_, column) =>
    Math.max(3, ...[HEAD, ...rows].map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: Row) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [line(HEAD), rule, ...rows.map(line)].join('\n')
}

const FIGURES = /(<!-- figures -->)(.*?)(<!-- \/figures -->)/s

/** Writes the figures to a page between its marks and replaces older ones of the same benches. */
export function writeInto(page: string, results: readonly Result[], order: readonly string[]): void {
  writeFileSync(page, withFigures(readFileSync(page, 'utf8'), results, order))
}

export function withFigures(text: string, results: readonly Result[], order: readonly string[]): string {
  const [, , between] = FIGURES.exec(text) ?? []
  if (between === undefined) throw new Error('the page has no marks for the figures')
  const fresh = new Set(results.map(({ bench }) => bench))
  const known = rowsOf(between).filter(([bench = '']) => !fresh.has(bench))
  const place = ([bench = '']: Row) => order.indexOf(bench)
  const rows = [...known, ...results.map(rowOf)].sort((a, b) => place(a) - place(b))
  return text.replace(FIGURES, (_all, begin, _old, end) => `${begin}\n\n${aligned(rows)}\n\n${end}`)
}

/** The rows without the header. */
const rowsOf = (table: string): Row[] =>
  table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()))
