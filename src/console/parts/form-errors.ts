import { ApiError } from '../../base/errors.ts'
import type { OpenVisit } from '../frame/visit.ts'

/** Why a command refused a form. */
export interface FormErrors {
  readonly status: number
  /** One sentence about the whole form. */
  readonly message: string
  /** The problem with one field, as the command names it: `settings.secretKey`. */
  of(field: string): string | undefined
}

export const NO_ERRORS: FormErrors = { status: 200, message: '', of: () => undefined }

/** Refusals that the person can correct are shown beside the form; all others are thrown on. */
export function readRefusal({ texts }: Pick<OpenVisit, 'texts'>, error: unknown): FormErrors {
  if (!(error instanceof ApiError) || error.status >= 500 || [401, 403, 404].includes(error.status))
    throw error
  const errors = error.extras.errors ?? []
  return {
    status: error.status,
    message: error.code === 'invalid_request' && errors.length > 0 ? texts.frame.correct : error.message,
    of: (field) => errors.find((one) => one.field === field || one.field.startsWith(`${field}[`))?.message,
  }
}
