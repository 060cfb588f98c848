/**
 * Text reduced to what the search for card numbers looks at. The result has the same length, so that places
 * in it are places in the original.
 */

/** Replaces ignored characters: the second half of a digit, a zero-width space. */
const FILLER = '\0'

/** Digits, letters, spaces, dashes and dots of any script as ASCII; identifiers as letters. */
export function plainText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins there.
  const isAscii = !/[^\x00-\x7f]/.test(text)
  return blankIdentifiers(isAscii ? text : asciiOf(text))
}

const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [/[^\P{L}A-Za-z]+/gu, 'x'],
  // Zero-width characters, variation selectors, combining marks.
  [/[\p{Cf}\p{M}]+/gu, FILLER],
  [/[\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g, ' '],
  [/(?:[^\P{Pd}-]|[\u2043\u2212])+/gu, '-'],
  [/[\u00b7\u2022\u2024\u2027\u2219\u22c5\u3002\u30fb\uff0e\uff61\uff65\u06d4]+/g, '.'],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins there.
  [/[^\x00-\x7f]+/g, '*'],
]

function asciiOf(text: string): string {
  let plain = text.replace(/[^\P{N}0-9]/gu, (char) => asciiDigit(char).padEnd(char.length, FILLER))
  for (const [pattern, as] of FOREIGN) plain = plain.replace(pattern, (run) => as.repeat(run.length))
  return plain
}

const DECIMAL = /\p{Nd}/u
/** Filled as they are met; Unicode has fewer than two thousand. */
const digitOf = new Map<string, string>()

/** A number of another script as one digit, or as a letter where it is none. */
function asciiDigit(char: string): string {
  const known = digitOf.get(char)
  if (known !== undefined) return known
  const folded = char.normalize('NFKC')
  const digit = DECIMAL.test(char) ? decimalOf(char) : /^\d$/.test(folded) ? folded : 'x'
  digitOf.set(char, digit)
  return digit
}

/** Unicode keeps the ten digits of a script together and in order. */
function decimalOf(char: string): string {
  const code = char.codePointAt(0) ?? 0
  let zero = code
  while (DECIMAL.test(String.fromCodePoint(zero - 1))) zero--
  return String((code - zero) % 10)
}

/** Percent escapes as what they mean, followed by fillers. */
export const unescaped = (text: string): string =>
  text.includes('%')
    ? text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
        Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8').padEnd(escapes.length, FILLER),
      )
    : text

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi
/** Hashes and object ids. */
const HEX = /\b[0-9a-f]{24,}\b/gi

function blankIdentifiers(text: string): string {
  const blank = (identifier: string): string => 'x'.repeat(identifier.length)
  const readable = text.replace(UUID, blank).replace(HEX, (word) => (isHash(word) ? blank(word) : word))
  return blankIbans(readable)
}

/** About every third character of a hash is a letter. Far fewer: a word with a long number. */
const isHash = (word: string): boolean => word.replace(/\d/g, '').length * 8 >= word.length

/** How long account numbers are, with the country and the check digits: ISO 13616. */
const IBAN_LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 ' +
    'EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 ' +
    'JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 ' +
    'NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 ' +
    'TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

/** The country and the check digits. */
const IBAN_START = /\b[A-Z]{2}\d{2}/gi

/** Bank account numbers in groups of four look like cards; their check digits tell them apart. */
function blankIbans(text: string): string {
  let readable = ''
  let at = 0
  IBAN_START.lastIndex = 0
  for (let found = IBAN_START.exec(text); found; found = IBAN_START.exec(text)) {
    const end = ibanEnd(text, found.index)
    if (end === undefined) continue
    readable += text.slice(at, found.index) + 'x'.repeat(end - found.index)
    at = end
    IBAN_START.lastIndex = end
  }
  return at === 0 ? text : readable + text.slice(at)
}

/** The end of the IBAN with right check digits that starts here. Groups are joined by one space or dash. */
function ibanEnd(text: string, start: number): number | undefined {
  const wanted = IBAN_LENGTHS[text.slice(start, start + 2).toUpperCase()]
  if (wanted === undefined) return undefined
  let iban = ''
  let end = start
  for (; iban.length < wanted; end++) {
    const char = text[end] ?? ''
    if (/[0-9A-Z]/i.test(char)) iban += char
    else if ((char !== ' ' && char !== '-') || !/[0-9A-Z]/i.test(text[end + 1] ?? '')) return undefined
  }
  return hasRightCheckDigits(iban) ? end : undefined
}

/** ISO 7064: the rest of the division by 97 is 1, with letters counted from 10. */
function hasRightCheckDigits(iban: string): boolean {
  let rest = 0
  for (const char of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(char, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}
