import type { Snapshot } from '../../../providers/outcome.ts'
import type { Undo, UndoResult } from './store.ts'

/** Pure: the next step to undo an abandoned attempt, from the provider's snapshot. */
export type UndoStep =
  | { readonly kind: 'done'; readonly result: UndoResult }
  | { readonly kind: 'cancel'; readonly result: 'closed' | 'voided' }
  | { readonly kind: 'refund'; readonly amountMinor: bigint }
  /** The provider is still processing, or refused to cancel; a later snapshot decides. */
  | { readonly kind: 'wait' }
  /** The payer's bank has the money while it decides; a much later snapshot decides. */
  | { readonly kind: 'disputed' }
  /** The provider refuses to give the money back: an operator must act. */
  | { readonly kind: 'refused' }

export interface Undoing {
  /** Key of our own refund. */
  readonly refundKey: string
  /** Key of our own cancellation. */
  readonly cancelKey: string
  readonly canRefund: boolean
  /** The outcome of the last step. */
  readonly last: Undo['outcome']
}

export function undoStep(snapshot: Snapshot, undoing: Undoing): UndoStep {
  const step = nextStep(snapshot, undoing)
  // Accepted: a notification tells the result. The provider may have forgotten the key by now.
  const isAccepted = snapshot.isPartial && undoing.last?.kind === 'pending' && undoing.last.step === step.kind
  return isAccepted ? { kind: 'wait' } : step
}

/** The provider refused to cancel; the same key would be refused again. */
const wasRefused = ({ refused = [] }: Snapshot, { last, cancelKey }: Undoing): boolean =>
  (last?.kind === 'declined' && last.step === 'cancel') ||
  refused.some(({ step, operationKey }) => step === 'cancel' && operationKey === cancelKey)

function nextStep(snapshot: Snapshot, undoing: Undoing): UndoStep {
  const { refundKey, canRefund } = undoing
  const cancelRefused = wasRefused(snapshot, undoing)
  switch (snapshot.stage) {
    case 'declined':
    case 'expired':
    case 'cancelled':
      if (hasTaken(snapshot)) return refundStep(snapshot, refundKey, canRefund)
      return { kind: 'done', result: snapshot.stage === 'cancelled' ? 'closed' : 'nothing' }
    case 'in-review':
      return { kind: 'wait' }
    case 'processing':
      // What cannot be refunded later can only be stopped before it is done.
      return canRefund || cancelRefused ? { kind: 'wait' } : { kind: 'cancel', result: 'voided' }
    case 'needs-customer':
    case 'approved':
      return cancelRefused ? { kind: 'wait' } : { kind: 'cancel', result: 'closed' }
    case 'authorised':
      return cancelRefused ? { kind: 'wait' } : { kind: 'cancel', result: 'voided' }
    case 'captured':
      if (snapshot.isReturned) return { kind: 'done', result: 'refunded' }
      return refundStep(snapshot, refundKey, canRefund)
  }
}

function refundStep(snapshot: Snapshot, refundKey: string, canRefund: boolean): UndoStep {
  const { captured, refunded, refunds, disputes = [] } = snapshot
  const ours = refunds.find(({ operationKey }) => operationKey === refundKey)
  if (ours?.state === 'pending') return { kind: 'wait' }
  if (ours?.state === 'failed') return { kind: 'refused' }
  // The merchant has begun refunds at the provider, and the customer may still have to claim them.
  const begun = refunds
    .filter(({ state }) => state === 'pending')
    .reduce((sum, one) => sum + one.amount.minor, 0n)
  const left = captured.minor - refunded.minor - lostMinor(snapshot) - begun
  if (left <= 0n) return begun > 0n ? { kind: 'wait' } : { kind: 'done', result: 'refunded' }
  if (disputes.some(({ state, isRefundable }) => state === 'open' && !isRefundable))
    return { kind: 'disputed' }
  return canRefund ? { kind: 'refund', amountMinor: left } : { kind: 'refused' }
}

/** Whether the provider took money that the payer's bank did not take back, whatever the stage is. */
const hasTaken = ({ captured, isReturned }: Snapshot): boolean => captured.minor > 0n && !isReturned

/** What lost disputes took back. */
const lostMinor = ({ captured, disputes = [] }: Snapshot): bigint =>
  disputes
    .filter(({ state }) => state === 'lost')
    .reduce((sum, { amount }) => sum + (amount?.minor ?? captured.minor), 0n)

/** Whether the provider holds or took money that the payment does not count. */
export const holdsMoney = (snapshot: Snapshot): boolean =>
  snapshot.stage === 'authorised' ||
  (hasTaken(snapshot) && snapshot.captured.minor > snapshot.refunded.minor + lostMinor(snapshot))

/** The attempt ended with a part of the amount: the part does not pay for anything and must be undone. */
export const isUnderpaid = (snapshot: Snapshot): boolean =>
  (snapshot.stage === 'declined' || snapshot.stage === 'expired' || snapshot.stage === 'cancelled') &&
  holdsMoney(snapshot)
