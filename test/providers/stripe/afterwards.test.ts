import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { money } from '../../../src/base/money.ts'
import { stripe } from '../../../src/providers/stripe/adapter.ts'
import { openAccount, type StripeAccount } from './account.ts'
import { createShop } from './shop.ts'

const DAY = 86_400_000

let account: StripeAccount
beforeEach(async () => {
  account = await openAccount()
})
afterEach(() => account.close())

const { operation, look, pay, seenAfter } = createShop(() => account)

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
    expect(open.disputes?.[0]).toMatchObject({
      state: 'open',
      amount: money(2_000n, 'USD'),
      reason: 'fraudulent',
      evidenceDue: expect.any(Date),
      url: expect.stringMatching(/^https:\/\/dashboard\.stripe\.com\/test\/disputes\/dp_/),
    })
    expect((await seenAfter(paid, { kind: 'dispute', state: 'won' })).disputes?.[0]?.state).toBe('won')
    expect((await seenAfter(await pay(), { kind: 'dispute', state: 'lost' })).disputes?.[0]?.state).toBe(
      'lost',
    )
    account.advance(31 * DAY)
    expect((await look(paid.reference, paid.seen.handles)).disputes).toMatchObject([{ state: 'won' }])
  })

  it('shows every dispute with its own id, amount and present state', async () => {
    const paid = await pay()
    await seenAfter(paid, { kind: 'dispute', state: 'open', amountMinor: 500n })
    await seenAfter(paid, { kind: 'dispute', state: 'won' })
    const second = { kind: 'dispute', which: 2, amountMinor: 300n } as const
    const opened = (await seenAfter(paid, { ...second, state: 'open' })).disputes ?? []
    expect(opened.map(({ state, amount }) => [state, amount?.minor]).sort()).toEqual([
      ['open', 300n],
      ['won', 500n],
    ])
    expect(new Set(opened.map(({ id }) => id)).size).toBe(2)
    const lost = (await seenAfter(paid, { ...second, state: 'lost' })).disputes ?? []
    expect(lost.find(({ state }) => state === 'lost')?.amount).toEqual(money(300n, 'USD'))
  })

  it('shows an inquiry as refundable, and the chargeback that it becomes under the same id', async () => {
    const paid = await pay()
    const inquiry = { kind: 'dispute', state: 'open', isInquiry: true } as const
    const [asked] = (await seenAfter(paid, inquiry)).disputes ?? []
    expect(asked).toMatchObject({ state: 'open', isRefundable: true })
    const [closed] = (await seenAfter(paid, { kind: 'dispute', state: 'won' })).disputes ?? []
    expect(closed).toMatchObject({ id: asked?.id, state: 'won' })
    const [escalated] = (await seenAfter(paid, { kind: 'dispute', state: 'open' })).disputes ?? []
    expect(escalated).toMatchObject({ id: asked?.id, state: 'open' })
    expect(escalated?.isRefundable).toBeUndefined()
  })

  it('applies the rest of a payment whose disputes cannot be read now', async () => {
    const paid = await pay()
    account.simulator.dashboard(paid.reference, { kind: 'dispute', state: 'open' })
    const secretKey = account.simulator.keyWithout('/v1/disputes')
    const config = { secretKey, webhookSecrets: [] }
    const seen = await stripe.retrieve(account.context({ config }), paid.reference, paid.seen.handles)
    expect(seen).toMatchObject({ stage: 'captured', captured: money(2_000n, 'USD'), isIncomplete: true })
    expect(seen).not.toHaveProperty('disputes')
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
    expect(returned.disputes?.[0]).toBeUndefined()
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
  it('keeps text and reason of the merchant, and waits for a refund that is decided later', async () => {
    const paid = await pay()
    account.simulator.arm({ kind: 'pending', operation: 'refund' })
    const told = { description: 'Too small\nfor him', reason: 'requested-by-customer' } as const
    const op = { ...operation('refund', paid.reference), ...told }
    const refund = () => stripe.refund(account.context(), op, paid.seen.handles, money(500n, 'USD'))
    expect(await refund()).toMatchObject({ kind: 'pending', echo: { reference: paid.reference } })
    expect(await refund()).toMatchObject({ kind: 'pending' })
    const [request] = account.simulator.requests.filter(
      ({ path, method }) => path === '/v1/refunds' && method === 'POST',
    )
    const sent = new URLSearchParams(request?.body)
    expect(sent.get('metadata[description]')).toBe('Too small for him')
    expect(sent.get('reason')).toBe('requested_by_customer')
    expect((await seenAfter(paid, { kind: 'settle' })).refunds).toMatchObject([
      { operationKey: op.key, state: 'done' },
    ])
  })
})
