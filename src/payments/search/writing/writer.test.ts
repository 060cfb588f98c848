import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { testLicense } from '../../../../test/support/api.ts'
import { type TestContext, testContext } from '../../../../test/support/context.ts'
import { draftPayment } from '../../../../test/support/payment.ts'
import { sql } from '../../../db/database.ts'
import type { App } from '../../../merchants/app.ts'
import { loadApp } from '../../../merchants/directory.ts'
import { apply, applyCreation } from '../../apply.ts'
import type { Change } from '../../changes.ts'
import type { Payment } from '../../payment.ts'
import { flushAll, flushSearch, searchWriterJob } from './writer.ts'

let ctx: TestContext
let app: App
beforeAll(async () => {
  ctx = await testContext()
  const { sandbox } = await testLicense(ctx)
  app = (await loadApp(ctx, sandbox.appId)) as App
})
afterAll(() => ctx?.close())

let payment: Payment
beforeEach(async () => {
  const draft = await draftPayment(ctx, app.appId, { autoCapture: false })
  const made = await applyCreation(ctx, app, draft, { change: { events: [] }, customer: {} })
  payment = made?.payment as Payment
  expect(await afterTurn()).toBe('Created')
})

const changed = async (change: Change): Promise<void> => {
  payment = (await apply(ctx, app, payment, () => change)).payment
}

/** The payment waits for its provider. */
async function begun(): Promise<void> {
  const profileId = app.profiles[0]?.profileId as number
  const updates = { attempt: 1, attemptKey: 'A1', profileId, method: 'CreditCard' as const }
  await changed({ events: [{ on: 'began' }], updates })
  expect(payment.state).toBe('Authorizing')
}

const ROW = sql<{ state: string }>(
  'test.searchRow',
  'select state from payment_search where app_id = $1 and payment_id = $2',
)
const copied = async () => (await ctx.db.query(ROW, [app.appId, payment.paymentId]))[0]?.state

/** What is copied when the writer had its turn. */
async function afterTurn(): Promise<string | undefined> {
  await searchWriterJob(ctx).runOnce()
  return await copied()
}

it('copies a payment whose operation runs when the answer is there', async () => {
  await begun()
  expect(await afterTurn()).toBe('Created')
  await changed({ events: [{ on: 'authorized' }] })
  expect(await afterTurn()).toBe('Authorized')
})

it('waits a second for the answer, however often the payment changes meanwhile', async () => {
  await begun()
  ctx.clock.advance(900)
  await changed({ events: [{ on: 'cancel' }] })
  expect(payment.state).toBe('Cancelling')
  expect(await afterTurn()).toBe('Created')
  ctx.clock.advance(100)
  expect(await afterTurn()).toBe('Cancelling')
  await changed({ events: [{ on: 'cancelled' }] })
  expect(await afterTurn()).toBe('Failed')
})

it('a list does not wait, nor does a node that stops', async () => {
  await begun()
  await flushSearch(ctx, app.appId)
  expect(await copied()).toBe('Authorizing')
  await changed({ events: [{ on: 'cancel' }] })
  await flushAll(ctx)
  expect(await copied()).toBe('Cancelling')
})
