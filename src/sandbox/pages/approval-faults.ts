import type { FaultRequest } from '../helpers/control.ts'

/** A button that approves the payment and triggers a fault. */
export interface ApprovalFault {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly fault?: Pick<FaultRequest, 'step' | 'effect'>
  /** Variant of the approval. */
  readonly twist?: 'less' | 'dispute'
}

const notification = (effect: FaultRequest['effect'], label: string, description: string): ApprovalFault => ({
  name: effect,
  label,
  description,
  fault: { step: 'any', effect },
})

export const APPROVAL_FAULTS: readonly ApprovalFault[] = [
  notification(
    'notification-late',
    'Approve, notify 10 s late',
    'The browser is back long before the bank calls.',
  ),
  notification(
    'notification-duplicate',
    'Approve, notify three times',
    'The bank calls three times for each event.',
  ),
  notification('notification-never', 'Approve, never notify', 'Only the returning browser tells the shop.'),
  {
    name: 'never-returns',
    label: 'Approve, browser never returns',
    description: 'Only the bank’s notification tells the shop.',
  },
  {
    name: 'timeout',
    label: 'Approve, provider times out',
    description: 'The bank acts and does not answer. The shop waits, then finds out.',
    fault: { step: 'authorise', effect: 'reply-late' },
  },
  {
    name: 'amount-differs',
    label: 'Approve, amount differs',
    description: 'The bank approves 90 % only: less is captured, or capturing the whole is refused.',
    twist: 'less',
  },
  {
    name: 'then-dispute',
    label: 'Approve, then dispute',
    description: 'Captured → Disputed a minute later.',
    twist: 'dispute',
  },
]
