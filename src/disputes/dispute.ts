export type DisputeState = 'open' | 'won' | 'lost'
export type AnswerState = 'draft' | 'submitting' | 'submitted' | 'accepting' | 'accepted'

export interface ListedDispute {
  readonly paymentId: number
  /** The provider's, or `marked-…` for one that the merchant recorded. */
  readonly disputeId: string
  readonly state: DisputeState
  readonly amountMinor: bigint
  readonly currency: string
  readonly profileId: number | null
  /** The provider's code. */
  readonly reason: string | null
  readonly dueTime: Date | null
  readonly url: string | null
  readonly openedTime: Date
  readonly decidedTime: Date | null
  readonly referenceId: string
  readonly customerId: string
  /** What the merchant answered. */
  readonly answer: AnswerState | null
  readonly answeredBy: string | null
  readonly answeredTime: Date | null
}

/** Disputes of one state and currency. */
export interface DisputeTotal {
  readonly state: DisputeState
  readonly currency: string
  readonly count: number
  readonly sumMinor: bigint
}
