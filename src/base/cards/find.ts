import { blankIbans, createIdentifiers } from './identifiers.ts'
import { isElsewhere, issuedLengthsOf, MAX_CARD_DIGITS, MIN_CARD_DIGITS } from './number.ts'
import { hasDigits, isDigit, plainCodes, unescapedCodes } from './plain.ts'
import { APART, addGroup, createWindow, type DigitWindow, DOT, gapOf, LIST, PLUS, ring } from './runs.ts'

/**
 * Finds card numbers in free text, so that they are refused before they are stored or logged. A number may be
 * written in groups with up to three characters between them that are neither letters nor digits, and in the
 * digits of any script. Takes time proportional to the text: a fixed number of passes over arrays, and
 * for each group of digits at most seven look-ups, one for each length of a card number. Decision 0100.
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

const mayHoldCard = (text: string): boolean =>
  text.length >= MIN_CARD_DIGITS && hasDigits(text, MIN_CARD_DIGITS)

type Range = readonly [start: number, end: number]

/** A URL may hold the number with percent escapes, so such a text is searched as it is and unescaped. */
function rangesIn(text: string, most: number): Range[] {
  const found = cardsIn(text, plainCodes(text), most)
  if (found.length >= most) return found
  const clear = unescapedCodes(text)
  return clear ? [...found, ...cardsIn(text, clear, most)] : found
}

interface Search {
  readonly codes: Uint16Array
  readonly window: DigitWindow
  readonly isIdentifier: (start: number, end: number) => boolean
  readonly found: Range[]
  /** The next group to be judged. */
  first: number
}

function cardsIn(text: string, codes: Uint16Array, most: number): Range[] {
  blankIbans(text, codes)
  const window = createWindow()
  const found: Range[] = []
  const search: Search = { codes, window, isIdentifier: createIdentifiers(codes), found, first: 0 }
  /** The first place of the run. */
  let runFrom = 0
  let after = 0
  for (let at = 0; at < codes.length && found.length < most; at++) {
    if (!isDigit(codes[at] ?? 0)) continue
    const kind = window.groups === 0 ? APART : gapOf(codes, after, at)
    if (kind === APART) {
      endRun(search, runFrom)
      runFrom = window.places
    }
    at = after = addGroup(window, codes, at, kind)
    judge(search, window.places - MAX_CARD_DIGITS)
  }
  endRun(search, runFrom)
  return found
}

/** Nearly every run is too short for a card number. */
function endRun(search: Search, from: number): void {
  const { window } = search
  if (window.places - from >= MIN_CARD_DIGITS) judge(search, window.places)
  else search.first = window.groups
}

/**
 * Judges groups as the beginning of a card number, up to a place after which all digits of such a number are
 * known.
 */
function judge(search: Search, untilPlace: number): void {
  const { window } = search
  while (search.first < window.groups && (window.from[ring(search.first)] ?? 0) <= untilPlace) {
    const { first } = search
    const last = lastOfCard(search, first)
    if (last >= 0) search.found.push([window.start[ring(first)] ?? 0, window.end[ring(last)] ?? 0])
    search.first = Math.max(first, last) + 1
  }
}

/** E.164: an international phone number has no more. */
const PHONE_DIGITS = 15

/** Any stretch of whole groups may be the number: an order number may stand right before it. */
function lastOfCard(search: Search, first: number): number {
  const { window } = search
  const start = window.from[ring(first)] ?? 0
  for (let lengths = issuedLengthsOf(prefixAt(window, start)); lengths !== 0; lengths &= lengths - 1) {
    // The lowest bit.
    const length = 31 - Math.clz32(lengths & -lengths)
    const end = start + length
    if (end > window.places) return -1
    const last = (window.ending[ring(end)] ?? 0) - 1
    if (last >= 0 && passes(window, start, end) && isCard(search, first, { last, length })) return last
  }
  return -1
}

interface Candidate {
  readonly last: number
  readonly length: number
}

/** Whether the digits of these groups, with the length and the check digit of a card number, are one. */
function isCard(search: Search, first: number, { last, length }: Candidate): boolean {
  const { codes, window } = search
  const start = window.start[ring(first)] ?? 0
  const isPhone = window.gap[ring(first)] === APART && codes[start - 1] === PLUS
  if (isPhone && length <= PHONE_DIGITS) return false
  if (last > first && !isOneNumber(window, first, last)) return false
  if (isElsewhere(digitsOf(window, first, length))) return false
  return !search.isIdentifier(start, window.end[ring(last)] ?? 0)
}

/** Cards are written in groups of four and more digits; only the last group may be shorter. */
const CARD_GROUP = 4

/** Whether several groups are written like one number: nineteen at most. */
function isOneNumber(window: DigitWindow, first: number, last: number): boolean {
  const kind = window.gap[ring(first + 1)] ?? APART
  const isShort = lengthOf(window, first) < CARD_GROUP
  // `48.85661400000001`: a coordinate or another measure.
  if (last === first + 1 && isShort && (kind === DOT || kind === LIST)) return false
  let isEven = kind !== LIST
  let isShaped = kind === DOT || !isFraction(window, first)
  for (let group = first + 1; group <= last; group++) {
    isShaped &&= lengthOf(window, group - 1) >= CARD_GROUP
    isEven &&= window.gap[ring(group)] === kind
  }
  return isEven || isShaped
}

/** The second half of a decimal number is not joined to what follows the number. */
const isFraction = (window: DigitWindow, group: number): boolean =>
  window.gap[ring(group)] === DOT && lengthOf(window, group - 1) < CARD_GROUP

/** Of a group that others follow. */
const lengthOf = ({ from }: DigitWindow, group: number): number =>
  (from[ring(group + 1)] ?? 0) - (from[ring(group)] ?? 0)

function prefixAt({ digits }: DigitWindow, place: number): number {
  let prefix = 0
  for (let at = place; at < place + 4; at++) prefix = prefix * 10 + (digits[ring(at)] ?? 0)
  return prefix
}

function digitsOf({ digits, from }: DigitWindow, first: number, length: number): Uint8Array {
  const start = from[ring(first)] ?? 0
  const own = new Uint8Array(length)
  for (let place = 0; place < length; place++) own[place] = digits[ring(start + place)] ?? 0
  return own
}

/** A stretch is checked by one comparison. The last digit counts once, the one before it twice, and so on. */
function passes({ sums }: DigitWindow, from: number, end: number): boolean {
  const differing = (sums[ring(end)] ?? 0) ^ (sums[ring(from)] ?? 0)
  return end % 2 === 1 ? differing < 32 : (differing & 31) === 0
}
