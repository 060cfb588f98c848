import type { Static, TSchema } from 'typebox'
import { invalid } from '../../base/errors.ts'
import { createCheck } from '../../http/validate.ts'

/** The body that a form stands for, checked like the body of an API request. Throws 400 with the fields. */
export function checked<S extends TSchema>(schema: S, body: unknown): Static<S> {
  const errors = createCheck(schema)(body)
  if (errors.length > 0) throw invalid(errors)
  return body as Static<S>
}
