import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { money } from '../../../src/base/money.ts'
import type { Outcome, Snapshot } from '../../../src/providers/outcome.ts'
import type { Operation, Purchase, Step } from '../../../src/providers/port.ts'
import { stripe } from '../../../src/providers/stripe/adapter.ts'
import type { DashboardAct, PayerAct } from '../kit/simulator.ts'
import { openAccount, type StripeAccount } from './account.ts'

const MINUTE = 60_000
const DAY = 86_400_000

let account: StripeAccount
beforeEach(async () => {
  account = await openAccount()
})
afterEach(() => account.close())

let made = 0
const operation = (step: Step, reference?: string): Operation => {
  const key = `T${String(++made).padStart(19, '0')}`
  return { key, step, reference: reference ?? key, sending: 1, createdAt: account.context().now() }
}

const purchase = (overrides: Partial<Purchase> = {}): Purchase => ({
  amount: money(2_000n, 'USD'),
  sale: true,
  storeMethod: false,
  method: 'CreditCard',
  customerPresent: true,
  backUrl: 'https://tender.example/back/1',
  customer: { id: 'c-1', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
  ...overrides,
})

interface Paid {
  readonly reference: string
  readonly seen: Snapshot
}

async function look(reference: string, handles: Snapshot['handles']): Promise<Snapshot> {
  const seen = await stripe.retrieve(account.context(), reference, handles)
  if (seen.kind !== 'snapshot') throw new Error(JSON.stringify(seen))
  return seen
}

async function pay(overrides: Partial<Purchase> = {}, act: PayerAct = { kind: 'pay' }): Promise<Paid> {
  const op = operation('start')
  const opened = await stripe.start(account.context(), op, purchase(overrides))
  if (opened.kind !== 'redirect') throw new Error(JSON.stringify(opened))
  await account.simulator.payer(opened.url, act)
  return { reference: op.reference, seen: await look(op.reference, opened.handles) }
}

async function seenAfter({ reference, seen }: Paid, ...acts: readonly DashboardAct[]): Promise<Snapshot> {
  for (const act of acts) expect(account.simulator.dashboard(reference, act)).toBe(true)
  return look(reference, seen.handles)
}

const capture = ({ reference, seen }: Paid, minor: bigint): Promise<Outcome> =>
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
    expect(captured).toMatchObject({ kind: 'approved', told: { amount: money(1_500n, 'USD') } })
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
    expect(await again()).toMatchObject({ kind: 'not-done' })
    expect(account.simulator.ledger(op.reference)).toEqual([])
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

describe('what Stripe tells by itself', () => {
  it('shows captures, refunds and cancellations made in the dashboard', async () => {
    const held = await pay({ sale: false })
    expect(await seenAfter(held, { kind: 'capture', amountMinor: 900n })).toMatchObject({
      stage: 'captured',
      captured: money(900n, 'USD'),
    })
    expect(await seenAfter(held, { kind: 'refund', amountMinor: 300n })).toMatchObject({
      refunded: money(300n, 'USD'),
      refunds: [{ state: 'done', amount: money(300n, 'USD') }],
    })
    expect(await seenAfter(held, { kind: 'fail-refund' })).toMatchObject({
      refunded: money(0n, 'USD'),
      refunds: [{ state: 'failed', problem: 'expired or canceled card' }],
    })
    expect((await seenAfter(await pay({ sale: false }), { kind: 'void' })).stage).toBe('cancelled')
    expect((await seenAfter(await pay({ sale: false }), { kind: 'expire-authorisation' })).stage).toBe(
      'expired',
    )
  })

  it('shows a dispute with its amount, reason and deadline, and how it ended', async () => {
    const paid = await pay()
    const open = await seenAfter(paid, { kind: 'dispute', state: 'open' })
    expect(open.dispute).toMatchObject({
      state: 'open',
      amount: money(2_000n, 'USD'),
      reason: 'fraudulent',
      evidenceDue: expect.any(Date),
      url: expect.stringMatching(/^https:\/\/dashboard\.stripe\.com\/test\/disputes\/dp_/),
    })
    expect((await seenAfter(paid, { kind: 'dispute', state: 'won' })).dispute?.state).toBe('won')
    expect((await seenAfter(await pay(), { kind: 'dispute', state: 'lost' })).dispute?.state).toBe('lost')
    account.advance(31 * DAY)
    expect((await look(paid.reference, paid.seen.handles)).dispute).toBeUndefined()
  })

  it('holds a payment in review and releases it', async () => {
    const paid = await pay()
    expect((await seenAfter(paid, { kind: 'hold' })).review).toBe('open')
    expect((await seenAfter(paid, { kind: 'release' })).review).toBe('approved')
  })

  it('confirms a debit after days and reports its return', async () => {
    const debit = { method: 'ElectronicCheck' } as const
    const paid = await pay(debit)
    expect(paid.seen.stage).toBe('processing')
    account.advance(4 * DAY)
    const confirmed = await look(paid.reference, paid.seen.handles)
    expect(confirmed).toMatchObject({ stage: 'captured', facts: { method: 'ElectronicCheck' } })
    const returned = await seenAfter(paid, { kind: 'return-debit' })
    expect(returned).toMatchObject({ stage: 'captured', isReturned: true })
    expect(returned.dispute).toBeUndefined()
  })

  it('declines a debit that the bank refuses days later', async () => {
    const paid = await pay({ method: 'ElectronicCheck' }, { kind: 'decline', code: 'account_closed' })
    expect(paid.seen.stage).toBe('processing')
    account.advance(4 * DAY)
    expect(await look(paid.reference, paid.seen.handles)).toMatchObject({
      stage: 'declined',
      decline: { reason: 'account-closed', retry: 'never' },
    })
  })

  it('reports the return of a debit also when the charge shows as failed', async () => {
    await account.close()
    account = await openAccount({ returns: 'failure' })
    const paid = await pay({ method: 'ElectronicCheck' })
    account.advance(4 * DAY)
    expect(await seenAfter(paid, { kind: 'return-debit' })).toMatchObject({
      stage: 'declined',
      isReturned: true,
    })
  })
})

describe('refunds', () => {
  it('keeps the text of the merchant and waits for a refund that is decided later', async () => {
    const paid = await pay()
    account.simulator.arm({ kind: 'pending', operation: 'refund' })
    const op = { ...operation('refund', paid.reference), description: 'Too small\nfor him' }
    const refund = () => stripe.refund(account.context(), op, paid.seen.handles, money(500n, 'USD'))
    expect(await refund()).toMatchObject({ kind: 'pending', told: { reference: paid.reference } })
    expect(await refund()).toMatchObject({ kind: 'pending' })
    const [request] = account.simulator.requests.filter(
      ({ path, method }) => path === '/v1/refunds' && method === 'POST',
    )
    expect(new URLSearchParams(request?.body).get('metadata[description]')).toBe('Too small for him')
    expect((await seenAfter(paid, { kind: 'settle' })).refunds).toMatchObject([
      { operationKey: op.key, state: 'done' },
    ])
  })
})
