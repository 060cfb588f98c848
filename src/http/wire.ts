import Type, { type TSchema } from 'typebox'
import { LIMITS } from '../base/limits.ts'
import { isWebUrl } from '../base/text.ts'
import { parseInstant } from '../base/time/instant.ts'

// Schemas shared by many requests. `expected` names the expected value in `base/mistakes.ts`.

/** Absent and null mean the same: generated clients send every member, unset ones as null. */
export const maybe = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], description === undefined ? {} : { description }))

/** Free text, which may be empty. */
export const text = (maxLength: number, options: object = {}) => Type.String({ maxLength, ...options })

/** Text that names something: at least one character. */
export const name = (maxLength: number, options: object = {}) =>
  Type.String({ minLength: 1, maxLength, ...options })

export const MoneyInput = Type.Union([Type.Number(), Type.String({ pattern: '^\\d{1,15}(\\.\\d{1,4})?$' })], {
  expected: 'amount',
  description: 'Decimal in major units, as a number or as a string.',
  examples: [25.5, '25.50'],
})

export const IdInput = Type.Union(
  [Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.String({ pattern: '^\\d{1,16}$' })],
  {
    expected: 'integer',
    description: 'An integer, also accepted as a numeric string.',
    examples: [10001],
  },
)

/** Parses an id; undefined when it is not a valid one. */
export function readId(value: number | string): number | undefined {
  const id = typeof value === 'number' ? value : /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN
  return Number.isSafeInteger(id) && id >= 0 ? id : undefined
}

/** A boolean in a query. */
export const BooleanText = Type.Union([Type.Literal('true'), Type.Literal('false')], {
  expected: 'boolean',
})

export const readBoolean = (value: 'true' | 'false' | undefined): boolean | undefined =>
  value === undefined ? undefined : value === 'true'

/** A whole number in a query. */
export const countText = (expected: string) => Type.String({ pattern: '^[1-9]\\d{0,8}$', expected })

export const Instant = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, with milliseconds.' })

export const InstantInput = Type.Refine(
  Type.String({
    maxLength: 40,
    expected: 'an ISO 8601 instant with its offset, such as 2030-01-31T12:00:00Z',
  }),
  (value) => parseInstant(value) !== undefined,
)

export const readInstant = parseInstant

const URL_EXPECTED = { code: 'url', values: { most: LIMITS.urlLength } }

export const UrlInput = Type.Refine(
  Type.String({
    maxLength: LIMITS.urlLength,
    expected: URL_EXPECTED,
  }),
  (value) => isWebUrl(value),
)

/** Empty text means none: forms send it for a field left blank. */
export const UrlOrNothing = Type.Union([Type.Literal(''), UrlInput], {
  expected: URL_EXPECTED,
})

/** A member of a PATCH: plain, or wrapped as `{ "value": … }`, which alone can clear it. */
export const patchOf = <Schema extends TSchema>(schema: Schema) =>
  Type.Optional(
    Type.Union([
      schema,
      Type.Null(),
      Type.Object({ value: Type.Optional(Type.Union([schema, Type.Null()])) }),
    ]),
  )

type Patch<Value> = Value | null | undefined | { value?: Value | null | undefined }

/** Undefined: leave it as it is. Null: clear it. */
export function readPatch<Value extends string | number | boolean | readonly unknown[]>(
  patch: Patch<Value>,
): Value | null | undefined {
  if (patch === undefined || patch === null) return undefined
  if (typeof patch !== 'object' || Array.isArray(patch)) return patch as Value
  return (patch as { value?: Value | null }).value
}
