import type { Snapshot } from '../../../providers/outcome.ts'
import type { Change, PaymentUpdates } from '../../changes.ts'
import type { OperationRecord, OperationStatus, Payment } from '../../payment.ts'
import { adviceOf } from '../../retry/advice.ts'
import { mergeFacts, summary } from '../merge-facts.ts'
import { type OutcomeInputs, operationUpdate } from '../outcome/endings.ts'

/** The inputs of the decision about a snapshot. */
export interface SnapshotContext {
  readonly payment: Payment
  /** The open operation, if there is one. */
  readonly operation: OperationRecord | undefined
  readonly snapshot: Snapshot
  readonly inputs: OutcomeInputs
}

/** Ends the open operation by what the provider shows. A fact needs no lease. */
export function endOperation(
  { operation, snapshot, inputs }: SnapshotContext,
  status: OperationStatus,
): Pick<Change, 'operation'> {
  if (!operation) return {}
  const { stage, decline } = snapshot
  const outcome =
    status === 'declined' && decline
      ? summary('declined', { why: decline.reason, raw: decline.raw, advice: adviceOf(decline, inputs.now) })
      : summary('seen', { why: stage })
  return {
    operation: {
      ...operationUpdate(operation, status, outcome),
      leaseToken: null,
      handles: snapshot.handles,
    },
  }
}

export const updatesFrom = ({ payment, snapshot, inputs }: SnapshotContext): PaymentUpdates => ({
  ...mergeFacts(payment, snapshot),
  ...inputs.stored,
})
