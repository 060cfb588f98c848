/** An address of the payer, or where the goods go. */
export interface PostalAddress {
  readonly name?: string
  readonly line1: string
  readonly line2?: string
  readonly city: string
  readonly state?: string
  readonly postalCode?: string
  /** ISO 3166-1, two letters. */
  readonly country: string
}

/** What the pages of providers get to know of the payer and the shop beside the purchase. */
export interface KnownPayer {
  /** The payer's language in the form of BCP 47, such as `de` or `de-AT`. */
  readonly locale?: string
  /** The payer's country by ISO 3166-1, two letters. */
  readonly country?: string
  /** Addresses are present only if complete: at least a line, a city and a country. */
  readonly billing?: PostalAddress
  /** Where the goods go. */
  readonly shipping?: PostalAddress
  /** The name of the shop, for pages that show one. */
  readonly brand?: string
  /** For the payer's bank statement, in the merchant's words. */
  readonly statement?: string
}
