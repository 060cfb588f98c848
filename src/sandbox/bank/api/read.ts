import { isCurrency } from '../../../base/currencies.ts'
import { parseUrl } from '../../../base/text.ts'
import { SANDBOX_METHODS, type SandboxMethod } from '../../values/named.ts'
import { badRequest } from '../rules/refused.ts'

/** A JSON request body. The readers below throw a refusal that names the invalid field. */
export type Body = Readonly<Record<string, unknown>>

// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point.
const CONTROL = /[\u0000-\u001f\u007f]/

export function optionalText(body: Body, field: string, maxLength: number): string | undefined {
  const value = body[field]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string' || value.length > maxLength || CONTROL.test(value) || !value.isWellFormed())
    throw badRequest(`${field} must be a text of at most ${maxLength} characters.`)
  return value
}

export function text(body: Body, field: string, maxLength: number): string {
  const value = optionalText(body, field, maxLength)
  if (value === undefined) throw badRequest(`${field} is required.`)
  return value
}

export function oneOf<T extends string>(body: Body, field: string, values: readonly T[]): T {
  const value = body[field]
  const found = values.find((candidate) => candidate === value)
  if (!found) throw badRequest(`${field} must be one of: ${values.join(', ')}.`)
  return found
}

export function wholeNumber(body: Body, field: string, min: number, max: number): number {
  const value = body[field]
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min || value > max)
    throw badRequest(`${field} must be a whole number from ${min} to ${max}.`)
  return value
}

/** Minor units. The maximum is far below the largest integer that a double represents exactly. */
export const amount = (body: Body): number => wholeNumber(body, 'amount', 1, 99_999_999_999_999)

export function currency(body: Body): string {
  const code = text(body, 'currency', 3)
  if (!isCurrency(code)) throw badRequest('currency must be an active ISO 4217 code.')
  return code
}

export const method = (body: Body): SandboxMethod => oneOf(body, 'method', SANDBOX_METHODS)

export function section(body: Body, field: string): Body {
  const value = body[field]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : {}
}

export function httpUrl(body: Body, field: string): string | undefined {
  const value = optionalText(body, field, 2_048)
  if (value === undefined) return undefined
  if (!parseUrl(value) || !/^https?:/.test(value)) throw badRequest(`${field} must be an http(s) address.`)
  return value
}
