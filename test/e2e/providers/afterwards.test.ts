import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { money } from '../../../src/base/money.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import { followHint } from '../../../src/payments/provider/movements/follow-hint.ts'
import type { Snapshot } from '../../../src/providers/outcome.ts'
import { type Answer, good, hostedPage, newReference, type TestService } from '../../support/tender.ts'
import {
  cancelled,
  none,
  open,
  PAGE,
  type Script,
  type Scripted,
  snapshot,
  startScripted,
} from './scripted.ts'

/** What happens long after a payment began. */

let scripted: Scripted
let tender: TestService
let profileId: number
let script: Script
let calls: Scripted['calls']

beforeAll(async () => {
  scripted = await startScripted('e2e_provider_afterwards')
  ;({ tender, profileId, script, calls } = scripted)
})
afterAll(() => tender?.stop())
beforeEach(() => scripted.reset())

const TOKEN = { token: 'tok', label: 'Visa •••• 4242', method: 'CreditCard' } as const
const create = (more?: object): Promise<Answer> => scripted.create(more)
const recheck = (paymentId: number): Promise<Answer> => scripted.recheck(paymentId)
const captured = async (more: object = {}): Promise<Answer> => recheck((await create(more)).paymentId)
const read = (paymentId: number): Promise<Answer> => scripted.read(paymentId)
const soon = (seconds?: number): Promise<string> => scripted.soon(seconds)

/** A customer with a stored card at the scripted provider. */
async function registered(): Promise<string> {
  const customerId = newReference()
  script.retrieve = (reference) => snapshot(reference, { facts: { stored: TOKEN } })
  await captured({ registerAutoPayment: true, customerOrder: { customer: { customerId } } })
  return customerId
}

const charge = async (customerId: string, more: object = {}) =>
  good(
    await tender.sandbox.call('POST', 'payments/auto-payment', {
      ...{ referenceId: newReference(), amount: 25.5, currency: 'EUR', autoCapture: true },
      ...{ customerOrder: { customer: { customerId } }, ...more },
    }),
  )

describe('a dispute', () => {
  const inquiry = { id: 'd1', state: 'open', amount: money(500n, 'EUR') } as const

  it('that is lost for a part leaves the rest to refund', async () => {
    const { paymentId } = await captured()
    script.retrieve = (reference) => snapshot(reference, { disputes: [{ ...inquiry, state: 'lost' }] })
    expect(await recheck(paymentId)).toMatchObject({
      ...{ paymentState: 'Captured', refundedAmount: 5, canRefund: true },
      ...{ dispute: { disputeId: 'd1', state: 'lost', amount: 5 } },
    })
    expect((await tender.sandbox.call('POST', `payments/${paymentId}/refund?amount=20.51`)).status).toBe(422)
    expect(good(await tender.sandbox.act(paymentId, 'refund'))).toMatchObject({
      ...{ paymentState: 'Refunded', refundedAmount: 25.5 },
    })
    await expect.poll(() => calls.at(-1)?.step, { timeout: 20_000 }).toBe('refund')
  })

  it('can be answered by a refund where the provider takes one', async () => {
    const { paymentId } = await captured()
    script.retrieve = (reference) => snapshot(reference, { disputes: [inquiry] })
    expect(await recheck(paymentId)).toMatchObject({ paymentState: 'Disputed', canRefund: false })
    expect((await tender.sandbox.act(paymentId, 'refund')).status).toBe(409)
    const disputes = [{ ...inquiry, isRefundable: true }]
    script.retrieve = (reference) => snapshot(reference, { disputes })
    expect(await recheck(paymentId)).toMatchObject({ canRefund: true, disputes: [{ canRefund: true }] })
    const part = await tender.sandbox.call('POST', `payments/${paymentId}/refund?amount=5`)
    expect(good(part)).toMatchObject({ paymentState: 'Disputed', refundedAmount: 5 })
    expect(good(await tender.sandbox.act(paymentId, 'refund')).paymentState).toBe('Refunded')
  })

  it('and a refund on the dashboard count both when one read shows them', async () => {
    const { paymentId } = await create()
    const refunds = [{ id: 'r1', amount: money(1000n, 'EUR'), state: 'done' } as const]
    script.retrieve = (reference) =>
      snapshot(reference, { disputes: [inquiry], refunded: money(1000n, 'EUR'), refunds })
    expect(await recheck(paymentId)).toMatchObject({ paymentState: 'Disputed', refundedAmount: 10 })
  })

  it('of a refunded payment is shown and sent', async () => {
    const { paymentId } = await captured()
    good(await tender.sandbox.act(paymentId, 'refund'))
    script.retrieve = (reference) =>
      snapshot(reference, {
        refunded: money(2550n, 'EUR'),
        disputes: [{ ...inquiry, amount: money(2550n, 'EUR') }],
      })
    expect(await recheck(paymentId)).toMatchObject({ paymentState: 'Refunded', dispute: { disputeId: 'd1' } })
    expect((await tender.sandbox.states(paymentId)).slice(-2)).toEqual(['Refunded', 'Refunded'])
  })
})

