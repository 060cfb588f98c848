/**
 * A form that posts to the provider. Besides the payer's input it sends `back`, one of our URLs, and fields
 * that begin with `_`. The provider returns these fields unchanged, together with `token` or `problems`.
 * Decision 0060.
 */
export interface FieldsForm {
  readonly action: string
  readonly hidden: Readonly<Record<string, string>>
  /** Cards only: the accepted brands. */
  readonly brands?: readonly string[]
  /** Sandbox only: test values and their results. */
  readonly testValues?: readonly TestValue[]
}

export interface TestValue {
  /** Keyed by form field name. */
  readonly fields: Readonly<Record<string, string>>
  readonly label: string
  readonly description: string
}
