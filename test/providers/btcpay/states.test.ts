import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../../../src/base/clock.ts'
import { money } from '../../../src/base/money.ts'
import { type BtcpayWorld, bought, btcpay, createWorld, operation, VERSIONS } from './world.ts'

describe.each(VERSIONS)('a server of version %s', (version) => {
  let world: BtcpayWorld

  beforeEach(async () => {
    world = await createWorld({ version })
  })

  afterEach(async () => {
    expect(world.simulator.violations).toEqual([])
    await world.close()
  })

  const eur = (minor: bigint) => money(minor, 'EUR')

  describe('what happens to an invoice', () => {
    it('waits for confirmations before it counts as captured', async () => {
      const opened = await world.open()
      expect(await world.see(opened)).toMatchObject({ stage: 'needs-customer', customerUrl: opened.url })
      await world.simulator.payer(opened.url, { kind: 'pay' })
      expect(await world.see(opened)).toMatchObject({ stage: 'processing', captured: eur(0n) })
      world.advance(10 * MINUTE)
      expect(await world.see(opened)).toMatchObject({
        stage: 'captured',
        captured: eur(1050n),
        reference: opened.reference,
      })
    })

    it('waits for the rest of a part while the server watches, then ends as underpaid', async () => {
      const opened = await world.open()
      await world.simulator.payer(opened.url, { kind: 'pay-part', percent: 40 })
      expect(await world.see(opened)).not.toHaveProperty('received')
      world.advance(20 * MINUTE)
      const [invoice] = world.simulator.invoices(opened.reference)
      expect(await world.see(opened)).toMatchObject({
        stage: 'needs-customer',
        customerUrl: opened.url,
        captured: eur(0n),
        received: eur(420n),
        openUntil: new Date(Math.floor((invoice?.monitoredUntil ?? 0) / 1000) * 1000),
      })
      world.advance(DAY)
      expect(await world.see(opened)).toMatchObject({
        stage: 'declined',
        decline: { reason: 'underpaid', raw: { code: 'Expired PaidPartial' } },
        captured: eur(420n),
      })
      const op = operation('refund', opened.reference)
      const outcome = await btcpay.refund(world.context(), op, opened.handles, eur(420n))
      expect(outcome).toMatchObject({
        kind: 'pending',
        customerUrl: expect.stringContaining('/pull-payments/'),
      })
    })

    it('captures the payment when the rest of a part comes late', async () => {
      const opened = await world.open()
      await world.simulator.payer(opened.url, { kind: 'pay-part', percent: 40 })
      world.advance(20 * MINUTE)
      await world.simulator.payer(opened.url, { kind: 'pay' })
      expect((await world.see(opened)).stage).toBe('processing')
      world.advance(10 * MINUTE)
      expect(await world.see(opened)).toMatchObject({ stage: 'captured', captured: eur(1050n) })
    })

    it('ends an invoice that waits for the rest, and reports the part', async () => {
      const opened = await world.open()
      await world.simulator.payer(opened.url, { kind: 'pay-part', percent: 40 })
      world.advance(20 * MINUTE)
      const op = operation('cancel', opened.reference)
      const outcome = await btcpay.cancel(world.context(), op, opened.handles)
      expect(outcome).toMatchObject({ kind: 'not-done', why: 'wrong-state' })
      expect(world.simulator.invoices(opened.reference)[0]?.status).toBe('Invalid')
      expect(await world.see(opened)).toMatchObject({
        stage: 'declined',
        decline: { reason: 'underpaid' },
        captured: eur(420n),
      })
    })

    it('counts an overpaid invoice with its amount', async () => {
      const opened = await world.open()
      await world.simulator.payer(opened.url, { kind: 'pay-part', percent: 120 })
      world.advance(10 * MINUTE)
      expect(await world.see(opened)).toMatchObject({ stage: 'captured', captured: eur(1050n) })
      // Returning what was paid too much is no refund of the payment.
      world.simulator.dashboard(opened.reference, { kind: 'refund', amountMinor: 210n })
      world.simulator.dashboard(opened.reference, { kind: 'settle' })
      expect(await world.see(opened)).toMatchObject({ refunded: eur(0n), refunds: [] })
    })

    it('captures a late payment once it is confirmed', async () => {
      const opened = await world.open()
      world.advance(20 * MINUTE)
      expect((await world.see(opened)).stage).toBe('expired')
      await world.simulator.payer(opened.url, { kind: 'pay' })
      expect((await world.see(opened)).stage).toBe('processing')
      world.advance(10 * MINUTE)
      expect(await world.see(opened)).toMatchObject({ stage: 'captured', captured: eur(1050n) })
      const op = operation('refund', opened.reference)
      expect((await btcpay.refund(world.context(), op, opened.handles, eur(1050n))).kind).toBe('pending')
    })

    it('finds money that arrives after the invoice was cancelled', async () => {
      const opened = await world.open()
      const cancelled = await btcpay.cancel(
        world.context(),
        operation('cancel', opened.reference),
        opened.handles,
      )
      expect(cancelled.kind).toBe('approved')
      await world.simulator.payer(opened.url, { kind: 'pay' })
      expect((await world.see(opened)).stage).toBe('processing')
      world.advance(10 * MINUTE)
      expect((await world.see(opened)).stage).toBe('captured')
    })

    it('does not cancel an invoice on which money is on its way', async () => {
      const opened = await world.open()
      await world.simulator.payer(opened.url, { kind: 'pay' })
      const op = operation('cancel', opened.reference)
      expect(await btcpay.cancel(world.context(), op, opened.handles)).toMatchObject({
        kind: 'not-done',
        why: 'wrong-state',
      })
      world.advance(10 * MINUTE)
      expect((await world.see(opened)).stage).toBe('captured')
    })

    it('closes a page on which a part was paid, and reports the part', async () => {
      const opened = await world.open()
      await world.simulator.payer(opened.url, { kind: 'pay-part', percent: 40 })
      const op = operation('cancel', opened.reference)
      const outcome = await btcpay.cancel(world.context(), op, opened.handles)
      expect(outcome).toMatchObject({ kind: 'not-done', why: 'wrong-state' })
      expect(world.simulator.invoices(opened.reference)[0]?.status).toBe('Invalid')
      world.advance(10 * MINUTE)
      expect(await world.see(opened)).toMatchObject({
        stage: 'declined',
        decline: { reason: 'underpaid' },
        captured: eur(420n),
      })
    })

    it('declines a payment that never gets its confirmations', async () => {
      const opened = await world.open()
      await world.simulator.payer(opened.url, { kind: 'decline', code: 'stuck' })
      expect((await world.see(opened)).stage).toBe('processing')
      world.advance(2 * DAY)
      expect(await world.see(opened)).toMatchObject({
        stage: 'declined',
        decline: { reason: 'generic', raw: { code: 'Invalid' } },
        captured: eur(0n),
      })
    })

    it('is refused where a reservation, a stored method or another method is wanted', async () => {
      for (const wanted of [{ sale: false }, { storeMethod: true }, { method: 'CreditCard' as const }]) {
        const outcome = await btcpay.start(world.context(), operation('start'), bought(wanted))
        expect(outcome).toEqual({ kind: 'not-done', why: 'unsupported' })
      }
      expect(world.simulator.requests).toEqual([])
    })

    it('ends with the payment, if that ends sooner than the rate of the store', async () => {
      const { createdAt } = operation('start')
      const opened = await world.open({ expiresAt: new Date(createdAt.getTime() + 7.5 * MINUTE) })
      const [invoice] = world.simulator.invoices(opened.reference)
      expect(invoice?.checkout).toMatchObject({ expirationMinutes: 7 })
      const long = await world.open({ expiresAt: new Date(createdAt.getTime() + DAY) })
      expect(world.simulator.invoices(long.reference)[0]?.checkout).toMatchObject({ expirationMinutes: 15 })
    })

    it('tells the amount and the reference of the answer, so that another payment is noticed', async () => {
      const opened = await world.open()
      const other = await btcpay.start(world.context(), opened.op, bought({ amount: eur(2000n) }))
      expect(other).toMatchObject({ echo: { reference: opened.reference, amount: eur(1050n) } })
    })
  })

  describe('what happens to a refund', () => {
    const refund = async (minor: bigint) => {
      const paid = await world.paid()
      const op = operation('refund', paid.reference)
      const outcome = await btcpay.refund(world.context(), op, paid.handles, eur(minor))
      if (outcome.kind !== 'pending') throw new Error(`expected pending, not ${JSON.stringify(outcome)}`)
      return { paid, op, outcome, page: outcome.customerUrl ?? '' }
    }

    it('waits until the customer has claimed it and the merchant has paid it out', async () => {
      const { paid, op, page } = await refund(1050n)
      expect(await world.see(paid)).toMatchObject({
        refunded: eur(0n),
        refunds: [{ operationKey: op.key, state: 'pending', customerUrl: page }],
      })
      await world.simulator.payer(page, { kind: 'pay' })
      expect((await world.see(paid)).refunds).toMatchObject([{ state: 'pending' }])
      world.simulator.dashboard(paid.reference, { kind: 'settle' })
      expect(await world.see(paid)).toMatchObject({ refunded: eur(1050n), refunds: [{ state: 'done' }] })
      const again = await btcpay.refund(world.context(), op, paid.handles, eur(1050n))
      expect(again).toMatchObject({ kind: 'approved', echo: { amount: eur(1050n) } })
    })

    it('fails if the merchant withdraws it', async () => {
      const { paid, op } = await refund(1050n)
      world.simulator.dashboard(paid.reference, { kind: 'fail-refund' })
      expect((await world.see(paid)).refunds).toMatchObject([
        { operationKey: op.key, state: 'failed', problem: expect.stringContaining('archived') },
      ])
      const next = operation('refund', paid.reference)
      expect((await btcpay.refund(world.context(), next, paid.handles, eur(1050n))).kind).toBe('pending')
    })

    it('counts the part that was claimed before the rest was withdrawn', async () => {
      const { paid, op, page } = await refund(1000n)
      await world.simulator.payer(page, { kind: 'pay-part', percent: 50 })
      const [pull] = world.simulator.claimPages(paid.reference)
      expect(pull).toBe(page)
      world.simulator.completeClaims(paid.reference)
      world.simulator.dashboard(paid.reference, { kind: 'fail-refund' })
      expect(await world.see(paid)).toMatchObject({
        refunded: eur(500n),
        refunds: [
          { operationKey: op.key, amount: eur(1000n), state: 'failed' },
          { amount: eur(500n), state: 'done' },
        ],
      })
    })

    it('is seen if it was made on the pages of the server', async () => {
      const paid = await world.paid()
      world.simulator.dashboard(paid.reference, { kind: 'refund', amountMinor: 300n })
      expect(await world.see(paid)).toMatchObject({ refunded: eur(0n), refunds: [{ state: 'pending' }] })
      world.simulator.dashboard(paid.reference, { kind: 'settle' })
      expect(await world.see(paid)).toMatchObject({ refunded: eur(300n), refunds: [{ amount: eur(300n) }] })
      const op = operation('refund', paid.reference)
      const outcome = await btcpay.refund(world.context(), op, paid.handles, eur(800n))
      expect(outcome).toMatchObject({ kind: 'not-done', why: 'wrong-state' })
    })

    it('is found by its handle if the refunds of the store cannot be listed', async () => {
      const { paid, op, outcome, page } = await refund(1050n)
      world.proxy.arm({
        kind: 'error-before',
        status: 403,
        match: ({ path }) => /\/pull-payments\?/.test(path),
      })
      const seen = await btcpay.retrieve(world.context(), paid.reference, outcome.handles)
      expect(seen).toMatchObject({ refunds: [{ operationKey: op.key, customerUrl: page }] })
    })

    it('is claimed by the method that was paid', async () => {
      const opened = await world.open()
      await fetch(opened.url, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ act: 'lightning' }),
      })
      const op = operation('refund', opened.reference)
      expect((await btcpay.refund(world.context(), op, opened.handles, eur(100n))).kind).toBe('pending')
      expect(world.simulator.claimMethods(opened.reference)).toEqual([['BTC-LN']])
      const sent = world.simulator.requests.find(({ path }) => path.endsWith('/refund'))
      const named = version === '2.4.1' ? { payoutMethods: ['BTC-LN'] } : { payoutMethodId: 'BTC-LN' }
      expect(JSON.parse(sent?.body ?? '')).toMatchObject(named)
    })

    it('is claimed by the default method if the store does not pay out by the one paid', async () => {
      await world.close()
      world = await createWorld({ version, payoutMethods: ['BTC-CHAIN'] })
      const opened = await world.open()
      await fetch(opened.url, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ act: 'lightning' }),
      })
      const op = operation('refund', opened.reference)
      expect((await btcpay.refund(world.context(), op, opened.handles, eur(100n))).kind).toBe('pending')
      expect(world.simulator.claimMethods(opened.reference)).toEqual([['BTC-CHAIN']])
    })

    it('is made and found in a store with thousands of other refunds', async () => {
      const paid = await world.paid()
      world.simulator.addRefunds(3_000)
      const op = operation('refund', paid.reference)
      const outcome = await btcpay.refund(world.context(), op, paid.handles, eur(1050n))
      expect(outcome.kind).toBe('pending')
      expect(await btcpay.refund(world.context(), op, paid.handles, eur(1050n))).toEqual(outcome)
      expect((await world.see(paid)).refunds).toMatchObject([{ operationKey: op.key }])
    })

    it('is sent once if the store has more refunds than can be listed', async () => {
      const paid = await world.paid()
      const { http } = world.context()
      const call: typeof http.call = async (request) =>
        /\/pull-payments\?/.test(request.url)
          ? { kind: 'no-answer', why: 'unreadable-reply', cause: 'reply too large' }
          : http.call(request)
      const context = world.context({ http: { call } })
      const op = operation('refund', paid.reference)
      expect((await btcpay.refund(context, op, paid.handles, eur(100n))).kind).toBe('pending')
      const again = await btcpay.refund(context, { ...op, sending: 2 }, paid.handles, eur(100n))
      expect(again.kind).toBe('unknown')
      expect(world.simulator.claimPages(paid.reference)).toHaveLength(1)
      expect(await btcpay.check(context)).toMatchObject({
        ok: true,
        warnings: [expect.stringContaining('refunds')],
      })
    })

    it('carries the text of the merchant', async () => {
      const paid = await world.paid()
      const op = { ...operation('refund', paid.reference), description: 'Tea\nwas cold' }
      await btcpay.refund(world.context(), op, paid.handles, eur(100n))
      const sent = world.simulator.requests.find(({ path }) => path.endsWith('/refund'))
      expect(JSON.parse(sent?.body ?? '')).toMatchObject({
        description: `Tea was cold (reference ${op.key})`,
      })
      expect((await world.see(paid)).refunds).toMatchObject([{ operationKey: op.key }])
    })
  })
})
