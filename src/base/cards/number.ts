/**
 * Payment card numbers: 13 to 19 digits in the range of a known issuer, of a length that issuer uses, with a
 * right check digit. `find.ts` finds them in free text.
 */

/** Range of the first four digits, inclusive, and the lengths of numbers in it. */
type IssuerRange = readonly [from: number, to: number, lengths: readonly number[]]

const MAESTRO = [13, 14, 15, 16, 17, 18, 19]
const LONG = [16, 19]

const ISSUER_RANGES: readonly IssuerRange[] = [
  [4000, 4999, [13, 16, 19]], // Visa; 13 digits are from before 2010
  [5100, 5599, [16]], // Mastercard
  [2221, 2720, [16]], // Mastercard, 2-series
  [3400, 3499, [15]], // American Express
  [3700, 3799, [15]],
  [3000, 3059, [14, 16, 19]], // Diners Club; order numbers of 17 digits begin with these too
  [3095, 3095, [14, 16, 19]],
  [3600, 3699, [14, 16, 19]],
  [3800, 3999, [14, 16, 19]],
  [3528, 3589, [16, 17, 18, 19]], // JCB
  [6011, 6011, LONG], // Discover
  [6440, 6599, LONG],
  [6200, 6299, [16, 17, 18, 19]], // UnionPay
  [8100, 8199, [16, 17, 18, 19]],
  [5018, 5018, MAESTRO],
  [5020, 5020, MAESTRO],
  [5038, 5038, MAESTRO],
  [5893, 5893, MAESTRO],
  [6304, 6304, MAESTRO],
  [6390, 6390, MAESTRO],
  [6759, 6763, MAESTRO],
  [5000, 5099, LONG], // Maestro, Elo, Verve, Dankort, RuPay
  [5600, 5899, LONG],
  [6300, 6399, LONG],
  [6700, 6799, LONG],
  [6000, 6099, [16]], // RuPay, Hipercard
  [8200, 8299, [16]],
  [2200, 2204, [16, 17, 18, 19]], // Mir
  [9792, 9792, [16]], // Troy
]

export const MIN_CARD_DIGITS = 13
const MAX_CARD_DIGITS = 19

/** For each first four digits, four bits each, a bit for every length: one look-up instead of a search. */
const ISSUED_LENGTHS = /* @__PURE__ */ issuedLengths()

function issuedLengths(): Uint8Array {
  const issued = new Uint8Array(0x10000)
  for (const [from, to, lengths] of ISSUER_RANGES)
    for (const length of lengths)
      for (let prefix = from; prefix <= to; prefix++) {
        const place = Number.parseInt(String(prefix), 16)
        issued[place] = (issued[place] ?? 0) | (1 << (length - MIN_CARD_DIGITS))
      }
  return issued
}

/**
 * The lengths of numbers that begin with these four digits, a bit for each; 0 where none begins so.
 * Each digit takes four bits.
 */
export const issuedLengthsOf = (prefix: number): number => (ISSUED_LENGTHS[prefix] ?? 0) << MIN_CARD_DIGITS

export function isCardNumber(text: string): boolean {
  const digits = Uint8Array.from(text, Number)
  const prefix = Number.parseInt(text.slice(0, 4), 16)
  const isIssued = text.length <= MAX_CARD_DIGITS && (issuedLengthsOf(prefix) & (1 << text.length)) !== 0
  return isIssued && passesLuhn(text) && !isElsewhere(digits)
}

/**
 * Visa issued its last numbers of 13 digits long ago, and two other things with 13 digits begin with 4 and
 * are common in orders: article numbers (EAN), which have a check digit of their own, and German and Austrian
 * mobile phone numbers written without the plus sign.
 */
export function isElsewhere(digits: Uint8Array): boolean {
  if (digits.length !== 13) return false
  const [first, second, third, fourth = 0] = digits
  const isMobile =
    first === 4 &&
    ((second === 9 && third === 1 && fourth >= 5 && fourth <= 7) ||
      (second === 3 && third === 6 && fourth >= 5))
  return isMobile || hasEanCheckDigit(digits)
}

function hasEanCheckDigit(digits: Uint8Array): boolean {
  const sum = digits.reduce((before, digit, place) => before + digit * (place % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === 0
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