describe('a capture that failed after it was done', () => {
  const recapture = { since: new Date('2026-11-15T12:00:00Z'), problem: 'Technical issue' }
  const failed = (reference: string) =>
    snapshot(reference, { stage: 'authorised', authorised: money(2550n, 'EUR'), captured: none, recapture })

  it('is Capturing until the provider has captured again', async () => {
    const { paymentId } = await captured()
    script.retrieve = failed
    expect(await recheck(paymentId)).toMatchObject({
      paymentState: 'Capturing',
      capturedAmount: 0,
      canCancel: true,
    })
    script.retrieve = (reference) => snapshot(reference)
    expect(await recheck(paymentId)).toMatchObject({ paymentState: 'Captured', capturedAmount: 25.5 })
  })

  it('ends by the word of the merchant', async () => {
    const { paymentId } = await captured()
    script.retrieve = failed
    await recheck(paymentId)
    expect(good(await tender.sandbox.act(paymentId, 'cancel'))).toMatchObject({
      ...{ paymentState: 'Failed', failure: { code: 'cancelled' }, capturedAmount: 0 },
    })
  })

  it('ends after ten days, and money that comes later is given back', async () => {
    const { paymentId } = await captured()
    const since = new Date(await soon(0))
    script.retrieve = (reference) => ({ ...failed(reference), recapture: { since } })
    await recheck(paymentId)
    await tender.sandbox.advance('9d')
    expect((await read(paymentId)).paymentState).toBe('Capturing')
    await tender.sandbox.advance('40d')
    expect(await read(paymentId)).toMatchObject({
      paymentState: 'Failed',
      failure: { code: 'provider_rejected' },
    })
    script.retrieve = (reference) => snapshot(reference)
    calls.length = 0
    await recheck(paymentId)
    expect(calls.map(({ step }) => step)).toEqual(['refund'])
  })
})

describe('a captured bank debit', () => {
  it('is read again daily and then weekly, so that its return is found', async () => {
    const { paymentId } = await create({ paymentProfileId: profileId })
    const statement = {
      name: 'test.debit',
      text: `update payments set method = 'ElectronicCheck' where payment_id = $1`,
    }
    await tender.service.ctx.db.query(statement, [paymentId])
    let reads = 0
    const counted = (reference: string, more: Partial<Snapshot> = {}) => {
      reads++
      return snapshot(reference, more)
    }
    script.retrieve = (reference) => counted(reference)
    expect((await recheck(paymentId)).paymentState).toBe('Captured')
    for (let day = 1; day <= 8; day++) await tender.sandbox.advance('25h')
    expect(reads).toBeGreaterThanOrEqual(8)
    script.retrieve = (reference) => counted(reference, { isReturned: true })
    await tender.sandbox.advance('8d')
    expect(await read(paymentId)).toMatchObject({ paymentState: 'Refunded', lastError: 'bank_return' })
  })
})

