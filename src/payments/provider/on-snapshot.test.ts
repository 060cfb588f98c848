import { expect, it } from 'vitest'
import { money } from '../../base/money.ts'
import type { OperationRecord, Payment } from '../payment.ts'
import { changeFromSnapshot } from './on-snapshot.ts'
import type { SnapshotContext } from './snapshot/context.ts'

const NONE = money(0n, 'EUR')
const ended = (stage: 'cancelled' | 'expired' | 'declined', step: string): SnapshotContext => ({
  payment: {
    ...{ state: 'Created', currency: 'EUR', payInfo: {}, handles: {}, details: {}, attempt: 1 },
  } as unknown as Payment,
  operation: { key: 'KEY', step, status: 'open', tries: 2 } as unknown as OperationRecord,
  snapshot: {
    stage,
    facts: {},
    handles: {},
    refunds: [],
    captured: NONE,
    refunded: NONE,
  } as unknown as SnapshotContext['snapshot'],
  inputs: { now: new Date('2026-11-01T00:00:00Z') } as SnapshotContext['inputs'],
})

it.each(['cancelled', 'expired', 'declined'] as const)(
  'an attempt that is %s declines its request, and is what closing its page was for',
  (stage) => {
    expect(changeFromSnapshot(ended(stage, 'start'))).toMatchObject({ operation: { status: 'declined' } })
    expect(changeFromSnapshot(ended(stage, 'cancel'))).toMatchObject({ operation: { status: 'done' } })
  },
)
