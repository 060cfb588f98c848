const SPACES = /[\s\p{Cc}\p{Zl}\p{Zp}]+/gu

/** On one line: line breaks, tabs, control characters and repeated spaces become one space. */
export const folded = (text: string): string => text.replace(SPACES, ' ').trim()

/** Splits where a reader sees one character, so that no accent or half of an emoji is left over. */
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** The beginning of a text, of at most this many UTF-16 units; never ends within a visible character. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  // A cut within a character is only known from what follows it, so some of that is looked at, too.
  const beginning = text.slice(0, maxLength + LOOK_AHEAD)
  let end = 0
  for (const { index, segment } of graphemes.segment(beginning)) {
    if (index + segment.length > maxLength) break
    end = index + segment.length
  }
  return text.slice(0, end || codePointEnd(text, maxLength)).trimEnd()
}

const LOOK_AHEAD = 64

/** For a single visible character that is longer than the limit. */
const codePointEnd = (text: string, maxLength: number): number =>
  /[\ud800-\udbff]/.test(text[maxLength - 1] ?? '') ? maxLength - 1 : maxLength

/**
 * Undefined for what is not a URL. `URL.canParse` of Node 20 refuses URLs with letters such as ä once it is
 * compiled, so it is not used.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/** Spaces and control characters: the URL parser silently drops some of them. */
const NOT_IN_URLS = /[\s\p{Cc}]/u

/** Characters beyond ASCII are allowed, as in https://shop.example/zurück; a redirection encodes them. */
export function isWebUrl(value: string): boolean {
  if (!/^https?:\/\//i.test(value) || NOT_IN_URLS.test(value)) return false
  const url = parseUrl(value)
  return url !== undefined && url.username === '' && url.password === '' && url.hostname !== ''
}

/**
 * A host, with its port, of the characters that names and addresses have: browsers' parsers accept others.
 */
export const isPlainHost = (host: string): boolean => /^[a-z0-9.:[\]-]+$/.test(host)
