import type { Dispute } from '../outcome.ts'
import type { DisputeReport, Movement } from './movement.ts'

interface Case {
  readonly dispute: Dispute
  /** Money was taken. */
  readonly isTaken: boolean
  /** The time to answer is over. */
  readonly isUndefended: boolean
}

/**
 * Pure: every dispute of a payment, as its reports leave it. A report under the id of the payment itself is
 * about the last dispute: not every account shows the id of the dispute in every event.
 */
export function disputesOf(
  reports: readonly Movement[],
  { payment, currency }: { readonly payment: string | undefined; readonly currency: string },
): readonly Dispute[] {
  const cases = new Map<string, Case>()
  const inOrder = reports.toSorted(
    (one, other) => one.time.getTime() - other.time.getTime() || stageOf(one) - stageOf(other),
  )
  for (const { id, dispute } of inOrder) {
    if (!dispute) continue
    const name = (id === payment ? [...cases.keys()].at(-1) : undefined) ?? id
    cases.set(name, following(cases.get(name), { ...dispute, id: name }, currency))
  }
  return [...cases.values()].map(({ dispute }) => dispute)
}

const STATES = ['open', 'won', 'lost']
const stageOf = ({ dispute }: Movement): number => dispute?.stage ?? STATES.indexOf(dispute?.state ?? '')

function following(before: Case | undefined, report: DisputeReport, currency: string): Case {
  const { state: reported, isAnnounced, stage: _stage, amount, ...details } = report
  const takes = reported !== 'same' && reported !== 'undefended' && !isAnnounced
  const isTaken = takes || (before?.isTaken ?? false)
  const isUndefended = reported === 'undefended' || (reported !== 'won' && (before?.isUndefended ?? false))
  const is = reported === 'same' || reported === 'undefended' ? (before?.dispute.state ?? 'open') : reported
  const isLost = is === 'open' && isTaken && isUndefended
  // Another currency cannot be compared with the payment.
  const isAmount = amount !== undefined && amount.minor > 0n && amount.currency === currency
  const dispute = {
    ...before?.dispute,
    ...details,
    state: isLost ? 'lost' : is,
    ...(isAmount ? { amount } : {}),
  } as const
  return { dispute, isTaken, isUndefended }
}
