import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { money } from '../../../src/base/money.ts'
import { operation, purchase } from '../../../src/providers/contract/core.ts'
import type { Handles, Outcome } from '../../../src/providers/outcome.ts'
import { createPaypal } from '../../../src/providers/paypal/adapter.ts'
import type { Operation, Purchase } from '../../../src/providers/port.ts'
import { createPaypalClient, type PaypalClient, REQUESTS } from './client.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const paypal = createPaypal()

let client: PaypalClient
let now = 0

beforeEach(async () => {
  client = await createPaypalClient()
  now = 0
})
afterEach(() => client.close())

const ctx = () => client.context()
const advance = (ms: number): void => {
  now += ms
  client.advance(ms)
}

/** By the clock of the client, which may be ahead. */
const op = (step: Operation['step'], reference?: string): Operation => ({
  ...operation(step, reference),
  createdAt: new Date(Date.now() + now),
})

const eur = (minor: bigint) => money(minor, 'EUR')
const bought = (overrides: Partial<Purchase> = {}): Purchase =>
  purchase({ method: 'Paypal', sale: false, ...overrides })

interface Opened {
  readonly reference: string
  readonly handles: Handles
  readonly wanted: Purchase
}

async function approved(overrides: Partial<Purchase> = {}): Promise<Opened> {
  const start = op('start')
  const wanted = bought(overrides)
  const outcome = await paypal.start(ctx(), start, wanted)
  if (outcome.kind !== 'redirect') throw new Error(`not opened: ${JSON.stringify(outcome)}`)
  await client.simulator.payer(outcome.url, { kind: 'pay' })
  return { reference: start.reference, handles: outcome.handles, wanted }
}

async function paid(overrides: Partial<Purchase> = {}): Promise<Opened> {
  const opened = await approved(overrides)
  const resumed = await paypal.resume(ctx(), op('resume', opened.reference), opened.wanted, opened.handles)
  if (resumed.kind !== 'approved') throw new Error(`not paid: ${JSON.stringify(resumed)}`)
  return { ...opened, handles: { ...opened.handles, ...resumed.handles } }
}

const see = async ({ reference, handles }: Opened) => {
  const sight = await paypal.retrieve(ctx(), reference, handles)
  if (sight.kind !== 'snapshot') throw new Error(`not seen: ${JSON.stringify(sight)}`)
  return sight
}

const moved = (reference: string, kind: string): number =>
  client.simulator.ledger(reference).filter((entry) => entry.kind === kind && entry.state !== 'failed').length

const sent = (path: RegExp): number =>
  client.simulator.requests.filter((request) => request.method === 'POST' && path.test(request.path)).length

async function storedToken(): Promise<string> {
  const { facts } = await see(await paid({ sale: true, storeMethod: true }))
  return facts.stored?.token ?? ''
}

