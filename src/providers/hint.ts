import type { Movement } from './movements.ts'
import type { Handles } from './outcome.ts'

/** The payment that a notification reports a change of. It has `reference`, `lookup` or both. */
export interface Hint {
  /** Our reference of the attempt. Never a refund's key. */
  readonly reference?: string
  /** The provider's own id: the attempt of this profile whose handle `lookup` equals it. */
  readonly lookup?: string
  /**
   * Names only `lookup`, and reports what no later read may be due for: a refund or a dispute. While the id
   * is not known the notification is kept, for a day. Decision 0195.
   */
  readonly isKept?: true
  /** Further ids for the read, for example that of a refund. */
  readonly handles?: Handles
  /** What the notification says. It is kept for `retrieve`. Only with `retrieve: 'notification-only'`. */
  readonly movement?: Movement
  /** A stored method of this profile that was deleted at the provider. Alone, or beside the payment. */
  readonly removedToken?: string
  /** A stored card of this profile that the provider renewed. It is read. */
  readonly renewedToken?: string
  /** The reported stage. Only if the reply to our call has everything that a read returns: it is skipped. */
  readonly reportedStage?: 'authorised' | 'captured'
}
