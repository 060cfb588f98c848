import { describe, expect, it } from 'vitest'
import { money } from '../../../base/money.ts'
import type { Dispute, Snapshot, Stage } from '../../../providers/outcome.ts'
import { holdsMoney, isUnderpaid, undoStep } from './rules.ts'
import { undoKey } from './undo.ts'

const KEY = 'REFUND'
const snapshot = (stage: Stage, more: Partial<Snapshot> = {}): Snapshot => ({
  kind: 'snapshot',
  handles: {},
  stage,
  captured: money(stage === 'captured' ? 1000n : 0n, 'EUR'),
  refunded: money(0n, 'EUR'),
  refunds: [],
  facts: {},
  ...more,
})
const refund = (state: 'pending' | 'done' | 'failed', operationKey = KEY) => ({
  refunds: [{ id: 'r', operationKey, amount: money(1000n, 'EUR'), state }],
  ...(state === 'done' ? { refunded: money(1000n, 'EUR') } : {}),
})
const disputed = (state: Dispute['state'], more: Partial<Dispute> = {}) => ({
  disputes: [{ id: 'd', state, ...more }],
})
const undoing = { refundKey: KEY, cancelKey: 'CANCEL', canRefund: true, last: null }

describe('the next undo step of an abandoned attempt', () => {
  it.each<[Stage, object]>([
    ['needs-customer', { kind: 'cancel', result: 'closed' }],
    ['approved', { kind: 'cancel', result: 'closed' }],
    ['in-review', { kind: 'wait' }],
    ['processing', { kind: 'wait' }],
    ['authorised', { kind: 'cancel', result: 'voided' }],
    ['captured', { kind: 'refund', amountMinor: 1000n }],
    ['declined', { kind: 'done', result: 'nothing' }],
    ['expired', { kind: 'done', result: 'nothing' }],
    ['cancelled', { kind: 'done', result: 'closed' }],
  ])('%s: %o', (stage, step) => {
    expect(undoStep(snapshot(stage), undoing)).toEqual(step)
  })

  it.each<[Partial<Snapshot>, object]>([
    [refund('pending'), { kind: 'wait' }],
    [refund('done'), { kind: 'done', result: 'refunded' }],
    [refund('failed'), { kind: 'refused' }],
    [{ refunded: money(400n, 'EUR') }, { kind: 'refund', amountMinor: 600n }],
    [refund('done', 'SOMEBODY ELSE'), { kind: 'done', result: 'refunded' }],
    [refund('pending', 'SOMEBODY ELSE'), { kind: 'wait' }],
    [refund('failed', 'SOMEBODY ELSE'), { kind: 'refund', amountMinor: 1000n }],
    [disputed('open'), { kind: 'disputed' }],
    [disputed('open', { isRefundable: true }), { kind: 'refund', amountMinor: 1000n }],
    [disputed('won'), { kind: 'refund', amountMinor: 1000n }],
    [disputed('lost'), { kind: 'done', result: 'refunded' }],
    [disputed('lost', { amount: money(300n, 'EUR') }), { kind: 'refund', amountMinor: 700n }],
  ])('captured with %o: %o', (more, step) => {
    expect(undoStep(snapshot('captured', more), undoing)).toEqual(step)
  })

  it('stops what is processing if it could not be refunded later', () => {
    const never = { ...undoing, canRefund: false }
    expect(undoStep(snapshot('processing'), never)).toEqual({ kind: 'cancel', result: 'voided' })
    const last = { kind: 'declined', step: 'cancel' }
    expect(undoStep(snapshot('processing'), { ...never, last })).toEqual({ kind: 'wait' })
  })

  it('does not refund without provider support, nor cancel again after a refusal', () => {
    expect(undoStep(snapshot('captured'), { ...undoing, canRefund: false })).toEqual({ kind: 'refused' })
    const last = { kind: 'declined', step: 'cancel' }
    expect(undoStep(snapshot('authorised'), { ...undoing, last })).toEqual({ kind: 'wait' })
    const refused = [{ step: 'cancel', id: '1', operationKey: 'CANCEL' }] as const
    expect(undoStep(snapshot('authorised', { refused }), undoing)).toEqual({ kind: 'wait' })
  })

  it.each([
    ['cancel', 'authorised'],
    ['refund', 'captured'],
  ] as const)(
    'does not send an accepted %s again where only notifications tell the result',
    (step, stage) => {
      const last = { kind: 'pending', step }
      expect(undoStep(snapshot(stage, { isPartial: true }), { ...undoing, last })).toEqual({ kind: 'wait' })
      expect(undoStep(snapshot(stage), { ...undoing, last })).toMatchObject({ kind: step })
    },
  )

  it('the held amount is what is authorised, or captured and not refunded', () => {
    expect(holdsMoney(snapshot('authorised'))).toBe(true)
    expect(holdsMoney(snapshot('captured'))).toBe(true)
    expect(holdsMoney(snapshot('captured', refund('done')))).toBe(false)
    expect(holdsMoney(snapshot('captured', disputed('lost')))).toBe(false)
    expect(holdsMoney(snapshot('needs-customer'))).toBe(false)
  })

  it('every request has one stable key in the format of providers', () => {
    const keys = ['cancel', 'refund'] as const
    const made = keys.map((step) => undoKey('ABC', step))
    expect(made).toEqual(keys.map((step) => undoKey('ABC', step)))
    expect(new Set([...made, undoKey('ABD', 'cancel')]).size).toBe(3)
    for (const key of made) expect(key).toMatch(/^[0-9A-Z]{20}$/)
  })
})

describe('an attempt that ended with a part of the amount', () => {
  const part = { captured: money(400n, 'EUR') }
  it.each<Stage>(['declined', 'expired', 'cancelled'])('%s: the part is refunded', (stage) => {
    const seen = snapshot(stage, part)
    expect([isUnderpaid(seen), holdsMoney(seen)]).toEqual([true, true])
    expect(undoStep(seen, undoing)).toEqual({ kind: 'refund', amountMinor: 400n })
    const back = snapshot(stage, { ...part, refunded: part.captured })
    expect(isUnderpaid(back)).toBe(false)
    expect(undoStep(back, undoing)).toEqual({ kind: 'done', result: 'refunded' })
  })

  it('holds nothing after the payer’s bank has returned it', () => {
    const seen = snapshot('declined', { ...part, isReturned: true })
    expect([isUnderpaid(seen), holdsMoney(seen)]).toEqual([false, false])
    expect(undoStep(seen, undoing)).toEqual({ kind: 'done', result: 'nothing' })
  })
})
