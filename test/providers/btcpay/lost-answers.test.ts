import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MINUTE } from '../../../src/base/clock.ts'
import { money } from '../../../src/base/money.ts'
import { actsUnder, FAULTS, type FaultKind, type ProxiedRequest } from '../kit/fault-proxy.ts'
import { type BtcpayWorld, bought, btcpay, createWorld, operation, sentAgain, VERSIONS } from './world.ts'

/**
 * The server has no idempotency keys. Whatever happens to an answer, there is never a second invoice that the
 * customer could pay, and never a second refund that the customer could claim.
 */

describe.each(VERSIONS)('a server of version %s', (version) => {
  let world: BtcpayWorld

  beforeEach(async () => {
    world = await createWorld({ version })
  })

  afterEach(async () => {
    expect(world.simulator.violations).toEqual([])
    await world.close()
  })

  const creates = ({ method, path }: ProxiedRequest): boolean => method === 'POST' && /\/invoices$/.test(path)
  const refunds = ({ method, path }: ProxiedRequest): boolean => method === 'POST' && /\/refund$/.test(path)
  const marks = ({ method, path }: ProxiedRequest): boolean => method === 'POST' && /\/status$/.test(path)
  const half = money(525n, 'EUR')

  /** A hanging call ends when the proxy has passed it on and the caller gives up. */
  async function calling<T>(kind: FaultKind, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const giveUp = new AbortController()
    const answer = call(giveUp.signal)
    if (kind.startsWith('hang')) {
      await expect
        .poll(() =>
          world.proxy.exchanges.some((one) => one.fault === kind && (!actsUnder(kind) || one.status)),
        )
        .toBe(true)
      giveUp.abort()
    }
    return answer
  }

  const outcomeUnder = (kind: FaultKind, good: string): RegExp => {
    if (kind === 'slow') return new RegExp(`^${good}$`)
    return kind === 'rate-limited' ? /^not-done$/ : /^unknown$/
  }

  describe('an invoice whose answer is damaged', () => {
    it.each(FAULTS)('%s: there is one page to pay on, however often the start is repeated', async (kind) => {
      const op = operation('start')
      world.proxy.arm({ kind, match: creates, delayMs: 10 })
      const outcome = await calling(kind, (signal) => btcpay.start(world.context({ signal }), op, bought()))
      expect(outcome.kind).toMatch(outcomeUnder(kind, 'redirect'))
      expect(world.simulator.invoices(op.reference)).toHaveLength(actsUnder(kind) ? 1 : 0)
      const sight = await btcpay.retrieve(world.context(), op.reference, {})
      expect(sight).toMatchObject(
        actsUnder(kind)
          ? { kind: 'snapshot', stage: 'needs-customer' }
          : { kind: 'absent', conclusive: true },
      )
      const again = await btcpay.start(world.context(), sentAgain(op), bought())
      const third = await btcpay.start(world.context(), sentAgain(sentAgain(op)), bought())
      expect(again).toMatchObject({ kind: 'redirect', echo: { reference: op.reference } })
      expect(third).toEqual(again)
      expect(world.simulator.invoices(op.reference)).toHaveLength(1)
    })

    it('closes the invoice of an earlier request that arrives late: no one has its link', async () => {
      const op = operation('start')
      world.simulator.lagLists(true)
      world.proxy.arm({ kind: 'cut-after', match: creates })
      expect((await btcpay.start(world.context(), op, bought())).kind).toBe('unknown')
      // The list does not show the first invoice while the second is made, and shows it right after that.
      const late = world.context({
        http: {
          call: async (call) => {
            const reply = await world.context().http.call(call)
            if (call.method === 'POST') world.simulator.lagLists(false)
            return reply
          },
        },
      })
      const outcome = await btcpay.start(late, sentAgain(op), bought())
      if (outcome.kind !== 'redirect') throw new Error(`expected a redirect, not ${outcome.kind}`)
      const [first, second] = world.simulator.invoices(op.reference)
      expect([first?.status, second?.status]).toEqual(['Invalid', 'New'])
      expect(outcome.handles.payment).toBe(second?.id)
      expect(await btcpay.retrieve(world.context(), op.reference, {})).toMatchObject({
        stage: 'needs-customer',
        handles: { payment: second?.id },
      })
    })

    it('follows the invoice that was paid, if there are two', async () => {
      const op = operation('start')
      world.simulator.lagLists(true)
      await btcpay.start(world.context(), op, bought())
      const shown = await btcpay.start(world.context(), op, bought())
      world.simulator.lagLists(false)
      expect(world.simulator.invoices(op.reference)).toHaveLength(2)
      if (shown.kind !== 'redirect') throw new Error(`expected a redirect, not ${shown.kind}`)
      await world.simulator.payer(shown.url, { kind: 'pay' })
      const sight = await btcpay.retrieve(world.context(), op.reference, {})
      expect(sight).toMatchObject({ stage: 'processing', handles: { payment: shown.handles.payment } })
      const again = await btcpay.start(world.context(), sentAgain(op), bought())
      expect(again).toMatchObject({ kind: 'pending', handles: { payment: shown.handles.payment } })
      expect(world.simulator.invoices(op.reference).map(({ status }) => status)).toEqual([
        'Invalid',
        'Processing',
      ])
    })
  })

  describe('a refund whose answer is damaged', () => {
    it.each(FAULTS)('%s: there is one refund to claim, however often it is repeated', async (kind) => {
      const paid = await world.paid()
      const op = operation('refund', paid.reference)
      const refund = (sent: typeof op, signal?: AbortSignal) =>
        btcpay.refund(world.context(signal ? { signal } : {}), sent, paid.handles, half)
      world.proxy.arm({ kind, match: refunds, delayMs: 10 })
      const outcome = await calling(kind, (signal) => refund(op, signal))
      expect(outcome.kind).toMatch(outcomeUnder(kind, 'pending'))
      const seen = await world.see(paid)
      expect(seen.refunds.map(({ operationKey }) => operationKey)).toEqual(actsUnder(kind) ? [op.key] : [])
      await refund(sentAgain(op))
      const later = await refund(sentAgain(op, 2 * MINUTE))
      expect(later).toMatchObject({ kind: 'pending', echo: { reference: paid.reference, amount: half } })
      expect(await refund(sentAgain(op, 3 * MINUTE))).toEqual(later)
      expect(world.simulator.claimPages(paid.reference)).toHaveLength(1)
    })

    it('is not repeated at once: an earlier request may still arrive', async () => {
      const paid = await world.paid()
      const op = operation('refund', paid.reference)
      world.proxy.arm({ kind: 'cut-before', match: refunds })
      await btcpay.refund(world.context(), op, paid.handles, half)
      const soon = await btcpay.refund(world.context(), sentAgain(op), paid.handles, half)
      expect(soon).toMatchObject({ kind: 'unknown' })
      expect(world.simulator.claimPages(paid.reference)).toEqual([])
      world.advance(2 * MINUTE)
      const later = await btcpay.refund(world.context(), sentAgain(op), paid.handles, half)
      expect(later.kind).toBe('pending')
    })

    it('withdraws a twin that appears late, and reports one refund', async () => {
      const paid = await world.paid()
      const op = operation('refund', paid.reference)
      world.simulator.lagLists(true)
      world.proxy.arm({ kind: 'cut-after', match: refunds })
      await btcpay.refund(world.context(), op, paid.handles, half)
      const late = world.context({
        http: {
          call: async (call) => {
            const reply = await world.context().http.call(call)
            if (call.method === 'POST') world.simulator.lagLists(false)
            return reply
          },
        },
      })
      const outcome = await btcpay.refund(late, sentAgain(op, 2 * MINUTE), paid.handles, half)
      if (outcome.kind !== 'pending') throw new Error(`expected pending, not ${outcome.kind}`)
      const states = world.simulator.ledger(paid.reference).filter(({ kind }) => kind === 'refund')
      expect(states.map(({ state }) => state)).toEqual(['failed', 'pending'])
      const seen = await world.see(paid)
      expect(seen.refunds).toMatchObject([
        { operationKey: op.key, state: 'pending', customerUrl: outcome.customerUrl },
      ])
    })

    it('never sends a second request if the refunds of the store cannot be listed', async () => {
      await world.close()
      const all = ['viewinvoices', 'createinvoice', 'modifyinvoices', 'createpullpayments']
      world = await createWorld({ version, permissions: all.map((name) => `btcpay.store.can${name}`) })
      const paid = await world.paid()
      const op = operation('refund', paid.reference)
      world.proxy.arm({ kind: 'cut-after', match: refunds })
      expect((await btcpay.refund(world.context(), op, paid.handles, half)).kind).toBe('unknown')
      const again = await btcpay.refund(world.context(), sentAgain(op, 5 * MINUTE), paid.handles, half)
      expect(again.kind).toBe('unknown')
      expect(world.simulator.claimPages(paid.reference)).toHaveLength(1)
    })
  })

  describe('a cancellation whose answer is damaged', () => {
    it.each(FAULTS)('%s: repeating it closes the invoice', async (kind) => {
      const opened = await world.open()
      const op = operation('cancel', opened.reference)
      world.proxy.arm({ kind, match: marks, delayMs: 10 })
      const outcome = await calling(kind, (signal) =>
        btcpay.cancel(world.context({ signal }), op, opened.handles),
      )
      expect(outcome.kind).toMatch(outcomeUnder(kind, 'approved'))
      expect((await world.see(opened)).stage).toBe(actsUnder(kind) ? 'cancelled' : 'needs-customer')
      expect((await btcpay.cancel(world.context(), sentAgain(op), opened.handles)).kind).toBe('approved')
      expect((await world.see(opened)).stage).toBe('cancelled')
    })
  })

  describe('a read that is damaged', () => {
    it.each(FAULTS)('%s: nothing is concluded from it', async (kind) => {
      const paid = await world.paid()
      world.proxy.arm({ kind, match: ({ path }) => path.includes('/invoices/'), delayMs: 10 })
      const sight = await calling(kind, (signal) =>
        btcpay.retrieve(world.context({ signal }), paid.reference, paid.handles),
      )
      expect(sight.kind).toMatch(outcomeUnder(kind, 'snapshot'))
    })

    it('does not take an invoice that it knows for absent', async () => {
      const opened = await world.open()
      const sight = await btcpay.retrieve(world.context(), opened.reference, { payment: 'elsewhere' })
      expect(sight).toEqual({ kind: 'absent', conclusive: false })
    })
  })
})
