/**
 * Rows for a statement as one array for each column: for statements with thousands of rows, in place of JSON.
 */

/** PostgreSQL types by the names of the columns. */
type Columns = Readonly<Record<string, string>>
type Value = string | number | bigint | boolean | Date | null | undefined

/** The rows `x`, whose columns are the parameters from `$first` on. */
export function unnested(columns: Columns, first: number): string {
  const arrays = Object.values(columns).map((type, place) => `$${first + place}::${type}[]`)
  const names = Object.keys(columns).map((name) => `"${name}"`)
  return `unnest(${arrays.join(', ')}) as x (${names.join(', ')})`
}

/** The parameters of `unnested`. The texts of arrays are made here. */
export const columnsOf = <Names extends Columns>(
  columns: Names,
  rows: readonly Readonly<Partial<Record<keyof Names, Value>>>[],
): string[] => Object.keys(columns).map((name) => arrayText(rows.map((row) => row[name])))

/** `{a,"b c",NULL}` */
export const arrayText = (values: readonly Value[]): string => `{${values.map(elementText).join(',')}}`

function elementText(value: Value): string {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'string') return quoted(value)
  return value instanceof Date ? value.toISOString() : String(value)
}

const quoted = (text: string): string => `"${/["\\]/.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`
