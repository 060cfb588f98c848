import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY, SECOND } from '../../../src/base/clock.ts'
import type { Log } from '../../../src/base/log.ts'
import { signedHeaders } from '../../../src/webhooks/delivery/sign.ts'
import { removalJob } from '../../../src/webhooks/jobs.ts'
import { WEBHOOKS } from '../../../src/webhooks/schedule.ts'
import { answerWith, type Receiver, readApp, settings, startReceiver } from '../../support/receiver.ts'
import {
  type Answer,
  good,
  nextPath,
  type Reply,
  startTestService,
  type TestApp,
  type TestService,
} from '../../support/tender.ts'

const lines: string[] = []
const line = () => (event: string, data?: object) => void lines.push(JSON.stringify({ event, ...data }))
const log: Log = { debug: line(), info: line(), warn: line(), error: line() }

let tender: TestService
let app: TestApp
let shop: Receiver
let books: Receiver
beforeAll(async () => {
  tender = await startTestService('e2e_webhooks_endpoints', { log })
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

const PAID = ['Created', 'SaleInProgress', 'Captured']

const add = async (body: object = {}): Promise<Answer> =>
  good(await app.call('POST', 'webhook-endpoints', { url: books.url, ...body }))
const list = async (path: string): Promise<Answer[]> => good(await app.call('GET', path))
const patch = (endpointId: string, body: object) => app.call('PATCH', `webhook-endpoints/${endpointId}`, body)
let names = 0
const sql = (text: string) =>
  tender.service.ctx.db.query<Answer>({ name: `test.endpoints.${++names}`, text }, [app.appId])

describe('a second endpoint', () => {
  it('is told of its states, with its own secret and header, and the first one of all', async () => {
    const states = ['Captured', 'Refunded']
    const made = await add({
      states,
      authorizationHeaderScheme: 'Basic',
      authorizationHeaderParameter: 'b00ks',
    })
    expect(made).toMatchObject({ url: books.url, states, isPaused: false, isFirst: false, trouble: null })
    const { paymentId } = await app.paid()
    await shop.count(3)
    await books.count(1)
    expect([shop.states(paymentId), books.states(paymentId)]).toEqual([PAID, ['Captured']])
    const [hook] = books.hooks
    expect(hook?.body).toBe(shop.hooks[2]?.body)
    const { 'webhook-id': id = '', 'webhook-timestamp': time, ...headers } = hook?.headers ?? {}
    const now = new Date(Number(time) * SECOND)
    expect(headers).toMatchObject({
      authorization: 'Basic b00ks',
      'webhook-signature': signedHeaders({ id, body: hook?.body ?? '', now, secrets: [made.secret] })[
        'webhook-signature'
      ],
    })
    expect(shop.hooks[2]?.headers.authorization).toBeUndefined()
    expect(shop.hooks[2]?.headers['webhook-signature']).not.toBe(headers['webhook-signature'])
  })

  it('gets every event too when payments have an address of their own, or the app has none', async () => {
    const own = await startReceiver()
    await add()
    const { paymentId } = await app.create({ webhookUrl: own.url })
    await own.count(1)
    await books.count(1)
    await settings(app, { paymentWebhookUrl: { value: null } })
    const { paymentId: second } = await app.create()
    await books.count(2)
    expect([books.states(paymentId), books.states(second)]).toEqual([['Created'], ['Created']])
    expect([own.hooks.length, shop.hooks.length]).toEqual([1, 0])
    await own.stop()
  })

  it('that is dead does not delay the first, keeps its own order, and is named where it fails', async () => {
    const { endpointId } = await add({ url: `${books.url}?token=hush` })
    books.answer = answerWith(503)
    const payments = [await app.paid(), await app.paid(), await app.paid()]
    await shop.count(9)
    for (const { paymentId } of payments) expect(shop.states(paymentId)).toEqual(PAID)
    await expect
      .poll(async () => (await list('webhook-endpoints')).map(({ trouble }) => trouble?.lastError ?? null))
      .toEqual([null, expect.stringContaining('503')])
    expect((await readApp(app)).webhookHealth.endpoints).toMatchObject([{ url: books.url }])
    // Its tries are recorded after they were answered.
    await expect
      .poll(async () => {
        const waiting = await list('webhooks?status=pending')
        return [...new Set(waiting.map((one) => `${one.endpointId} ${one.url}`))]
      })
      .toEqual([`${endpointId} ${books.url}`])
    expect((await list('webhooks?status=delivered')).every((one) => !('endpointId' in one))).toBe(true)
    books.answer = answerWith(200)
    const before = books.hooks.length
    // The pause of the endpoint and the retries of its deliveries are over.
    await expect
      .poll(
        async () => {
          await app.advance('10m')
          return books.hooks.length - before
        },
        { timeout: 30_000, interval: 200 },
      )
      .toBeGreaterThanOrEqual(9)
    const answered = (paymentId: number) =>
      books.hooks
        .slice(before)
        .filter(({ event }) => event.payment.paymentId === paymentId)
        .map(({ event }) => event.payment.paymentState)
    for (const { paymentId } of payments) expect(answered(paymentId)).toEqual(PAID)
    expect(shop.hooks.length).toBe(9)
  })

  it('that waits for a retry does not delay later events of the payment for the first', async () => {
    await add()
    books.answer = answerWith(503)
    const { paymentId } = await app.create()
    await shop.count(1)
    await expect.poll(async () => (await list('webhook-endpoints'))[1]?.trouble?.lastError).toContain('503')
    good(await app.pay(paymentId))
    await shop.count(3)
    expect(shop.states(paymentId)).toEqual(PAID)
    expect(new Set(books.states(paymentId))).toEqual(new Set(['Created']))
  })

  it('is listed with its deliveries in pages, and resent to by itself', async () => {
    const { endpointId } = await add()
    const { paymentId } = await app.paid()
    await expect.poll(async () => (await list('webhooks?status=delivered')).length).toBe(6)
    const all = await list('webhooks')
    const paged: Answer[] = []
    for (let path: string | undefined = 'webhooks?pageSize=1'; path; ) {
      const reply: Reply = await app.call('GET', path)
      paged.push(...good(reply))
      path = nextPath(reply)
    }
    expect(paged).toEqual(all)
    const event = `evt_${paymentId}_3`
    expect(
      (await list(`webhooks?paymentId=${paymentId}`)).map((one) => [one.eventId, one.endpointId]).slice(0, 2),
    ) //
      .toEqual([
        [event, endpointId],
        [event, undefined],
      ])
    good(await app.call('POST', `webhooks/${event}/resend?endpointId=${endpointId}`))
    await books.count(4)
    good(await app.call('POST', `webhooks/${event}/resend`))
    await shop.count(4)
    await expect
      .poll(async () => [
        good(await app.call('GET', `webhooks/${event}?endpointId=${endpointId}`)).attempts.length,
        good(await app.call('GET', `webhooks/${event}`)).attempts.length,
      ])
      .toEqual([2, 2])
    expect(books.hooks.length).toBe(4)
    expect((await app.call('GET', `webhooks/${event}?endpointId=we_999999`)).status).toBe(404)
  })
})

describe('an endpoint', () => {
  it('collects its events while it is paused, in order, and drops what is older than 30 days', async () => {
    const { endpointId } = await add({ isPaused: true })
    const [first] = await list('webhook-endpoints')
    good(await patch(first?.endpointId, { isPaused: true, states: ['Captured'] }))
    const { paymentId } = await app.paid()
    // Both wait; a payment of another app that is delivered shows that nothing else holds them back.
    const other = (await tender.newMerchant()).sandbox
    await settings(other, { paymentWebhookUrl: shop.url })
    await other.create()
    await shop.count(1)
    expect([shop.states(paymentId), books.hooks.length]).toEqual([[], 0])
    good(await patch(first?.endpointId, { isPaused: false }))
    good(await patch(endpointId, { isPaused: false }))
    await books.count(3)
    await shop.count(2)
    expect([shop.states(paymentId), books.states(paymentId)]).toEqual([['Captured'], PAID])

    good(await patch(endpointId, { isPaused: true, states: { value: null } }))
    await app.create()
    await expect.poll(async () => (await list('webhooks?status=pending')).length).toBe(1)
    await sql(
      `update deliveries set queued_time = queued_time - interval '31 days'
       where app_id = $1 and due_time is not null`,
    )
    await removalJob(tender.service.ctx).runOnce()
    expect(await list('webhooks?status=dropped')).toMatchObject([{ endpointId }])
    expect(books.hooks.length).toBe(3)
  })

  it('that fails does not delay what is ready for the others', async () => {
    await add()
    books.answer = answerWith(503)
    const [first] = await list('webhook-endpoints')
    good(await patch(first?.endpointId, { isPaused: true }))
    const { paymentId } = await app.paid()
    await expect.poll(async () => (await list('webhook-endpoints'))[1]?.trouble?.lastError).toContain('503')
    expect(shop.hooks).toEqual([])
    good(await patch(first?.endpointId, { isPaused: false }))
    await shop.count(3)
    expect(shop.states(paymentId)).toEqual(PAID)
  })

  it('that fails while another one is paused leaves the order of the other alone', async () => {
    const { endpointId } = await add({ states: ['Created'] })
    const [first] = await list('webhook-endpoints')
    const answers: (() => void)[] = []
    books.answer = (_hook, response) => void answers.push(() => response.writeHead(503).end())
    const { paymentId } = await app.create()
    await books.count(1)
    await shop.count(1)
    good(await patch(first?.endpointId, { isPaused: true }))
    good(await app.pay(paymentId))
    await expect.poll(async () => (await list('webhooks?status=pending')).length).toBe(3)
    // Its failure is recorded while later events of the payment are ready for the first.
    for (const answer of answers) answer()
    await expect
      .poll(
        async () => (await list('webhook-endpoints')).find((one) => one.endpointId === endpointId)?.trouble,
      )
      .toBeTruthy()
    // Ready, not waiting for the retry of the other.
    const rows = await sql('select status from deliveries where app_id = $1 and sequence > 1')
    expect(rows).toEqual([{ status: 'ready' }, { status: 'ready' }])
    good(await patch(first?.endpointId, { isPaused: false }))
    await shop.count(3)
    expect(shop.states(paymentId)).toEqual(PAID)
  })

  it('is tested alone, also while it is paused', async () => {
    const { endpointId } = await add({ isPaused: true })
    const sent = good(await app.call('POST', `webhook-endpoints/${endpointId}/test`))
    expect(sent).toMatchObject({ type: 'webhook.test', status: 'delivered', endpointId, url: books.url })
    expect([books.hooks.length, shop.hooks.length]).toEqual([1, 0])
    const [first] = await list('webhook-endpoints')
    expect(good(await app.call('POST', `webhook-endpoints/${first?.endpointId}/test`))).toMatchObject({
      status: 'delivered',
      url: shop.url,
    })
    expect([books.hooks.length, shop.hooks.length]).toEqual([1, 1])
  })

  it('has a secret that is shown once, and another one with an overlap of a day', async () => {
    const { endpointId, secret } = await add()
    const reply = good(await app.call('POST', `webhook-endpoints/${endpointId}/secret`))
    expect(Date.parse(reply.previousValidUntil) - Date.now()).toBeGreaterThan(DAY - 600 * SECOND)
    await app.create()
    await books.count(1)
    const { headers = {}, body = '' } = books.hooks[0] ?? {}
    const now = new Date(Number(headers['webhook-timestamp']) * SECOND)
    const signing = { id: headers['webhook-id'] ?? '', body, now, secrets: [reply.secret, secret] }
    expect(headers['webhook-signature']).toBe(signedHeaders(signing)['webhook-signature'])
    await patch(endpointId, { authorizationHeaderScheme: 'Bearer', authorizationHeaderParameter: 'p4ss' })
    const shown = JSON.stringify([
      await list('webhook-endpoints'),
      good(await app.call('GET', `webhook-endpoints/${endpointId}`)),
      await sql('select action, before, after from audit_log where app_id = $1'),
      lines,
    ])
    expect(shown).toContain('webhook_endpoint.secret_rotated')
    for (const hidden of [secret, reply.secret, 'p4ss']) expect(shown).not.toContain(hidden)
  })

  it('that is removed gets nothing more; what is in flight ends', async () => {
    const { endpointId } = await add()
    const answers: (() => void)[] = []
    books.answer = (_hook, response) => void answers.push(() => response.end())
    const { paymentId } = await app.paid()
    await books.count(1)
    await expect.poll(async () => (await list('webhooks?status=pending')).length).toBe(3)
    const [removed, changed] = await Promise.all([
      app.call('DELETE', `webhook-endpoints/${endpointId}`),
      patch(endpointId, { isPaused: true }),
    ])
    expect([removed.status, [200, 404].includes(changed.status)]).toEqual([204, true])
    for (const answer of answers) answer()
    await expect
      .poll(async () => (await list('webhooks')).filter((one) => one.endpointId).map(({ status }) => status))
      .toEqual(['dropped', 'dropped', 'delivered'])
    await app.act(paymentId, 'refund')
    await shop.count(5)
    expect(books.hooks.length).toBe(1)
    expect((await app.call('DELETE', `webhook-endpoints/${endpointId}`)).status).toBe(404)
    expect(good(await app.call('POST', 'webhooks/resend-failed'))).toEqual({ resent: 0 })
  })

  it('is one of 16, and is not found by another merchant', async () => {
    const { endpointId } = await add()
    const other = (await tender.newMerchant()).sandbox
    const [first] = await list('webhook-endpoints')
    for (const id of [endpointId, first?.endpointId, 'we_0', 'nonsense'])
      for (const [method, path] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/test'],
        ['POST', '/secret'],
      ] as const) {
        const body = method === 'PATCH' ? { isPaused: true } : undefined
        const { status } = await other.call(method, `webhook-endpoints/${id}${path}`, body)
        expect([id, method, path, status]).toEqual([id, method, path, 404])
      }
    const more = await Promise.all(
      Array.from({ length: WEBHOOKS.maxEndpoints }, () =>
        app.call('POST', 'webhook-endpoints', { url: books.url }),
      ),
    )
    const statuses = more.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201).length).toBe(WEBHOOKS.maxEndpoints - 2)
    expect(more.find(({ status }) => status === 409)?.body.code).toBe('too_many_webhook_endpoints')
    for (const body of [{}, { url: 'ftp://x' }, { url: books.url, states: ['Lost'] }])
      expect((await app.call('POST', 'webhook-endpoints', body)).status).toBe(400)
  })
})

