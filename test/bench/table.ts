import { readFileSync, writeFileSync } from 'node:fs'
import type { Figure } from './bench.ts'

export type Result = Figure & { readonly bench: string }

type Row = readonly string[]

const HEAD: Row = ['Bench', 'What', 'Measured', 'Target', '']

/** Markdown, to be pasted. */
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

const BEGIN = '<!-- figures -->\n\n'
const END = '\n\n<!-- /figures -->'

/** Puts the figures into a page, in place of older ones of the same benches. */
export function writeInto(page: string, results: readonly Result[], order: readonly string[]): void {
  const text = readFileSync(page, 'utf8')
  const [start, end] = [text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)]
  const known = text
    .slice(start, Math.max(start, end))
    .split('\n')
    .slice(2)
    .map((line) => line.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()))
  const fresh = new Set(results.map(({ bench }) => bench))
  const rows = [...known.filter(([bench = '']) => bench !== '' && !fresh.has(bench)), ...results.map(rowOf)]
  const place = ([bench = '']: Row) => order.indexOf(bench)
  const sorted = rows.sort((a, b) => place(a) - place(b))
  writeFileSync(page, text.slice(0, start) + aligned(sorted) + text.slice(end))
}
