import { isElsewhere, isIssued, MAX_CARD_DIGITS, MIN_CARD_DIGITS, mayBegin } from './number.ts'
import { plainText, unescaped } from './plain.ts'
import { DOT, type Group, LIST, type Run, runsIn } from './runs.ts'

/**
 * Finds card numbers in free text, so that they are refused before they are stored or logged. A number may be
 * written in groups with up to three characters between them that are neither letters nor digits, and in the
 * digits of any script. Takes time proportional to the text; no pattern here backtracks.
 */

/** Fast check: nearly every text has fewer than thirteen digits. */
export function hasCardNumber(text: string): boolean {
  return mayHoldCard(text) && rangesIn(text, 1).length > 0
}

/** The text with every card number in it replaced. */
export function maskCardNumbers(text: string, mask: string): string {
  if (!mayHoldCard(text)) return text
  let masked = ''
  let at = 0
  for (const [start, end] of rangesIn(text, Number.POSITIVE_INFINITY).sort(([one], [other]) => one - other)) {
    if (end <= at) continue
    masked += start < at ? '' : text.slice(at, start) + mask
    at = end
  }
  return masked + text.slice(at)
}

const WIDE_DIGIT = /[^\P{N}0-9]/u

function mayHoldCard(text: string): boolean {
  if (text.length < MIN_CARD_DIGITS) return false
  let digits = 0
  let isWide = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57) digits++
    else if (code > 127) isWide = true
  }
  return digits >= MIN_CARD_DIGITS || (isWide && WIDE_DIGIT.test(text))
}

type Range = readonly [start: number, end: number]

/** A URL may hold the number with percent escapes, so such a text is searched as it is and unescaped. */
function rangesIn(text: string, most: number): Range[] {
  const found = cardsIn(plainText(text), most)
  const clear = unescaped(text)
  return clear === text || found.length >= most ? found : [...found, ...cardsIn(plainText(clear), most)]
}

function cardsIn(plain: string, most: number): Range[] {
  const found: Range[] = []
  for (const run of runsIn(plain, MIN_CARD_DIGITS)) {
    if (found.length >= most) break
    cardsOf(run, found, most)
  }
  return found
}

/** The group with which a card number ends is found for each group with which one may begin. */
function cardsOf(run: Run, found: Range[], most: number): void {
  const { groups, digits } = run
  const sums = luhnSums(digits)
  for (let first = 0; first < groups.length && found.length < most; first++) {
    const last = lastOfCard(run, first, sums)
    if (last < 0) continue
    found.push([groups[first]?.start ?? 0, groups[last]?.end ?? 0])
    first = last
  }
}

/** Cards are written in groups of four and more digits; only the last group may be shorter. */
const CARD_GROUP = 4
/** E.164: an international phone number has no more. */
const PHONE_DIGITS = 15

/** Any stretch of whole groups may be the number: an order number may stand right before it. */
function lastOfCard({ groups, digits, isPhone }: Run, first: number, sums: Sums): number {
  const from = groups[first]?.from ?? 0
  const prefix = prefixAt(digits, from)
  if (!mayBegin(prefix)) return -1
  const kind = groups[first + 1]?.gap
  let isShaped = kind === DOT || !isFraction(groups, first)
  let isEven = kind !== LIST
  for (let last = first; last < groups.length; last++) {
    const group = groups[last] as Group
    const end = group.from + group.length
    if (end - from > MAX_CARD_DIGITS) break
    if (last > first) {
      isShaped &&= (groups[last - 1]?.length ?? 0) >= CARD_GROUP
      isEven &&= group.gap === kind
    }
    if (!isIssued(prefix, end - from) || !(last === first || isShaped || isEven) || !passes(sums, from, end))
      continue
    if (isPhone && first === 0 && end - from <= PHONE_DIGITS) continue
    if (last === first + 1 && isDecimal(groups[first] as Group, group)) continue
    if (!isElsewhere(digits.slice(from, end))) return last
  }
  return -1
}

/** The second half of a decimal number is not joined to what follows the number. */
const isFraction = (groups: readonly Group[], place: number): boolean =>
  groups[place]?.gap === DOT && (groups[place - 1]?.length ?? CARD_GROUP) < CARD_GROUP

/** `48.85661400000001`: a coordinate or another measure. */
const isDecimal = (whole: Group, { gap }: Group): boolean =>
  whole.length < CARD_GROUP && (gap === DOT || gap === LIST)

function prefixAt(digits: string, from: number): number {
  let prefix = 0
  for (let place = from; place < from + 4; place++) prefix = prefix * 10 + digits.charCodeAt(place) - 48
  return prefix
}

/**
 * For each place the check sum of the digits before it, modulo 10, with every second one doubled: counted
 * from the first digit, and from the second. So a stretch is checked by one subtraction.
 */
type Sums = readonly [Uint8Array, Uint8Array]

function luhnSums(digits: string): Sums {
  const sums: Sums = [new Uint8Array(digits.length + 1), new Uint8Array(digits.length + 1)]
  for (let place = 0; place < digits.length; place++) {
    const digit = digits.charCodeAt(place) - 48
    const doubled = digit > 4 ? digit * 2 - 9 : digit * 2
    const [even, odd] = place % 2 === 0 ? [digit, doubled] : [doubled, digit]
    sums[0][place + 1] = ((sums[0][place] ?? 0) + even) % 10
    sums[1][place + 1] = ((sums[1][place] ?? 0) + odd) % 10
  }
  return sums
}

/** The last digit counts once, the one before it twice, and so on. */
function passes(sums: Sums, from: number, end: number): boolean {
  const sum = end % 2 === 1 ? sums[0] : sums[1]
  return sum[end] === sum[from]
}