describe('a bank’s challenge that the customer leaves', () => {
  async function challenged(more: object = {}) {
    const customerId = await registered()
    script.retrieve = (reference) => open(reference)
    const started = await charge(customerId, more)
    expect(started.paymentState).toBe('SaleInProgress')
    return started
  }

  it('ends after an hour: the charge is cancelled at the provider', async () => {
    const { paymentId } = await challenged()
    expect((await read(paymentId)).canCancel).toBe(true)
    let isClosed = false
    script.cancel = (_op, handles) => {
      isClosed = true
      return { kind: 'approved', handles, facts: {} }
    }
    script.retrieve = (reference) => (isClosed ? cancelled(reference) : open(reference))
    await tender.sandbox.advance('61m')
    expect(await read(paymentId)).toMatchObject({
      ...{ paymentState: 'Failed', failure: { code: 'declined', declineCode: 'expired' } },
    })
    expect(calls.map(({ step }) => step)).toContain('cancel')
  })

  it('can be ended by the merchant', async () => {
    const { paymentId } = await challenged()
    script.retrieve = cancelled
    expect(good(await tender.sandbox.act(paymentId, 'cancel'))).toMatchObject({
      ...{ paymentState: 'Failed', failure: { code: 'cancelled' } },
    })
  })

  it('is left on the page for another way: the charge is cancelled, and the form is back', async () => {
    const customerId = await registered()
    const order = { customerOrder: { customer: { customerId } } }
    const body = { ...hostedPage({ referenceId: newReference() }), ...order }
    const { paymentId, redirectUrl } = good(await tender.sandbox.call('POST', 'payments/hosted-page', body))
    const shown = async (path: string) => (await fetch(`${redirectUrl}${path}`)).text()
    const fieldIn = (html: string, name: string) =>
      new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? ''
    const post = (path: string, fields: Record<string, string>) =>
      fetch(`${redirectUrl}${path}`, {
        method: 'POST',
        body: new URLSearchParams(fields),
        redirect: 'manual',
      })
    let isClosed = false
    script.cancel = (_op, handles) => {
      isClosed = true
      return { kind: 'approved', handles, facts: {} }
    }
    script.retrieve = (reference) => (isClosed ? cancelled(reference) : open(reference))
    const form = await shown('')
    await post('/pay', { attempt: fieldIn(form, 'attempt'), saved: fieldIn(form, 'saved') })
    expect((await read(paymentId)).paymentState).toBe('SaleInProgress')
    const challenge = await shown('/challenge/1')
    expect(challenge).toContain(PAGE)
    await post('/another-way', { attempt: 'forged' })
    expect(isClosed).toBe(false)
    await post('/another-way', { attempt: fieldIn(challenge, 'attempt') })
    expect(isClosed).toBe(true)
    expect((await read(paymentId)).paymentState).toBe('Created')
    expect(await shown('')).toContain('name="saved"')
  })

  it('is paid if the customer answered the bank in the last moment', async () => {
    const { paymentId } = await challenged()
    script.cancel = () => ({ kind: 'not-done', why: 'wrong-state' })
    let asked = 0
    script.retrieve = (reference) => (++asked > 1 ? snapshot(reference) : open(reference))
    await tender.sandbox.advance('61m')
    expect((await read(paymentId)).paymentState).toBe('Captured')
  })
})

describe('a charge whose first reply was lost', () => {
  it.each(['bad-credentials', 'not-found', 'unsupported'] as const)(
    'stays open when its repetition is answered %s',
    async (why) => {
      const customerId = await registered()
      script.charge = () => ({ kind: 'unknown', why: 'timeout' })
      script.retrieve = () => ({ kind: 'unreadable' })
      const { paymentId } = await charge(customerId)
      script.charge = () => ({ kind: 'not-done', why })
      await tender.sandbox.advance('10m')
      expect((await read(paymentId)).paymentState).toBe('SaleInProgress')
      script.retrieve = (reference) => snapshot(reference)
      expect((await recheck(paymentId)).paymentState).toBe('Captured')
    },
  )

  it('ends when the provider’s complete list proves that nothing was made', async () => {
    const customerId = await registered()
    script.charge = () => ({ kind: 'unknown', why: 'server-error' })
    script.retrieve = () => ({ kind: 'unreadable' })
    const { paymentId } = await charge(customerId)
    script.charge = () => ({
      ...{ kind: 'declined', reason: 'processing-error', retry: 'later', raw: { status: 500 } },
    })
    await tender.sandbox.advance('10m')
    expect(await read(paymentId)).toMatchObject({
      ...{ paymentState: 'Failed', failure: { declineCode: 'processing-error' } },
    })
  })
})

it('of a refund that was refused, the part that the provider made counts at once', async () => {
  const { paymentId } = await captured()
  const part = money(1000n, 'EUR')
  script.refund = () => ({ kind: 'not-done', why: 'wrong-state' })
  script.retrieve = (reference) =>
    snapshot(reference, { refunded: part, refunds: [{ id: 'share', amount: part, state: 'done' }] })
  expect(good(await tender.sandbox.act(paymentId, 'refund'))).toMatchObject({
    ...{ paymentState: 'Captured', capturedAmount: 25.5, refundedAmount: 10 },
  })
})

describe('a rate limit', () => {
  it('is not the failure of an automatic payment: the charge is sent again', async () => {
    const customerId = await registered()
    script.charge = () => ({ kind: 'not-done', why: 'rate-limited' })
    const { paymentId, paymentState } = await charge(customerId)
    expect(paymentState).toBe('SaleInProgress')
    script.charge = (op) => ({ kind: 'approved', handles: { payment: `p-${op.reference}` }, facts: {} })
    script.retrieve = () => ({ kind: 'absent', conclusive: true })
    await tender.sandbox.advance('5m')
    expect((await read(paymentId)).paymentState).toBe('Captured')
    const keys = new Set(calls.filter(({ step }) => step === 'charge').map(({ key }) => key))
    expect(keys.size).toBe(1)
  })
})

