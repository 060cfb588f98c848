/** Who makes a change: recorded in the audit log, without what it may give and has proved. */
export interface Actor {
  /** `service`: what it does by itself, such as closing an exception of settlements. */
  readonly kind: 'person' | 'key' | 'operator' | 'service'
  /** The id of the person or the API key; `operator` for the operator. */
  readonly id: string
  /** An e-mail address, or the name of the key. */
  readonly name: string
  readonly address: string
  readonly requestId: string
  /** The scopes that it may give to an API key; null: all of them and full access. Absent: none. */
  readonly grants?: readonly string[] | null
  /** Whether it has a permission beside that of the route, for things of which each kind has its own. */
  readonly may?: (permission: string) => boolean
  /** For a person: whether the proof of the last five minutes had a code of the second factor. */
  readonly code?: 'given' | 'missing' | 'not-enrolled'
}
