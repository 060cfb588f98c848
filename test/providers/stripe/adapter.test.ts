import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { money } from '../../../src/base/money.ts'
import type { Http, HttpReply } from '../../../src/net/http.ts'
import type { Handles, Outcome } from '../../../src/providers/outcome.ts'
import type { Purchase } from '../../../src/providers/port.ts'
import { stripe } from '../../../src/providers/stripe/adapter.ts'
import { manifest } from '../../../src/providers/stripe/manifest.ts'
import { parseSettings } from '../kit/account.ts'
import { openAccount, type StripeAccount } from './account.ts'
import { createShop, type PaidAtStripe, purchase } from './shop.ts'

const MINUTE = 60_000
const DAY = 86_400_000

let account: StripeAccount
beforeEach(async () => {
  account = await openAccount()
})
afterEach(() => account.close())

const { operation, look, pay } = createShop(() => account)

const capture = ({ reference, seen }: PaidAtStripe, minor: bigint): Promise<Outcome> =>
  stripe.capture(account.context(), operation('capture', reference), seen.handles, money(minor, 'USD'))

describe('paying on the page', () => {
  it('reports the card, its checks, the fee and the end of the authorisation', async () => {
    const paid = await pay({ sale: false }, { kind: 'challenge' })
    expect(paid.seen).toMatchObject({
      stage: 'authorised',
      authorised: money(2_000n, 'USD'),
      reference: paid.reference,
      facts: {
        card: {
          brand: 'Visa',
          type: 'Credit',
          last4: '3155',
          expiryMonth: 8,
          expiryYear: 2034,
          country: 'US',
        },
        checks: { cvc: 'pass', postalCode: 'pass', threeDSecure: 'authenticated' },
        risk: { level: 'low', score: 12 },
        payer: { fullName: 'Jenny Rosen', country: 'US' },
      },
    })
    const days = ((paid.seen.facts.authorisedUntil?.getTime() ?? 0) - Date.now()) / DAY
    expect(Math.round(days)).toBe(7)
    const captured = await capture(paid, 1_500n)
    expect(captured).toMatchObject({ kind: 'approved', echo: { amount: money(1_500n, 'USD') } })
    const seen = await look(paid.reference, paid.seen.handles)
    expect(seen).toMatchObject({
      stage: 'captured',
      captured: money(1_500n, 'USD'),
      refunded: money(0n, 'USD'),
      facts: { fee: money(74n, 'USD') },
    })
  })

  it('waits for the customer after a decline, and keeps the reason when the page has expired', async () => {
    const paid = await pay({}, { kind: 'decline', code: 'insufficient_funds' })
    expect(paid.seen).toMatchObject({
      stage: 'needs-customer',
      customerUrl: expect.stringContaining('/c/pay/'),
      decline: { reason: 'insufficient-funds', raw: { code: 'insufficient_funds', networkCode: '05' } },
    })
    account.advance(DAY)
    expect(await look(paid.reference, paid.seen.handles)).toMatchObject({
      stage: 'declined',
      decline: { reason: 'insufficient-funds', retry: 'later' },
    })
  })

  it('refuses to close a page that has been paid', async () => {
    const op = operation('start')
    const opened = await stripe.start(account.context(), op, purchase())
    if (opened.kind !== 'redirect') throw new Error(opened.kind)
    await account.simulator.payer(opened.url, { kind: 'pay' })
    const closed = await stripe.cancel(account.context(), operation('cancel', op.reference), opened.handles)
    expect(closed).toMatchObject({ kind: 'not-done', why: 'wrong-state' })
    expect(account.simulator.ledger(op.reference).map(({ kind }) => kind)).toEqual(['sale'])
  })

  it('closes a page on which a card was declined', async () => {
    const paid = await pay({}, { kind: 'decline' })
    const closed = await stripe.cancel(
      account.context(),
      operation('cancel', paid.reference),
      paid.seen.handles,
    )
    expect(closed.kind).toBe('approved')
  })

  it('writes whole kronur and ariary as Stripe counts them', async () => {
    for (const amount of [money(500n, 'ISK'), money(500_000n, 'MGA'), money(3_000n, 'UGX')]) {
      const paid = await pay({ amount })
      expect(paid.seen.captured).toEqual(amount)
      expect(account.simulator.ledger(paid.reference)[0]?.amountMinor).toBe(amount.minor)
    }
    const refused = await stripe.start(
      account.context(),
      operation('start'),
      purchase({ amount: money(12_345n, 'KWD') }),
    )
    expect(refused).toMatchObject({ kind: 'not-done', why: 'unsupported' })
  })

  it('opens pages that last as long as the link, within the limits of Stripe', async () => {
    const lasting = async (ms: number) => {
      const op = operation('start')
      const expiresAt = new Date(op.createdAt.getTime() + ms)
      const opened = await stripe.start(account.context(), op, purchase({ expiresAt }))
      if (opened.kind !== 'redirect') throw new Error(JSON.stringify(opened))
      return Math.round(((opened.expiresAt?.getTime() ?? 0) - op.createdAt.getTime()) / MINUTE)
    }
    expect(await lasting(2 * 60 * MINUTE)).toBe(120)
    expect(await lasting(MINUTE)).toBe(40)
    expect(await lasting(7 * DAY)).toBe(24 * 60)
  })
})

