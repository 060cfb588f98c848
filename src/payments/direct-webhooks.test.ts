import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testLicense } from '../../test/support/api.ts'
import { type TestContext, testContext } from '../../test/support/context.ts'
import { draftPayment } from '../../test/support/payment.ts'
import { answerWith, type Receiver, startReceiver } from '../../test/support/receiver.ts'
import { after, HOUR } from '../base/clock.ts'
import { newLeaseToken } from '../base/ids.ts'
import { forgetApp } from '../merchants/directory.ts'
import { claimReady, makeReady } from '../webhooks/delivery/claim-store.ts'
import { writeAndSend } from '../webhooks/delivery/direct/write.ts'
import { senderOf } from '../webhooks/delivery/sender.ts'
import { sending } from '../webhooks/delivery/sending.ts'
import { WEBHOOKS } from '../webhooks/schedule.ts'
import type { Payment } from './payment.ts'
import { insertPayment, updatePayment } from './store/write.ts'

let ctx: TestContext
let appId: string
let shop: Receiver
beforeEach(async () => {
  ctx = await testContext()
  shop = await startReceiver()
  appId = (await testLicense(ctx)).sandbox.appId
  await run(`update apps set payment_webhook_url = '${shop.url}' where app_id = $1`)
  forgetApp(ctx, appId)
})
afterEach(async () => {
  let isIdle = false
  const idle = senderOf(ctx)
    .idle()
    .then(() => {
      isIdle = true
    })
  // A record may begin its pause after the clock was moved.
  await expect
    .poll(() => {
      ctx.clock.advance(WEBHOOKS.recordMs)
      return isIdle
    })
    .toBe(true)
  await idle
  await shop.stop()
  await ctx.close()
})

let names = 0
const run = <Row>(text: string, values: unknown[] = [appId]) =>
  ctx.db.query<Row>({ name: `test.direct.${++names}`, text }, values)

const draft = () => draftPayment(ctx, appId)

const eventOf = ({ paymentId, stateTime }: Payment, sequence: number) => ({
  ...({ sequence, state: 'Created', kind: 'payment', createdTime: stateTime, lastError: null } as const),
  body: JSON.stringify({ payment: { paymentId, paymentState: `s${sequence}` } }),
})

const app = () => ({
  paymentWebhookUrl: shop.url,
  webhookStates: null,
  webhookKinds: null,
  isWebhookPaused: false,
})

/** Creates a payment with the events of these numbers. */
async function created(sequences = [1], on = ctx) {
  const payment = await draft()
  const events = sequences.map((sequence) => eventOf(payment, sequence))
  const written = await writeAndSend(on, { app: app(), payment, events }, (direct) =>
    insertPayment(on.db, {
      ...{ payment, events, direct, opens: undefined, timer: undefined },
      ...{ now: on.clock.now(), customer: {} },
    }),
  )
  return { payment, leased: written?.leased }
}

/** The change from version 1 writes the event 2, and so on. */
async function changed(payment: Payment, wasVersion: number, onCommit = () => {}) {
  const events = [eventOf(payment, wasVersion + 1)]
  const written = await writeAndSend(ctx, { app: app(), payment, events }, async (direct) => {
    const result = await updatePayment(ctx.db, {
      ...{ payment: { ...payment, sequence: wasVersion + 1 }, events, direct, wasVersion },
      ...{ opens: undefined, timer: undefined, operation: undefined, refunds: [], now: ctx.clock.now() },
    })
    onCommit()
    return result
  })
  return written?.leased
}

/** Uses the endpoint until this node has slots of it, and delivers all of it. */
async function granted(): Promise<void> {
  await expect.poll(async () => (await created()).leased).toBe(true)
  await recorded()
  await senderOf(ctx).runOnce()
  await senderOf(ctx).idle()
  expect(await run(`select from deliveries where app_id = $1 and status <> 'delivered'`)).toEqual([])
}

const statuses = ({ paymentId }: Payment) =>
  run<{ status: string }>(
    'select status from deliveries where app_id = $1 and payment_id = $2 order by sequence',
    [appId, paymentId],
  ).then((rows) => rows.map(({ status }) => status))

