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

/** A word of the text, remembered: it may be long and hold many numbers. */
interface Word {
  readonly end: number
  readonly isHash: boolean
}

/**
 * Tells whether a stretch of the text touches a UUID, a hash or an object id. Asked from left to right, and
 * only about stretches that look like card numbers. Takes a bounded number of steps for each, beside one pass
 * over the words.
 */
export function createIdentifiers(codes: Uint16Array): (start: number, end: number) => boolean {
  let word: Word = { end: 0, isHash: false }
  const touchesHash = (start: number, end: number): boolean => {
    for (let at = start; at < end; at++) {
      if (!isWord(codes[at] ?? 0)) continue
      if (at >= word.end) word = wordAt(codes, at)
      if (word.isHash) return true
      at = word.end
    }
    return false
  }
  return (start, end) => {
    if (touchesHash(start, end)) return true
    for (let at = Math.max(0, start - UUID_LENGTH); at < end; at++)
      if (!isWord(codes[at - 1] ?? 0) && isUuid(codes, at) && at + UUID_LENGTH > start) return true
    return false
  }
}

function wordAt(codes: Uint16Array, at: number): Word {
  let start = at
  while (start > 0 && isWord(codes[start - 1] ?? 0)) start--
  let end = start
  let letters = 0
  let isAllHex = true
  for (; end < codes.length && isWord(codes[end] ?? 0); end++) {
    const code = codes[end] ?? 0
    if (isHexLetter(code)) letters++
    else if (!isDigit(code)) isAllHex = false
  }
  const length = end - start
  // About every third character of a hash is a letter. Far fewer: a word with a long number.
  return { end, isHash: isAllHex && length >= LEAST_HASH && letters * 8 >= length }
}

/** A word begins here; each group of the UUID is a word of its own. */
function isUuid(codes: Uint16Array, start: number): boolean {
  let at = start
  for (const length of UUID_GROUPS) {
    if (at > start && codes[at++] !== DASH) return false
    for (const end = at + length; at < end; at++) if (!isHex(codes[at] ?? 0)) return false
  }
  return !isWord(codes[at] ?? 0)
}

/** How long account numbers are, with the country and the check digits: ISO 13616. */
const IBAN_LENGTHS: ReadonlyMap<number, number> = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 ' +
    'EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 ' +
    'JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 ' +
    'NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 ' +
    'TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [countryKey(entry.charCodeAt(0), entry.charCodeAt(1)), Number(entry.slice(2))]),
)

function countryKey(first: number, second: number): number {
  return (first | 32) * 128 + (second | 32)
}

/** The country and the check digits. */
const IBAN_START = /[A-Z]{2}\d{2}/i
const BLANK = 120

/**
 * Replaces bank account numbers by letters: in groups of four they look like cards, and their check
 * digits tell them apart. A card number may follow without a space. At most 66 steps for each word.
 */
export function blankIbans(text: string, codes: Uint16Array): void {
  if (!IBAN_START.test(text)) return
  for (let at = 0; at < codes.length; at++) {
    const after = isWord(codes[at - 1] ?? 0) ? -1 : ibanEnd(codes, at)
    if (after < 0) continue
    codes.fill(BLANK, at, after)
    at = after - 1
  }
}

/**
 * The end of the IBAN with right check digits that starts here, or -1. Groups are joined by one space or
 * dash.
 */
function ibanEnd(codes: Uint16Array, start: number): number {
  if (!isLetter(codes[start] ?? 0) || !isDigit(codes[start + 2] ?? 0) || !isDigit(codes[start + 3] ?? 0))
    return -1
  const wanted = IBAN_LENGTHS.get(countryKey(codes[start] ?? 0, codes[start + 1] ?? 0))
  if (wanted === undefined || !isLetter(codes[start + 1] ?? 0)) return -1
  let rest = 0
  let end = start + 4
  for (let length = 4; length < wanted; end++) {
    const code = codes[end] ?? 0
    if (isDigit(code) || isLetter(code)) {
      rest = addedRest(rest, code)
      length++
    } else if ((code !== SPACE && code !== DASH) || !isJoined(codes[end + 1] ?? 0)) return -1
  }
  for (let at = start; at < start + 4; at++) rest = addedRest(rest, codes[at] ?? 0)
  return rest === 1 ? end : -1
}

const isJoined = (code: number): boolean => isDigit(code) || isLetter(code)

/** ISO 7064: the rest of the division by 97 is 1, with letters counted from 10. */
function addedRest(rest: number, code: number): number {
  return isDigit(code) ? (rest * 10 + code - 48) % 97 : (rest * 100 + (code | 32) - 87) % 97
}