describe('reading a payment', () => {
  /** Replies as if Stripe ignored what is to be expanded. */
  const unexpanded = (): Http => {
    const { http } = account.context()
    const shortened = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
      const { id, object } = value as { id?: string; object?: string }
      return id && object ? id : value
    }
    return {
      async call(request) {
        const reply = await http.call(request)
        if (reply.kind !== 'reply' || request.method !== 'GET') return reply
        const members = Object.entries(reply.body as object).map(([name, value]) => [name, shortened(value)])
        return { ...reply, body: Object.fromEntries(members) }
      },
    }
  }

  it('reads the parts of which only the id was in the reply', async () => {
    const { reference, seen } = await pay({ storeMethod: true })
    const { session } = seen.handles
    const context = account.context({ http: unexpanded() })
    const again = await stripe.retrieve(context, reference, session ? { session } : {})
    if (again.kind !== 'snapshot') throw new Error(again.kind)
    expect({ ...again, facts: { ...again.facts, fee: seen.facts.fee } }).toEqual(seen)
  })

  it('cannot read a payment without an id, and does not conclude that it does not exist', async () => {
    const context = account.context()
    expect(await stripe.retrieve(context, 'R', {})).toEqual({ kind: 'unreadable' })
    const absent = { kind: 'absent', conclusive: false }
    expect(await stripe.retrieve(context, 'R', { session: 'cs_test_1' })).toEqual(absent)
    expect(await stripe.retrieve(context, 'R', { payment: 'pi_1' })).toEqual(absent)
  })

  it('never takes a lost or strange reply for an answer', async () => {
    const { reference, seen } = await pay()
    const sight = async (reply: HttpReply) => {
      const context = account.context({ http: { call: async () => reply } })
      return (await stripe.retrieve(context, reference, seen.handles)).kind
    }
    const body = (object: object): HttpReply => ({ kind: 'reply', status: 200, headers: {}, body: object })
    expect(await sight({ kind: 'no-answer', why: 'timeout', cause: 'timeout' })).toBe('unknown')
    expect(await sight({ kind: 'not-sent', cause: 'ECONNREFUSED' })).toBe('not-done')
    expect(await sight(body({ object: 'charge' }))).toBe('unknown')
    expect(await sight(body({ object: 'payment_intent', status: 'succeeded' }))).toBe('unknown')
  })

  it('counts a status that is not listed, and takes it neither for paid nor for ended', async () => {
    const { reference, seen } = await pay()
    const strange = { object: 'payment_intent', status: 'new_status', amount_received: 0, currency: 'usd' }
    const reply: HttpReply = { kind: 'reply', status: 200, headers: {}, body: strange }
    const context = account.context({ http: { call: async () => reply } })
    expect(await stripe.retrieve(context, reference, seen.handles)).toMatchObject({
      stage: 'processing',
      captured: money(0n, 'USD'),
      unlisted: ['payment intent status new_status'],
    })
  })
})