describe('a payment approved at PayPal', () => {
  it('is taken in one step or reserved, as the order was opened', async () => {
    const sale = await paid({ sale: true })
    expect(await see(sale)).toMatchObject({ stage: 'captured', captured: eur(1_050n) })
    expect(await see(sale)).not.toHaveProperty('authorised')
    const opened = await approved({ sale: false })
    const changed = bought({ sale: true })
    const outcome = await paypal.resume(ctx(), op('resume', opened.reference), changed, opened.handles)
    expect(outcome).toMatchObject({
      kind: 'approved',
      stage: 'authorised',
      echo: { amount: eur(1_050n) },
    })
  })

  it('is found after the reply is lost, and taken once', async () => {
    const opened = await approved({ sale: true })
    const resume = op('resume', opened.reference)
    client.lose(REQUESTS.resume)
    expect((await paypal.resume(ctx(), resume, opened.wanted, opened.handles)).kind).toBe('unknown')
    expect((await see(opened)).stage).toBe('captured')
    const again = await paypal.resume(ctx(), { ...resume, sending: 2 }, opened.wanted, opened.handles)
    expect(again).toMatchObject({ kind: 'approved', stage: 'captured' })
    const other = await paypal.resume(ctx(), op('resume', opened.reference), opened.wanted, opened.handles)
    expect(other.kind).toBe('unknown')
    expect(moved(opened.reference, 'sale')).toBe(1)
  })

  it('opens one order for a repeated start, also after the payer approved it', async () => {
    const start = op('start')
    const first = await paypal.start(ctx(), start, bought())
    const second = await paypal.start(ctx(), start, bought())
    expect(second).toEqual(first)
    if (first.kind === 'redirect') await client.simulator.payer(first.url, { kind: 'pay' })
    expect(await paypal.start(ctx(), start, bought())).toMatchObject({
      kind: 'pending',
      waitsFor: 'customer',
    })
  })

  it('waits for a review by PayPal', async () => {
    const opened = await approved()
    client.simulator.arm({ kind: 'pending', operation: 'resume' })
    const outcome = await paypal.resume(ctx(), op('resume', opened.reference), opened.wanted, opened.handles)
    expect(outcome).toMatchObject({ kind: 'pending', waitsFor: 'review' })
    expect((await see(opened)).stage).toBe('in-review')
    client.simulator.dashboard(opened.reference, { kind: 'release' })
    expect((await see(opened)).stage).toBe('authorised')
  })

  it('is declined with our reason and PayPal’s own code, also an unlisted one', async () => {
    const declined = async (code: string) => {
      const opened = await approved()
      client.simulator.arm({ kind: 'decline', operation: 'resume', code })
      return paypal.resume(ctx(), op('resume', opened.reference), opened.wanted, opened.handles)
    }
    expect(await declined('PAYER_ACCOUNT_LOCKED_OR_CLOSED')).toMatchObject({
      kind: 'declined',
      reason: 'account-closed',
      raw: { code: 'PAYER_ACCOUNT_LOCKED_OR_CLOSED', status: 422 },
    })
    expect(await declined('SOMETHING_NEW')).toMatchObject({ reason: 'generic', isUnlisted: true })
  })

  it('lapses if it is not paid; a young order that PayPal does not show proves nothing', async () => {
    const opened = await approved()
    advance(4 * HOUR)
    expect(await paypal.retrieve(ctx(), opened.reference, opened.handles)).toEqual({
      kind: 'absent',
      conclusive: false,
    })
    advance(3 * HOUR)
    const seen = await see(opened)
    expect(seen.stage).toBe('expired')
    expect((await see({ ...opened, handles: seen.handles })).stage, 'also when it is read again').toBe(
      'expired',
    )
    const resumed = await paypal.resume(ctx(), op('resume', opened.reference), opened.wanted, opened.handles)
    expect(resumed).toMatchObject({ kind: 'not-done', why: 'not-found' })
  })

  it('is not opened with an amount that PayPal cannot express', async () => {
    const outcome = await paypal.start(ctx(), op('start'), bought({ amount: money(1_050n, 'HUF') }))
    expect(outcome).toMatchObject({ kind: 'not-done', why: 'bad-request' })
    expect(sent(REQUESTS.start)).toBe(0)
  })
})

const capture = (one: Opened, by: Operation, minor = 1_050n): Promise<Outcome> =>
  paypal.capture(ctx(), by, one.handles, eur(minor))

