import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadApp } from '../../../src/merchants/directory.ts'
import { getPayment } from '../../../src/payments/actions.ts'
import { followHint } from '../../../src/payments/provider/movements/follow-hint.ts'
import { recheck } from '../../../src/payments/provider/recheck.ts'
import { findOperation } from '../../../src/payments/store/operations.ts'
import { type Answer, good, newReference, startTestService, type TestService } from '../../support/tender.ts'

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('e2e_undo')
})
afterAll(() => tender?.stop())

const order = () => ({ customerOrder: { customer: { customerId: newReference() } } })
const attempts = async (paymentId: number): Promise<Answer[]> =>
  good(await tender.sandbox.call('GET', `payments/${paymentId}/attempts`))

/** Number of charges at the bank that were not voided or refunded. */
async function openCharges(paymentId: number): Promise<number> {
  const rows = (await tender.sandbox.ledger(paymentId)).filter((row) => row.status === 'done')
  const made = rows.filter(({ kind }) => kind === 'authorise' || kind === 'sale').length
  return made - rows.filter(({ kind }) => kind === 'void' || kind === 'refund').length
}

let changes = 0
async function change(paymentId: number, set: string): Promise<string> {
  const { db } = tender.service.ctx
  const text = `with before as (select attempt_key from payments where app_id = $1 and payment_id = $2),
    changed as (update payments set version = version + 1, ${set} where app_id = $1 and payment_id = $2)
    select attempt_key from before`
  const statement = { name: `test.change${++changes}`, text }
  const [row] = await db.query<{ attemptKey: string }>(statement, [tender.sandbox.appId, paymentId])
  return row?.attemptKey ?? ''
}

const undone = async (paymentId: number) =>
  (await attempts(paymentId)).map((one) => one.undone?.explanation ?? null)
const expectUndone = (paymentId: number) => expect.poll(async () => (await undone(paymentId))[0])

describe('an attempt that the customer abandoned', () => {
  it('is closed at its provider, so that it cannot succeed later, and is listed', async () => {
    const { paymentId } = await tender.sandbox.create(order())
    good(await tender.sandbox.pay(paymentId, { method: 'Paypal', outcome: 'abandon' }))
    expect(good(await tender.sandbox.pay(paymentId)).paymentState).toBe('Captured')
    await expectUndone(paymentId).toBe('It was closed at the provider before anything was charged.')
    expect(await attempts(paymentId)).toMatchObject([
      { attempt: 1, paymentMethodType: 'Paypal', status: 'GivenUp', undone: { status: 'Done' } },
      { attempt: 2, paymentMethodType: 'CreditCard', status: 'Approved', undone: null },
    ])
    expect(await openCharges(paymentId)).toBe(1)
  })

  it('is undone after an outage of its provider', async () => {
    const { paymentId } = await tender.sandbox.create(order())
    good(await tender.sandbox.pay(paymentId, { method: 'Paypal', outcome: 'abandon' }))
    await tender.sandbox.fault('cancel', 'outage')
    expect(good(await tender.sandbox.pay(paymentId)).paymentState).toBe('Captured')
    await expect.poll(async () => (await attempts(paymentId))[0]?.undone?.status).toBe('Running')
    await tender.sandbox.advance('5m')
    await expectUndone(paymentId).toBe('It was closed at the provider before anything was charged.')
    expect(await openCharges(paymentId)).toBe(1)
  })
})

describe('a late success', () => {
  const failed = `state = 'Failed', failure = '{"code":"expired","problem":{"code":"link-expired"}}'`

  it('of a payment that has failed since is voided', async () => {
    const { paymentId } = await tender.sandbox.paid({ ...order(), autoCapture: false })
    await change(paymentId, failed)
    good(await tender.sandbox.act(paymentId, 'recheck'))
    await expectUndone(paymentId).toBe('What it had reserved was released.')
    expect((await tender.sandbox.read(paymentId)).paymentState).toBe('Failed')
    expect(await openCharges(paymentId)).toBe(0)
  })

  it('that captured money is refunded once, also when replies are lost', async () => {
    const { paymentId } = await tender.sandbox.paid(order())
    await change(paymentId, `captured_minor = 0, ${failed}`)
    await tender.sandbox.fault('refund', 'reply-lost')
    await tender.sandbox.act(paymentId, 'recheck')
    await tender.sandbox.advance('1m')
    await expectUndone(paymentId).toBe('What it had taken was refunded.')
    for (const _again of [1, 2]) await tender.sandbox.act(paymentId, 'recheck')
    const refunds = (await tender.sandbox.ledger(paymentId)).filter(({ kind }) => kind === 'refund')
    expect(refunds).toHaveLength(1)
    expect(await openCharges(paymentId)).toBe(0)
  })

  it('whose refund the provider declines is shown as Refused', async () => {
    const { paymentId } = await tender.sandbox.paid(order())
    await change(paymentId, `captured_minor = 0, ${failed}`)
    await tender.sandbox.fault('refund', 'decline')
    await tender.sandbox.act(paymentId, 'recheck')
    await expect.poll(async () => (await attempts(paymentId))[0]?.undone?.status).toBe('Refused')
  })

  it('of an earlier attempt is voided when its notification arrives', async () => {
    const { paymentId } = await tender.sandbox.paid({ ...order(), autoCapture: false })
    const reference = await change(
      paymentId,
      `state = 'Created', attempt_key = null, authorised_until = null`,
    )
    const app = await loadApp(tender.service.ctx, tender.sandbox.appId)
    if (!app) throw new Error('the app does not exist')
    const { profileId = 0 } = (await findOperation(tender.service.ctx.db, app.appId, reference)) ?? {}
    await Promise.all([1, 2, 3].map(() => followHint(tender.service.ctx, app, { profileId }, { reference })))
    await expectUndone(paymentId).toBe('What it had reserved was released.')
    expect(await openCharges(paymentId)).toBe(0)
    expect(good(await tender.sandbox.pay(paymentId)).paymentState).toBe('Authorized')
    expect(await openCharges(paymentId)).toBe(1)
  })
})

it('a snapshot of one attempt is not applied to the next', async () => {
  const { ctx } = tender.service
  const app = await loadApp(ctx, tender.sandbox.appId)
  if (!app) throw new Error('the app does not exist')
  const { paymentId } = await tender.sandbox.paid({ ...order(), autoCapture: false })
  const before = await getPayment(ctx, app, paymentId)
  await change(paymentId, `state = 'Created', attempt = 2, attempt_key = 'NEXT', authorised_until = null`)
  await recheck(ctx, app, { ...before, state: 'Authorizing', authorisedUntil: null })
  expect((await tender.sandbox.read(paymentId)).paymentState).toBe('Created')
})

it('concurrent payments with several methods leave at most one charge', async () => {
  const payOptions = [
    {},
    { method: 'Paypal' },
    { method: 'Crypto' },
    { method: 'Paypal', outcome: 'abandon' },
  ]
  for (const round of [0, 1, 2, 3, 4, 5]) {
    const { paymentId } = await tender.sandbox.create(order())
    const chosen = Array.from({ length: 5 }, (_, n) => payOptions[(n * (round + 1)) % payOptions.length])
    const replies = await Promise.all(chosen.map((one) => tender.sandbox.pay(paymentId, one)))
    expect(replies.filter(({ status }) => ![200, 409, 422].includes(status))).toEqual([])
    await tender.sandbox.advance('10m')
    const { paymentState } = await tender.sandbox.read(paymentId)
    const charged = paymentState === 'Captured' ? 1 : 0
    await expect.poll(() => openCharges(paymentId)).toBe(charged)
  }
})
