import { settleDispute } from './balance.ts'
import { type BookedDispute, type Draft, disputesOf } from './payment.ts'
import { bankNotFound, wrongState } from './refused.ts'

/** Texts in the explanation that decide a dispute at once. Other evidence leaves it under review. */
export const WINNING_EVIDENCE = 'winning_evidence'
export const LOSING_EVIDENCE = 'losing_evidence'

interface DisputeAnswer {
  readonly disputeId: string
  /** Absent: the merchant gives up. */
  readonly explanation?: string | undefined
}

/** The merchant answers an open dispute: with evidence, once and in time, or by accepting it. */
export function answerDispute(draft: Draft, { disputeId, explanation }: DisputeAnswer): void {
  const { payment, now } = draft
  const known = disputesOf(payment)
  const dispute = known.find(({ id }) => id === disputeId)
  if (!dispute) throw bankNotFound('dispute')
  if (!isAwaited(dispute, now)) throw wrongState('The dispute does not take an answer any more.')
  const state = explanation === undefined ? 'lost' : decided(explanation)
  const submissions = (dispute.submissions ?? 0) + (explanation === undefined ? 0 : 1)
  const changed = { ...dispute, state, submissions }
  if (state !== 'open') settleDispute(draft, changed)
  payment.disputes = known.map((one) => (one.id === disputeId ? changed : one))
  draft.events.push(state === 'open' ? 'dispute.answered' : 'dispute.closed')
}

/** Whether the bank still waits for the merchant. */
const isAwaited = ({ state, submissions = 0, evidenceDue }: BookedDispute, now: Date): boolean =>
  state === 'open' && submissions === 0 && (evidenceDue === undefined || evidenceDue > now.toISOString())

function decided(explanation: string): BookedDispute['state'] {
  if (explanation.includes(WINNING_EVIDENCE)) return 'won'
  return explanation.includes(LOSING_EVIDENCE) ? 'lost' : 'open'
}
