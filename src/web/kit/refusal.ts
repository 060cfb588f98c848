import { ApiError, type ErrorCode } from '../../base/errors.ts'
import type { OpenRequest } from './frame/request.ts'
import type { PageAnswer } from './request/answer.ts'

/** Why a command refused a form. */
export interface FormErrors {
  readonly status: number
  /** One sentence about the whole form. */
  readonly message: string
  /** How many fields are named. */
  readonly size: number
  /** The problem with one field, as the command names it: `settings.secretKey`. */
  of(field: string): string | undefined
  /** The same as a property of a field. `label` completes the sentence where the errors are sentences. */
  for(field: string, label?: string): { readonly error?: string }
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
    for: (field) => {
      const error = of(field)
      return error === undefined ? {} : { error }
    },
  }
}

export const NO_ERRORS: FormErrors = errorsByField(undefined)

/** Refusals of the request itself. No change of the form could help, so they have the error page. */
const FINAL = ['unauthorized', 'forbidden', 'not_found']

/**
 * Whether the person can correct it: invalid values, conflicts, limits, a missing or wrong one-time code, and
 * whatever names a field. Faults of the service and refusals of the request itself are not.
 */
const isCorrectable = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  error.status < 500 &&
  (error.extras.errors !== undefined || (error.status !== 401 && !FINAL.includes(error.code)))

/**
 * Runs the work of a form. What the person can correct shows the form again; all else is thrown on, except
 * for refusals with one of these codes, which this form has a text for.
 */
export async function retryForm(
  work: () => PageAnswer | Promise<PageAnswer>,
  again: (problem: ApiError) => PageAnswer | Promise<PageAnswer>,
  codes: readonly ErrorCode[] = [],
): Promise<PageAnswer> {
  try {
    return await work()
  } catch (error) {
    if (isCorrectable(error) || (error instanceof ApiError && codes.includes(error.code))) return again(error)
    throw error
  }
}

/** The status and the message of a refused form. There is none where fields have their own errors. */
export const refused = (problem: ApiError | undefined) => ({
  status: problem?.status ?? 200,
  flash:
    problem && errorsByField(problem).size === 0
      ? ({ kind: 'bad', text: problem.message } as const)
      : undefined,
})

/**
 * The errors of a refusal as sentences: messages that begin in the middle of one follow the label of their
 * field, and where fields are named, the whole form only asks to correct them.
 */
export function sentenceErrors(
  { texts }: Pick<OpenRequest, 'texts'>,
  problem: ApiError | undefined,
  inside?: string,
): FormErrors {
  const errors = errorsByField(problem, inside)
  const hasFields = problem?.code === 'invalid_request' && errors.size > 0
  return {
    ...errors,
    message: hasFields ? texts.frame.correct : errors.message,
    for: (field, label = '') => {
      const { error } = errors.for(field)
      if (error === undefined) return {}
      return { error: /^[a-z]/.test(error) ? `${label} ${error}.` : error }
    },
  }
}

/** Undefined for what does not exist. */
export async function ifFound<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}
