import { isDigit } from './plain.ts'

/** Identifiers that may look like card numbers. */
const DASH = 45
const SPACE = 32
const UNDERSCORE = 95

const isLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122
const isHexLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 102
const isHex = (code: number): boolean => isDigit(code) || isHexLetter(code)
const isWord = (code: number): boolean => isDigit(code) || isLetter(code) || code === UNDERSCORE

/** The shortest hash or object id. */
const LEAST_HASH = 24
const UUID_GROUPS = [8, 4, 4, 4, 12] as const
const UUID_LENGTH = 36

/** Part of the text. */
type Stretch = readonly [start: number, end: number]

/**
 * Tells whether a stretch of the text touches a UUID, a hash or an object id. Nothing is read before
 * the first question; then each word is read once, up to the end of the stretch, and what was found is
 * remembered.
 */
export function createIdentifiers(codes: Uint8Array): (start: number, end: number) => boolean {
  const found: Stretch[] = []
  let at = 0
  const readWord = (): void => {
    if (isUuid(codes, at)) found.push([at, at + UUID_LENGTH])
    const end = wordEnd(codes, at)
    if (isHash(codes, at, end)) found.push([at, end])
    at = end
  }
  return (start, end) => {
    for (; at < end; at++) if (isWord(codes[at] ?? 0)) readWord()
    for (let last = found.length - 1; last >= 0; last--) {
      const [from = 0, to = 0] = found[last] ?? []
      if (to <= start) return false
      if (from < end) return true
    }
    return false
  }
}

function wordEnd(codes: Uint8Array, start: number): number {
  let end = start
  while (end < codes.length && isWord(codes[end] ?? 0)) end++
  return end
}

/** About every third character of a hash is a letter. Far fewer: a word with a long number. */
function isHash(codes: Uint8Array, start: number, end: number): boolean {
  if (end - start < LEAST_HASH) return false
  let letters = 0
  for (let at = start; at < end; at++) {
    const code = codes[at] ?? 0
    if (isHexLetter(code)) letters++
    else if (!isDigit(code)) return false
  }
  return letters * 8 >= end - start
}

/** A word begins here; each group of the UUID is a word of its own. */
function isUuid(codes: Uint8Array, start: number): boolean {
  if (codes[start + 8] !== DASH) return false
  let at = start
  for (const length of UUID_GROUPS) {
    if (at > start && codes[at++] !== DASH) return false
    for (const end = at + length; at < end; at++) if (!isHex(codes[at] ?? 0)) return false
  }
  return !isWord(codes[at] ?? 0)
}

/** How long account numbers are, with the country and the check digits: ISO 13616. */
const IBAN_COUNTRIES =
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 ' +
  'EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 ' +
  'JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 ' +
  'NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 ' +
  'TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
/** By the two letters, five bits each, in capitals or not; 0 for other countries. */
const IBAN_LENGTHS = /* @__PURE__ */ ibanLengths()

function ibanLengths(): Uint8Array {
  const lengths = new Uint8Array(1 << 10)
  for (const entry of IBAN_COUNTRIES.split(' '))
    lengths[countryKey(entry.charCodeAt(0), entry.charCodeAt(1))] = Number(entry.slice(2))
  return lengths
}

function countryKey(first: number, second: number): number {
  return ((first & 31) << 5) | (second & 31)
}

/** The country and the check digits. */
const IBAN_START = /[A-Z]{2}\d{2}/i
const START_LENGTH = 4
/** Digits of the decimal number that it is: letters are two. */
const START_DIGITS = 6
const SHORTEST_IBAN = 15
const BLANK = 120

/** ISO 7064: the rest of the division by 97 is 1, with letters counted from 10 as two digits. */
const DIVISOR = 97
const NO_VALUE = 255
const VALUES = /* @__PURE__ */ Uint8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 36)
  return Number.isNaN(value) ? NO_VALUE : value
})
/** The rest after one more letter or digit: by the rest before, and its value in six bits. */
const NEXT_RESTS = /* @__PURE__ */ Uint8Array.from({ length: DIVISOR << 6 }, (_, index) => {
  const value = index & 63
  return ((index >> 6) * (value > 9 ? 100 : 10) + value) % DIVISOR
})
/** The powers of ten repeat after 96 of them. */
const POWERS = /* @__PURE__ */ powersOfTen()

function powersOfTen(): Uint8Array {
  const powers = new Uint8Array(DIVISOR - 1).fill(1)
  for (let power = 1; power < powers.length; power++)
    powers[power] = ((powers[power - 1] ?? 0) * 10) % DIVISOR
  return powers
}

/** A power of two, more than the longest account number. */
const SIZE = 64
const LAST = SIZE - 1
const ints = () => new Int32Array(SIZE)

