/** Where the goods of a purchase go. */
export interface ShippingAddress {
  readonly name?: string
  readonly line1: string
  readonly line2?: string
  readonly city: string
  readonly state?: string
  readonly postalCode?: string
  /** ISO 3166-1, two letters. */
  readonly country: string
}
