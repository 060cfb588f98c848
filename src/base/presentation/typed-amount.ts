/** Amounts as people write them in forms: `1,234.50` and `1.234,50` are the same. */

const signs = new Map<string, string>()

/** The decimal sign of a language, by its BCP 47 tag. */
export function decimalSign(intl: string): string {
  const known = signs.get(intl)
  if (known !== undefined) return known
  const parts = new Intl.NumberFormat(intl).formatToParts(1.5)
  const sign = parts.find(({ type }) => type === 'decimal')?.value ?? '.'
  signs.set(intl, sign)
  return sign
}

/**
 * The amount with a full stop as its decimal sign. Undefined where it is none, or where one sign could be
 * either: `1.234` in a language that writes groups so.
 */
export function plainDecimal(text: string, sign: string): string | undefined {
  const typed = westernDigits(text).replace(/[\s\u00a0\u202f'’]/g, '')
  const [whole = '', fraction, ...more] = typed.split(lastSign(typed))
  if (fraction === undefined) return /^\d{1,12}$/.test(typed) ? typed : undefined
  const isGrouped = more.length > 0
  if (isGrouped) return groupsOf(typed)
  if (!/^\d+$/.test(fraction)) return undefined
  const last = lastSign(typed)
  if (last !== sign && fraction.length === 3 && /^\d{1,3}$/.test(whole)) return undefined
  const digits = /^\d{1,12}$/.test(whole) ? whole : groupsOf(whole)
  return digits === undefined ? undefined : `${digits}.${fraction}`
}

const FOREIGN = /[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19\u066b\u066c\uff0c\uff0e]/g
const SIGNS: Readonly<Record<string, string>> = { '\u066b': '.', '\u066c': ',', '\uff0c': ',', '\uff0e': '.' }

/** Arabic, Persian and full-width digits and signs: the last four bits of such a digit are its value. */
const westernDigits = (text: string): string =>
  text.replace(FOREIGN, (sign) => SIGNS[sign] ?? String(sign.charCodeAt(0) & 15))

const lastSign = (typed: string): string => (typed.lastIndexOf(',') > typed.lastIndexOf('.') ? ',' : '.')

/** Digits in groups of three, all with the same sign between them. */
const groupsOf = (text: string): string | undefined =>
  /^\d{1,3}(?:(?:\.\d{3}){1,3}|(?:,\d{3}){1,3})$/.test(text) ? text.replace(/[.,]/g, '') : undefined

/** A decimal as a field of the language shows it: `25,50`. */
export const typedDecimal = (decimal: string, intl: string): string => decimal.replace('.', decimalSign(intl))