/**
 * Account numbers that may have begun, in a text that is read from left to right. Its letters and
 * digits are numbered, and together they are one decimal number, known by its rest and its length. So
 * the rest of any part is known without reading it again.
 */
const begun = {
  /** By the number of the first letter: where it stands, and the rest of the four characters of the start. */
  at: ints(),
  start: ints(),
  /** The rest and the length of the decimal number up to the end of the start. */
  rest: ints(),
  digits: ints(),
  /** By the number after the last character: the lengths that end there, a bit for each from the shortest. */
  lengths: ints(),
} as const

/**
 * Replaces bank account numbers by letters: in groups of four they look like cards, and their check
 * digits tell them apart. A card number may follow without a space. One pass.
 */
export function blankIbans(text: string, codes: Uint8Array): void {
  if (!IBAN_START.test(text)) return
  const { lengths } = begun
  /** Letters and digits so far; where the last account number may end; the number up to here. */
  let [count, until, rest, digits] = [0, 0, 0, 0]
  for (let at = 0; at < codes.length; at++) {
    const value = VALUES[codes[at] ?? 0] ?? NO_VALUE
    if (value === NO_VALUE) {
      if (count < until && !joins(codes, at)) until = forget(count, until)
      continue
    }
    if (value > 9 && isDigit(codes[at + 2] ?? 0)) {
      const wanted = ibanLengthAt(codes, at)
      if (wanted > 0) until = Math.max(until, begin(codes, at, { count, wanted, rest, digits }))
    }
    if (count >= until) continue
    rest = NEXT_RESTS[(rest << 6) | value] ?? 0
    digits += value > 9 ? 2 : 1
    count++
    if (lengths[count & LAST] === 0) continue
    const from = ibanFrom(count, rest, digits)
    if (from >= 0) codes.fill(BLANK, from, at + 1)
  }
  forget(count, until)
}

/** One space or dash between the groups. */
const joins = (codes: Uint8Array, at: number): boolean =>
  (codes[at] === SPACE || codes[at] === DASH) && VALUES[codes[at + 1] ?? 0] !== NO_VALUE

/** None of those that began goes on. */
function forget(count: number, until: number): number {
  for (let end = count + 1; end <= until; end++) begun.lengths[end & LAST] = 0
  return count
}

/**
 * How long an account number is that starts here, with a letter and a digit after the next; 0 where
 * none does.
 */
function ibanLengthAt(codes: Uint8Array, at: number): number {
  if (!isDigit(codes[at + 3] ?? 0) || isWord(codes[at - 1] ?? 0) || !isLetter(codes[at + 1] ?? 0)) return 0
  return IBAN_LENGTHS[countryKey(codes[at] ?? 0, codes[at + 1] ?? 0)] ?? 0
}

interface Beginning {
  readonly count: number
  readonly wanted: number
  readonly rest: number
  readonly digits: number
}

/** Returns the number of the letter or digit after its last one. */
function begin(codes: Uint8Array, at: number, { count, wanted, rest, digits }: Beginning): number {
  const own = count & LAST
  const end = (count + wanted) & LAST
  let [start, upTo] = [0, rest]
  for (let place = at; place < at + START_LENGTH; place++) {
    const value = VALUES[codes[place] ?? 0] ?? 0
    start = NEXT_RESTS[(start << 6) | value] ?? 0
    upTo = NEXT_RESTS[(upTo << 6) | value] ?? 0
  }
  begun.at[own] = at
  begun.start[own] = start
  begun.rest[own] = upTo
  begun.digits[own] = digits + START_DIGITS
  begun.lengths[end] = (begun.lengths[end] ?? 0) | (1 << (wanted - SHORTEST_IBAN))
  return count + wanted
}

/**
 * Where the first account number with right check digits starts that ends here, or -1. Others that
 * began inside of it do not count. One that began before it, and is longer, still may.
 */
function ibanFrom(end: number, rest: number, digits: number): number {
  let left = begun.lengths[end & LAST] ?? 0
  begun.lengths[end & LAST] = 0
  while (left !== 0) {
    const longest = 31 - Math.clz32(left)
    left ^= 1 << longest
    const start = end - longest - SHORTEST_IBAN
    const from = begun.at[start & LAST] ?? 0
    if (from < 0 || !isIban(start & LAST, rest, digits)) continue
    for (let inside = start + 1; inside < end; inside++) begun.at[inside & LAST] = -1
    return from
  }
  return -1
}

/** When it is divided, the start stands after the rest. */
function isIban(own: number, rest: number, digits: number): boolean {
  const more = digits - (begun.digits[own] ?? 0)
  const account = rest + DIVISOR * DIVISOR - (begun.rest[own] ?? 0) * (POWERS[more] ?? 0)
  return (account * (POWERS[START_DIGITS] ?? 0) + (begun.start[own] ?? 0)) % DIVISOR === 1
}
