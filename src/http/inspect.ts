import { hasCardNumber } from '../base/cards/find.ts'
import { ApiError, wrongField } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'

/** Problems that are refused in every field of a request. Decision 0019. */
type Trouble = 'depth' | 'proto' | 'nul' | 'surrogate' | 'number' | 'card'

interface Finding {
  readonly trouble: Trouble
  /** Filled from the inside out while the walk returns. */
  readonly path: (string | number)[]
}

const SAYS: Readonly<Record<Trouble, string>> = {
  depth: `is nested deeper than ${LIMITS.jsonDepth} levels`,
  proto: 'must not be named __proto__',
  nul: 'must not contain the NUL character',
  surrogate: 'must be well-formed Unicode',
  number: 'must be a finite number',
  card: 'must not contain a card number',
}

/** Finds what is wrong with a text, or with a number. */
interface Look {
  text(text: string): Trouble | undefined
  number(value: number): Trouble | undefined
}

/** What no body may hold, in any member: cheap, whatever the length. */
const FORM: Look = { text: formTrouble, number: (value) => (Number.isFinite(value) ? undefined : 'number') }
const CARDS: Look = { text: (text) => (hasCardNumber(text) ? 'card' : undefined), number: numberTrouble }

/** Walks over a parsed body before it is validated. Throws an error that names the field. */
export function inspectBody(value: unknown): void {
  refuse(walk(FORM, value, 1), [])
}

/** Refuses card numbers anywhere in a value, names of members included. `path`: of the value. */
export function inspectCards(value: unknown, path: readonly (string | number)[]): void {
  refuse(walk(CARDS, value, 1), path)
}

function refuse(finding: Finding | undefined, path: readonly (string | number)[]): void {
  if (finding) throw refusal(finding.trouble, fieldName([...path, ...finding.path]) || 'body')
}

/** The same for one text: a path parameter, a query value, a header. */
export function inspectText(field: string, text: string): void {
  const trouble = formTrouble(text) ?? CARDS.text(text)
  if (trouble) throw refusal(trouble, field)
}

/** The depth limit prevents a stack overflow. */
function walk(look: Look, value: unknown, depth: number): Finding | undefined {
  if (typeof value === 'string') return found(look.text(value))
  if (typeof value === 'number') return found(look.number(value))
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > LIMITS.jsonDepth) return found('depth')
  return Array.isArray(value)
    ? walkArray(look, value, depth)
    : walkObject(look, value as Record<string, unknown>, depth)
}

function walkArray(look: Look, items: readonly unknown[], depth: number): Finding | undefined {
  for (let index = 0; index < items.length; index++) {
    const finding = walk(look, items[index], depth + 1)
    if (finding) return within(index, finding)
  }
  return undefined
}

function walkObject(
  look: Look,
  members: Readonly<Record<string, unknown>>,
  depth: number,
): Finding | undefined {
  for (const key of Object.keys(members)) {
    const trouble = key === '__proto__' ? 'proto' : look.text(key)
    // The key itself is invalid and must not be repeated in the answer, so its parent is named.
    if (trouble) return found(trouble)
    const finding = walk(look, members[key], depth + 1)
    if (finding) return within(key, finding)
  }
  return undefined
}

function within(key: string | number, finding: Finding): Finding {
  finding.path.unshift(key)
  return finding
}

const found = (trouble: Trouble | undefined): Finding | undefined => trouble && { trouble, path: [] }

function formTrouble(text: string): Trouble | undefined {
  if (text.includes('\0')) return 'nul'
  return text.isWellFormed() ? undefined : 'surrogate'
}

const SHORTEST_CARD = 1e12
const LONGEST_CARD = 1e19

/** Only the integer part is checked: computed numbers have many fractional digits. */
function numberTrouble(value: number): Trouble | undefined {
  const whole = Math.trunc(Math.abs(value))
  if (whole < SHORTEST_CARD || whole > LONGEST_CARD) return undefined
  return hasCardNumber(BigInt(whole).toString()) ? 'card' : undefined
}

function refusal(trouble: Trouble, field: string): ApiError {
  const code = trouble === 'card' ? 'card_number_not_allowed' : 'malformed_request'
  const error = wrongField(field, SAYS[trouble])
  return new ApiError(code, error.message, { errors: [error] })
}

/** `customerOrder.items[3].name` */
export function fieldName(path: readonly (string | number)[]): string {
  let name = ''
  for (const part of path) name += typeof part === 'number' ? `[${part}]` : name === '' ? part : `.${part}`
  return name
}
