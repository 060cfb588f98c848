import { ApiError } from '../../base/errors.ts'
import type { OpenRequest } from './frame/request.ts'

/** Why a command refused a form. */
export interface FormErrors {
  readonly status: number
  /** One sentence about the whole form. */
  readonly message: string
  /** How many fields are named. */
  readonly size: number
  /** The problem with one field, as the command names it: `settings.secretKey`. */
  of(field: string): string | undefined
  /** The same as a property of `Field`. */
  at(field: string): { readonly error?: string }
}

/**
 * The errors of a refusal; none while the form was not refused. Errors inside a member count for its field:
 * `emails[2]`, and `branding.color` where `inside` is `branding.`.
 */
export function errorsByField(problem: ApiError | undefined, inside?: string): FormErrors {
  const errors = problem?.extras.errors ?? []
  const find = (name: string): string | undefined =>
    errors.find(({ field }) => field === name || field.startsWith(`${name}[`))?.message
  const of = (field: string): string | undefined =>
    find(field) ?? (inside === undefined ? undefined : find(inside + field))
  return {
    status: problem?.status ?? 200,
    message: problem?.message ?? '',
    size: errors.length,
    of,
    at: (field) => {
      const error = of(field)
      return error === undefined ? {} : { error }
    },
  }
}

export const NO_ERRORS: FormErrors = errorsByField(undefined)

/** Refusals that the person can correct are shown beside the form; all others are thrown on. */
export function readRefusal({ texts }: Pick<OpenRequest, 'texts'>, error: unknown): FormErrors {
  if (!(error instanceof ApiError) || error.status >= 500 || [401, 403, 404].includes(error.status))
    throw error
  const errors = errorsByField(error)
  return error.code === 'invalid_request' && errors.size > 0
    ? { ...errors, message: texts.frame.correct }
    : errors
}
