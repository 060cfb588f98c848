import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeLogs } from '../../../src/logs/jobs.ts'
import { type Answer, good, startTestService, type TestApp, type TestService } from '../../support/tender.ts'

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('e2e_api_log')
})
afterAll(() => tender?.stop())

/** What the app's log has, after everything that waits is written. */
async function logOf(app: TestApp, query = ''): Promise<Answer[]> {
  await writeLogs(tender.service.ctx)
  return good(await app.call('GET', `api-log?${query}`))
}

const detailsOf = async (app: TestApp, requestId: string): Promise<Answer> => {
  await writeLogs(tender.service.ctx)
  return good(await app.call('GET', `api-log/${requestId}`))
}

const CARD = '4111 1111 1111 1111'

it('a request is in the log of its app, with its payment, key, status and time', async () => {
  const { sandbox } = await tender.newMerchant()
  const { paymentId } = await sandbox.create({ referenceId: 'logged-1' })
  await sandbox.read(paymentId)
  const [read, create] = await logOf(sandbox)
  expect(read).toMatchObject({
    method: 'GET',
    path: `/api/apps/${sandbox.appId}/payments/${paymentId}`,
    route: '/api/apps/{appId}/payments/{paymentId}',
    status: 200,
    paymentId,
    keyId: expect.stringMatching(/^key_/),
    personId: null,
    address: '127.0.0.1',
    error: null,
  })
  expect(create).toMatchObject({ method: 'POST', status: 201, paymentId })
})

it('a repeated request shows its Idempotency-Key and that the answer was replayed', async () => {
  const { sandbox } = await tender.newMerchant()
  const body = {
    referenceId: 'once',
    amount: 5,
    autoCapture: true,
    currency: 'EUR',
    customerOrder: { customer: { customerId: 'a' } },
  }
  const send = () => sandbox.call('POST', 'payments', body, { 'idempotency-key': 'key-1' })
  await send()
  await send()
  const log = await logOf(sandbox, 'method=POST')
  expect(log.map(({ idempotencyKey, isReplayed }) => [idempotencyKey, isReplayed])).toEqual([
    ['key-1', true],
    ['key-1', false],
  ])
})

it('bodies are masked: card numbers, secrets of profiles, new keys', async () => {
  const { sandbox } = await tender.newMerchant()
  const key = good(await sandbox.call('POST', 'api-keys', { name: 'second' }, { 'x-request-id': 'new-key' }))
  const secretKey = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc'
  const profile = { name: 'Cards', provider: 'stripe', currency: 'USD', settings: { secretKey } }
  await sandbox.call('POST', 'payment-profiles', profile, { 'x-request-id': 'new-profile' })
  await sandbox.call('POST', 'payments', { referenceId: CARD, amount: 5 }, { 'x-request-id': 'card' })
  const shown = await Promise.all(['new-key', 'new-profile', 'card'].map((id) => detailsOf(sandbox, id)))
  expect(shown.map(({ status }) => status)).toEqual([201, 200, 422])
  const text = JSON.stringify(shown)
  expect(text).not.toContain(key.apiKey)
  expect(text).not.toContain(secretKey)
  expect(text).not.toContain(CARD)
  expect(shown[0].answerBody).toBe('[an answer with a secret]')
  expect(shown[1].requestBody).toMatchObject({ name: 'Cards', settings: { secretKey: '***' } })
  expect(shown[2]).toMatchObject({
    error: 'card_number_not_allowed',
    requestBody: { referenceId: '[card number]' },
  })
})

it('a live app’s successes have no bodies, and its refusals no personal data', async () => {
  const { live } = await tender.newMerchant()
  const customer = { customerId: 'dana@example.com', firstName: 'Dana', email: 'dana@example.com' }
  await live.call('GET', 'payment-profiles', undefined, { 'x-request-id': 'success' })
  await live.call(
    'POST',
    'payments',
    { amount: 'none', customerOrder: { customer } },
    { 'x-request-id': 'refusal' },
  )
  await live.call('GET', 'customers/dana%40example.com', undefined, { 'x-request-id': 'path' })
  const [success, refusal, path] = await Promise.all(
    ['success', 'refusal', 'path'].map((id) => detailsOf(live, id)),
  )
  expect(success).toMatchObject({ status: 200, requestBody: null, answerBody: null })
  expect(refusal).toMatchObject({ status: 400, requestBody: { amount: 'none' } })
  expect(JSON.stringify([success, refusal, path])).not.toMatch(/dana/i)
})

