import { maskCardNumbers } from '../base/cards/find.ts'
import { meaningOf, type NameMeaning } from './names.ts'

/** What to hide beside card numbers and texts that look like keys. */
export interface Masking {
  /** More names of members that hold secrets, in lower case; `parent.name` for one place. */
  readonly names?: ReadonlySet<string>
  /** Texts that must not appear. */
  readonly secrets?: readonly string[]
  /** What else looks like a secret; with the flag `g`. */
  readonly texts?: RegExp | undefined
  /** Hides e-mail addresses, names, telephone numbers and addresses too. */
  readonly isPersonal: boolean
}

export const MASK = '***'
const HIDDEN = `"${MASK}"`
const CARD_MASK = '[card number]'
const CUT = '…'
/** Read beyond the cut, so that a secret across it is masked as a whole. */
const MARGIN = 512
/** A provider may answer with any depth. */
const DEPTH = 40
/** No secret is shorter; shorter texts would mask parts of words. */
const SHORTEST_SECRET = 6

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\b(sk|rk|pk|whsec|lc|tok)_[A-Za-z0-9+/=_*.-]{4,}/g, `$1_${MASK}`],
  [/\b(bearer|basic) {1,4}[^\s"]{4,}/gi, `$1 ${MASK}`],
  [/\/\/[^/\s:@"]{1,200}:[^/\s@"]{1,200}@/g, `//${MASK}@`],
  // Links to the customer panel and to a payment: both let in who has them.
  [/\/(p|c)\/[\w.~-]{24,}/g, `/$1/${MASK}`],
  // A signed token: JSON in base64.
  [/\beyJ[\w.-]{16,}/g, MASK],
  [/-----BEGIN [\s\S]*/, MASK],
]

/** Matches every text that a pattern above could match: negative for nearly every text. */
const SUSPICIOUS = /(?:sk|rk|pk|whsec|lc|tok)_|bearer|basic|\/\/|[?&]|\/[pc]\/|eyJ|-----/i

/** The sign may be percent-encoded, in a URL. */
const AT = /@|%40/g
const OF_ADDRESS = /[\p{L}\p{N}.+_-]/u

/** Masks e-mail addresses. Without a pattern for the whole address, which would need quadratic time. */
function maskEmails(text: string): string {
  let masked = ''
  let done = 0
  for (const { index, 0: sign } of text.matchAll(AT)) {
    let start = index
    while (start > done && OF_ADDRESS.test(text[start - 1] ?? '')) start--
    let end = index + sign.length
    while (end < text.length && OF_ADDRESS.test(text[end] ?? '')) end++
    if (start === index || end === index + sign.length || index < done) continue
    masked += text.slice(done, start) + MASK
    done = end
  }
  return masked + text.slice(done)
}

/** A member of a query, in a URL. */
const QUERY_MEMBER = /([?&])([\w-]{1,80})=[^&#\s"]+/g

const maskQuery = (text: string): string =>
  text.replace(QUERY_MEMBER, (all, before: string, name: string) =>
    meaningOf(name).isSecret || /^(?:code|key|sig)$/i.test(name) ? `${before}${name}=${MASK}` : all,
  )

/** The text without card numbers, secrets and, where asked for, e-mail addresses. */
export function maskedText(text: string, { secrets = [], texts, isPersonal }: Masking): string {
  let masked = text
  for (const secret of secrets)
    if (secret.length >= SHORTEST_SECRET && masked.includes(secret)) masked = masked.replaceAll(secret, MASK)
  masked = maskCardNumbers(masked, CARD_MASK)
  if (masked.length >= SHORTEST_SECRET && SUSPICIOUS.test(masked)) {
    for (const [found, mask] of PATTERNS) masked = masked.replace(found, mask)
    masked = maskQuery(masked)
  }
  if (texts) masked = masked.replace(texts, MASK)
  return isPersonal ? maskEmails(masked) : masked
}

/** A text that PostgreSQL can store. */
export const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed()

interface Writer {
  text: string
  isCut: boolean
  depth: number
  readonly most: number
  readonly masking: Masking
}

/** JSON of at most about `most` characters: what is beyond is left out, and the result is still JSON. */
export function maskedJson(value: unknown, masking: Masking, most: number): string {
  const writer: Writer = { text: '', isCut: false, depth: 0, most, masking }
  write(writer, value, '', false)
  return writer.text
}

/** `name`: of the member that holds the value, in lower case. */
function write(writer: Writer, value: unknown, name: string, isHidden: boolean): void {
  if (typeof value !== 'object' || value === null) writer.text += leafJson(writer, value, isHidden)
  else if (writer.depth >= DEPTH) writer.text += JSON.stringify(CUT)
  else {
    writer.depth++
    if (Array.isArray(value)) writeArray(writer, value, name, isHidden)
    else writeObject(writer, value as Record<string, unknown>, name, isHidden)
    writer.depth--
  }
}

function leafJson(writer: Writer, value: unknown, isHidden: boolean): string {
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return 'null'
  if (isHidden) return value === '' ? '""' : HIDDEN
  if (typeof value !== 'string') return numberJson(value, writer.masking)
  const room = Math.max(0, writer.most - writer.text.length)
  return JSON.stringify(shortened(value, room, writer.masking))
}

/** Masks before it cuts, so that no part of a secret is left at the end. */
export function shortened(value: string, room: number, masking: Masking): string {
  if (value.length <= room) return maskedText(value, masking)
  const source = value.slice(0, room + MARGIN)
  const masked = maskedText(source, masking)
  const end = source.length < value.length ? masked.length - MARGIN : masked.length
  return `${masked.slice(0, Math.max(0, Math.min(room, end)))}${CUT}`
}

const SHORTEST_CARD = 1e11

function numberJson(value: number | bigint, masking: Masking): string {
  if (typeof value === 'number' && Math.abs(value) < SHORTEST_CARD) return JSON.stringify(value)
  if (typeof value === 'number' && !Number.isFinite(value)) return 'null'
  const text = String(value)
  const masked = maskedText(text, masking)
  return masked === text ? text : JSON.stringify(masked)
}

const isFull = ({ text, most }: Writer): boolean => text.length >= most

function writeArray(writer: Writer, items: readonly unknown[], name: string, isHidden: boolean): void {
  writer.text += '['
  for (let index = 0; index < items.length && !writer.isCut; index++) {
    if (index > 0) writer.text += ','
    if (isFull(writer)) {
      writer.isCut = true
      writer.text += JSON.stringify(CUT)
    } else write(writer, items[index], name, isHidden)
  }
  writer.text += ']'
}

function writeObject(
  writer: Writer,
  members: Readonly<Record<string, unknown>>,
  parent: string,
  isHidden: boolean,
): void {
  let before = '{'
  for (const name of Object.keys(members)) {
    if (writer.isCut) break
    const value = members[name]
    if (value === undefined) continue
    writer.text += before
    before = ','
    if (isFull(writer)) {
      writer.isCut = true
      writer.text += `"${CUT}":"${CUT}"`
      break
    }
    const meaning = meaningOf(name)
    writer.text += meaning.isOrdinary ? meaning.json : `${JSON.stringify(shownName(name, writer))}:`
    write(writer, value, meaning.lower, isHidden || hides(writer.masking, meaning, parent))
  }
  writer.text += before === '{' ? '{}' : '}'
}

const MAX_NAME = 200

const shownName = (name: string, { masking }: Writer): string => shortened(name, MAX_NAME, masking)

function hides({ names, isPersonal }: Masking, meaning: NameMeaning, parent: string): boolean {
  if (meaning.isSecret || (isPersonal && meaning.isPersonal)) return true
  return names !== undefined && (names.has(meaning.lower) || names.has(`${parent}.${meaning.lower}`))
}
