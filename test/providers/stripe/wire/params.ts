import { broken } from './errors.ts'
import type { FormHash, FormValue } from './form.ts'

/** Schema of request parameters. Objects are closed at every depth. */
export type Param =
  | { readonly is: 'string'; readonly max: number; readonly pattern?: RegExp; readonly code?: string }
  | { readonly is: 'integer'; readonly min?: number; readonly max?: number }
  | { readonly is: 'boolean' }
  | { readonly is: 'enum'; readonly of: readonly string[] }
  | { readonly is: 'array'; readonly of: Param; readonly max: number }
  | { readonly is: 'hash'; readonly members: Members }
  | { readonly is: 'metadata' }
  | { readonly is: 'either'; readonly of: readonly Param[] }

export interface Members {
  readonly [name: string]: { readonly param: Param; readonly required?: boolean }
}

export const text = (max = 5_000, pattern?: RegExp, code?: string) => ({
  param: { is: 'string', max, ...(pattern ? { pattern } : {}), ...(code ? { code } : {}) } as Param,
})
export const integer = (min?: number, max?: number) => ({
  param: {
    is: 'integer',
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
  } as Param,
})
export const flag = { param: { is: 'boolean' } as Param }
export const oneOf = (...of: readonly string[]) => ({ param: { is: 'enum', of } as Param })
export const list = (of: { readonly param: Param }, max = 100) => ({
  param: { is: 'array', of: of.param, max } as Param,
})
export const hash = (members: Members) => ({ param: { is: 'hash', members } as Param })
export const metadata = { param: { is: 'metadata' } as Param }
export const either = (...of: readonly { readonly param: Param }[]) => ({
  param: { is: 'either', of: of.map(({ param }) => param) } as Param,
})
export const required = (member: { readonly param: Param }) => ({ ...member, required: true })

/** Checked and typed parameters. */
export type Typed = string | number | boolean | readonly Typed[] | TypedHash
export interface TypedHash {
  readonly [name: string]: Typed | undefined
}

export function checkMembers(members: Members, form: FormHash, where = ''): TypedHash {
  const typed: Record<string, Typed> = {}
  for (const [name, value] of Object.entries(form)) {
    const at = where ? `${where}[${name}]` : name
    const member = Object.hasOwn(members, name) ? members[name] : undefined
    if (!member) throw broken(`Received unknown parameter: ${at}`, 'parameter_unknown', at)
    typed[name] = checked(member.param, value, at)
  }
  for (const [name, member] of Object.entries(members)) {
    const at = where ? `${where}[${name}]` : name
    if (member.required && !(name in form))
      throw broken(`Missing required param: ${at}.`, 'parameter_missing', at)
  }
  return typed
}

function checked(param: Param, value: FormValue, at: string): Typed {
  switch (param.is) {
    case 'hash':
      if (typeof value === 'string' || Array.isArray(value)) throw broken(`Invalid object`, undefined, at)
      return checkMembers(param.members, value as FormHash, at)
    case 'array':
      if (!Array.isArray(value)) throw broken('Invalid array', undefined, at)
      if (value.length > param.max) throw broken('Array too long', undefined, at)
      return value.map((item: FormValue, index) => checked(param.of, item, `${at}[${index}]`))
    case 'metadata':
      return checkedMetadata(value, at)
    case 'either':
      return checkedEither(param.of, value, at)
    default:
      if (typeof value !== 'string') throw broken(`Invalid ${param.is}`, undefined, at)
      return scalar(param, value, at)
  }
}

function checkedEither(of: readonly Param[], value: FormValue, at: string): Typed {
  let last: unknown
  for (const param of of) {
    try {
      return checked(param, value, at)
    } catch (error) {
      last = error
    }
  }
  throw last
}

function scalar(param: Exclude<Param, { is: 'hash' | 'array' }>, value: string, at: string): Typed {
  if (value === '') throw broken(`You passed an empty string for '${at}'.`, 'parameter_invalid_empty', at)
  switch (param.is) {
    case 'integer': {
      if (!/^-?\d{1,15}$/.test(value))
        throw broken(`Invalid integer: ${value}`, 'parameter_invalid_integer', at)
      const number = Number(value)
      if (number < (param.min ?? -Infinity) || number > (param.max ?? Infinity))
        throw broken(`Invalid integer: ${value}`, 'parameter_invalid_integer', at)
      return number
    }
    case 'boolean':
      if (value !== 'true' && value !== 'false') throw broken(`Invalid boolean: ${value}`, undefined, at)
      return value === 'true'
    case 'enum':
      if (!param.of.includes(value))
        throw broken(`Invalid ${at}: must be one of ${param.of.join(', ')}`, undefined, at)
      return value
    case 'string':
      if (value.length > param.max)
        throw broken(
          `Invalid string; must be at most ${param.max} characters`,
          'parameter_invalid_string',
          at,
        )
      if (param.pattern && !param.pattern.test(value)) throw broken(`Invalid ${at}: ${value}`, param.code, at)
      return value
    default:
      throw new Error(`no scalar: ${param.is}`)
  }
}

function checkedMetadata(value: FormValue, at: string): Typed {
  if (typeof value === 'string' || Array.isArray(value)) throw broken('Invalid hash', undefined, at)
  const entries = Object.entries(value)
  if (entries.length > 50) throw broken('Metadata can have up to 50 keys', undefined, at)
  for (const [name, text] of entries) {
    if (typeof text !== 'string') throw broken('Metadata values must be strings', undefined, at)
    if (name.length > 40) throw broken('Metadata keys can have up to 40 characters', undefined, at)
    if (text.length > 500) throw broken('Metadata values can have up to 500 characters', undefined, at)
  }
  return value as TypedHash
}
