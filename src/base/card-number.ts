/**
 * Finds payment card numbers in free text, so that they can be refused before they are stored or logged: 13 to 19
 * digits, grouped by single spaces or dashes or not at all, in the range of a known issuer, with a right check digit.
 */

/** Prefix range, inclusive, and the lengths that network issues. */
type IssuerRange = readonly [from: number, to: number, minDigits: number, maxDigits: number]

const ISSUER_RANGES: readonly IssuerRange[] = [
  [4, 4, 13, 13], // Visa, before 2010
  [4, 4, 16, 16], // Visa
  [4, 4, 19, 19], // Visa, long
  [51, 55, 16, 16], // Mastercard
  [2221, 2720, 16, 16], // Mastercard, 2-series
  [34, 34, 15, 15], // American Express
  [37, 37, 15, 15],
  [300, 305, 14, 19], // Diners Club
  [3095, 3095, 14, 19],
  [36, 36, 14, 19],
  [38, 39, 14, 19],
  [3528, 3589, 16, 19], // JCB
  [6011, 6011, 16, 19], // Discover
  [644, 649, 16, 19],
  [65, 65, 16, 19],
  [62, 62, 16, 19], // UnionPay
  [81, 81, 16, 19],
  [50, 50, 13, 19], // Maestro
  [56, 58, 13, 19],
  [63, 63, 13, 19],
  [67, 67, 13, 19],
  [60, 60, 16, 16], // RuPay, Hipercard
  [82, 82, 16, 16],
  [2200, 2204, 16, 19], // Mir
  [9792, 9792, 16, 16], // Troy
]

const MIN_DIGITS = 13
const MAX_DIGITS = 19
/** Runs of digits joined by single spaces or dashes. */
const RUNS = /\d+(?:[ -]\d+)*/g
const UUIDS = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi
/** Hashes, object ids and ULIDs: letters and digits mixed, where one in hundreds would hold a "card number". */
const IDENTIFIERS = /\b(?=\d*[a-z])[0-9a-z]{24,}\b/gi

export function hasCardNumber(text: string): boolean {
  if (text.length < MIN_DIGITS) return false
  const readable = text.replace(UUIDS, ' x ').replace(IDENTIFIERS, ' x ')
  for (const match of readable.matchAll(RUNS)) {
    const run = match[0]
    // A plus sign makes it an international phone number.
    if (run.length >= MIN_DIGITS && readable[match.index - 1] !== '+' && holdsCard(run.split(/[ -]/)))
      return true
  }
  return false
}

/** Any stretch of whole groups may be the number: an order number may stand right before it. */
function holdsCard(groups: readonly string[]): boolean {
  for (let start = 0; start < groups.length; start++) {
    let digits = ''
    for (let end = start; end < groups.length && digits.length < MAX_DIGITS; end++) {
      digits += groups[end]
      if (isCardNumber(digits)) return true
    }
  }
  return false
}

export function isCardNumber(digits: string): boolean {
  const { length } = digits
  if (length < MIN_DIGITS || length > MAX_DIGITS || !passesLuhn(digits)) return false
  return ISSUER_RANGES.some(([from, to, min, max]) => {
    const prefix = Number(digits.slice(0, String(from).length))
    return from <= prefix && prefix <= to && min <= length && length <= max
  })
}

export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place++) {
    const digit = digits.charCodeAt(digits.length - 1 - place) - 48
    const doubled = place % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