/** Records what was acknowledged. */
async function recorded(): Promise<void> {
  await expect.poll(() => sending(ctx).direct.unrecorded.length).toBeGreaterThan(0)
  ctx.clock.advance(WEBHOOKS.recordMs)
  await senderOf(ctx).idle()
}

describe('the node that writes events', () => {
  it('sends them without a claim, the next after the acknowledgement, recorded together', async () => {
    await granted()
    const { payment, leased } = await created()
    expect(leased).toBe(true)
    await expect.poll(() => shop.states(payment.paymentId)).toEqual(['s1'])
    expect(await changed(payment, 1)).toBe(true)
    await expect.poll(() => shop.states(payment.paymentId)).toEqual(['s1', 's2'])
    expect(await statuses(payment)).toEqual(['sending', 'sending'])
    await recorded()
    expect(await statuses(payment)).toEqual(['delivered', 'delivered'])
    expect(sending(ctx).direct.chains.size).toBe(0)
    expect(sending(ctx).shares.total).toBe(0)
  })

  it('sends one at a time for each payment', async () => {
    await granted()
    const answers: (() => void)[] = []
    shop.answer = (_hook, response) => void answers.push(() => response.end())
    const { payment } = await created([1, 2])
    await expect.poll(() => answers.length).toBe(1)
    expect(shop.states(payment.paymentId)).toEqual(['s1'])
    shop.answer = answerWith(200)
    answers[0]?.()
    await expect.poll(() => shop.states(payment.paymentId)).toEqual(['s1', 's2'])
  })

  it('leaves the rest to claims after a failure, in order', async () => {
    await granted()
    shop.answer = answerWith(500)
    const { payment } = await created([1, 2])
    await expect.poll(() => statuses(payment)).toEqual(['waiting', 'waiting'])
    expect(shop.states(payment.paymentId)).toEqual(['s1'])
  })

  it('sends nothing ahead of an event whose write was not confirmed', async () => {
    await granted()
    const { payment } = await created()
    await expect.poll(() => shop.states(payment.paymentId)).toEqual(['s1'])
    await recorded()
    const lost = changed(payment, 1, () => {
      throw new Error('the connection was lost after the commit')
    })
    await expect(lost).rejects.toThrow('lost')
    expect(await changed(payment, 2)).toBe(false)
    expect(await statuses(payment)).toEqual(['delivered', 'sending', 'ready'])
    await senderOf(ctx).runOnce()
    await senderOf(ctx).idle()
    expect(shop.states(payment.paymentId)).toEqual(['s1'])
    ctx.clock.advance(WEBHOOKS.leaseMs)
    await makeReady(ctx.db, ctx.clock.now(), 10)
    await senderOf(ctx).runOnce()
    await senderOf(ctx).idle()
    await senderOf(ctx).runOnce()
    await senderOf(ctx).idle()
    expect(shop.states(payment.paymentId)).toEqual(['s1', 's2', 's3'])
  })

  it('waits for a write under way, which may have written an earlier event', async () => {
    await granted()
    const { payment } = await created()
    await expect.poll(() => shop.states(payment.paymentId)).toEqual(['s1'])
    let confirm = () => {}
    const confirmed = new Promise<void>((resolve) => {
      confirm = resolve
    })
    const events = [eventOf(payment, 2)]
    let isCommitted = false
    const late = writeAndSend(ctx, { app: app(), payment, events }, async (direct) => {
      const change = { ...{ payment: { ...payment, sequence: 2 }, events, direct, wasVersion: 1 } }
      const rest = { opens: undefined, timer: undefined, operation: undefined, refunds: [] }
      const result = await updatePayment(ctx.db, { ...change, ...rest, now: ctx.clock.now() })
      isCommitted = true
      await confirmed
      return result
    })
    await expect.poll(() => isCommitted).toBe(true)
    expect(await changed(payment, 2)).toBe(true)
    expect(shop.states(payment.paymentId)).toEqual(['s1'])
    confirm()
    await late
    await expect.poll(() => shop.states(payment.paymentId)).toEqual(['s1', 's2', 's3'])
  })

  it('holds back the webhooks of a sandbox app', async () => {
    await granted()
    await run('update apps set webhooks_held_until = $2 where app_id = $1', [
      appId,
      after(ctx.clock.now(), HOUR),
    ])
    forgetApp(ctx, appId)
    const { payment, leased } = await created([1, 2])
    expect(leased).toBe(true)
    await expect.poll(() => statuses(payment)).toEqual(['waiting', 'waiting'])
    expect(shop.states(payment.paymentId)).toEqual([])
  })

  it('leaves them to other nodes if it sends no webhooks', async () => {
    await granted()
    const web = await testContext({ sharing: ctx, config: { role: 'web' } })
    for (let times = 0; times < 3; times++) expect((await created([1], web)).leased).toBe(false)
    await web.close()
  })
})

