/** A table of words, the same on the pages of the service and in docs/reference/. Backticks mark code. */
export interface Sheet {
  readonly title: string
  readonly says?: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export const code = (text: string | number): string => `\`${text}\``
