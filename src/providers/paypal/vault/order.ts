import type { Handles, Snapshot } from '../../outcome.ts'
import { handlesOf } from '../snapshot.ts'
import type { PaypalOrder } from '../wire.ts'

/** Pure: orders that were opened for a stored wallet. */

/** The payer has nothing to approve: only our second request can pay such an order. */
export const storedHandles = (order: PaypalOrder): Handles => ({ ...handlesOf(order), wallet: 'stored' })

export const isStored = ({ wallet }: Handles): boolean => wallet === 'stored'

/**
 * While it is not paid, the wallet is approved and the second request did not arrive or was declined. If
 * PayPal has sent for the payer, the order is like one that the payer approves.
 */
export function seenAs(handles: Handles, snapshot: Snapshot): Snapshot {
  if (!isStored(handles)) return snapshot
  const { customerUrl: _link, ...rest } = snapshot
  const ids = { ...snapshot.handles, wallet: 'stored' }
  if (handles.acted !== undefined) return { ...snapshot, handles: { ...ids, acted: handles.acted } }
  return { ...rest, handles: ids, stage: rest.stage === 'needs-customer' ? 'approved' : rest.stage }
}

/** PayPal forgot the order before the second request arrived. */
export const NOT_CHARGED = {
  stage: 'declined',
  decline: { reason: 'processing-error', retry: 'later', raw: {} },
} as const