it('a body that is not JSON is described, not kept', async () => {
  const { sandbox } = await tender.newMerchant()
  await sandbox.call('POST', 'payments', '{"secretKey": "a1b2c3", ', {
    'x-request-id': 'broken',
    'content-type': 'application/json',
  })
  expect((await detailsOf(sandbox, 'broken')).requestBody).toMatch(/^\[\d+ bytes that are not JSON\]$/)
})

it('requests with a wrong key are in no log', async () => {
  const { sandbox } = await tender.newMerchant()
  const { status } = await sandbox.call('GET', 'payments/1', undefined, {
    authorization: 'Bearer sk_sandbox_wrong',
  })
  expect(status).toBe(401)
  expect(await logOf(sandbox)).toEqual([])
})

it('the list is filtered by class, method, path, key and request, and paged', async () => {
  const { sandbox, live } = await tender.newMerchant()
  await live.call('GET', 'payments/1')
  for (const id of [1, 2, 3])
    await sandbox.call('GET', `payments/${id}`, undefined, { 'x-request-id': `read-${id}` })
  await sandbox.create()
  const ids = async (query: string) => (await logOf(sandbox, query)).map(({ requestId }) => requestId)
  const before = encodeURIComponent(new Date(tender.service.ctx.clock.now().getTime() + 60_000).toISOString())
  expect(await ids('statusClass=4xx')).toEqual(['read-3', 'read-2', 'read-1'])
  expect(await ids(`statusClass=4xx&method=GET&until=${before}`)).toEqual(['read-3', 'read-2', 'read-1'])
  expect(await ids(`pathPrefix=/api/apps/${sandbox.appId}/payments/2`)).toEqual(['read-2'])
  expect(await ids('requestId=read-1')).toEqual(['read-1'])
  expect(await ids('keyId=key_other')).toEqual([])
  expect(await ids(`statusClass=4xx&since=${before}`)).toEqual([])
  const first = await sandbox.call('GET', 'api-log?statusClass=4xx&pageSize=2')
  const next = /api-log\?[^>]+/.exec(first.headers.get('link') ?? '')?.[0] ?? ''
  expect(good(first).map(({ requestId }: Answer) => requestId)).toEqual(['read-3', 'read-2'])
  expect(good(await sandbox.call('GET', next)).map(({ requestId }: Answer) => requestId)).toEqual(['read-1'])
})

it('counts tell how many requests succeeded and were refused', async () => {
  const { sandbox } = await tender.newMerchant()
  await sandbox.create()
  await sandbox.call('GET', 'payments/1')
  await writeLogs(tender.service.ctx)
  const { bucket, buckets } = good(await sandbox.call('GET', 'api-log-counts'))
  expect(bucket).toBe('hour')
  const sum = (name: string) => buckets.reduce((total: number, each: Answer) => total + each[name], 0)
  expect([sum('succeeded'), sum('refused'), sum('failed'), sum('leftOut')]).toEqual([1, 1, 0, 0])
})

it('one app does not see the requests of another', async () => {
  const { sandbox, live } = await tender.newMerchant()
  await sandbox.call('GET', 'payments/1', undefined, { 'x-request-id': 'private' })
  await writeLogs(tender.service.ctx)
  expect((await live.call('GET', 'api-log/private')).status).toBe(404)
})

it('a request is found by the id that the service gave it, also with a moved clock', async () => {
  const { sandbox } = await tender.newMerchant()
  const read = async () => (await sandbox.call('GET', 'payments/1')).headers.get('x-request-id') ?? ''
  const before = await read()
  good(await sandbox.call('POST', 'test-helpers/clock', { advance: '1d' }))
  const after = await read()
  for (const id of [before, after]) expect(await detailsOf(sandbox, id)).toMatchObject({ requestId: id })
  const other = `${before.slice(0, -1)}${before.endsWith('0') ? '1' : '0'}`
  expect((await sandbox.call('GET', `api-log/${other}`)).status).toBe(404)
})

it('of requests with the same id the newest is shown, and the list has them all', async () => {
  const { sandbox } = await tender.newMerchant()
  const id = (await sandbox.call('GET', 'payments/1')).headers.get('x-request-id') ?? ''
  good(await sandbox.call('POST', 'test-helpers/clock', { advance: '1d' }))
  await sandbox.call('GET', 'payments/2', undefined, { 'x-request-id': id })
  expect((await detailsOf(sandbox, id)).path).toMatch(/payments\/2$/)
  expect((await logOf(sandbox, `requestId=${id}`)).map(({ path }) => path.at(-1))).toEqual(['2', '1'])
})
