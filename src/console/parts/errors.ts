import type { ApiError } from '../../base/errors.ts'

/** The errors of a refused form, for the fields that they are about. */
export interface FieldErrors {
  readonly size: number
  /** As a property of `Field`; the field's name is spoken before. */
  of(name: string): { readonly error?: string }
}

export function errorsByField(problem: ApiError | undefined): FieldErrors {
  const errors = new Map(problem?.extras.errors?.map(({ field, message }) => [field, message]))
  return {
    size: errors.size,
    of: (name) => {
      const message = errors.get(name)
      return message === undefined ? {} : { error: message }
    },
  }
}
