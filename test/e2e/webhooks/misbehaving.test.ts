import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerWith, type Receiver, readApp, settings, startReceiver } from '../../support/receiver.ts'
import { type Answer, good, startTestService, type TestApp, type TestService } from '../../support/tender.ts'

let tender: TestService
let hanging: Promise<void>
beforeAll(async () => {
  tender = await startTestService('e2e_webhooks_misbehaving')
  // It takes 15 s: the others are tried meanwhile.
  hanging = hang()
  hanging.catch(() => {})
})
afterAll(() => tender?.stop())

interface Shop {
  readonly app: TestApp
  readonly receiver: Receiver
}

async function withShop(answer: Receiver['answer'], check: (shop: Shop) => Promise<void>): Promise<void> {
  const receiver = await startReceiver()
  receiver.answer = answer
  const { sandbox: app } = await tender.newMerchant()
  await settings(app, { paymentWebhookUrl: receiver.url })
  try {
    await check({ app, receiver })
  } finally {
    await receiver.stop()
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** The webhook of a new payment, once its first try is written down. */
async function firstTry(app: TestApp, withinMs = 5_000): Promise<Answer> {
  const { paymentId } = await app.create()
  const read = async () => good(await app.call('GET', `webhooks/evt_${paymentId}_1`))
  await expect.poll(async () => (await read()).attempts.length, { timeout: withinMs, interval: 20 }).toBe(1)
  return read()
}

const secondsUntilNext = ({ attempts: [first] }: Answer): number =>
  (Date.parse(first.nextTryTime) - Date.parse(first.time)) / 1_000

function hang(): Promise<void> {
  const answer: Receiver['answer'] = ({ event }, response) =>
    void (event.payment.amount === 7 && response.end())
  return withShop(answer, async ({ app, receiver }) => {
    const { paymentId } = await app.create()
    await receiver.count(1)
    const other = await app.create({ amount: 7 })
    await receiver.count(2, 1_000)
    expect(receiver.states(other.paymentId)).toEqual(['Created'])
    await pause(15_500)
    const { status, attempts } = good(await app.call('GET', `webhooks/evt_${paymentId}_1`))
    expect([status, attempts[0]?.error]).toEqual(['pending', 'No answer within 15 s.'])
    expect(attempts[0].latencyMs).toBeGreaterThanOrEqual(14_900)
  })
}

describe('a receiver', () => {
  it('that streams without end has said 200; the first 4 KiB are kept', () =>
    withShop(
      (_hook, response) => {
        response.writeHead(200)
        const flood = setInterval(() => response.write('y'.repeat(16_384)), 1)
        response.on('close', () => clearInterval(flood))
      },
      async ({ app }) => {
        const { status, attempts } = await firstTry(app)
        expect([status, attempts[0].httpStatus]).toEqual(['delivered', 200])
        expect(attempts[0].response).toBe('y'.repeat(4_096))
      },
    ))

  it('that answers 302 has failed, and is not followed', () =>
    withShop(
      (_hook, response) => response.writeHead(302, { location: '/elsewhere' }).end(),
      async ({ app, receiver }) => {
        const { status, attempts } = await firstTry(app)
        expect([status, attempts[0].httpStatus]).toEqual(['pending', 302])
        expect(attempts[0].error).toContain('redirects are not followed')
        expect(receiver.hooks.map((hook) => hook.path)).toEqual(['/hooks'])
      },
    ))

  it('that answers 410 is turned off, visibly, until it is asked for again', () =>
    withShop(answerWith(410), async ({ app, receiver }) => {
      const { eventId } = await firstTry(app)
      expect((await readApp(app)).webhookHealth.endpoints).toMatchObject([
        { url: receiver.url, status: 'disabled', nextTryTime: null },
      ])
      receiver.answer = answerWith(200)
      await app.create()
      await app.advance('1d')
      await app.create()
      await pause(1_500)
      expect(receiver.hooks.length).toBe(1)
      good(await app.call('POST', `webhooks/${eventId}/resend`))
      await receiver.count(4)
      expect((await readApp(app)).webhookHealth.endpoints).not.toMatchObject([{ status: 'disabled' }])
    }))

  it('that was turned off is on again when a test is received', () =>
    withShop(answerWith(410), async ({ app, receiver }) => {
      await firstTry(app)
      receiver.answer = answerWith(200)
      expect(good(await app.call('POST', 'webhooks/test'))).toMatchObject({ status: 'delivered' })
      await app.advance('6s')
      await receiver.count(3)
      expect(receiver.hooks.map(({ event }) => event.type)).toEqual([
        'payment.state_changed',
        'webhook.test',
        'payment.state_changed',
      ])
    }))

  it('that answers 429 is left in peace for as long as Retry-After says, all of it', () =>
    withShop(answerWith(429, { 'retry-after': '20' }), async ({ app, receiver }) => {
      const webhook = await firstTry(app)
      expect(webhook.attempts[0].httpStatus).toBe(429)
      expect(secondsUntilNext(webhook)).toBeGreaterThanOrEqual(20)
      expect(secondsUntilNext(webhook)).toBeLessThan(22)
      await app.create()
      await pause(300)
      expect(receiver.hooks.length).toBe(1)
      receiver.answer = answerWith(200)
      await app.advance('21s')
      await receiver.count(3)
    }))

  it('that asks for a year with Retry-After is tried at the next step', () =>
    withShop(answerWith(429, { 'retry-after': '31536000' }), async ({ app }) => {
      const seconds = secondsUntilNext(await firstTry(app))
      expect(seconds).toBeGreaterThanOrEqual(29)
      expect(seconds).toBeLessThan(32)
    }))

  it('that closes early has failed', () =>
    withShop(
      (_hook, _response, request) => request.socket.destroy(),
      async ({ app }) => {
        const { status, attempts } = await firstTry(app)
        expect([status, attempts[0].httpStatus]).toEqual(['pending', null])
        expect(attempts[0].error).toBe('The connection was closed before an answer came.')
      },
    ))

  it('that speaks garbage has failed', () =>
    withShop(
      (_hook, _response, request) => request.socket.end('\x00\xff SSH-2.0-garbage\r\n\r\n'),
      async ({ app }) => {
        const { status, attempts } = await firstTry(app)
        expect([status, attempts[0].error]).toEqual(['pending', 'The answer is not HTTP.'])
      },
    ))

  it('that repeats what it was sent does not bring secrets into the list', () =>
    withShop(
      ({ headers }, response) =>
        response.writeHead(400).end(`${'.'.repeat(4_090)}${JSON.stringify(headers)}`),
      async ({ app, receiver }) => {
        const parameter = 'a"quoted\\token-of-the-shop'
        await settings(app, {
          webhookAuthorizationHeaderScheme: 'Bearer',
          webhookAuthorizationHeaderParameter: parameter,
        })
        const cut = await firstTry(app)
        receiver.answer = ({ headers }, response) => response.writeHead(400).end(JSON.stringify(headers))
        const whole = await firstTry(app)
        expect(receiver.hooks[0]?.headers.authorization).toBe(`Bearer ${parameter}`)
        expect(whole.attempts[0].response).toContain('"authorization":"Bearer ***"')
        expect(JSON.stringify([cut, whole])).not.toContain('token-of')
        expect(cut.attempts[0].response.length).toBeLessThanOrEqual(4_096)
      },
    ))

  it('that answers with a card number does not get it stored', () =>
    withShop(answerWith(500, {}, 'order 7 paid with 4242 4242 4242 4242'), async ({ app }) => {
      expect((await firstTry(app)).attempts[0].response).toBe('[not kept: it holds a card number]')
    }))

  it('that fails is left in peace as a whole, and gets all of it, without a flood, when it is back', () =>
    withShop(answerWith(500), async ({ app, receiver }) => {
      const payments = await Promise.all(Array.from({ length: 60 }, () => app.create()))
      await expect
        .poll(async () => (await readApp(app)).webhookHealth.endpoints[0]?.status, { timeout: 5_000 })
        .toBe('paused')
      await pause(1_500)
      const tried = receiver.hooks.length
      expect(tried).toBeLessThan(60)
      let flying = 0
      let answered = 0
      let tooMany = 0
      receiver.answer = async (_hook, response) => {
        // One to try, and one more for each that was received.
        if (++flying > answered + 1) tooMany++
        await pause(20)
        flying--
        answered++
        response.end()
      }
      await app.advance('10m')
      await expect
        .poll(() => new Set(receiver.hooks.slice(tried).map(({ event }) => event.eventId)).size, {
          timeout: 10_000,
        })
        .toBe(payments.length)
      expect(tooMany).toBe(0)
      await expect.poll(async () => (await readApp(app)).webhookHealth.endpoints).toEqual([])
    }))

  it('that hangs is given up after 15 s; another payment does not wait for it', () => hanging)
})
