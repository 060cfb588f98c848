/** Who makes a change: recorded in the audit log. */
export interface Actor {
  readonly kind: 'person' | 'key' | 'operator'
  /** The id of the person or the API key; `operator` for the operator. */
  readonly id: string
  /** An e-mail address, or the name of the key. */
  readonly name: string
  readonly address: string
  readonly requestId: string
}
