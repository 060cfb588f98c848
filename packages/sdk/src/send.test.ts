import { describe, expect, it } from 'vitest'
import { TenderError } from './errors.ts'
import type { TenderOptions } from './send.ts'
import { createTender } from './tender.ts'

interface Sent {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

type Step = Response | Error | ((signal: AbortSignal) => Promise<Response>)

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers })

const problem = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  json({ status, code, title: 'Title', detail: `about ${code}`, requestId: 'req_1' }, status, {
    'x-request-id': 'req_1',
    ...headers,
  })

/** A client whose requests get these answers, one after the other, and whose waits pass at once. */
function scripted(steps: readonly Step[], more: Partial<TenderOptions> = {}) {
  const sent: Sent[] = []
  const waits: number[] = []
  const tender = createTender({
    url: 'https://pay.example/',
    appId: 'app_1',
    apiKey: 'sk_sandbox_1',
    async fetch(url, { method = '', headers, body, signal }) {
      const step = steps[sent.length]
      sent.push({
        url,
        method,
        headers: headers as Record<string, string>,
        body: typeof body === 'string' ? JSON.parse(body) : undefined,
      })
      if (step === undefined) throw new Error('nothing more was expected')
      if (step instanceof Error) throw step
      return step instanceof Response ? step : step(signal as AbortSignal)
    },
    wait: async (milliseconds) => {
      waits.push(milliseconds)
    },
    ...more,
  })
  return { tender, sent, waits }
}

const failureOf = (promise: Promise<unknown>): Promise<TenderError> =>
  promise.then(
    () => expect.fail('the call succeeded'),
    (error) => error,
  )

const hangs = (signal: AbortSignal): Promise<Response> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

const PAYMENT = { paymentId: 7, paymentState: 'Captured' }

describe('a call', () => {
  it('carries the key, the body and the query', async () => {
    const { tender, sent } = scripted([json(PAYMENT), json(PAYMENT), json(PAYMENT)])
    await tender.payments.refund(7, { amount: 5, description: 'too late' })
    await tender.payments.get(7)
    await tender.payments.markAsDispute(7, { reason: 'told by phone' }, undefined, { waitSeconds: 0 })
    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST https://pay.example/api/apps/app_1/payments/7/refund?amount=5&description=too+late',
      'GET https://pay.example/api/apps/app_1/payments/7',
      'POST https://pay.example/api/apps/app_1/payments/7/mark-as-dispute',
    ])
    expect(sent[0]?.headers).toMatchObject({ authorization: 'Bearer sk_sandbox_1' })
    expect(sent[1]?.headers).not.toHaveProperty('idempotency-key')
    expect(sent[2]).toMatchObject({ body: { reason: 'told by phone' }, headers: { prefer: 'respond-async' } })
  })

  it('encodes ids, and refuses those that would name another path', async () => {
    const { tender, sent } = scripted([json(PAYMENT)])
    await tender.payments.getByReference('a/b?c#d ü')
    expect(sent[0]?.url).toBe(
      'https://pay.example/api/apps/app_1/payments/referenceId:a%2Fb%3Fc%23d%20%C3%BC',
    )
    for (const id of ['', '.', '..']) expect(() => tender.customers.get(id)).toThrow(TypeError)
    expect(sent).toHaveLength(1)
  })
})