describe('an authorisation', () => {
  it('is renewed after three days and captured', async () => {
    const one = await paid()
    advance(4 * DAY)
    const outcome = await capture(one, op('capture', one.reference))
    expect(outcome).toMatchObject({
      kind: 'approved',
      echo: { amount: eur(1_050n), reference: one.reference },
    })
    expect(sent(/reauthorize$/)).toBe(1)
    const handles = 'handles' in outcome ? outcome.handles : {}
    expect(handles?.authorisation).not.toBe(one.handles.authorisation)
  })

  it('is not renewed within three days', async () => {
    const one = await paid()
    advance(2 * DAY)
    expect((await capture(one, op('capture', one.reference))).kind).toBe('approved')
    expect(sent(/reauthorize$/)).toBe(0)
  })

  it('is captured once, whichever reply is lost', async () => {
    for (const lost of [/reauthorize$/, REQUESTS.capture]) {
      const one = await paid()
      advance(4 * DAY)
      const by = op('capture', one.reference)
      client.lose(lost)
      expect((await capture(one, by)).kind).toBe('unknown')
      expect((await capture(one, { ...by, sending: 2 })).kind).toBe('approved')
      expect((await capture(one, { ...by, sending: 3 })).kind).toBe('approved')
      expect(moved(one.reference, 'capture')).toBe(1)
    }
  })

  it('shows its capture, also when PayPal has forgotten the request id', async () => {
    const one = await paid()
    const by = op('capture', one.reference)
    client.lose(REQUESTS.capture)
    expect((await capture(one, by)).kind).toBe('unknown')
    advance(46 * DAY)
    const again = await capture(one, { ...by, sending: 2 })
    expect(again).toMatchObject({ kind: 'approved', echo: { amount: eur(1_050n) } })
    expect(moved(one.reference, 'capture')).toBe(1)
  })

  it('is captured in part, and the rest is released', async () => {
    const one = await paid()
    expect((await capture(one, op('capture', one.reference), 400n)).kind).toBe('approved')
    expect(await see(one)).toMatchObject({ stage: 'captured', authorised: eur(1_050n), captured: eur(400n) })
    const more = await capture(one, op('capture', one.reference), 100n)
    expect(more).toMatchObject({ kind: 'not-done', why: 'wrong-state' })
  })

  it('stays reserved if PayPal declines the capture', async () => {
    const one = await paid()
    client.simulator.arm({ kind: 'decline', operation: 'capture', code: 'DECLINED' })
    const declined = await capture(one, op('capture', one.reference))
    expect(declined).toMatchObject({ kind: 'declined', raw: { code: 'OTHER' } })
    expect(await see(one)).toMatchObject({ stage: 'authorised', captured: eur(0n) })
    expect((await capture(one, op('capture', one.reference))).kind).toBe('approved')
  })

  it('ends after 29 days, or by hand at PayPal', async () => {
    const [lapsed, voided] = [await paid(), await paid()]
    client.simulator.dashboard(voided.reference, { kind: 'void' })
    expect((await see(voided)).stage).toBe('cancelled')
    advance(29 * DAY)
    expect(await see(lapsed)).toMatchObject({ stage: 'expired', authorised: eur(1_050n) })
    const outcome = await capture(lapsed, op('capture', lapsed.reference))
    expect(outcome).toMatchObject({ kind: 'not-done', why: 'wrong-state' })
  })

  it('that was renewed is voided by cancel, a second time too', async () => {
    const one = await paid()
    advance(4 * DAY)
    const renewing = op('capture', one.reference)
    client.simulator.arm({ kind: 'decline', operation: 'capture', code: 'TRANSACTION_REFUSED' })
    expect(await capture(one, renewing)).toMatchObject({ kind: 'declined', reason: 'blocked' })
    const by = op('cancel', one.reference)
    expect((await paypal.cancel(ctx(), by, one.handles)).kind).toBe('approved')
    expect((await see(one)).stage).toBe('cancelled')
    expect((await paypal.cancel(ctx(), by, one.handles)).kind).toBe('approved')
    expect(moved(one.reference, 'void')).toBe(1)
  })

  it('cannot be cancelled after it was captured', async () => {
    const one = await paid({ sale: true })
    const outcome = await paypal.cancel(ctx(), op('cancel', one.reference), one.handles)
    expect(outcome).toMatchObject({ kind: 'not-done', why: 'wrong-state' })
  })
})

describe('a refund', () => {
  it('is found by its operation, also when PayPal has forgotten the request id', async () => {
    const one = await paid({ sale: true })
    const by = op('refund', one.reference)
    client.lose(REQUESTS.refund)
    expect((await paypal.refund(ctx(), by, one.handles, eur(300n))).kind).toBe('unknown')
    expect((await see(one)).refunds).toMatchObject([{ operationKey: by.key, state: 'done' }])
    advance(46 * DAY)
    const again = await paypal.refund(ctx(), { ...by, sending: 2 }, one.handles, eur(300n))
    expect(again).toMatchObject({ kind: 'approved', echo: { amount: eur(300n) } })
    expect(moved(one.reference, 'refund')).toBe(1)
  })

  it('comes from the capture that has enough left', async () => {
    const one = await paid()
    client.simulator.dashboard(one.reference, { kind: 'capture', amountMinor: 250n })
    client.simulator.dashboard(one.reference, { kind: 'capture', amountMinor: 800n })
    expect(await see(one)).toMatchObject({ stage: 'captured', captured: eur(1_050n) })
    const outcome = await paypal.refund(ctx(), op('refund', one.reference), one.handles, eur(600n))
    expect(outcome.kind).toBe('approved')
    const more = await paypal.refund(ctx(), op('refund', one.reference), one.handles, eur(300n))
    expect(more).toMatchObject({ kind: 'not-done', why: 'bad-request' })
  })

  it('made at PayPal belongs to no operation, and one that failed is shown as failed', async () => {
    const one = await paid({ sale: true })
    client.simulator.dashboard(one.reference, { kind: 'refund', amountMinor: 200n })
    const [refund] = (await see(one)).refunds
    expect(refund).toMatchObject({ amount: eur(200n), state: 'done' })
    expect(refund).not.toHaveProperty('operationKey')
    client.simulator.dashboard(one.reference, { kind: 'fail-refund' })
    expect(await see(one)).toMatchObject({ refunded: eur(0n), refunds: [{ state: 'failed' }] })
  })

  it('is pending, or refused with a reason', async () => {
    const one = await paid({ sale: true })
    client.simulator.arm({ kind: 'pending', operation: 'refund' })
    const outcome = await paypal.refund(ctx(), op('refund', one.reference), one.handles, eur(100n))
    expect(outcome.kind).toBe('pending')
    client.simulator.arm({ kind: 'decline', operation: 'refund', code: 'REFUND_FAILED_INSUFFICIENT_FUNDS' })
    const refused = await paypal.refund(ctx(), op('refund', one.reference), one.handles, eur(100n))
    expect(refused).toMatchObject({ kind: 'declined', reason: 'insufficient-funds' })
  })
})

