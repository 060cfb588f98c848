/** A table of texts, the same on the pages of the service and in docs/reference/. Backticks mark code. */
export interface Sheet {
  readonly title: string
  readonly description?: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** The built-in provider's values to type, with an introduction. */
export interface TestValues {
  readonly description: string
  readonly sheets: readonly Sheet[]
}

export const code = (text: string | number): string => `\`${text}\``
