import english from '../../../locales/en/console/fileProblems.json'

/**
 * What is wrong with a file of rows, or with one of its rows, as a code with its values. The API has the
 * English sentence; pages render it in their language. Decision 0155.
 */
export interface FileProblem {
  readonly code: FileProblemCode
  readonly values?: Readonly<Record<string, string | number>>
}

export type FileProblemCode = keyof FileProblemTexts
export type FileProblemTexts = typeof english

export const fileProblem = (code: FileProblemCode, values?: FileProblem['values']): FileProblem =>
  values === undefined ? { code } : { code, values }

/** Rows of before have an English sentence. */
export type StoredFileProblem = FileProblem | string

export function fileProblemIn(texts: FileProblemTexts, problem: StoredFileProblem): string {
  if (typeof problem === 'string') return problem
  const { code, values = {} } = problem
  const text: string | ((values: never) => string) = texts[code]
  return typeof text === 'string' ? text : text(values as never)
}

/** The sentence of the API. */
export const fileProblemText = (problem: StoredFileProblem): string => fileProblemIn(english, problem)