describe('a stored wallet', () => {
  /** A charge whose reply to this request is lost, and what it saved. */
  async function chargeLosing(request: RegExp, token: string) {
    let handles: Handles = {}
    const save = async (saved: Handles) => {
      handles = saved
      return true
    }
    const charge = { ...op('charge'), save }
    client.lose(request)
    const outcome = await paypal.charge(ctx(), charge, bought(), token)
    return { charge, outcome, handles }
  }

  it('is not charged before the id of its order is saved', async () => {
    const token = await storedToken()
    const charge = op('charge')
    const before = sent(REQUESTS.charge)
    const fenced = { ...charge, save: async () => false }
    expect((await paypal.charge(ctx(), fenced, bought(), token)).kind).toBe('unknown')
    expect(sent(REQUESTS.charge)).toBe(before)
    expect(moved(charge.reference, 'authorise')).toBe(0)
    const failing = { ...charge, sending: 2, save: () => Promise.reject(new Error('no database')) }
    await expect(paypal.charge(ctx(), failing, bought(), token)).rejects.toThrow('no database')
    expect(moved(charge.reference, 'authorise')).toBe(0)
  })

  it('is found although the first reply is lost: nothing was charged without a saved id', async () => {
    const token = await storedToken()
    const { charge, outcome, handles } = await chargeLosing(REQUESTS.start, token)
    expect(outcome.kind).toBe('unknown')
    expect(handles).toEqual({})
    const unread = { kind: 'unreadable', isUnpaid: true }
    expect(await paypal.retrieve(ctx(), charge.reference, {})).toEqual(unread)
    expect(moved(charge.reference, 'authorise')).toBe(0)
    const again = await paypal.charge(ctx(), { ...charge, sending: 2 }, bought(), token)
    expect(again).toMatchObject({ kind: 'approved', stage: 'authorised' })
    expect(moved(charge.reference, 'authorise')).toBe(1)
  })

  it('is found although the second reply is lost, also when the request ids are forgotten', async () => {
    const token = await storedToken()
    const { charge, outcome, handles } = await chargeLosing(REQUESTS.charge, token)
    expect(outcome.kind).toBe('unknown')
    expect((await see({ ...charge, handles, wanted: bought() })).stage).toBe('authorised')
    const again = { ...charge, sending: 2, saved: handles }
    expect(await paypal.charge(ctx(), again, bought(), token)).toMatchObject({ kind: 'approved' })
    advance(8 * HOUR)
    expect((await see({ ...charge, handles, wanted: bought() })).stage).toBe('authorised')
    expect((await paypal.charge(ctx(), again, bought(), token)).kind, 'the order decides').toBe('unknown')
    expect(moved(charge.reference, 'authorise')).toBe(1)
  })

  it('is charged later if the second request did not arrive; fails when the order has lapsed', async () => {
    const token = await storedToken()
    client.answer(REQUESTS.charge, { kind: 'no-answer', why: 'timeout', cause: 'hung' })
    const { charge, handles } = await chargeLosing(/nothing/, token)
    const opened = { ...charge, handles, wanted: bought() }
    const seen = await see(opened)
    expect(seen.stage, 'the payer has nothing to approve').toBe('approved')
    expect(seen).not.toHaveProperty('customerUrl')
    client.answer(REQUESTS.charge)
    advance(7 * HOUR)
    expect(await see(opened)).toMatchObject({ stage: 'declined', decline: { reason: 'processing-error' } })
    const late = await paypal.charge(ctx(), { ...charge, sending: 2, saved: handles }, bought(), token)
    expect(late).toMatchObject({ kind: 'not-done', why: 'not-found' })
    expect(moved(charge.reference, 'authorise')).toBe(0)
  })

  it('is not charged for an order of another amount', async () => {
    const token = await storedToken()
    const amount = { currency_code: 'EUR', value: '99.00' }
    const body = { id: 'OTHER1', intent: 'CAPTURE', status: 'CREATED', purchase_units: [{ amount }] }
    client.answer(REQUESTS.start, { kind: 'reply', status: 201, headers: {}, body })
    const before = sent(REQUESTS.charge)
    const outcome = await paypal.charge(ctx(), op('charge'), bought(), token)
    expect(outcome).toMatchObject({ kind: 'pending', echo: { amount: eur(9_900n) } })
    expect(sent(REQUESTS.charge)).toBe(before)
  })

  it('stays unknown if a repetition does not reach PayPal; a first request was not done', async () => {
    const token = await storedToken()
    const charge = op('charge')
    client.answer(REQUESTS.start, { kind: 'not-sent', cause: 'ECONNREFUSED' })
    expect(await paypal.charge(ctx(), charge, bought(), token)).toMatchObject({ kind: 'not-done' })
    expect((await paypal.charge(ctx(), { ...charge, sending: 2 }, bought(), token)).kind).toBe('unknown')
    const takenOver = { ...charge, createdAt: new Date(charge.createdAt.getTime() - 40_000) }
    expect((await paypal.charge(ctx(), takenOver, bought(), token)).kind).toBe('unknown')
  })

  it('that needs an absent payer is declined with authentication-required', async () => {
    const token = await storedToken()
    client.simulator.arm({ kind: 'decline', operation: 'charge', code: 'PAYER_ACTION_REQUIRED' })
    const outcome = await paypal.charge(ctx(), op('charge'), bought({ customerPresent: false }), token)
    expect(outcome).toMatchObject({ reason: 'authentication-required', retry: 'after-customer-acts' })
  })
})

