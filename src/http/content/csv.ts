/** A spreadsheet runs a cell that begins with one of these as a formula; an apostrophe makes it text. */
const FORMULA = /^[=+\-@\t\r|%]/
/** An amount: a number to a spreadsheet, also with its sign. */
const DECIMAL = /^-?\d+(?:\.\d+)?$/
const SPECIAL = /[",\r\n]/

type Cell = string | number | null | undefined

/** One line of RFC 4180, safe to open in a spreadsheet. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(escaped).join(',')}\r\n`

function escaped(value: Cell): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) && !DECIMAL.test(value) ? `'${value}` : value
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
