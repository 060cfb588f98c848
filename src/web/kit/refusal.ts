import { ApiError, type ErrorCode, type FieldError } from '../../base/errors.ts'
import type { OpenRequest } from './frame/request.ts'
import type { PageAnswer } from './request/answer.ts'
import { textNamed } from './texts/texts.ts'

/** Why a command refused a form. */
export interface FormErrors {
  readonly status: number
  /** One sentence about the whole form. */
  readonly message: string
  /** How many fields are named. */
  readonly size: number
  /** The problem with one field, as the command names it: `settings.secretKey`. */
  of(field: string): string | undefined
  /** The same as a property of a field, which tells it in the language of the page, with its label. */
  for(field: string): { readonly error?: FieldError }
}

/**
 * The errors of a refusal; none while the form was not refused. Errors inside a member count for its field:
 * `emails[2]`, and `branding.color` where `inside` is `branding.`.
 */
export function errorsByField(problem: ApiError | undefined, inside?: string): FormErrors {
  const errors = problem?.extras.errors ?? []
  const find = (name: string): FieldError | undefined =>
    errors.find(({ field }) => field === name || field.startsWith(`${name}[`))
  const errorOf = (field: string): FieldError | undefined =>
    find(field) ?? (inside === undefined ? undefined : find(inside + field))
  return {
    status: problem?.status ?? 200,
    message: problem?.message ?? '',
    size: errors.length,
    of: (field) => errorOf(field)?.message,
    for: (field) => {
      const error = errorOf(field)
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

/**
 * The sentence about a whole form in the language of the page. Details exist in English only, so pages in
 * other languages have a sentence for each code.
 */
export function refusalText({ texts, language }: Pick<OpenRequest, 'texts' | 'language'>, problem: ApiError) {
  const isShown = language.intl === 'en' || problem.extras.isTranslated === true
  return isShown ? problem.message : (textNamed(texts.mistakes.refusals, problem.code) ?? problem.message)
}

/** The status and the message of a refused form. There is none where fields have their own errors. */
export const refused = (request: OpenRequest, problem: ApiError | undefined) => ({
  status: problem?.status ?? 200,
  flash:
    problem && errorsByField(problem).size === 0
      ? ({ kind: 'bad', text: refusalText(request, problem) } as const)
      : undefined,
})

/** The errors of a refusal. Where fields are named, the whole form only asks to correct them. */
export function sentenceErrors(
  request: Pick<OpenRequest, 'texts' | 'language'>,
  problem: ApiError | undefined,
  inside?: string,
): FormErrors {
  const errors = errorsByField(problem, inside)
  const hasFields = problem?.code === 'invalid_request' && errors.size > 0
  const message = problem ? refusalText(request, problem) : ''
  return { ...errors, message: hasFields ? request.texts.frame.correct : message }
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
