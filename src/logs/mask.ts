import { maskCardNumbers } from '../base/cards/find.ts'
import { isPersonalName, isSecretName } from './names.ts'

/** What to hide beside card numbers and texts that look like keys. */
export interface Masking {
  /** More names of members that hold secrets, in lower case; `parent.name` for one place. */
  readonly names?: ReadonlySet<string>
  /** Texts that must not appear. */
  readonly secrets?: readonly string[]
  /** What else looks like a secret; with the flag `g`. */
  readonly pattern?: RegExp | undefined
  /** Hides e-mail addresses, names, telephone numbers and addresses too. */
  readonly isPersonal: boolean
}

export const MASK = '***'
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
  [/([?&][\w-]{0,40}(?:key|token|secret|signature|password|code|otp)[\w-]{0,40}=)[^&#\s"]+/gi, `$1${MASK}`],
  // Links to the customer panel and to a payment: both let in who has them.
  [/\/(p|c)\/[\w.~-]{24,}/g, `/$1/${MASK}`],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{0,4096}/g, MASK],
  [/-----BEGIN [A-Z ]{1,40}-----[^-]{0,16384}/g, MASK],
]

/** Matches every text that a pattern above could match: negative for nearly every text. */
const SUSPICIOUS = /(?:sk|rk|pk|whsec|lc|tok)_|bearer|basic|\/\/|[?&]|\/[pc]\/|eyJ|-----/i

/** The sign may be percent-encoded, in a URL. */
const EMAIL = /[\w.+-]{1,64}(?:@|%40)[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/gi

/** The text without card numbers, secrets and, where asked for, e-mail addresses. */
export function maskedText(text: string, { secrets = [], pattern, isPersonal }: Masking): string {
  let masked = text
  for (const secret of secrets)
    if (secret.length >= SHORTEST_SECRET && masked.includes(secret)) masked = masked.replaceAll(secret, MASK)
  masked = maskCardNumbers(masked, CARD_MASK)
  if (SUSPICIOUS.test(masked)) for (const [found, mask] of PATTERNS) masked = masked.replace(found, mask)
  if (pattern) masked = masked.replace(pattern, MASK)
  return isPersonal && /@|%40/.test(masked) ? masked.replace(EMAIL, MASK) : masked
}

/** A text that PostgreSQL can store. */
export const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed()

interface Writer {
  text: string
  isCut: boolean
  readonly most: number
  readonly masking: Masking
}

/** JSON of at most about `most` characters: what is beyond is left out, and the result is still JSON. */
export function maskedJson(value: unknown, masking: Masking, most: number): string {
  const writer: Writer = { text: '', isCut: false, most, masking }
  write(writer, value, { name: '', isHidden: false, depth: 0 })
  return writer.text
}

interface Place {
  /** Of the member that holds the value, in lower case. */
  readonly name: string
  readonly isHidden: boolean
  readonly depth: number
}

function write(writer: Writer, value: unknown, place: Place): void {
  if (typeof value !== 'object' || value === null) writer.text += leafJson(writer, value, place)
  else if (place.depth >= DEPTH) writer.text += JSON.stringify(CUT)
  else if (Array.isArray(value)) writeArray(writer, value, place)
  else writeObject(writer, value as Record<string, unknown>, place)
}

function leafJson(writer: Writer, value: unknown, { isHidden }: Place): string {
  if (typeof value === 'boolean') return String(value)
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return 'null'
  if (isHidden) return value === '' ? '""' : `"${MASK}"`
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

function writeArray(writer: Writer, items: readonly unknown[], place: Place): void {
  writer.text += '['
  for (let index = 0; index < items.length && !writer.isCut; index++) {
    if (index > 0) writer.text += ','
    if (isFull(writer)) {
      writer.isCut = true
      writer.text += JSON.stringify(CUT)
    } else write(writer, items[index], { ...place, depth: place.depth + 1 })
  }
  writer.text += ']'
}

function writeObject(writer: Writer, members: Readonly<Record<string, unknown>>, place: Place): void {
  writer.text += '{'
  let isFirst = true
  for (const name of Object.keys(members)) {
    if (writer.isCut) break
    const value = members[name]
    if (value === undefined) continue
    if (!isFirst) writer.text += ','
    isFirst = false
    if (isFull(writer)) {
      writer.isCut = true
      writer.text += `"${CUT}":"${CUT}"`
      break
    }
    writer.text += `${JSON.stringify(shownName(name, writer))}:`
    write(writer, value, memberPlace(writer, name.toLowerCase(), place))
  }
  writer.text += '}'
}

const LONG_NAME = 12
const MOST_NAME = 200

const shownName = (name: string, { masking }: Writer): string =>
  name.length < LONG_NAME ? name : shortened(name, MOST_NAME, masking)

function memberPlace({ masking }: Writer, name: string, { name: parent, isHidden, depth }: Place): Place {
  const isSecret = isSecretName(name) || masking.names?.has(name) || masking.names?.has(`${parent}.${name}`)
  const hides = isHidden || isSecret === true || (masking.isPersonal && isPersonalName(name))
  return { name, isHidden: hides, depth: depth + 1 }
}