describe('a second payment on one page', () => {
  it('is given back once, and the first counts', async () => {
    const { paymentId } = await create()
    // Payments of earlier tests are read too, and only this one was paid twice.
    const own = calls.at(-1)?.key ?? ''
    const second = { payment: `second-${own}` }
    const isBack = () => calls.some(({ step }) => step === 'refund')
    script.retrieve = (reference, handles) => {
      if (reference !== own) return snapshot(reference)
      if (handles.payment === second.payment)
        return snapshot(own, { handles, refunded: isBack() ? money(2550n, 'EUR') : none })
      return snapshot(own, isBack() ? {} : { extra: [{ id: 'p2', handles: second }] })
    }
    expect(await recheck(paymentId)).toMatchObject({ paymentState: 'Captured', refundedAmount: 0 })
    await tender.sandbox.advance('1m')
    const refunds = calls.filter(({ step }) => step === 'refund')
    expect(refunds.map(({ handles }) => handles?.payment)).toEqual([second.payment])
    script.retrieve = (reference) => snapshot(reference)
    expect(await recheck(paymentId)).toMatchObject({ paymentState: 'Captured', refundedAmount: 0 })
  })
})

describe('a second payment on the page of an attempt that has failed', () => {
  it('is given back', async () => {
    const { paymentId } = await create()
    const own = calls.at(-1)?.key ?? ''
    const second = { payment: `second-${own}` }
    script.retrieve = cancelled
    expect((await recheck(paymentId)).paymentState).toBe('Failed')
    script.retrieve = (reference, handles) => {
      if (reference !== own) return cancelled(reference)
      if (handles.payment === second.payment) return snapshot(own, { handles })
      return { ...cancelled(own), extra: [{ id: 'p2', handles: second }] }
    }
    await recheck(paymentId)
    await tender.sandbox.advance('1m')
    const refunds = calls.filter(({ step }) => step === 'refund')
    expect(refunds.map(({ handles }) => handles?.payment)).toEqual([second.payment])
  })
})

describe('a notification about an attempt that has failed', () => {
  it('is processed again while the provider cannot list all payments on its page', async () => {
    const { paymentId } = await create()
    const reference = calls.at(-1)?.key ?? ''
    script.retrieve = cancelled
    expect((await recheck(paymentId)).paymentState).toBe('Failed')
    const { ctx } = tender.service
    const app = await loadApp(ctx, tender.sandbox.appId)
    const follow = () => app && followHint(ctx, app, { profileId }, { reference })
    script.retrieve = (known) => ({ ...cancelled(known), isIncomplete: true })
    expect(await follow()).toBe(false)
    script.retrieve = cancelled
    expect(await follow()).toBe(true)
  })
})

describe('a part of the amount', () => {
  it('that arrived is told with the time until which the rest may come, and can be given back', async () => {
    const { paymentId } = await create({ expirationTime: await soon() })
    const openUntil = new Date(await soon(48 * 3600))
    script.retrieve = (reference) => open(reference, { received: money(1000n, 'EUR'), openUntil })
    const reported = await recheck(paymentId)
    expect(reported.paymentState).toBe('Created')
    expect(reported.lastError).toMatch(
      /^Only 10\.00 EUR of 25\.50 EUR has arrived\. The rest may come until 20/,
    )
    await tender.sandbox.advance('2h')
    expect((await read(paymentId)).paymentState).toBe('Created')
    script.retrieve = (reference) =>
      snapshot(reference, { stage: 'cancelled', captured: money(1000n, 'EUR') })
    expect(good(await tender.sandbox.act(paymentId, 'cancel')).paymentState).toBe('Failed')
    await tender.sandbox.advance('1m')
    await expect.poll(() => calls.at(-1)?.step, { timeout: 20_000 }).toBe('refund')
  })
})

it('a refund that was sent before stays open when the key is refused: it is not sent twice', async () => {
  const { paymentId } = await captured()
  script.refund = () => ({ kind: 'unknown', why: 'timeout' })
  script.retrieve = () => ({ kind: 'unreadable' })
  expect(good(await tender.sandbox.act(paymentId, 'refund')).paymentState).toBe('Refunding')
  script.refund = () => ({ kind: 'not-done', why: 'bad-credentials' })
  await tender.sandbox.advance('10m')
  expect((await read(paymentId)).paymentState).toBe('Refunding')
  script.refund = (op) => ({ kind: 'approved', handles: { refund: op.key }, facts: {} })
  await tender.sandbox.advance('3h')
  expect((await read(paymentId)).paymentState).toBe('Refunded')
  expect(new Set(calls.filter(({ step }) => step === 'refund').map(({ key }) => key)).size).toBe(1)
})
