import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { removalJob } from '../../../src/webhooks/jobs.ts'
import { type Receiver, readApp, settings, startReceiver } from '../../support/receiver.ts'
import { type Answer, good, startTestService, type TestApp, type TestService } from '../../support/tender.ts'

/** Endpoints that take events of some kinds only. */

let tender: TestService
let app: TestApp
let shop: Receiver
let books: Receiver
beforeAll(async () => {
  tender = await startTestService('e2e_webhooks_kinds')
})
afterAll(() => tender?.stop())
beforeEach(async () => {
  shop = await startReceiver()
  books = await startReceiver()
  app = (await tender.newMerchant()).sandbox
  await settings(app, { paymentWebhookUrl: shop.url })
})
afterEach(async () => {
  await shop.stop()
  await books.stop()
})

const SECONDS_20 = { timeout: 20_000 }
const add = async (body: object = {}): Promise<Answer> =>
  good(await app.call('POST', 'webhook-endpoints', { url: books.url, ...body }))
const patch = (endpointId: string, body: object) => app.call('PATCH', `webhook-endpoints/${endpointId}`, body)
const first = async (): Promise<Answer> => good(await app.call('GET', 'webhook-endpoints'))[0]

/** Paid, refunded in part, disputed: eight events, of which three are Captured or Disputed again. */
async function history(): Promise<number> {
  const { paymentId } = await app.paid({ amount: 20 })
  await app.act(paymentId, 'refund?amount=5')
  await app.act(paymentId, 'mark-as-dispute')
  return paymentId
}

const ALL = [
  ['Created', 'payment'],
  ['SaleInProgress', 'payment'],
  ['Captured', 'payment'],
  ['Refunding', 'refund'],
  ['Captured', 'refund'],
  ['Disputed', 'dispute'],
]
const kindsOf = ({ hooks }: Receiver) => hooks.map(({ event }) => [event.payment.paymentState, event.kind])

describe('an endpoint that chooses kinds', () => {
  it('is told of these kinds and states alone, in order, and every event says its kind', async () => {
    const made = await add({ states: ['Captured', 'Refunding'], kinds: ['refund'] })
    expect(made).toMatchObject({ states: ['Captured', 'Refunding'], kinds: ['refund'] })
    const { endpointId } = made
    const other = await startReceiver()
    await add({ url: other.url, kinds: ['dispute', 'dispute', 'payment'] })
    const paymentId = await history()
    await shop.count(6)
    expect(kindsOf(shop)).toEqual(ALL)
    await books.count(2)
    await other.count(4)
    expect(kindsOf(books)).toEqual(ALL.slice(3, 5))
    expect(kindsOf(other)).toEqual(ALL.filter(([, kind]) => kind !== 'refund'))
    expect(books.hooks[1]?.body).toBe(shop.hooks[4]?.body)
    const events: Answer[] = good(await app.call('GET', `events?paymentId=${paymentId}`))
    expect(events.map(({ kind }) => kind).reverse()).toEqual(ALL.map(([, kind]) => kind))
    // An event of another kind is resent on request, as one of another state is.
    good(await app.call('POST', `webhooks/evt_${paymentId}_3/resend?endpointId=${endpointId}`))
    await books.count(3)
    expect(kindsOf(books)[2]).toEqual(ALL[2])
    await other.stop()
  })

  it('may be the first one, and takes all again without kinds', async () => {
    const { endpointId, kinds } = await first()
    expect(kinds).toBeNull()
    expect(good(await patch(endpointId, { kinds: ['dispute', 'refund'] })).kinds).toEqual([
      'dispute',
      'refund',
    ])
    await history()
    await shop.count(3)
    expect(kindsOf(shop)).toEqual(ALL.slice(3))
    // Other settings leave it as it is.
    good(await patch(endpointId, { isPaused: false }))
    await settings(app, { paymentWebhookUrl: shop.url })
    expect((await first()).kinds).toEqual(['dispute', 'refund'])
    for (const [n, every] of [{ value: null }, []].entries()) {
      good(await patch(endpointId, { kinds: ['refund'] }))
      expect(good(await patch(endpointId, { kinds: every })).kinds).toBeNull()
      const { paymentId } = await app.create()
      await shop.count(4 + n)
      expect(shop.states(paymentId)).toEqual(['Created'])
    }
    // Nothing of the choice is left when the address is removed.
    good(await patch(endpointId, { kinds: ['refund'] }))
    await app.call('DELETE', `webhook-endpoints/${endpointId}`)
    await settings(app, { paymentWebhookUrl: shop.url })
    expect((await first()).kinds).toBeNull()
  })

  it('is not made with an unknown kind, and a payment with an address of its own has all', async () => {
    const { endpointId } = await first()
    for (const kinds of [['Refund'], ['payment', 'payout'], 'refund', [null]]) {
      const made = await app.call('POST', 'webhook-endpoints', { url: books.url, kinds })
      expect([kinds, made.status]).toEqual([kinds, 400])
      expect((await patch(endpointId, { kinds })).status).toBe(400)
    }
    good(await patch(endpointId, { kinds: ['dispute'] }))
    const { paymentId } = await app.create({ webhookUrl: books.url })
    good(await app.pay(paymentId))
    await books.count(3)
    expect(kindsOf(books)).toEqual(ALL.slice(0, 3))
    expect(shop.hooks).toEqual([])
  })

  it('is audited with them', async () => {
    const { endpointId } = await add({ kinds: ['refund'] })
    good(await patch(endpointId, { kinds: ['dispute'] }))
    const rows = await tender.service.ctx.db.query<Answer>(
      {
        name: 'test.kinds.audit',
        text: `select before, after from audit_log
               where app_id = $1 and action like 'webhook_endpoint.%' order by entry_id`,
      },
      [app.appId],
    )
    expect(rows).toMatchObject([
      { after: { kinds: ['refund'] } },
      { before: { kinds: ['refund'] }, after: { kinds: ['dispute'] } },
    ])
  })
})

