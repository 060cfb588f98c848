/**
 * A spreadsheet runs a cell that begins with one of these as a formula, some of them also after spaces or in
 * full width; an apostrophe makes it text. A text that begins with such an apostrophe gets one more, so that
 * an import tells both apart.
 */
const FORMULA = /^'*(?:\s*[=+\-@|%＝＋－＠]|[\t\r\n])/
/** An amount: a number to a spreadsheet, also with its sign. */
const DECIMAL = /^-?\d+(?:\.\d+)?$/

/** Cells with one of these are quoted. */
const SPECIAL = { ',': /[",\r\n]/, ';': /[",;\t\r\n]/ } as const

/** Spreadsheets that write a decimal comma expect semicolons between cells. */
export type Separator = keyof typeof SPECIAL

/** `decimal`: an amount, which has a decimal comma in a file with semicolons. */
export type Cell = string | number | null | undefined | { readonly decimal: string }

/** One line of RFC 4180, safe to open in a spreadsheet. */
export const csvLine = (cells: readonly Cell[], separator: Separator = ','): string =>
  `${cells.map((cell) => escaped(cell, separator)).join(separator)}\r\n`

function escaped(value: Cell, separator: Separator): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  if (typeof value === 'object') return separator === ';' ? value.decimal.replace('.', ',') : value.decimal
  const text = FORMULA.test(value) && !DECIMAL.test(value) ? `'${value}` : value
  return SPECIAL[separator].test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