describe('retries', () => {
  const moments: [string, Step][] = [
    ['no connection', new TypeError('fetch failed')],
    ['a rate limit', problem(429, 'rate_limited', { 'retry-after': '2' })],
    ['a broken service', problem(500, 'internal_error')],
    ['a proxy without a service', new Response('<h1>Bad gateway</h1>', { status: 502 })],
    ['a payment that is busy', problem(409, 'payment_busy', { 'retry-after': '1' })],
  ]

  it.each(moments)('repeat the request with the same key after %s', async (_what, step) => {
    const { tender, sent } = scripted([step, json(PAYMENT)])
    expect(await tender.payments.capture(7)).toEqual(PAYMENT)
    const keys = sent.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(keys).toEqual([keys[0], keys[0]])
  })

  it('use another key for another call, and the given key if there is one', async () => {
    const { tender, sent } = scripted([json(PAYMENT), json(PAYMENT), json(PAYMENT)])
    await tender.payments.capture(7)
    await tender.payments.capture(7)
    await tender.payments.capture(7, {}, { idempotencyKey: 'mine' })
    const [first, second, third] = sent.map(({ headers }) => headers['idempotency-key'])
    expect(first).not.toBe(second)
    expect(third).toBe('mine')
  })

  it('wait longer each time, partly at random, and at least as long as Retry-After says', async () => {
    const broken = () => problem(503, 'service_unavailable')
    const { tender, waits } = scripted([
      ...Array.from({ length: 7 }, broken),
      problem(503, 'service_unavailable', { 'retry-after': '20' }),
      json(PAYMENT),
    ])
    await tender.payments.get(7, { maxRetries: 8 })
    const most = [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000]
    expect(waits).toHaveLength(8)
    most.forEach((bound, place) => {
      expect(waits[place]).toBeLessThanOrEqual(bound)
      expect(waits[place]).toBeGreaterThanOrEqual(bound / 2)
    })
    expect(waits[7]).toBe(20_000)
  })

  it('end after three, or as many as the client or the call allows', async () => {
    const lost = Array.from({ length: 10 }, () => new TypeError('fetch failed'))
    const usual = scripted(lost)
    expect(await failureOf(usual.tender.payments.get(7))).toMatchObject({ code: 'no_answer' })
    expect(usual.sent).toHaveLength(4)
    const none = scripted(lost, { maxRetries: 0 })
    await failureOf(none.tender.payments.get(7))
    expect(none.sent).toHaveLength(1)
    await failureOf(none.tender.payments.get(7, { maxRetries: 1 }))
    expect(none.sent).toHaveLength(3)
  })

  it('do not follow a refusal, nor a Retry-After of more than a minute', async () => {
    const { tender, sent } = scripted([
      problem(422, 'no_stored_method'),
      problem(503, 'service_unavailable', { 'retry-after': '61' }),
    ])
    await failureOf(tender.payments.get(7))
    expect(await failureOf(tender.payments.get(7))).toMatchObject({ retryAfterSeconds: 61 })
    expect(sent).toHaveLength(2)
  })

  it('do not create a second licence: no key identifies that call', async () => {
    const { tender, sent } = scripted([
      problem(429, 'rate_limited', { 'retry-after': '1' }),
      new TypeError('fetch failed'),
    ])
    const options = { apiKey: 'operator' }
    expect((await failureOf(tender.licenses.create({ licenseName: 'A' }, options))).code).toBe('no_answer')
    expect(sent.map(({ headers }) => headers.authorization)).toEqual(['Bearer operator', 'Bearer operator'])
  })
})

