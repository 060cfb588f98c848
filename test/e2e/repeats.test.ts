import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, SECOND } from '../../src/base/clock.ts'
import { sql } from '../../src/db/database.ts'
import { createFakeClock } from '../support/clock.ts'
import { good, type Reply, startTestService, type TestService } from '../support/tender.ts'

/** Two nodes on one database. The clock is fixed, so pending bank operations stay pending. */
const clock = createFakeClock()
let one: TestService
let two: TestService
beforeAll(async () => {
  one = await startTestService('e2e_repeats', { clock })
  two = await startTestService('e2e_repeats', { databaseUrl: one.databaseUrl, clock })
})
afterAll(async () => {
  await two?.stop()
  await one?.stop()
})

let keys = 0
const newKey = () => `key-${++keys}`

/** Calls the same app through the other node, optionally with an Idempotency-Key. */
async function act(paymentId: number, action: string, key?: string): Promise<Reply> {
  const { appId, apiKey } = one.sandbox
  const response = await fetch(`${two.url}/api/apps/${appId}/payments/${paymentId}/${action}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, ...(key ? { 'idempotency-key': key } : {}) },
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const begin = (paymentId: number, action: string, key: string) =>
  one.sandbox.call('POST', `payments/${paymentId}/${action}`, undefined, { 'idempotency-key': key })

async function expectBusy(reply: Promise<Reply>): Promise<void> {
  const { status, headers, body } = await reply
  expect([status, body.code, headers.get('retry-after')]).toEqual([409, 'payment_busy', '1'])
}

async function expectState(reply: Promise<Reply>, state: string): Promise<void> {
  const { status, body } = await reply
  expect([status, body.paymentState]).toEqual([200, state])
}

async function expectRefused(reply: Promise<Reply>, code: string): Promise<void> {
  const { status, body } = await reply
  expect([status, body.code]).toEqual([409, code])
}

const movements = async (paymentId: number, kind: string) =>
  (await one.sandbox.ledger(paymentId)).filter((row) => row.kind === kind).map((row) => row.amount)

const runningRefund = async (action: string, key: string): Promise<number> => {
  const { paymentId } = await one.sandbox.paid({ amount: 10 })
  await one.sandbox.fault('refund', 'refund-pending')
  await expectState(begin(paymentId, action, key), 'Refunding')
  return paymentId
}

describe('while a refund is running', () => {
  it('returns 409 payment_busy for a second refund with another key, which succeeds later', async () => {
    const [first, second] = [newKey(), newKey()]
    const paymentId = await runningRefund('refund?amount=2', first)
    await expectBusy(act(paymentId, 'refund?amount=3', second))
    await expectBusy(act(paymentId, 'refund?amount=2', newKey()))
    await expectBusy(act(paymentId, 'refund', newKey()))
    await one.sandbox.advance('5s')
    const done = await act(paymentId, 'refund?amount=3', second)
    expect([done.status, done.headers.get('idempotent-replayed')]).toEqual([200, null])
    expect(done.body).toMatchObject({ paymentState: 'Captured', refundedAmount: 5 })
    expect(await movements(paymentId, 'refund')).toEqual([2, 3])
  })

  it('treats a request without a key as a repeat only if the amount is the same', async () => {
    const paymentId = await runningRefund('refund?amount=2', newKey())
    await expectState(act(paymentId, 'refund?amount=2.00'), 'Refunding')
    await expectBusy(act(paymentId, 'refund?amount=3'))
    await expectBusy(act(paymentId, 'refund'))
    expect((await act(paymentId, 'refund?amount=much')).status).toBe(400)
    await one.sandbox.advance('5s')
    expect(await movements(paymentId, 'refund')).toEqual([2])
  })

  it('treats a missing amount as the remaining amount', async () => {
    const paymentId = await runningRefund('refund', newKey())
    await expectState(act(paymentId, 'refund'), 'Refunding')
    await expectState(act(paymentId, 'refund?amount=10'), 'Refunding')
    await expectBusy(act(paymentId, 'refund?amount=9'))
    await one.sandbox.advance('5s')
    expect(await movements(paymentId, 'refund')).toEqual([10])
  })

  it('returns the first response for the same key', async () => {
    const key = newKey()
    const paymentId = await runningRefund('refund?amount=2', key)
    const again = await act(paymentId, 'refund?amount=2', key)
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    await one.sandbox.advance('5s')
  })

  it('returns 409 payment_busy for other actions', async () => {
    const key = newKey()
    const paymentId = await runningRefund('refund?amount=2', newKey())
    const early = await act(paymentId, 'mark-as-dispute', key)
    expect([early.status, early.body.code]).toEqual([409, 'action_not_allowed'])
    expect(early.headers.get('retry-after')).toBe('1')
    await one.sandbox.advance('5s')
    await expectState(act(paymentId, 'mark-as-dispute', key), 'Disputed')
  })
})

describe('after a refund', () => {
  it('refuses another refund if nothing is left to refund', async () => {
    const { paymentId } = await one.sandbox.paid({ amount: 10 })
    const key = newKey()
    await expectState(act(paymentId, 'refund?amount=4'), 'Captured')
    await expectState(act(paymentId, 'refund', key), 'Refunded')
    await expectRefused(act(paymentId, 'refund', newKey()), 'payment_not_refundable')
    await expectRefused(act(paymentId, 'refund?amount=6', newKey()), 'payment_not_refundable')
    await expectRefused(act(paymentId, 'refund?amount=5'), 'payment_not_refundable')
    await expectState(act(paymentId, 'refund'), 'Refunded')
    await expectState(act(paymentId, 'refund?amount=6'), 'Refunded')
    await expectState(act(paymentId, 'refund', key), 'Refunded')
    expect(await movements(paymentId, 'refund')).toEqual([4, 6])
  })

  it('treats the same amount without a key as another partial refund', async () => {
    const { paymentId } = await one.sandbox.paid({ amount: 10 })
    await expectState(act(paymentId, 'refund?amount=4'), 'Captured')
    await expectState(act(paymentId, 'refund?amount=4'), 'Captured')
    expect(await movements(paymentId, 'refund')).toEqual([4, 4])
  })

  it('refunds once for the same key, also when the response was lost', async () => {
    const { paymentId } = await one.sandbox.paid({ amount: 10 })
    const key = newKey()
    await expectState(act(paymentId, 'refund?amount=4', key), 'Captured')
    await deleteResponse(key)
    const again = await act(paymentId, 'refund?amount=4', key)
    expect([again.status, again.body.refundedAmount]).toEqual([200, 4])
    expect(again.headers.get('idempotent-replayed')).toBe(null)
    expect(await movements(paymentId, 'refund')).toEqual([4])
  })
})

const DELETE_RESPONSE = sql('test.deleteResponse', 'delete from idempotency_keys where idempotency_key = $1')
const deleteResponse = (key: string) => one.service.ctx.db.query(DELETE_RESPONSE, [key])

describe('while a capture is running', () => {
  const capturing = async (action: string): Promise<number> => {
    const { paymentId } = await one.sandbox.paid({ amount: 10, autoCapture: false })
    await one.sandbox.fault('capture', 'pending-then-approved')
    await expectState(begin(paymentId, action, newKey()), 'Capturing')
    return paymentId
  }

  it('returns payment_busy for another amount, and a final error after the first is done', async () => {
    const paymentId = await capturing('capture?amount=5')
    await expectBusy(act(paymentId, 'capture?amount=7'))
    await expectBusy(act(paymentId, 'capture'))
    await expectBusy(act(paymentId, 'capture?amount=5', newKey()))
    await expectState(act(paymentId, 'capture?amount=5'), 'Capturing')
    await one.sandbox.advance('5s')
    await expectRefused(act(paymentId, 'capture?amount=7'), 'payment_not_capturable')
    await expectRefused(act(paymentId, 'capture', newKey()), 'payment_not_capturable')
    await expectState(act(paymentId, 'capture?amount=5'), 'Captured')
    await expectState(act(paymentId, 'capture?amount=5', newKey()), 'Captured')
    expect(await movements(paymentId, 'capture')).toEqual([5])
  })

  it('returns payment_busy for a refund, which succeeds later with the same key', async () => {
    const paymentId = await capturing('capture')
    const key = newKey()
    const early = await act(paymentId, 'refund?amount=3', key)
    expect([early.status, early.body.code]).toEqual([409, 'payment_not_refundable'])
    expect([early.body.paymentState, early.headers.get('retry-after')]).toEqual(['Capturing', '1'])
    await one.sandbox.advance('5s')
    await expectState(act(paymentId, 'refund?amount=3', key), 'Captured')
    expect(await movements(paymentId, 'refund')).toEqual([3])
  })

  it('returns payment_busy for a cancellation, and a final error once captured', async () => {
    const paymentId = await capturing('capture')
    const key = newKey()
    const early = await act(paymentId, 'cancel', key)
    expect([early.body.code, early.headers.get('retry-after')]).toEqual(['payment_not_cancellable', '1'])
    await one.sandbox.advance('5s')
    const late = await act(paymentId, 'cancel', key)
    expect([late.body.code, late.headers.get('retry-after')]).toEqual(['payment_not_cancellable', null])
    expect((await act(paymentId, 'cancel', key)).headers.get('idempotent-replayed')).toBe('true')
  })
})

describe('cancellations, releases and marks', () => {
  it('returns payment_busy for a cancellation with another key while one is running', async () => {
    const { paymentId } = await one.sandbox.paid({ autoCapture: false })
    await one.sandbox.fault('cancel', 'request-lost')
    await expectState(begin(paymentId, 'cancel', newKey()), 'Cancelling')
    const key = newKey()
    await expectBusy(act(paymentId, 'cancel', key))
    await expectState(act(paymentId, 'cancel'), 'Cancelling')
    await one.sandbox.advance('5s')
    await expectState(act(paymentId, 'cancel', key), 'Failed')
    expect(await movements(paymentId, 'void')).toHaveLength(1)
  })

  it('releases a payment once, for any number of keys', async () => {
    const rules = [{ action: 'HoldPayment', measure: 'SingleAmount', threshold: 99 }]
    const { fraudPolicyId } = good(
      await one.sandbox.call('POST', 'fraud-policies', { name: 'Large sums', rules }),
    )
    const { paymentId, paymentState } = await one.sandbox.paid({ amount: 150, fraudPolicyId })
    expect(paymentState).toBe('ProviderAuthorizedHold')
    await one.sandbox.fault('capture', 'pending-then-approved')
    await expectState(begin(paymentId, 'unhold', newKey()), 'Capturing')
    await expectState(act(paymentId, 'unhold', newKey()), 'Capturing')
    await expectState(act(paymentId, 'unhold'), 'Capturing')
    await one.sandbox.advance('5s')
    await expectState(act(paymentId, 'unhold', newKey()), 'Captured')
    expect(await movements(paymentId, 'capture')).toEqual([150])
  })

  it('records a mark once, for any number of keys', async () => {
    const { paymentId } = await one.sandbox.paid()
    for (const [mark, state] of [
      ['mark-as-dispute', 'Disputed'],
      ['mark-as-refund', 'Refunded'],
    ] as const)
      for (const key of [newKey(), newKey(), undefined]) await expectState(act(paymentId, mark, key), state)
    expect((await one.sandbox.states(paymentId)).slice(-3)).toEqual(['Captured', 'Disputed', 'Refunded'])
  })
})

it('refuses a key that is reused for another action after a day', async () => {
  const { paymentId } = await one.sandbox.paid({ amount: 10, autoCapture: false })
  const key = newKey()
  await expectState(act(paymentId, 'capture', key), 'Captured')
  expect((await act(paymentId, 'refund', key)).body.code).toBe('idempotency_key_reused')
  clock.advance(DAY + SECOND)
  const { status, body } = await act(paymentId, 'refund', key)
  expect([status, body.code]).toEqual([422, 'idempotency_key_reused'])
  expect(await movements(paymentId, 'refund')).toEqual([])
})
