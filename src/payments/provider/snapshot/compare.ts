import type { Hint } from '../../../providers/hint.ts'
import type { RefundSeen, Snapshot } from '../../../providers/outcome.ts'
import type { State } from '../../machine.ts'
import type { OperationRecord, Payment } from '../../payment.ts'
import type { OutcomeInputs } from '../outcome/endings.ts'
import { isRelease } from '../outcome/retries.ts'
import type { SnapshotContext } from './context.ts'
import { hasDisputeNews, returnedMinor } from './disputes.ts'

// Pure: what a snapshot or a notification says, compared with what is known.

/** The refund of this operation. */
export const isOurs = (refund: RefundSeen, operation: OperationRecord | undefined): boolean =>
  refund.operationKey !== undefined && refund.operationKey === operation?.key

/**
 * Whether the provider reports something that the state of the payment cannot take yet. The report must be
 * processed again, because the provider does not repeat it.
 */
export function isBehind(
  payment: Payment,
  snapshot: Snapshot,
  { stored }: Pick<OutcomeInputs, 'stored'> = {},
): boolean {
  const { state, refundedMinor, tokenId } = payment
  if (stored && tokenId === null && MOVES.has(state)) return true
  const { isReturned = false } = snapshot
  if (!TAKES_NEWS.has(state)) return false
  return isReturned || hasDisputeNews(payment, snapshot) || returnedMinor(snapshot, payment) > refundedMinor
}

/** A step is open: what else is reported is taken over after it. */
const MOVES: ReadonlySet<State> = new Set<State>(['Capturing', 'Cancelling', 'Refunding'])

/** The states of money that was taken and is not all given back. */
const TAKES_NEWS: ReadonlySet<State> = new Set<State>([
  ...(['Captured', 'CapturedHold', 'Disputed', 'Refunding', 'Cancelling'] as const),
])

/** The customer was sent to the provider's page once more and has agreed there: the step is sent again. */
const hasActed = ({
  payment,
  operation,
  snapshot,
}: Pick<SnapshotContext, 'payment' | 'operation' | 'snapshot'>) =>
  (operation?.step === 'resume' || operation?.step === 'charge') &&
  operation.status === 'waiting' &&
  payment.redirectUrl !== null &&
  snapshot.stage === 'approved'

/** Whether the provider never received the operation, so that it must be sent again with the same key. */
export function wasNotReceived({ payment, operation, snapshot }: SnapshotContext): boolean {
  if (hasActed({ payment, operation, snapshot })) return true
  if (operation?.status !== 'open') return false
  switch (operation.step) {
    case 'capture':
      return snapshot.stage === 'authorised'
    case 'cancel':
      return ['authorised', 'needs-customer', 'approved'].includes(snapshot.stage)
    case 'resume':
      return (
        snapshot.stage === 'approved' || (isRelease({ payment, operation }) && snapshot.review === 'open')
      )
    case 'refund':
      return !snapshot.refunds.some((refund) => isOurs(refund, operation))
    case 'charge':
      // The ids are saved, and the request that takes the money did not arrive.
      return snapshot.stage === 'approved'
    case 'start':
      return false
  }
}

/**
 * Whether the payment already reflects the notification. A notification about a failed payment is always
 * followed: the provider may hold money.
 */
export function isAlreadyKnown(
  { state }: Payment,
  reportedStage: NonNullable<Hint['reportedStage']>,
): boolean {
  switch (state) {
    case 'Captured':
    case 'CapturedHold':
    case 'Refunding':
    case 'Refunded':
    case 'Disputed':
      return true
    case 'Authorized':
    case 'ProviderAuthorizedHold':
    case 'Capturing':
    case 'Cancelling':
      return reportedStage === 'authorised'
    case 'Created':
    case 'Authorizing':
    case 'SaleInProgress':
    case 'Approved':
    case 'Failed':
      return false
  }
}
