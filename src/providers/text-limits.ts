/** Counted in UTF-16 code units, the strictest count that providers use. */
export interface TextLimits {
  readonly description: number
  /** Applies to the first name and the last name separately. */
  readonly name: number
  readonly email: number
  readonly phone: number
  readonly customerId: number
}
