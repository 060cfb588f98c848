import { blankIbans, createIdentifiers } from './identifiers.ts'
import { isElsewhere, MIN_CARD_DIGITS } from './number.ts'
import { hasDigits, plainCodes, unescapedCodes } from './plain.ts'
import { APART, DOT, LIST, longRunFrom, PLUS, readGroups, ring, window } from './runs.ts'

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
  for (const [start, end] of rangesIn(text, Number.POSITIVE_INFINITY).sort(byStart)) {
    if (end <= at) continue
    masked += start < at ? '' : text.slice(at, start) + mask
    at = end
  }
  return masked + text.slice(at)
}

const mayHoldCard = (text: string): boolean =>
  text.length >= MIN_CARD_DIGITS && hasDigits(text, MIN_CARD_DIGITS)

type Range = readonly [start: number, end: number]

const byStart = ([one, oneEnd]: Range, [other, otherEnd]: Range): number => one - other || oneEnd - otherEnd

/** A URL may hold the number with percent escapes, so such a text is searched as it is and unescaped. */
function rangesIn(text: string, most: number): Range[] {
  const codes = plainCodes(text)
  const clear = text.includes('%') ? unescapedCodes(codes) : undefined
  const found = cardsIn(text, codes, most)
  return clear && found.length < most ? [...found, ...cardsIn(text, clear, most)] : found
}

interface Search {
  readonly codes: Uint8Array
  readonly isIdentifier: (start: number, end: number) => boolean
  readonly found: Range[]
}

function cardsIn(text: string, codes: Uint8Array, most: number): Range[] {
  if (longRunFrom(codes, 0) < 0) return []
  blankIbans(text, codes)
  const search: Search = { codes, isIdentifier: createIdentifiers(codes), found: [] }
  // Any stretch of whole groups may be the number: an order number may stand right before it.
  readGroups(codes, (last, place, length) => {
    const first = window.group[ring(place - length)] ?? 0
    if (isCard(search, { first, last, length }))
      search.found.push([window.start[ring(first)] ?? 0, window.end[ring(last)] ?? 0])
    return search.found.length >= most
  })
  return apart(search.found)
}

/** Where numbers overlap, the one that begins first; of those that begin together, the shortest. */
function apart(found: Range[]): Range[] {
  let after = 0
  return found.sort(byStart).filter(([start, end]) => {
    const isNext = start >= after
    if (isNext) after = end
    return isNext
  })
}

/** E.164: an international phone number has no more. */
const PHONE_DIGITS = 15

interface Candidate {
  readonly first: number
  readonly last: number
  readonly length: number
}

/** Whether the digits of these groups, with the length and the check digit of a card number, are one. */
function isCard({ codes, isIdentifier }: Search, { first, last, length }: Candidate): boolean {
  const start = window.start[ring(first)] ?? 0
  const isPhone = window.gap[ring(first)] === APART && codes[start - 1] === PLUS
  if (isPhone && length <= PHONE_DIGITS) return false
  if (last > first && !isOneNumber(first, last)) return false
  if (length === MIN_CARD_DIGITS && isElsewhere(digitsOf(first, length))) return false
  return !isIdentifier(start, window.end[ring(last)] ?? 0)
}

/** Cards are written in groups of four and more digits; only the last group may be shorter. */
const CARD_GROUP = 4

/** Whether several groups are written like one number: nineteen at most. */
function isOneNumber(first: number, last: number): boolean {
  const kind = window.gap[ring(first + 1)] ?? APART
  const isShort = lengthOf(first) < CARD_GROUP
  // `48.85661400000001`: a coordinate or another measure.
  if (last === first + 1 && isShort && (kind === DOT || kind === LIST)) return false
  let isEven = kind !== LIST
  let isShaped = kind === DOT || !isFraction(first)
  for (let group = first + 1; group <= last && (isEven || isShaped); group++) {
    isShaped &&= lengthOf(group - 1) >= CARD_GROUP
    isEven &&= window.gap[ring(group)] === kind
  }
  return isEven || isShaped
}

/** The second half of a decimal number is not joined to what follows the number. */
const isFraction = (group: number): boolean =>
  window.gap[ring(group)] === DOT && lengthOf(group - 1) < CARD_GROUP

/** The length of a group that others follow. */
const lengthOf = (group: number): number =>
  (window.from[ring(group + 1)] ?? 0) - (window.from[ring(group)] ?? 0)

function digitsOf(first: number, length: number): Uint8Array {
  const start = window.from[ring(first)] ?? 0
  const own = new Uint8Array(length)
  for (let place = 0; place < length; place++) own[place] = window.digits[ring(start + place)] ?? 0
  return own
}
