import { MINUTE, SECOND } from '../../base/clock.ts'
import { currencyDigits } from '../../base/currencies.ts'
import type { DeclineReason } from '../../providers/outcome.ts'
import { type Behaviour, refusal, riskOf, SETTLES_MS } from './behaviour.ts'

/**
 * An amount that selects an outcome. It applies only to charges of stored methods, which have no page for
 * input, and only on profiles that enable it. `major` is in whole major units.
 */
export interface MagicAmount {
  readonly major: number
  readonly behaviour: Behaviour
  readonly description: string
}

const refuses = (major: number, reason: DeclineReason): MagicAmount => ({
  major,
  behaviour: { refuse: refusal(reason) },
  description: `Declined: ${reason}.`,
})

export const MAGIC_AMOUNTS: readonly MagicAmount[] = [
  refuses(2001, 'insufficient-funds'),
  refuses(2004, 'expired-card'),
  refuses(2010, 'incorrect-cvc'),
  refuses(2012, 'lost-card'),
  refuses(2013, 'stolen-card'),
  refuses(2014, 'suspected-fraud'),
  refuses(2038, 'generic'),
  refuses(3000, 'processing-error'),
  {
    major: 4001,
    behaviour: { pending: { ms: SETTLES_MS, waitsFor: 'provider' } },
    description: 'Pending, then approved.',
  },
  {
    major: 4002,
    behaviour: { pending: { ms: SETTLES_MS, waitsFor: 'provider', refuse: refusal('generic') } },
    description: 'Pending, then declined.',
  },
  { major: 5001, behaviour: { reply: 'reply-lost' }, description: 'The bank acts, its answer is lost.' },
  {
    major: 5002,
    behaviour: { reply: 'request-lost' },
    description: 'The request is lost before the bank acts.',
  },
  { major: 5003, behaviour: { reply: 'reply-late' }, description: 'The bank acts and answers after 60 s.' },
  {
    major: 5004,
    behaviour: { reply: 'http-500-after-acting' },
    description: 'The bank acts and answers HTTP 500.',
  },
  {
    major: 5005,
    behaviour: { reply: 'unreadable' },
    description: 'The bank acts, its answer is unreadable.',
  },
  {
    major: 6001,
    behaviour: { notification: 'notification-duplicate' },
    description: 'Each notification comes thrice.',
  },
  {
    major: 6002,
    behaviour: { notification: 'notification-reordered' },
    description: 'Notifications out of order.',
  },
  {
    major: 6003,
    behaviour: { notification: 'notification-late' },
    description: 'Notifications come 10 s late.',
  },
  { major: 6004, behaviour: { notification: 'notification-never' }, description: 'No notification at all.' },
  {
    major: 6005,
    behaviour: { notification: 'notification-forged' },
    description: 'A notification with a bad signature comes first.',
  },
  { major: 7001, behaviour: { windowMs: MINUTE }, description: 'The authorisation expires after 60 s.' },
  {
    major: 7002,
    behaviour: { capture: { pendingMs: 10 * SECOND } },
    description: 'The capture is pending for 10 s.',
  },
  { major: 7003, behaviour: { capture: 'fails' }, description: 'The capture fails.' },
  { major: 7004, behaviour: { voidTooLate: true }, description: 'A cancel fails: captured meanwhile.' },
  {
    major: 7005,
    behaviour: { refund: 'pending-then-failed' },
    description: 'Refunds are pending, then fail.',
  },
]

const BY_MAJOR = new Map(MAGIC_AMOUNTS.map((one) => [one.major, one.behaviour]))

/** The behaviour that this amount selects, or an empty one. */
export function amountBehaviour(minor: number, currency: string): Behaviour {
  const unit = 10 ** currencyDigits(currency)
  const major = minor / unit
  const exact = BY_MAJOR.get(major)
  if (exact) return exact
  if (major >= 2000 && major < 3000) return BY_MAJOR.get(Math.floor(major)) ?? { refuse: refusal('generic') }
  if (major >= 8000 && major <= 8100) return { risk: riskOf(Math.floor(major - 8000)) }
  return {}
}

/** The amounts, in minor units, that confirm a stored bank account. */
export const SMALL_AMOUNTS = [32, 45] as const
