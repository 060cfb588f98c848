import pg from 'pg'
import { assert } from '../base/assert.ts'
import type { Statement } from './database.ts'

/**
 * Rows by convention. A column becomes a member of the row:
 * - `payment_id` is `paymentId`; an alias `"position.time"` is the member `time` of an object `position`;
 * - bigint is a number, and an error when it is larger than numbers are exact; `…_minor` is a bigint;
 * - a time is a Date, json is parsed and not renamed, null stays null, numeric stays text.
 *
 * The function that makes a row is compiled once for each statement: an object literal takes less than half
 * the time of assigning members by name. See docs/decisions/0156-rows-by-convention.md.
 */

type Column = Pick<pg.FieldDef, 'name' | 'dataTypeID'>
type Texts = readonly (string | null)[]

interface Compiled {
  readonly columns: readonly Column[]
  readonly toRow: (texts: Texts) => unknown
}

/** Part of a query: columns arrive as texts, in their order. */
export const AS_TEXTS = {
  rowMode: 'array',
  types: { getTypeParser: () => (text: unknown) => text } as pg.CustomTypesConfig,
} as const

/** By the name of the statement. */
const compiled = new Map<string, Compiled>()

export function readRows<Row>(
  statement: Statement<Row>,
  { fields, rows }: { readonly fields: readonly Column[]; readonly rows: readonly Texts[] },
): Row[] {
  if (rows.length === 0) return []
  const { toRow } = compiledFor(statement, fields)
  return rows.map(toRow) as Row[]
}

/** A column may change its type while the process runs: another node may have migrated. */
function compiledFor(statement: Statement<unknown>, columns: readonly Column[]): Compiled {
  const known = compiled.get(statement.name)
  if (known && areEqual(known.columns, columns)) return known
  const fresh = { columns, toRow: compile(columns, 'encode' in statement) }
  compiled.set(statement.name, fresh)
  return fresh
}

function areEqual(some: readonly Column[], others: readonly Column[]): boolean {
  if (some.length !== others.length) return false
  for (let i = 0; i < some.length; i++)
    if (some[i]?.name !== others[i]?.name || some[i]?.dataTypeID !== others[i]?.dataTypeID) return false
  return true
}

/** The members of an object: expressions, and objects inside of it. */
type Members = Map<string, string | Members>

function compile(columns: readonly Column[], isBatch: boolean): Compiled['toRow'] {
  const row: Members = new Map()
  const all: Members = isBatch ? new Map([['row', row]]) : row
  const readers = columns.map(readerOf)
  for (const [place, { name }] of columns.entries()) {
    const at = `texts[${place}]`
    const value = readers[place] ? `${at} === null ? null : readers[${place}](${at})` : at
    setMember(isBatch && name === 'n' ? all : row, name.split('.').map(camelCase), value)
  }
  return new Function('readers', `return (texts) => (${literalOf(all)})`)(readers)
}

const camelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase())

/** The columns of a table, separated by commas, as members of JSON, or of the object `of` inside of a row. */
export const asMembers = (table: string, columns: string, { of }: { readonly of?: string } = {}): string =>
  columns
    .split(/,\s*/)
    .map((name) => `${table}.${name} as "${of ? `${of}.` : ''}${camelCase(name)}"`)
    .join(', ')

function setMember(members: Members, [name = '', ...path]: readonly string[], value: string): void {
  if (path.length === 0) {
    members.set(name, value)
    return
  }
  const known = members.get(name)
  const inner: Members = known instanceof Map ? known : new Map()
  members.set(name, inner)
  setMember(inner, path, value)
}

function literalOf(members: Members): string {
  const each = [...members].map(
    ([name, value]) => `${JSON.stringify(name)}: ${typeof value === 'string' ? value : literalOf(value)}`,
  )
  return `{ ${each.join(', ')} }`
}

const { INT8, INT4, NUMERIC, TEXT, VARCHAR } = pg.types.builtins
const INT8_ARRAY = 1016

/** Undefined: the text itself is the value. */
function readerOf({ name, dataTypeID: type }: Column): ((text: string) => unknown) | undefined {
  if (/(_m|M)inor$/.test(name) && (type === INT8 || type === INT4 || type === NUMERIC)) return BigInt
  if (type === INT8) return exactNumber
  if (type === TEXT || type === VARCHAR || type === NUMERIC) return undefined
  const read = pg.types.getTypeParser(type, 'text')
  return type === INT8_ARRAY ? (text) => (read(text) as string[]).map(exactNumber) : read
}

function exactNumber(text: string): number {
  const value = Number(text)
  assert(Number.isSafeInteger(value), 'a bigint column is within the numbers that are exact')
  return value
}
