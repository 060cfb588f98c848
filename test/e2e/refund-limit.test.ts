import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestApp, type TestService } from '../support/tender.ts'

/** `maxThresholdRefundCountDaily`, on two nodes that share a database. */
let one: TestService
let two: TestService
beforeAll(async () => {
  one = await startTestService('e2e_refund_limit')
  two = await startTestService('e2e_refund_limit', { databaseUrl: one.databaseUrl })
})
afterAll(async () => {
  await two?.stop()
  await one?.stop()
})

const refund = async (node: TestService, app: TestApp, paymentId: number, query = '', headers = {}) => {
  const url = `${node.url}/api/apps/${app.appId}/payments/${paymentId}/refund${query}`
  const reply = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${app.apiKey}`, ...headers },
  })
  return { status: reply.status, headers: reply.headers, body: await reply.json() }
}

async function limitedApp(limit: number, count: number, more: object = {}) {
  const { sandbox: app } = await one.newMerchant()
  await app.settings({ maxThresholdRefundCountDaily: limit, ...more })
  const paid = await Promise.all(Array.from({ length: count }, () => app.paid({ amount: 10 })))
  return { app, ids: paid.map(({ paymentId }) => paymentId as number) }
}

describe('the number of refunds a day', () => {
  it('holds under concurrent refunds on two nodes', async () => {
    const { app, ids } = await limitedApp(5, 14)
    const replies = await Promise.all(ids.map((id, at) => refund(at % 2 ? one : two, app, id)))
    const refused = replies.filter(({ status }) => status === 409)
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(refused).toHaveLength(9)
    expect(refused[0]?.body).toMatchObject({ code: 'refund_limit_reached' })
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    const states = await Promise.all(ids.map(async (id) => (await app.read(id)).paymentState))
    expect(states.filter((state) => state === 'Refunded')).toHaveLength(5)
    expect(states.filter((state) => state === 'Captured')).toHaveLength(9)
  })

  it('does not count repeats, refusals, marks and cancellations', async () => {
    const { app, ids } = await limitedApp(2, 4)
    const [first = 0, second = 0, third = 0, fourth = 0] = ids
    const key = { 'idempotency-key': 'refund-once' }
    expect((await refund(one, app, first, '?amount=4', key)).status).toBe(200)
    expect((await refund(two, app, first, '?amount=4', key)).status).toBe(200)
    expect((await refund(one, app, second, '?amount=99')).status).toBe(422)
    await app.call('POST', `payments/${second}/mark-as-refund`, { reason: 'cash' })
    const open = await app.create()
    expect((await refund(one, app, open.paymentId)).body.code).toBe('payment_not_refundable')
    await app.call('POST', `payments/${open.paymentId}/cancel`)
    expect((await refund(one, app, third)).status).toBe(200)
    expect((await refund(one, app, fourth)).body.code).toBe('refund_limit_reached')
  })

  it('is not stored under the Idempotency-Key: the same request works the next day', async () => {
    const { app, ids } = await limitedApp(1, 2)
    const [first = 0, second = 0] = ids
    const key = { 'idempotency-key': 'tomorrow' }
    await refund(one, app, first)
    expect((await refund(one, app, second, '', key)).status).toBe(409)
    await app.advance('24h')
    expect((await refund(one, app, second, '', key)).status).toBe(200)
  })

  it('0 allows none, and null any number again', async () => {
    const { app, ids } = await limitedApp(0, 2)
    const [first = 0, second = 0] = ids
    expect((await refund(one, app, first)).body.code).toBe('refund_limit_reached')
    await app.settings({ maxThresholdRefundCountDaily: { value: null } })
    expect((await refund(one, app, first)).status).toBe(200)
    expect((await refund(one, app, second)).status).toBe(200)
  })

  it('other apps are not affected', async () => {
    const { app, ids } = await limitedApp(0, 1)
    const { app: other, ids: theirs } = await limitedApp(1, 1)
    const replies = await Promise.all([refund(one, app, ids[0] ?? 0), refund(one, other, theirs[0] ?? 0)])
    expect(replies.map(({ status }) => status)).toEqual([409, 200])
  })
})