it('the first endpoint is the address of the app, by either API', async () => {
  const [first] = await list('webhook-endpoints')
  expect(first).toMatchObject({ isFirst: true, url: shop.url, states: null, isPaused: false })
  const id = first?.endpointId
  good(await patch(id, { url: books.url, authorizationHeaderScheme: 'Basic', states: ['Failed'] }))
  expect((await readApp(app)).webhookSettings).toMatchObject({
    paymentWebhookUrl: books.url,
    webhookAuthorizationHeaderScheme: 'Basic',
  })
  const rotated = good(await app.call('POST', `webhook-endpoints/${id}/secret`))
  expect(rotated.secret).toMatch(/^whsec_/)
  await settings(app, { paymentWebhookUrl: shop.url })
  expect(await list('webhook-endpoints')).toMatchObject([
    { endpointId: id, url: shop.url, states: ['Failed'] },
  ])
  expect((await app.call('DELETE', `webhook-endpoints/${id}`)).status).toBe(204)
  expect([await list('webhook-endpoints'), (await readApp(app)).webhookSettings.paymentWebhookUrl]).toEqual([
    [],
    null,
  ])
})

it('the address of every endpoint is guarded: none leads into the network of the service', async () => {
  const guarded = await startTestService('e2e_webhooks_endpoints_guard', {
    config: { allowPrivateWebhooks: false },
  })
  try {
    const own = guarded.sandbox
    const { port } = new URL(books.url)
    for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', 'localhost']) {
      const url = `http://${host}:${port}/hook`
      const made = await own.call('POST', 'webhook-endpoints', { url })
      const { endpointId } = made.body
      if (made.status === 400) continue
      const sent = good(await own.call('POST', `webhook-endpoints/${endpointId}/test`))
      expect([url, sent.status]).not.toEqual([url, 'delivered'])
      good(await own.call('DELETE', `webhook-endpoints/${endpointId}`))
    }
    const { endpointId } = good(await own.call('POST', 'webhook-endpoints', { url: 'https://shop.example/' }))
    good(await own.call('PATCH', `webhook-endpoints/${endpointId}`, { url: books.url, isPaused: true }))
    const sent = good(await own.call('POST', `webhook-endpoints/${endpointId}/test`))
    expect(sent.status).not.toBe('delivered')
    expect(books.hooks).toEqual([])
  } finally {
    await guarded.stop()
  }
})
