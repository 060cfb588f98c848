/**
 * Text reduced to what the search for card numbers looks at: an ASCII code for each character of the text, so
 * that places in it are places in the original. One pass, without patterns: the cost of a character does not
 * depend on the others.
 */

/** Replaces ignored characters: the second half of a digit, a zero-width space. */
export const FILLER = 0
const STAR = 42
const LETTER = 120
const ZERO = 48
const PERCENT = 37

/** Reading a text character by character is slower than copying it whole. */
const LONG_TEXT = 400

/** Whether the text may have this many digits of any script. A long text is not read for that. */
export function hasDigits(text: string, least: number): boolean {
  if (text.length > LONG_TEXT) return true
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > 127 ? isDigit(asciiAt(text, at, code)) : isDigit(code)) count++
    if (count === least) return true
  }
  return false
}

const asciiAt = (text: string, at: number, code: number): number =>
  asciiOf(isHighSurrogate(code) ? (text.codePointAt(at) ?? code) : code)

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

/** Digits, letters, spaces, dashes and dots of any script as ASCII. */
export function plainCodes(text: string): Uint8Array {
  // Copying and measuring a text whole is several times as fast as reading each of its characters.
  if (Buffer.byteLength(text) === text.length) {
    const codes = new Uint8Array(text.length)
    Buffer.from(codes.buffer).write(text, 'latin1')
    return codes
  }
  const wide = new Uint16Array(text.length)
  Buffer.from(wide.buffer).write(text, 'utf16le')
  return folded(wide)
}

function folded(wide: Uint16Array): Uint8Array {
  const codes = new Uint8Array(wide.length)
  for (let at = 0; at < wide.length; at++) {
    const code = wide[at] ?? 0
    if (code < 128) {
      codes[at] = code
      continue
    }
    const low = isHighSurrogate(code) ? (wide[at + 1] ?? 0) : 0
    const isPair = low >= 0xdc00 && low <= 0xdfff
    codes[at] = asciiOf(isPair ? (code - 0xd800) * 0x400 + low - 0xdc00 + 0x10000 : code)
    if (isPair) codes[++at] = FILLER
  }
  return codes
}

/** A copy with percent escapes as what they mean, each followed by fillers; undefined without any. */
export function unescapedCodes(plain: Uint8Array): Uint8Array | undefined {
  const codes = plain.slice()
  let found = false
  for (let at = 0; at < codes.length; at++) {
    const byte = codes[at] === PERCENT ? escapedByte(codes, at) : -1
    if (byte < 0) continue
    found = true
    const bytes = byte < 0x80 ? 1 : sequenceLength(byte)
    const point = bytes === 1 ? byte : sequencePoint(codes, at, bytes)
    const end = at + 3 * (point < 0 ? 1 : bytes)
    codes[at] = point < 0 ? STAR : point < 128 ? point : asciiOf(point)
    while (++at < end) codes[at] = FILLER
    at--
  }
  return found ? codes : undefined
}

/** The value of each hexadecimal digit; 255 for other characters. */
const HEX_VALUES = /* @__PURE__ */ Uint8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16)
  return Number.isNaN(value) ? 255 : value
})

/** The byte of the escape that starts here, or -1. */
function escapedByte(codes: Uint8Array, at: number): number {
  if (codes[at] !== PERCENT) return -1
  const high = HEX_VALUES[codes[at + 1] ?? 0] ?? 255
  const low = HEX_VALUES[codes[at + 2] ?? 0] ?? 255
  return (high | low) > 15 ? -1 : high * 16 + low
}

/** The bytes of the UTF-8 sequence that begins with this one; 0 for a byte that begins none. */
const sequenceLength = (byte: number): number =>
  byte >= 0xf0 && byte < 0xf5 ? 4 : byte >= 0xe0 && byte < 0xf0 ? 3 : byte >= 0xc2 && byte < 0xe0 ? 2 : 0

/** The code point of so many escapes, or -1. */
function sequencePoint(codes: Uint8Array, at: number, bytes: number): number {
  if (bytes === 0) return -1
  let point = escapedByte(codes, at) & (0xff >> (bytes + 1))
  for (let place = 1; place < bytes; place++) {
    const byte = escapedByte(codes, at + 3 * place)
    if (byte < 0x80 || byte > 0xbf) return -1
    point = point * 64 + (byte & 0x3f)
  }
  return point <= 0x10ffff ? point : -1
}

export const isDigit = (code: number): boolean => code >= ZERO && code <= 57

/** One more than the meaning of each code point, found when it is first met. */
const meanings = new Uint8Array(0x110000)

function asciiOf(point: number): number {
  const known = meanings[point] ?? 0
  if (known > 0) return known - 1
  const meaning = meaningOf(String.fromCodePoint(point))
  meanings[point] = meaning + 1
  return meaning
}

const KINDS: readonly (readonly [RegExp, number])[] = [
  [/\p{L}/u, LETTER],
  // Zero-width characters, variation selectors, combining marks.
  [/[\p{Cf}\p{M}]/u, FILLER],
  [/[\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/, 32],
  [/[\p{Pd}\u2043\u2212]/u, 45],
  [/[\u00b7\u2022\u2024\u2027\u2219\u22c5\u3002\u30fb\uff0e\uff61\uff65\u06d4]/, 46],
]

function meaningOf(char: string): number {
  if (/\p{N}/u.test(char)) return digitOf(char)
  return KINDS.find(([pattern]) => pattern.test(char))?.[1] ?? STAR
}

const DECIMAL = /\p{Nd}/u

/** A number of another script as one digit, or as a letter where it is none. */
function digitOf(char: string): number {
  if (DECIMAL.test(char)) return ZERO + decimalOf(char)
  const folded = char.normalize('NFKC')
  return /^\d$/.test(folded) ? folded.charCodeAt(0) : LETTER
}

/** Unicode keeps the ten digits of a script together and in order. */
function decimalOf(char: string): number {
  const code = char.codePointAt(0) ?? 0
  let zero = code
  while (DECIMAL.test(String.fromCodePoint(zero - 1))) zero--
  return (code - zero) % 10
}
