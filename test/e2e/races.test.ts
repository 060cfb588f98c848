import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostedPage, startTestService, type TestApp, type TestService } from '../support/tender.ts'

/** Concurrent calls, on one node and on two that share a database. */
let one: TestService
let two: TestService
beforeAll(async () => {
  one = await startTestService('e2e_races')
  two = await startTestService('e2e_races', { databaseUrl: one.databaseUrl })
})
afterAll(async () => {
  await two?.stop()
  await one?.stop()
})

/** The same app, called through one node or the other. */
function through(node: TestService, app: TestApp) {
  return (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(`${node.url}/api/apps/${app.appId}/${path}`, {
      method,
      headers: { authorization: `Bearer ${app.apiKey}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).then(async (response) => ({
      status: response.status,
      headers: response.headers,
      body: await response.json(),
    }))
}

const everyOther = (index: number) => through(index % 2 === 0 ? one : two, one.sandbox)
const times = (count: number) => Array.from({ length: count }, (_, index) => index)
const done = async (paymentId: number) =>
  (await one.sandbox.ledger(paymentId)).filter((row) => row.status === 'done').map((row) => row.kind)

describe('concurrent requests on two nodes', () => {
  it('100 creates with one referenceId make one payment, one Created event and no 5xx', async () => {
    const request = hostedPage()
    const replies = await Promise.all(
      times(100).map((n) => everyOther(n)('POST', 'payments/hosted-page', request)),
    )
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([201]))
    expect(new Set(replies.map((reply) => reply.body.paymentId)).size).toBe(1)
    const first = replies.filter((reply) => reply.headers.get('idempotent-replayed') === null)
    expect(first.length).toBe(1)
    expect(await one.sandbox.states(replies[0]?.body.paymentId)).toEqual(['Created'])
  })

  it('creates with one referenceId and different amounts: one succeeds, the others return 409', async () => {
    const request = hostedPage()
    const replies = await Promise.all(
      times(40).map((n) => everyOther(n)('POST', 'payments/hosted-page', { ...request, amount: n + 1 })),
    )
    const won = replies.filter((reply) => reply.status === 201)
    expect([won.length, replies.filter((reply) => reply.status === 409).length]).toEqual([1, 39])
  })

  it('either capture or cancel succeeds, not both', async () => {
    for (const _round of times(5)) {
      const { paymentId } = await one.sandbox.paid({ autoCapture: false })
      const replies = await Promise.all(
        times(12).map((n) =>
          everyOther(n)('POST', `payments/${paymentId}/${n % 3 === 0 ? 'cancel' : 'capture'}`),
        ),
      )
      expect(replies.filter((reply) => ![200, 409].includes(reply.status))).toEqual([])
      const { paymentState } = await one.sandbox.read(paymentId)
      expect(['Captured', 'Failed']).toContain(paymentState)
      expect(await done(paymentId)).toEqual(['authorise', paymentState === 'Captured' ? 'capture' : 'void'])
    }
  })

  it('20 partial refunds never exceed the captured amount, and the ledger agrees', async () => {
    const { paymentId } = await one.sandbox.paid({ amount: 10 })
    for (const _round of times(3)) {
      const replies = await Promise.all(
        times(20).map((n) => everyOther(n)('POST', `payments/${paymentId}/refund?amount=3`)),
      )
      expect(replies.filter((reply) => ![200, 409, 422].includes(reply.status))).toEqual([])
    }
    const { refundedAmount, capturedAmount } = await one.sandbox.read(paymentId)
    expect(refundedAmount).toBeLessThanOrEqual(capturedAmount)
    const rows = await one.sandbox.ledger(paymentId)
    const refunded = rows.filter((row) => row.kind === 'refund').reduce((sum, row) => sum + row.amount, 0)
    expect(refunded).toBe(refundedAmount)
    expect(refundedAmount).toBeGreaterThan(0)
  })

  it('refunds with different keys are each carried out once or return payment_busy', async () => {
    const { paymentId } = await one.sandbox.paid({ amount: 10 })
    const refunds = async () =>
      (await one.sandbox.ledger(paymentId)).filter((row) => row.kind === 'refund').map((row) => row.amount)
    const refund = (n: number) =>
      everyOther(n)('POST', `payments/${paymentId}/refund?amount=1`, undefined, {
        'idempotency-key': `refund-${paymentId}-${n}`,
      })
    let left = times(10)
    while (left.length > 0) {
      const replies = await Promise.all(left.map(refund))
      const busy = replies.filter((reply) => reply.status !== 200)
      for (const { status, headers, body } of busy)
        expect([status, body.code, headers.get('retry-after')]).toEqual([409, 'payment_busy', '1'])
      left = left.filter((_n, place) => replies[place]?.status !== 200)
    }
    await expect.poll(async () => (await one.sandbox.read(paymentId)).paymentState).toBe('Refunded')
    expect(await refunds()).toEqual(times(10).map(() => 1))
  })

  it('a customer who pays in several tabs at once is charged once', async () => {
    for (const _round of times(3)) {
      const { paymentId } = await one.sandbox.create()
      const replies = await Promise.all(
        times(8).map((n) => everyOther(n)('POST', `test-helpers/payments/${paymentId}/pay`, {})),
      )
      expect(replies.filter((reply) => ![200, 409].includes(reply.status))).toEqual([])
      expect((await one.sandbox.read(paymentId)).paymentState).toBe('Captured')
      expect(await done(paymentId)).toEqual(['sale'])
    }
  })

  it('many rechecks change nothing', async () => {
    const { paymentId } = await one.sandbox.paid()
    await Promise.all(times(10).map((n) => everyOther(n)('POST', `payments/${paymentId}/recheck`)))
    expect(await one.sandbox.states(paymentId)).toEqual(['Created', 'SaleInProgress', 'Captured'])
  })
})

describe('many concurrent payments', () => {
  it('are all written, each with its own response and customer', async () => {
    const requests = times(150).map((n) =>
      hostedPage({
        amount: n + 1,
        customerOrder: { customer: { customerId: `c${n % 7}`, firstName: `F${n}` } },
      }),
    )
    const replies = await Promise.all(
      requests.map((request, n) => everyOther(n)('POST', 'payments/hosted-page', request)),
    )
    for (const [n, reply] of replies.entries())
      expect(reply.body).toMatchObject({
        amount: n + 1,
        referenceId: requests[n]?.referenceId,
        customerId: `c${n % 7}`,
      })
    expect(new Set(replies.map((reply) => reply.body.paymentId)).size).toBe(150)
  })
})
