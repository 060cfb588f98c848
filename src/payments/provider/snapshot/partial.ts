import type { StepRefused } from '../../../providers/outcome.ts'
import type { PaymentEvent } from '../../changes/events.ts'
import type { Change } from '../../changes.ts'
import type { State } from '../../machine.ts'
import { type SnapshotContext, updatesFrom } from './context.ts'

// Pure: what a snapshot means that was made from notifications. They come in any order, and one may be lost.
// Facts that any provider tells late are here too.

/** The refusal of the open capture or cancellation. */
export const refusalOf = ({ operation, snapshot }: SnapshotContext): StepRefused | undefined =>
  snapshot.refused?.find(
    ({ step, operationKey }) => step === operation?.step && operationKey === operation.key,
  )

/** Money was given back or disputed, so the capture whose notification is missing was successful. */
export function impliedCapture({ operation, snapshot }: SnapshotContext): PaymentEvent | undefined {
  const { isPartial, refunded, disputes = [], isReturned, refused = [] } = snapshot
  const isFailed = refused.some(({ step }) => step === 'capture')
  const isTaken = refunded.minor > 0n || disputes.length > 0 || isReturned === true
  if (!isPartial || !isTaken || isFailed || operation?.step !== 'capture') return undefined
  return { on: 'captured', totalMinor: operation.amountMinor }
}

/** The fee, details of the card, or the stored method, that were reported after the money had moved. */
export function onLateFacts(context: SnapshotContext): Change | undefined {
  if (hasLateFee(context)) return { events: [], updates: updatesFrom(context) }
  const { payment, operation, snapshot, inputs } = context
  const isStored = inputs.stored !== undefined && payment.tokenId === null
  // Some providers store the method some seconds after the payment.
  if (isStored && operation === undefined && (PAID.has(payment.state) || RESERVED.has(payment.state)))
    return { events: [], updates: updatesFrom(context) }
  if (!snapshot.isPartial || payment.state === 'Created' || payment.state === 'Failed') return undefined
  const isCardNews = snapshot.facts.card !== undefined && payment.payInfo?.card === undefined
  return isStored || isCardNews ? { events: [], updates: updatesFrom(context) } : undefined
}

const PAID: ReadonlySet<State> = new Set<State>(['Captured', 'CapturedHold', 'Disputed', 'Refunded'])

const RESERVED: ReadonlySet<State> = new Set<State>(['Authorized', 'ProviderAuthorizedHold'])

/** Some providers know the fee only some time after the payment, and adjust it later. */
function hasLateFee({ payment, operation, snapshot }: SnapshotContext): boolean {
  const { fee } = snapshot.facts
  const isNew = fee?.currency === payment.currency && String(fee.minor) !== payment.payInfo?.feeMinor
  return isNew && operation === undefined && PAID.has(payment.state)
}