describe('an answer that makes no sense', () => {
  it('is unknown in every step', async () => {
    const token = await storedToken()
    const [open, reserved, taken] = [await approved(), await paid(), await paid({ sale: true })]
    const page = { kind: 'reply', status: 200, headers: {}, body: '<html>' } as const
    for (const path of Object.values(REQUESTS)) client.answer(path, page)
    client.answer(/payment-tokens/, page)
    const by = (step: Operation['step'], { reference }: Opened) => op(step, reference)
    const outcomes = [
      await paypal.start(ctx(), op('start'), bought()),
      await paypal.charge(ctx(), op('charge'), bought(), token),
      await paypal.resume(ctx(), by('resume', open), open.wanted, open.handles),
      await capture(reserved, by('capture', reserved)),
      await paypal.cancel(ctx(), by('cancel', reserved), reserved.handles),
      await paypal.refund(ctx(), by('refund', taken), taken.handles, eur(100n)),
      await paypal.forget(ctx(), token),
    ]
    expect(outcomes.map(({ kind }) => kind)).toEqual(outcomes.map(() => 'unknown'))
    client.answer(/./, page)
    expect((await paypal.retrieve(ctx(), taken.reference, taken.handles)).kind).toBe('unknown')
    expect(await paypal.check(ctx())).toMatchObject({ ok: false })
  })
})

describe('access tokens', () => {
  const tokensSent = () => sent(/oauth2\/token$/)

  it('are shared, renewed once after a refusal, and renewed before they expire', async () => {
    await paid()
    await paid()
    expect(tokensSent()).toBe(1)
    client.simulator.revokeTokens()
    await paid()
    expect(tokensSent()).toBe(2)
    advance(9 * HOUR)
    await paid()
    expect(tokensSent()).toBe(3)
  })

  it('are not the operation: without one nothing was sent', async () => {
    const unavailable = { kind: 'reply', status: 503, headers: {}, body: undefined } as const
    client.answer(/oauth2\/token$/, unavailable)
    expect(await paypal.start(ctx(), op('start'), bought())).toMatchObject({
      kind: 'not-done',
      why: 'not-sent',
    })
    client.answer(/oauth2\/token$/)
    client.simulator.arm({ kind: 'error', operation: 'start', status: 429, retryAfterSeconds: 30 })
    const limited = await paypal.start(ctx(), op('start'), bought())
    expect(limited).toMatchObject({ kind: 'not-done', why: 'rate-limited', retryAfter: expect.any(Date) })
  })
})
