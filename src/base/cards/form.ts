import { passesLuhn } from './number.ts'

/**
 * Card form rules: brands by their first digits, grouping of numbers, and validation of the input. Pure: the
 * browser and a provider's server use the same rules.
 */
export interface CardBrand {
  readonly name: string
  readonly begins: RegExp
  readonly lengths: readonly number[]
  /** A space follows these many digits. */
  readonly gaps: readonly number[]
  readonly codeDigits: 3 | 4
}

const FOURS = [4, 8, 12, 16]
const from = (least: number, most = 19): number[] =>
  Array.from({ length: most - least + 1 }, (_each, place) => least + place)

const brand = (name: string, begins: RegExp, lengths: readonly number[], more: Partial<CardBrand> = {}) => ({
  name,
  begins,
  lengths,
  gaps: FOURS,
  codeDigits: 3 as const,
  ...more,
})

/** The first that matches: where ranges touch, the narrower stands first. */
export const CARD_BRANDS: readonly CardBrand[] = [
  brand('Visa', /^4/, [13, 16, 19]),
  brand('Mastercard', /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]),
  brand('American Express', /^3[47]/, [15], { gaps: [4, 10], codeDigits: 4 }),
  brand('Discover', /^(6011|64[4-9]|65)/, from(16)),
  brand('Diners Club', /^3(0[0-5]|095|6|[89])/, from(14), { gaps: [4, 10] }),
  brand('JCB', /^35(2[89]|[3-8])/, from(16)),
  brand('UnionPay', /^(62|81)/, from(16)),
  brand('Maestro', /^(5[06-8]|6)/, from(12)),
]

const MAX_DIGITS = 19
const LEAST_DIGITS = 12
/** From here on the brand of a card is certain. */
const BRAND_DIGITS = 6

export const digitsOf = (text: string): string => text.replace(/\D/g, '')

export const cardBrandOf = (digits: string): CardBrand | undefined =>
  CARD_BRANDS.find(({ begins }) => begins.test(digits))

/** Grouped as on the card, never longer than a card of its brand. */
export function formatNumber(text: string): string {
  const known = cardBrandOf(digitsOf(text))
  const digits = digitsOf(text).slice(0, known?.lengths.at(-1) ?? MAX_DIGITS)
  // Diners numbers of sixteen digits are grouped by fours, like those of other brands.
  const gaps = known && known.gaps !== FOURS && digits.length > 15 ? FOURS : (known?.gaps ?? FOURS)
  let grouped = ''
  for (let place = 0; place < digits.length; place++)
    grouped += (gaps.includes(place) ? ' ' : '') + digits[place]
  return grouped
}

/** `4/29`, `0429`, `04 / 2029` → `04 / 29`; a month that can only be one digit gets its zero at once. */
export function formatExpiry(text: string): string {
  const whole = /^(\d{1,2})\s{0,4}[/.\-\s]\s{0,4}(?:20)?(\d{2})$/.exec(text.trim())
  if (whole) return `${(whole[1] ?? '').padStart(2, '0')} / ${whole[2]}`
  const typed = digitsOf(text)
  const alone = /^\s*[01]\s*\/$/.test(text)
  const digits = (/^[2-9]/.test(typed) || alone ? `0${typed}` : typed).slice(0, 6)
  if (digits.length < 2) return digits
  const year = digits.length === 6 ? digits.slice(4) : digits.slice(2, 4)
  return `${digits.slice(0, 2)} / ${year}`
}

export interface Expiry {
  readonly month: number
  readonly year: number
}

export function readExpiry(text: string): Expiry | undefined {
  const match = /^(\d{2}) \/ (\d{2})$/.exec(formatExpiry(text))
  const month = Number(match?.[1])
  return month >= 1 && month <= 12 ? { month, year: 2000 + Number(match?.[2]) } : undefined
}

/** The names of what can be wrong: also the keys of the words for it. */
export type NumberProblem = 'numberEmpty' | 'numberIncomplete' | 'numberWrong' | 'brandRefused'
export type ExpiryProblem = 'expiryEmpty' | 'expiryWrong' | 'expiryPast'
export type CodeProblem = 'codeEmpty' | 'codeWrong'
export type CardProblem = NumberProblem | ExpiryProblem | CodeProblem | 'nameEmpty'

export function checkNumber(text: string, accepted: readonly string[]): NumberProblem | undefined {
  const digits = digitsOf(text)
  if (digits === '') return 'numberEmpty'
  const known = cardBrandOf(digits)
  if (known && digits.length >= BRAND_DIGITS && !accepted.includes(known.name)) return 'brandRefused'
  const lengths = known?.lengths ?? from(LEAST_DIGITS)
  if (!lengths.includes(digits.length))
    return digits.length < (lengths.at(-1) ?? 0) ? 'numberIncomplete' : 'numberWrong'
  return passesLuhn(digits) ? undefined : 'numberWrong'
}

export function checkExpiry(text: string, now: Date): ExpiryProblem | undefined {
  if (digitsOf(text) === '') return 'expiryEmpty'
  const expiry = readExpiry(text)
  if (!expiry) return 'expiryWrong'
  // A card is good until the last day of its month, wherever on earth that ends last.
  const ends = Date.UTC(expiry.year, expiry.month, 1, 12)
  return ends <= now.getTime() ? 'expiryPast' : undefined
}

export function checkCode(text: string, number: string): CodeProblem | undefined {
  const digits = digitsOf(text)
  if (digits === '') return 'codeEmpty'
  const wanted = cardBrandOf(digitsOf(number))?.codeDigits
  return (wanted ? digits.length === wanted : /^\d{3,4}$/.test(digits)) ? undefined : 'codeWrong'
}

export const checkName = (text: string): 'nameEmpty' | undefined =>
  text.trim() === '' ? 'nameEmpty' : undefined

export interface TypedCard {
  readonly number: string
  readonly expiry: string
  readonly code: string
  readonly name: string
}

/** Everything that is wrong, in the order of the fields. */
export function checkCard(card: TypedCard, accepted: readonly string[], now: Date): CardProblem[] {
  const found = [
    checkNumber(card.number, accepted),
    checkExpiry(card.expiry, now),
    checkCode(card.code, card.number),
    checkName(card.name),
  ]
  return found.filter((problem) => problem !== undefined)
}
