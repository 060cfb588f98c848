import { describe, expect, it } from 'vitest'
import { FAILOVER_CAUSES } from '../../merchants/routing-config.ts'
import {
  DECLINE_REASONS,
  type DeclineReason,
  type Outcome,
  type RetryAdvice,
} from '../../providers/outcome.ts'
import { declinedBy, isLeftToSender, mayFailOver } from './failover-rules.ts'

const STORED = { hasInstrument: false }
const TYPED = { hasInstrument: true }
const declined = (reason: string, retry: RetryAdvice = 'later') =>
  ({ kind: 'declined', reason, retry, raw: {} }) as Outcome

describe('another profile is tried', () => {
  it.each(['not-sent', 'rate-limited', 'bad-credentials', 'unsupported'])('after not-done: %s', (why) => {
    const outcome = { kind: 'not-done', why } as Outcome
    expect(mayFailOver(outcome, STORED)).toBe(true)
    expect(mayFailOver(outcome, TYPED)).toBe(true)
  })

  it.each(['bad-request', 'not-found', 'wrong-state'])(
    'not after not-done by an internal error: %s',
    (why) => {
      expect(mayFailOver({ kind: 'not-done', why } as Outcome, STORED)).toBe(false)
    },
  )

  it('after soft technical declines only, and not with a one-time card token', () => {
    const soft = DECLINE_REASONS.filter((reason) => mayFailOver(declined(reason), STORED))
    expect(soft).toEqual([
      'card-not-supported',
      'currency-not-supported',
      'issuer-unavailable',
      'processing-error',
    ])
    for (const reason of DECLINE_REASONS) expect(mayFailOver(declined(reason), TYPED)).toBe(false)
    expect(mayFailOver(declined('processing-error', 'never'), STORED)).toBe(false)
  })

  it.each(['card-not-supported', 'currency-not-supported'])(
    'after %s, also if it must never be repeated with this provider',
    (reason) => {
      expect(mayFailOver(declined(reason, 'never'), STORED)).toBe(true)
      expect(mayFailOver(declined(reason, 'never'), TYPED)).toBe(false)
    },
  )

  it.each(['card-not-supported', 'currency-not-supported'])(
    'not after %s where the card network forbids the card',
    (reason) => {
      const outcome = { ...declined(reason, 'never'), byNetwork: true } as Outcome
      expect(mayFailOver(outcome, STORED)).toBe(false)
    },
  )

  it.each(FAILOVER_CAUSES)('not after a cause that the app has switched off: %s', (cause) => {
    const isDecline = (DECLINE_REASONS as readonly string[]).includes(cause)
    const outcome = isDecline ? declined(cause) : ({ kind: 'not-done', why: cause } as Outcome)
    const others = FAILOVER_CAUSES.filter((other) => other !== cause)
    expect(mayFailOver(outcome, { ...STORED, off: others })).toBe(true)
    expect(mayFailOver(outcome, { ...STORED, off: [cause] })).toBe(false)
  })

  it('after no cause that an app could not switch off', () => {
    const causes = DECLINE_REASONS.filter((reason) => mayFailOver(declined(reason), STORED))
    expect(FAILOVER_CAUSES).toEqual(expect.arrayContaining(causes))
    expect(FAILOVER_CAUSES).toHaveLength(causes.length + 4)
  })

  it('later than those that have not declined the payment', () => {
    const remembered = (declined: string, before?: number[]) =>
      declinedBy({ profileId: 2, payInfo: { declined, ...(before ? { declinedBy: before } : {}) } })
    const soft = ['card-not-supported', 'currency-not-supported', 'issuer-unavailable', 'processing-error']
    for (const reason of soft) expect(remembered(reason)).toEqual([2])
    for (const reason of DECLINE_REASONS.filter((one) => !soft.includes(one)))
      expect(remembered(reason)).toEqual([])
    expect(remembered('processing-error', [1])).toEqual([1, 2])
    expect(remembered('do-not-honour', [1])).toEqual([1])
    expect(remembered('processing-error', [2])).toEqual([2])
    expect(declinedBy({ profileId: null, payInfo: null })).toEqual([])
  })

  it('by the sender of the charge alone, while its lease lasts', () => {
    const sending = { step: 'charge', status: 'open', leaseToken: 'lease' } as const
    const seen = (reason: DeclineReason) => ({
      stage: 'declined' as const,
      decline: { reason, retry: 'later' as const, raw: {} },
    })
    expect(isLeftToSender(sending, seen('processing-error'), [])).toBe(true)
    expect(isLeftToSender(sending, seen('processing-error'), ['processing-error'])).toBe(false)
    expect(isLeftToSender(sending, seen('insufficient-funds'), [])).toBe(false)
    expect(isLeftToSender(sending, { stage: 'captured' }, [])).toBe(false)
    expect(isLeftToSender({ ...sending, leaseToken: null }, seen('processing-error'), [])).toBe(false)
    expect(isLeftToSender({ ...sending, status: 'waiting' }, seen('processing-error'), [])).toBe(false)
    // A new card's token is used up, so its sender ends the attempt like everybody else.
    expect(isLeftToSender({ ...sending, step: 'start' }, seen('processing-error'), [])).toBe(false)
  })

  it.each<Outcome>([
    { kind: 'unknown', why: 'timeout' },
    { kind: 'unknown', why: 'connection-lost' },
    { kind: 'unknown', why: 'server-error' },
    { kind: 'unknown', why: 'unreadable-reply' },
    { kind: 'pending', handles: {}, waitsFor: 'provider' },
    { kind: 'redirect', handles: {}, url: 'https://bank.example' },
    { kind: 'approved', handles: {}, facts: {} },
  ])('never after $kind', (outcome) => {
    expect(mayFailOver(outcome, STORED)).toBe(false)
  })
})
