import { issuedLengthsOf, MIN_CARD_DIGITS } from './number.ts'
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

/** The same for a character that stands there alone, as most do: what `gapOf` returns. */
const KINDS_ALONE = /* @__PURE__ */ KINDS.map((kind, code) =>
  kind === LETTER ? APART : kind === OTHER ? code : kind,
)

/** A power of two. More than the digits of a card and of one group together. */
const SIZE = 64
const LAST = SIZE - 1
/** A group with so many digits cannot be part of a card; the rest of it is skipped. */
const MAX_READ = 20

const ints = () => new Int32Array(SIZE)

/**
 * The last groups of digits of a text that is read from left to right, and their digits. Groups and
 * digits are numbered through the text and kept in rings, because a text may have a group in every
 * second place. There is one for all texts: a search does not wait, so there is never a second one
 * under way.
 */
export const window = {
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
   * For each place two check sums of the digits before it, modulo 10: with the digits at odd places doubled,
   * times 16, and with those at even places doubled.
   */
  sums: new Uint8Array(SIZE),
  /** For the place of a group's first digit, the number of the group. */
  group: ints(),
  /** For each place, the lengths of card numbers that end before it by their first digits, a bit for each. */
  lengths: ints(),
} as const

/** The check sums after one more digit: by the parity of its place, the digit, and the sums before it. */
const ADDED = /* @__PURE__ */ Uint8Array.from({ length: 2 << 12 }, (_, index) => {
  const digit = (index >> 8) & 15
  const doubled = digit > 4 ? digit * 2 - 9 : digit * 2
  const [odd, even] = index >> 12 === 0 ? [digit, doubled] : [doubled, digit]
  return (((((index >> 4) & 15) + odd) % 10) << 4) | (((index & 15) + even) % 10)
})

export const ring = (index: number): number => index & LAST

/** Gets the number of the last group, the place after it and the count of digits. */
type Judge = (last: number, place: number, length: number) => boolean

/**
 * Reads all groups. A run is a row of groups that stand close enough together to be one number. Calls for a
 * judgement about each number with the first digits, the length and the check digit of a card. True ends the
 * search.
 */
export function readGroups(codes: Uint8Array, isLast: Judge): void {
  const { start, end, from, gap, digits, sums, group, lengths } = window
  let groups = 0
  let place = 0
  let after = 0
  let sum = 0
  /** The last four digits. */
  let first = 0
  /** Bit n: a group of this run begins n digits before this place. */
  let starts = 0
  sums[0] = 0
  lengths.fill(0)
  for (let at = 0; at < codes.length; at++) {
    if (!isDigit(codes[at] ?? 0)) continue
    const kind =
      groups === 0
        ? APART
        : at - after === 1
          ? (KINDS_ALONE[codes[after] ?? 0] ?? 0)
          : gapOf(codes, after, at)
    if (kind === APART) {
      starts = 0
      at = longRunFrom(codes, at)
      if (at < 0) return
    }
    start[groups & LAST] = at
    from[groups & LAST] = place
    gap[groups & LAST] = kind
    group[place & LAST] = groups
    starts |= 1
    const most = place + MAX_READ
    for (; at < codes.length; at++) {
      const code = codes[at] ?? 0
      if (code === FILLER) continue
      if (!isDigit(code)) break
      if (place === most) {
        at = afterDigits(codes, at)
        starts = 0
        break
      }
      const digit = code - 48
      sum = ADDED[((place & 1) << 12) | (digit << 8) | sum] ?? 0
      digits[place & LAST] = digit
      lengths[place & LAST] = 0
      place++
      sums[place & LAST] = sum
      first = ((first << 4) | digit) & 0xffff
      starts <<= 1
      if ((starts & 16) !== 0) expectEnds(place - 4, issuedLengthsOf(first))
    }
    end[groups & LAST] = after = at
    const ending = (lengths[place & LAST] ?? 0) & starts
    if (ending !== 0 && hasLast(ending, place, groups, isLast)) return
    groups++
  }
}

/** A stretch is checked by one comparison. The last digit counts once, the one before it twice, and so on. */
function hasLast(lengths: number, place: number, group: number, isLast: Judge): boolean {
  const { sums } = window
  const own = sums[place & LAST] ?? 0
  const mask = (place & 1) === 1 ? 0xf0 : 0x0f
  for (let left = lengths; left !== 0; left &= left - 1) {
    const length = 31 - Math.clz32(left & -left)
    const differing = own ^ (sums[(place - length) & LAST] ?? 0)
    if ((differing & mask) === 0 && isLast(group, place, length)) return true
  }
  return false
}

function expectEnds(place: number, issued: number): void {
  const { lengths } = window
  for (let left = issued; left !== 0; left &= left - 1) {
    const end = (place + 31 - Math.clz32(left & -left)) & LAST
    lengths[end] = (lengths[end] ?? 0) | (left & -left)
  }
}

/**
 * Where the first run at or after this place starts that has enough digits for a card number, or -1.
 * Reads the text until they are counted: most texts have no such run, and nothing else is to be done
 * with them.
 */
export function longRunFrom(codes: Uint8Array, from: number): number {
  let start = -1
  let digits = 0
  let gap = 0
  let hasPlus = false
  for (let at = from; at < codes.length; at++) {
    const code = codes[at] ?? 0
    if (isDigit(code)) {
      if (digits === 0 || (hasPlus && gap > 1)) {
        start = at
        digits = 0
      }
      if (++digits === MIN_CARD_DIGITS) return start
      gap = 0
      hasPlus = false
    } else if (KINDS[code] === LETTER) digits = 0
    else if (code !== FILLER) {
      hasPlus ||= code === PLUS
      if (++gap > MAX_GAP) digits = 0
    }
  }
  return -1
}

function afterDigits(codes: Uint8Array, from: number): number {
  let at = from
  while (at < codes.length && (isDigit(codes[at] ?? 0) || codes[at] === FILLER)) at++
  return at
}

/** What stands between two groups. */
function gapOf(codes: Uint8Array, from: number, to: number): number {
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
