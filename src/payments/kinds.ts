import type { EventName } from './machine.ts'

/**
 * What an event that enters a state is about. A state alone does not tell it: a payment is Captured when it
 * is captured, after a refund of a part, and when a dispute was won. Decision 0241.
 */
export const KINDS = {
  payment: 'it is made, paid, held, captured, cancelled or failed',
  refund: "a refund is asked for, done or refused, or the payer's bank returned a debit",
  dispute: 'a dispute was opened, changed or decided',
} as const

export type Kind = keyof typeof KINDS

const KIND_OF: Readonly<Record<EventName, Kind>> = {
  pay: 'payment',
  began: 'payment',
  approved: 'payment',
  authorized: 'payment',
  captured: 'payment',
  declined: 'payment',
  rejected: 'payment',
  capture: 'payment',
  captureRefused: 'payment',
  captureFailed: 'payment',
  cancel: 'payment',
  cancelled: 'payment',
  cancelRefused: 'payment',
  expired: 'payment',
  arrivedLate: 'payment',
  released: 'payment',
  unhold: 'payment',
  refund: 'refund',
  refunded: 'refund',
  refundRefused: 'refund',
  returned: 'refund',
  markRefunded: 'refund',
  disputed: 'dispute',
  disputeWon: 'dispute',
  disputeLost: 'dispute',
  markDisputed: 'dispute',
}

export const kindOf = (event: EventName): Kind => KIND_OF[event]
