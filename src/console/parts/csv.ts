/** A cell that begins like this is run as a formula by spreadsheets. */
const FORMULA = /^[=+\-@\t\r]/

function cellOf(value: string): string {
  const safe = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One line of RFC 4180, safe to open in a spreadsheet. */
export const csvLine = (values: readonly string[]): string => `${values.map(cellOf).join(',')}\r\n`
