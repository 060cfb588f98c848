/**
 * Finds payment card numbers in free text, so that they can be refused before they are stored or logged: 13
 * to 19 digits, grouped by single spaces or dashes or not at all, in the range of a known issuer, with a
 * right check digit.
 */

/** Range of the first four digits, inclusive, and the lengths that network issues. */
type IssuerRange = readonly [from: number, to: number, minDigits: number, maxDigits: number]

const ISSUER_RANGES: readonly IssuerRange[] = [
  [4000, 4999, 13, 13], // Visa, before 2010
  [4000, 4999, 16, 16], // Visa
  [4000, 4999, 19, 19], // Visa, long
  [5100, 5599, 16, 16], // Mastercard
  [2221, 2720, 16, 16], // Mastercard, 2-series
  [3400, 3499, 15, 15], // American Express
  [3700, 3799, 15, 15],
  [3000, 3059, 14, 19], // Diners Club
  [3095, 3095, 14, 19],
  [3600, 3699, 14, 19],
  [3800, 3999, 14, 19],
  [3528, 3589, 16, 19], // JCB
  [6011, 6011, 16, 19], // Discover
  [6440, 6499, 16, 19],
  [6500, 6599, 16, 19],
  [6200, 6299, 16, 19], // UnionPay
  [8100, 8199, 16, 19],
  [5000, 5099, 13, 19], // Maestro
  [5600, 5899, 13, 19],
  [6300, 6399, 13, 19],
  [6700, 6799, 13, 19],
  [6000, 6099, 16, 16], // RuPay, Hipercard
  [8200, 8299, 16, 16],
  [2200, 2204, 16, 19], // Mir
  [9792, 9792, 16, 16], // Troy
]

const MIN_DIGITS = 13
const MAX_DIGITS = 19
/** Nearly every text ends here: it has no thirteen digits in a row. */
const CANDIDATE = /\d(?:[ -]?\d){12}/
/** Runs of digits joined by single spaces or dashes. */
const RUNS = /\d+(?:[ -]\d+)*/g
const UUIDS = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi
/** Hashes, object ids and ULIDs: letters and digits mixed, where one in hundreds holds a "card number". */
const IDENTIFIERS = /\b(?=\d*[a-z])[0-9a-z]{24,}\b/gi

export function hasCardNumber(text: string): boolean {
  if (text.length < MIN_DIGITS || !CANDIDATE.test(text)) return false
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
  const digits = groups.join('')
  let start = 0
  for (let first = 0; first < groups.length; first++) {
    let end = start
    for (let last = first; last < groups.length && end - start < MAX_DIGITS; last++) {
      end += groups[last]?.length ?? 0
      if (end - start >= MIN_DIGITS && isCardNumber(digits.slice(start, end))) return true
    }
    start += groups[first]?.length ?? 0
  }
  return false
}

export function isCardNumber(digits: string): boolean {
  const { length } = digits
  // No network issues numbers that begin with 0, 1 or 7.
  if (length < MIN_DIGITS || length > MAX_DIGITS || /^[017]/.test(digits) || !passesLuhn(digits)) return false
  const prefix = Number(digits.slice(0, 4))
  return ISSUER_RANGES.some(
    ([from, to, min, max]) => from <= prefix && prefix <= to && min <= length && length <= max,
  )
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