describe('slot grants and claims together', () => {
  it('never exceed the slots of an endpoint, and what is leased waits for one', async () => {
    await granted()
    const before = shop.hooks.length
    const answers: (() => void)[] = []
    shop.answer = (_hook, response) => void answers.push(() => response.end())
    const now = ctx.clock.now()
    await run(
      `with written as (
         insert into events (app_id, payment_id, sequence, type, state, created_time, body)
         select $1, 1000000 + p, 1, 'payment.state_changed', 'Created', $2, '{"payment":{}}'
         from generate_series(1, 30) p returning app_id, payment_id)
       insert into deliveries (app_id, payment_id, sequence, endpoint, status, queued_time, due_time)
       select app_id, payment_id, 1, '', 'ready', $2, $2 from written`,
      [appId, now],
    )
    const lease = { now, leaseEnd: after(now, WEBHOOKS.leaseMs), leaseToken: newLeaseToken(ctx.random) }
    const elsewhere = () => claimReady(ctx.db, lease, { total: 0, apps: {} })
    expect((await elsewhere()).claimed).toHaveLength(WEBHOOKS.perEndpoint - WEBHOOKS.perEndpointDirect)
    // A claim of this node may use half of its free slots, and deliveries that it writes the others.
    expect(await senderOf(ctx).runOnce()).toBe(WEBHOOKS.perEndpointDirect / 2)
    const payments = await Promise.all(Array.from({ length: 20 }, () => created()))
    expect(payments.every(({ leased }) => leased)).toBe(true)
    await shop.count(before + WEBHOOKS.perEndpointDirect)
    expect((await elsewhere()).claimed).toEqual([])
    expect(await senderOf(ctx).runOnce()).toBe(0)
    expect(shop.hooks).toHaveLength(before + WEBHOOKS.perEndpointDirect)
    shop.answer = answerWith(200)
    for (const answer of answers) answer()
    for (const { payment } of payments)
      await expect.poll(() => shop.states(payment.paymentId)).toEqual(['s1'])
    sending(ctx).stopping.abort()
  })

  it('return what waited too long for a slot to the queue', async () => {
    await granted()
    shop.answer = () => undefined
    const payments = await Promise.all(Array.from({ length: 20 }, () => created()))
    expect(payments.every(({ leased }) => leased)).toBe(true)
    ctx.clock.advance(WEBHOOKS.slotWaitMs)
    for (const { payment } of payments.slice(WEBHOOKS.perEndpointDirect))
      await expect.poll(() => statuses(payment)).toEqual(['ready'])
    sending(ctx).stopping.abort()
  })

  it('return what waits for a slot to the queue when the endpoint fails', async () => {
    await granted()
    const answers: (() => void)[] = []
    shop.answer = (_hook, response) => void answers.push(() => response.writeHead(500).end())
    const payments = await Promise.all(Array.from({ length: 20 }, () => created()))
    await expect.poll(() => answers.length).toBe(WEBHOOKS.perEndpointDirect)
    answers[0]?.()
    const waiting = payments.slice(WEBHOOKS.perEndpointDirect)
    for (const { payment } of waiting) await expect.poll(() => statuses(payment)).toEqual(['ready'])
    sending(ctx).stopping.abort()
  })
})