describe('time', () => {
  it('ends a try, which is then repeated', async () => {
    const { tender, sent } = scripted([hangs, json(PAYMENT)], { timeoutMs: 1 })
    expect(await tender.payments.get(7)).toEqual(PAYMENT)
    expect(sent).toHaveLength(2)
    const slow = scripted([hangs], { maxRetries: 0 })
    expect(await failureOf(slow.tender.payments.get(7, { timeoutMs: 1 }))).toMatchObject({
      code: 'timed_out',
    })
  })

  it('covers the body, too', async () => {
    const half = (signal: AbortSignal) =>
      Promise.resolve(
        new Response(
          new ReadableStream({
            start: (controller) => signal.addEventListener('abort', () => controller.error(signal.reason)),
          }),
        ),
      )
    const { tender } = scripted([half], { maxRetries: 0, timeoutMs: 1 })
    expect(await failureOf(tender.payments.get(7))).toMatchObject({ code: 'timed_out' })
  })

  it('ends when the caller aborts: during a try, during a wait, before the first', async () => {
    const reason = new Error('the customer left')
    const during = new AbortController()
    const { tender, sent } = scripted([
      (signal) => {
        queueMicrotask(() => during.abort(reason))
        return hangs(signal)
      },
    ])
    expect(await failureOf(tender.payments.get(7, { signal: during.signal }))).toBe(reason)
    expect(await failureOf(tender.payments.get(7, { signal: during.signal }))).toBe(reason)
    expect(sent).toHaveLength(1)

    const later = new AbortController()
    const options = { url: 'https://pay.example', appId: 'app_1', apiKey: 'sk_1' }
    const waiting = createTender({
      ...options,
      fetch: async () => {
        setTimeout(() => later.abort(reason))
        return problem(503, 'service_unavailable', { 'retry-after': '60' })
      },
    })
    expect(await failureOf(waiting.payments.get(7, { signal: later.signal }))).toBe(reason)
  })
})

describe('errors', () => {
  it('are TenderErrors with the code and everything that was answered', async () => {
    const errors = [{ field: 'amount', message: 'must be positive' }]
    const body = { code: 'invalid_request', detail: 'Bad.', errors, paymentState: 'Created' }
    const { tender } = scripted([json(body, 400, { 'x-request-id': 'req_9' })])
    const error = await failureOf(tender.payments.get(7))
    expect(error).toBeInstanceOf(TenderError)
    expect(error).toMatchObject({ code: 'invalid_request', status: 400, requestId: 'req_9', message: 'Bad.' })
    expect(error.fields).toEqual(errors)
    expect(error.problem?.paymentState).toBe('Created')
  })

  it.each([
    ['a page of a proxy', new Response('<h1>Not found</h1>', { status: 404 })],
    ['JSON of another service', json({ error: 'nope' }, 404)],
    ['a redirect', new Response(null, { status: 301, headers: { location: 'https://evil.example' } })],
    ['a page with status 200', new Response('<h1>Welcome</h1>')],
  ])('name what cannot be read: %s', async (_what, answer) => {
    const { tender, sent } = scripted([answer])
    expect(await failureOf(tender.payments.get(7))).toMatchObject({ code: 'unreadable_answer' })
    expect(sent).toHaveLength(1)
  })
})

describe('lists', () => {
  const link = (query: string) => ({
    link: `<https://evil.example/api/apps/app_2/events?${query}>; rel="next"`,
  })
  const pages = () => [
    json([{ eventId: 'c' }, { eventId: 'b' }], 200, link('since=1&before=2-2-2')),
    json([], 200, link('since=1&before=1-1-1')),
    json([{ eventId: 'a' }]),
  ]

  it('follow the links to the end, at the own address only', async () => {
    const { tender, sent } = scripted(pages())
    const seen: string[] = []
    for await (const { eventId } of tender.events.list({ since: '1', pageSize: 2 })) seen.push(eventId)
    expect(seen).toEqual(['c', 'b', 'a'])
    expect(sent.map(({ url }) => url)).toEqual([
      'https://pay.example/api/apps/app_1/events?since=1&pageSize=2',
      'https://pay.example/api/apps/app_1/events?since=1&before=2-2-2',
      'https://pay.example/api/apps/app_1/events?since=1&before=1-1-1',
    ])
  })

  it('read no more pages than are needed, and can be read again', async () => {
    const { tender, sent } = scripted([...pages(), ...pages()])
    const list = tender.events.list()
    expect(await list.take(0)).toEqual([])
    expect(await list.take(2)).toEqual([{ eventId: 'c' }, { eventId: 'b' }])
    expect(sent).toHaveLength(1)
    const { tender: other } = scripted(pages())
    const sizes: number[] = []
    for await (const page of other.events.list().pages()) sizes.push(page.length)
    expect(sizes).toEqual([2, 0, 1])
  })
})
