import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerWith, type Receiver, readApp, settings, startReceiver } from '../../support/receiver.ts'
import { type Answer, good, startTestService, type TestApp, type TestService } from '../../support/tender.ts'

let tender: TestService
let hanging: Promise<void>
beforeAll(async () => {
  tender = await startTestService('e2e_webhooks_misbehaving')
  // Takes 15 s, so it runs beside the other tests.
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

/** The webhook of a new payment after its first attempt is recorded. */
async function firstAttempt(app: TestApp): Promise<Answer> {
  const { paymentId } = await app.create()
  return recordedAttempt(app, paymentId)
}

async function recordedAttempt(app: TestApp, paymentId: number): Promise<Answer> {
  await expect.poll(async () => (await firstWebhook(app, paymentId)).attempts.length).toBe(1)
  return firstWebhook(app, paymentId)
}

const firstWebhook = async (app: TestApp, paymentId: number): Promise<Answer> =>
  good(await app.call('GET', `webhooks/evt_${paymentId}_1`))

const secondsUntilNext = ({ attempts: [first] }: Answer): number =>
  (Date.parse(first.nextTryTime) - Date.parse(first.time)) / 1_000

function hang(): Promise<void> {
  let isHanging = false
  let isBeside = false
  const answer: Receiver['answer'] = ({ event }, response) => {
    if (event.payment.amount === 7) {
      isBeside = isHanging
      response.end()
      return
    }
    isHanging = true
    response.on('close', () => {
      isHanging = false
    })
  }
  return withShop(answer, async ({ app, receiver }) => {
    const { paymentId } = await app.create()
    await receiver.count(1)
    const other = await app.create({ amount: 7 })
    await receiver.count(2)
    expect(receiver.states(other.paymentId)).toEqual(['Created'])
    expect(isBeside).toBe(true)
    const { status, attempts } = await recordedAttempt(app, paymentId)
    expect([status, attempts[0]?.error]).toEqual(['pending', 'No answer within 15 s.'])
    expect(attempts[0].latencyMs).toBeGreaterThanOrEqual(14_900)
  })
}

describe('a receiver', () => {
  it('that streams without end after a 200 is a success; the first 4 KiB are stored', () =>
    withShop(
      (_hook, response) => {
        response.writeHead(200)
        const flood = setInterval(() => response.write('y'.repeat(16_384)), 1)
        response.on('close', () => clearInterval(flood))
      },
      async ({ app }) => {
        const { status, attempts } = await firstAttempt(app)
        expect([status, attempts[0].httpStatus]).toEqual(['delivered', 200])
        expect(attempts[0].response).toBe('y'.repeat(4_096))
      },
    ))

  it('that returns 302 fails; the redirect is not followed', () =>
    withShop(
      (_hook, response) => response.writeHead(302, { location: '/elsewhere' }).end(),
      async ({ app, receiver }) => {
        const { status, attempts } = await firstAttempt(app)
        expect([status, attempts[0].httpStatus]).toEqual(['pending', 302])
        expect(attempts[0].error).toContain('redirects are not followed')
        expect(receiver.hooks.map((hook) => hook.path)).toEqual(['/hooks'])
      },
    ))

  it('that returns 410 is disabled and shown as such until it is enabled again', () =>
    withShop(answerWith(410), async ({ app, receiver }) => {
      const { eventId } = await firstAttempt(app)
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

  it('that is disabled is enabled by a successful test event', () =>
    withShop(answerWith(410), async ({ app, receiver }) => {
      await firstAttempt(app)
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

  it('that returns 429 is paused as a whole for the time of Retry-After', () =>
    withShop(answerWith(429, { 'retry-after': '20' }), async ({ app, receiver }) => {
      const webhook = await firstAttempt(app)
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

  it('that sends a Retry-After of a year is retried on the normal schedule', () =>
    withShop(answerWith(429, { 'retry-after': '31536000' }), async ({ app }) => {
      const seconds = secondsUntilNext(await firstAttempt(app))
      expect(seconds).toBeGreaterThanOrEqual(29)
      expect(seconds).toBeLessThan(32)
    }))

  it('that closes the connection early fails', () =>
    withShop(
      (_hook, _response, request) => request.socket.destroy(),
      async ({ app }) => {
        const { status, attempts } = await firstAttempt(app)
        expect([status, attempts[0].httpStatus]).toEqual(['pending', null])
        expect(attempts[0].error).toBe('The connection was closed before an answer came.')
      },
    ))

  it('that sends an invalid response fails', () =>
    withShop(
      (_hook, _response, request) => request.socket.end('\x00\xff SSH-2.0-garbage\r\n\r\n'),
      async ({ app }) => {
        const { status, attempts } = await firstAttempt(app)
        expect([status, attempts[0].error]).toEqual(['pending', 'The answer is not HTTP.'])
      },
    ))

  it('that echoes the request does not expose secrets in the list', () =>
    withShop(
      ({ headers }, response) =>
        response.writeHead(400).end(`${'.'.repeat(4_090)}${JSON.stringify(headers)}`),
      async ({ app, receiver }) => {
        const parameter = 'a"quoted\\token-of-the-shop'
        await settings(app, {
          webhookAuthorizationHeaderScheme: 'Bearer',
          webhookAuthorizationHeaderParameter: parameter,
        })
        const cut = await firstAttempt(app)
        receiver.answer = ({ headers }, response) => response.writeHead(400).end(JSON.stringify(headers))
        const whole = await firstAttempt(app)
        expect(receiver.hooks[0]?.headers.authorization).toBe(`Bearer ${parameter}`)
        expect(whole.attempts[0].response).toContain('"authorization":"Bearer ***"')
        expect(JSON.stringify([cut, whole])).not.toContain('token-of')
        expect(cut.attempts[0].response.length).toBeLessThanOrEqual(4_096)
      },
    ))

  it('that returns a card number does not cause it to be stored', () =>
    withShop(answerWith(500, {}, 'order 7 paid with 4242 4242 4242 4242'), async ({ app }) => {
      expect((await firstAttempt(app)).attempts[0].response).toBe('[not kept: it holds a card number]')
    }))

  it('that fails is paused as a whole and recovers gradually, without losing webhooks', () =>
    withShop(answerWith(500), async ({ app, receiver }) => {
      const payments = await Promise.all(Array.from({ length: 60 }, () => app.create()))
      await expect.poll(async () => (await readApp(app)).webhookHealth.endpoints[0]?.status).toBe('paused')
      await pause(1_500)
      const tried = receiver.hooks.length
      expect(tried).toBeLessThan(60)
      let flying = 0
      let answered = 0
      let tooMany = 0
      receiver.answer = async (_hook, response) => {
        // One probe, and one more for each success.
        if (++flying > answered + 1) tooMany++
        await pause(20)
        flying--
        answered++
        response.end()
      }
      await app.advance('10m')
      await expect
        .poll(() => new Set(receiver.hooks.slice(tried).map(({ event }) => event.eventId)).size)
        .toBe(payments.length)
      expect(tooMany).toBe(0)
      await expect.poll(async () => (await readApp(app)).webhookHealth.endpoints).toEqual([])
    }))

  it('that hangs times out after 15 s without delaying another payment', () => hanging)
})