describe('stored methods', () => {
  const store = async () => {
    const paid = await pay({ storeMethod: true })
    const token = paid.seen.facts.stored?.token
    if (!token) throw new Error('nothing was stored')
    return { ...paid, token }
  }
  const charge = (token: string, overrides: Partial<Purchase> = {}) => {
    const op = operation('charge')
    return { op, outcome: stripe.charge(account.context(), op, purchase(overrides), token) }
  }

  it('declines without the customer when the bank wants authentication', async () => {
    const { token } = await store()
    account.simulator.arm({ kind: 'decline', operation: 'charge', code: 'authentication_required' })
    expect(await charge(token, { customerPresent: false }).outcome).toMatchObject({
      kind: 'declined',
      reason: 'authentication-required',
      retry: 'after-customer-acts',
      handles: { payment: expect.stringMatching(/^pi_/) },
    })
  })

  it('sends a customer who is present to the page of the bank', async () => {
    const { token } = await store()
    for (const kind of ['pay', 'decline'] as const) {
      account.simulator.arm({ kind: 'decline', operation: 'charge', code: 'authentication_required' })
      const { op, outcome } = charge(token)
      const asked = await outcome
      if (asked.kind !== 'redirect') throw new Error(JSON.stringify(asked))
      expect(await look(op.reference, asked.handles)).toMatchObject({
        stage: 'needs-customer',
        customerUrl: asked.url,
      })
      await account.simulator.payer(asked.url, { kind })
      const stage = kind === 'pay' ? 'captured' : 'declined'
      expect((await look(op.reference, asked.handles)).stage).toBe(stage)
    }
  })

  it('declines a method that was removed, and removes a removed one without an error', async () => {
    const { token, reference, seen } = await store()
    expect(await stripe.forget(account.context(), token)).toEqual({ kind: 'done' })
    expect(await stripe.forget(account.context(), token)).toEqual({ kind: 'done' })
    expect(await charge(token).outcome).toMatchObject({ kind: 'declined', reason: 'method-removed' })
    expect((await look(reference, seen.handles)).facts.stored).toBeUndefined()
  })

  it('finds out what happened when Stripe repeats an error 500 for a key', async () => {
    const { token } = await store()
    account.simulator.arm({ kind: 'error', operation: 'charge', status: 500 })
    const { op, outcome } = charge(token)
    expect((await outcome).kind).toBe('unknown')
    const again = () => stripe.charge(account.context(), op, purchase(), token)
    expect((await again()).kind).toBe('unknown')
    account.advance(11 * MINUTE)
    expect(await again()).toMatchObject({ kind: 'declined', reason: 'processing-error', retry: 'later' })
    expect(account.simulator.ledger(op.reference)).toEqual([])
  })

  it('ends a page whose opening Stripe answers with the same error 500 again and again', async () => {
    account.simulator.arm({ kind: 'error', operation: 'start', status: 500 })
    const op = operation('start')
    const start = () => stripe.start(account.context(), op, purchase())
    expect((await start()).kind).toBe('unknown')
    expect(await start()).toMatchObject({ kind: 'declined', reason: 'processing-error', retry: 'later' })
  })

  it('finds a charge whose reply was lost by the customer that was saved before it was sent', async () => {
    const { token } = await store()
    const saved: Handles[] = []
    const save = async (handles: Handles) => saved.push(handles) > 0
    const op = { ...operation('charge'), save }
    account.loseNextReply('charge')
    expect((await stripe.charge(account.context(), op, purchase(), token)).kind).toBe('unknown')
    const [handles = {}] = saved
    expect(handles).toEqual({ customer: token.split('/')[0] })
    expect(await look(op.reference, handles)).toMatchObject({
      stage: 'captured',
      reference: op.reference,
      handles: { payment: expect.stringMatching(/^pi_/) },
    })
    // A charge that never arrived is not there: it may be repeated, and it was not paid.
    const sight = await stripe.retrieve(account.context(), operation('charge').reference, handles)
    expect(sight).toEqual({ kind: 'unreadable', isUnpaid: true })
    // A key that Stripe does not accept says nothing about the charge.
    const { wrongSettings } = account.simulator
    const wrong = account.context({ config: parseSettings(manifest, wrongSettings) })
    expect((await stripe.retrieve(wrong, op.reference, handles)).kind).toBe('not-done')
  })

  it('does not send a charge that another worker has taken over', async () => {
    const { token } = await store()
    const op = { ...operation('charge'), save: async () => false }
    expect((await stripe.charge(account.context(), op, purchase(), token)).kind).toBe('unknown')
    expect(account.simulator.ledger(op.reference)).toEqual([])
  })

  it('gives the challenge of the bank an end, and cancels it so that it cannot be paid later', async () => {
    const { token } = await store()
    account.simulator.arm({ kind: 'decline', operation: 'charge', code: 'authentication_required' })
    const { op, outcome } = charge(token)
    const asked = await outcome
    if (asked.kind !== 'redirect') throw new Error(JSON.stringify(asked))
    expect(asked.expiresAt).toEqual(new Date(op.createdAt.getTime() + 60 * MINUTE))
    const cancel = operation('cancel', op.reference)
    expect(await stripe.cancel(account.context(), cancel, asked.handles)).toMatchObject({ kind: 'approved' })
    expect((await look(op.reference, asked.handles)).stage).toBe('cancelled')
    await account.simulator.payer(asked.url, { kind: 'pay' }).catch(() => undefined)
    expect(account.simulator.ledger(op.reference)).toEqual([])
  })

  it('names a page to return to in every charge, with and without the customer', async () => {
    const { token } = await store()
    for (const customerPresent of [true, false]) await charge(token, { customerPresent }).outcome
    const bodies = account.simulator.requests
      .filter(({ method, path }) => method === 'POST' && path === '/v1/payment_intents')
      .map(({ body }) => new URLSearchParams(body))
    expect(bodies.map((body) => [body.get('return_url'), body.get('off_session')])).toEqual([
      ['https://tender.example/back/1', null],
      ['https://tender.example/back/1', 'true'],
    ])
  })

  it('reports the card as it is at the time of each charge', async () => {
    const { token, seen } = await store()
    expect(seen.facts.stored?.card).toMatchObject({ expiryYear: 2034 })
    account.simulator.updateCards(2038)
    expect(await charge(token, { customerPresent: false }).outcome).toMatchObject({
      kind: 'approved',
      facts: { card: { last4: '4242', expiryMonth: 8, expiryYear: 2038 } },
    })
  })

  it('does not take another error for a decline', async () => {
    const { token } = await store()
    const kinds: Record<number, string> = {}
    for (const status of [400, 401, 403, 404, 409, 424, 429, 500, 503]) {
      account.simulator.arm({ kind: 'error', operation: 'charge', status, retryAfterSeconds: 7 })
      const result = await charge(token).outcome
      kinds[status] = result.kind === 'not-done' ? result.why : result.kind
    }
    expect(kinds).toEqual({
      400: 'bad-request',
      401: 'bad-credentials',
      403: 'bad-credentials',
      404: 'not-found',
      409: 'unknown',
      424: 'unknown',
      429: 'rate-limited',
      500: 'unknown',
      503: 'unknown',
    })
  })
})