describe('the first acknowledged webhook', () => {
  const firstTime = async (): Promise<Date | null> => {
    const [row] = await tender.service.ctx.db.query<{ time: Date | null }>(
      { name: 'test.kinds.first', text: 'select first_webhook_time as time from apps where app_id = $1' },
      [app.appId],
    )
    return row?.time ?? null
  }

  it('is known by its time after it is removed, and a later one does not change it', async () => {
    shop.answer = (_hook, response) => response.writeHead(500).end()
    await app.create()
    await shop.count(1)
    await expect.poll(async () => (await readApp(app)).webhookHealth.endpoints.length, SECONDS_20).toBe(1)
    expect(await firstTime()).toBeNull()
    shop.answer = (_hook, response) => response.end()
    good(await app.call('POST', 'webhooks/test'))
    await expect.poll(firstTime, SECONDS_20).not.toBeNull()
    const time = await firstTime()
    await app.advance('32d')
    const { paymentId } = await app.paid()
    await expect.poll(() => shop.states(paymentId), SECONDS_20).toContain('Captured')
    await removalJob(tender.service.ctx).runOnce()
    expect(await firstTime()).toEqual(time)
  })

  it('of apps from before is found among the webhooks that are kept', async () => {
    const { db } = tender.service.ctx
    shop.answer = (_hook, response) => response.writeHead(shop.hooks.length === 1 ? 500 : 200).end()
    await app.create()
    await shop.count(1)
    await app.advance('1h')
    await expect
      .poll(async () => good(await app.call('GET', 'webhooks?status=delivered')).length, SECONDS_20)
      .toBe(1)
    await app.advance('1h')
    await app.paid()
    await expect
      .poll(async () => good(await app.call('GET', 'webhooks?status=delivered')).length, SECONDS_20)
      .toBe(4)
    const delivered: Answer[] = good(await app.call('GET', 'webhooks?status=delivered'))
    const times = delivered.flatMap(({ attempts }) =>
      attempts.filter((one: Answer) => one.httpStatus === 200).map((one: Answer) => one.time),
    )
    const unset = { name: 'test.kinds.unset', text: 'update apps set first_webhook_time = null' }
    await db.query(unset)
    const migration = await readFile('migrations/0120_event_kinds.sql', 'utf8')
    const text = migration.slice(migration.indexOf('update apps a'))
    await db.query({ name: 'test.kinds.migrate', text })
    expect((await firstTime())?.toISOString()).toBe(times.sort()[0])
  })

  it('is forgotten with everything else of a sandbox app', async () => {
    await app.paid()
    await expect.poll(firstTime, SECONDS_20).not.toBeNull()
    await shop.count(3)
    await expect
      .poll(async () => good(await app.call('GET', 'webhooks?status=delivered')).length, SECONDS_20)
      .toBe(3)
    // A try that has just ended may still tell of the first one.
    await expect
      .poll(async () => {
        good(await app.call('POST', 'clear-all'))
        return await firstTime()
      }, SECONDS_20)
      .toBeNull()
  })
})
