import { FILLER, isDigit } from './plain.ts'

/** Not one number: too much, or a letter, stands between. */
export const APART = 0
/** Spaces of any kind and number. */
const SPACE = 1
/** Dashes of any kind, with spaces or without. */
const DASH = 2
/** Commas and the like: they separate the numbers of a list, too. */
export const LIST = 3
export const DOT = 46

const MAX_GAP = 3
const MINUS = 45
const LIST_MARKS = ',;:|"\'()[]{}'
export const PLUS = 43

const OTHER = 0
const LETTER = 4
/** What each ASCII character is between two groups. */
const KINDS = /* @__PURE__ */ kindsOfGaps()

function kindsOfGaps(): Uint8Array {
  const kinds = new Uint8Array(128)
  for (const code of [9, 10, 11, 12, 13, 32]) kinds[code] = SPACE
  for (let code = 97; code <= 122; code++) kinds[code] = kinds[code - 32] = LETTER
  for (const mark of LIST_MARKS) kinds[mark.charCodeAt(0)] = LIST
  kinds[MINUS] = DASH
  return kinds
}

/** A power of two. More than the digits of a card and of one group together. */
const SIZE = 64
const LAST = SIZE - 1
/** A group with so many digits cannot be part of a card; the rest of it is skipped. */
const MOST_READ = 20

/**
 * The last groups of digits of a text that is read from left to right, and their digits. Groups and
 * digits are
 * numbered through the text and kept in rings, because a text may have a group in every second place.
 * A run is
 * a row of groups that stand close enough together to be one number.
 */
export function createWindow() {
  const ints = () => new Int32Array(SIZE)
  return {
    groups: 0,
    places: 0,
    /** Where each group stands in the text. */
    start: ints(),
    end: ints(),
    /** The place of its first digit among all digits. */
    from: ints(),
    /**
     * What stands between a group and the one before: equal numbers are equal kinds. A run begins with
     * APART.
     */
    gap: ints(),
    digits: new Uint8Array(SIZE),
    /**
     * For each place two check sums of the digits before it, modulo 10: with the digits at odd places
     * doubled,
     * times 32, and with those at even places doubled.
     */
    sums: new Uint16Array(SIZE),
    /** For each place, the group that ends before it, counted from 1; 0 inside a group. */
    ending: ints(),
  }
}

export type DigitWindow = ReturnType<typeof createWindow>

export const ring = (index: number): number => index & LAST

/** Reads the group that starts here. Returns the place of the text after it. */
export function addGroup(window: DigitWindow, codes: Uint16Array, start: number, kind: number): number {
  const group = ring(window.groups)
  window.start[group] = start
  window.from[group] = window.places
  window.gap[group] = kind
  window.groups++
  let end = addDigits(window, codes, start)
  while (end < codes.length && (isDigit(codes[end] ?? 0) || codes[end] === FILLER)) end++
  window.end[group] = end
  window.ending[ring(window.places)] = window.groups
  return end
}

/** Returns the place of the text after those that were read. */
function addDigits(window: DigitWindow, codes: Uint16Array, start: number): number {
  const { digits, sums, ending, places } = window
  let place = places
  let sum = sums[ring(place)] ?? 0
  let at = start
  for (; at < codes.length && place < places + MOST_READ; at++) {
    const code = codes[at] ?? 0
    if (code === FILLER) continue
    if (!isDigit(code)) break
    const digit = code - 48
    const doubled = digit > 4 ? digit * 2 - 9 : digit * 2
    sum += (place & 1) === 0 ? digit * 32 + doubled : doubled * 32 + digit
    if ((sum & 31) > 9) sum -= 10
    if (sum >= 320) sum -= 320
    digits[ring(place++)] = digit
    sums[ring(place)] = sum
    ending[ring(place)] = 0
  }
  window.places = place
  return at
}

/** What stands between two groups. */
export function gapOf(codes: Uint16Array, from: number, to: number): number {
  let count = 0
  let exact = 0
  let hasPlus = false
  let kind = SPACE
  let isOther = false
  for (let at = from; at < to; at++) {
    const code = codes[at] ?? 0
    if (code === FILLER) continue
    const own = KINDS[code] ?? OTHER
    if (++count > MAX_GAP || own === LETTER) return APART
    hasPlus ||= code === PLUS
    exact = exact * 128 + code
    if (own === LIST || kind === LIST) kind = LIST
    else if (own === DASH) kind = DASH
    else if (own === OTHER) isOther = true
  }
  // A plus sign alone is a space of a query; anywhere else a phone number begins with it.
  if (hasPlus && count > 1) return APART
  return isOther && kind !== LIST ? exact : kind
}
