/** Groups of digits that stand close enough together to be one number. */
export interface Run {
  readonly groups: readonly Group[]
  readonly digits: string
  /** A plus sign stands before it, as before an international phone number. */
  readonly isPhone: boolean
}

export interface Group {
  /** Place of its first digit among the digits of the run. */
  readonly from: number
  readonly length: number
  /** Where it stands in the text. */
  readonly start: number
  readonly end: number
  /** What stands between it and the group before: equal numbers are equal kinds. */
  readonly gap: number
}

/** Not one number: too much, or a letter, stands between. */
const APART = 0
/** Spaces of any kind and number. */
const SPACE = 1
/** Dashes of any kind, with spaces or without. */
const DASH = 2
/** Commas and the like: they separate the numbers of a list, too. */
export const LIST = 3
export const DOT = 46

const MAX_GAP = 3
const SPACES = new Set([9, 10, 11, 12, 13, 32])
const LIST_MARKS = new Set([...',;:|"\'()[]{}'].map((mark) => mark.charCodeAt(0)))
const PLUS = 43
const MINUS = 45

const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122)

/** The runs of a plain text that have at least this many digits. */
export function runsIn(plain: string, least: number): Run[] {
  const runs: Run[] = []
  let groups: Group[] = []
  let digits = ''
  const close = () => {
    const before = (groups[0]?.start ?? 0) - 1
    if (digits.length >= least) runs.push({ groups, digits, isPhone: plain.charCodeAt(before) === PLUS })
    groups = []
    digits = ''
  }
  for (let start = nextDigit(plain, 0), end = 0; start < plain.length; start = nextDigit(plain, end)) {
    const gap = groups.length === 0 ? APART : gapOf(plain, end, start)
    if (gap === APART) close()
    end = endOfDigits(plain, start)
    const own = withoutFillers(plain.slice(start, end))
    groups.push({ from: digits.length, length: own.length, start, end, gap })
    digits += own
  }
  close()
  return runs
}

function nextDigit(plain: string, from: number): number {
  let at = from
  while (at < plain.length && !isDigit(plain.charCodeAt(at))) at++
  return at
}

function endOfDigits(plain: string, from: number): number {
  let at = from
  while (at < plain.length && (isDigit(plain.charCodeAt(at)) || plain.charCodeAt(at) === 0)) at++
  return at
}

const withoutFillers = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '') : text)

function gapOf(plain: string, from: number, to: number): number {
  let count = 0
  let kind = SPACE
  let exact = 0
  for (let at = from; at < to; at++) {
    const code = plain.charCodeAt(at)
    if (code === 0) continue
    // A plus sign alone is a space of a query; anywhere else a phone number begins with it.
    if (++count > MAX_GAP || isLetter(code) || (code === PLUS && to - from > 1)) return APART
    exact = exact * 128 + code
    if (LIST_MARKS.has(code) || kind === LIST) kind = LIST
    else if (code === MINUS && kind <= DASH) kind = DASH
    else if (!SPACES.has(code)) kind = Number.POSITIVE_INFINITY
  }
  return kind === Number.POSITIVE_INFINITY ? exact : kind
}
