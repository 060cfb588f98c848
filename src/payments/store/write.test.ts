import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testLicense } from '../../../test/support/api.ts'
import { type TestContext, testContext } from '../../../test/support/context.ts'
import { draftPayment } from '../../../test/support/payment.ts'
import { type Database, sql } from '../../db/database.ts'
import { createLanes } from '../../db/lanes.ts'
import type { Payment } from '../payment.ts'
import { findByReference, findPayment } from './payments.ts'
import { insertPayment, type PaymentChange, updatePayment } from './write.ts'

let ctx: TestContext
let appId: string
beforeAll(async () => {
  ctx = await testContext()
  appId = (await testLicense(ctx)).sandbox.appId
})
afterAll(() => ctx.close())

const draft = (members?: Partial<Payment>) => draftPayment(ctx, appId, members)

const eventOf = ({ sequence, state, stateTime }: Payment, body = '{"a":"\\" ü 😀"}') => ({
  ...{ sequence, state, kind: 'payment' as const, createdTime: stateTime, lastError: null, body },
})

const write = (payment: Payment) => ({
  ...{ payment, events: [eventOf(payment)], opens: undefined, timer: undefined, now: ctx.clock.now() },
})

const insert = async (payment: Payment, firstName?: string) =>
  (await insertPayment(ctx.db, { ...write(payment), customer: { firstName } })) !== undefined

const resultOf = async (db: Database, change: PaymentChange) => (await updatePayment(db, change))?.result

const update = (payment: Payment, wasVersion: number) =>
  resultOf(ctx.db, { ...write(payment), wasVersion, operation: undefined, refunds: [] })

const EVENTS = sql<{ paymentId: number; sequence: number; body: string }>(
  'test.events',
  'select payment_id, sequence, body from events where app_id = $1 order by payment_id, sequence',
)

const eventsOf = async (payments: readonly Payment[]) => {
  const ids = payments.map(({ paymentId }) => paymentId)
  return (await ctx.db.query(EVENTS, [appId])).filter((row) => ids.includes(row.paymentId))
}

/** The result of each write, or the code of its error. */
const fates = async (writes: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(writes)).map((end) =>
    end.status === 'fulfilled' ? end.value : (end.reason as { code: string }).code,
  )

describe('payments that are created together', () => {
  it('with one reference, twenty times concurrently: one is written, with one event', async () => {
    const same = await Promise.all(Array.from({ length: 20 }, () => draft({ referenceId: 'the same' })))
    const others = await Promise.all(Array.from({ length: 5 }, () => draft()))
    const written = await fates([...same, ...others].map((payment) => insert(payment)))
    expect(written.filter((fate) => fate === true)).toHaveLength(6)
    expect(written.slice(20)).toEqual([true, true, true, true, true])
    expect(await eventsOf(same)).toHaveLength(1)
    const found = await findByReference(ctx.db, appId, 'the same')
    expect(same.map(({ paymentId }) => paymentId)).toContain(found?.paymentId)
  })

  it('are written although another one is invalid or its reference is used', async () => {
    const used = await draft()
    await insert(used)
    const again = await draft({ referenceId: used.referenceId })
    const [good, bad, fine] = [await draft(), await draft({ amountMinor: 0n }), await draft()]
    const written = await fates([good, again, bad, fine].map((payment) => insert(payment)))
    expect(written).toEqual([true, false, '23514', true])
    expect((await eventsOf([good, again, bad, fine])).map((row) => row.paymentId)).toEqual([
      good.paymentId,
      fine.paymentId,
    ])
    expect(await findPayment(ctx.db, appId, bad.paymentId)).toBeUndefined()
  })

  it('store the body of an event byte for byte', async () => {
    const payment = await draft()
    await insert(payment)
    expect((await eventsOf([payment]))[0]?.body).toBe('{"a":"\\" ü 😀"}')
  })

  it('set the customer details of the last one; absent details stay unchanged', async () => {
    const name = sql<{ firstName: string }>(
      'test.customer',
      'select first_name from customers where app_id = $1 and customer_id = $2',
    )
    const say = async (firstName?: string) => insert(await draft({ customerId: 'lee' }), firstName)
    const known = async () => (await ctx.db.query(name, [appId, 'lee']))[0]?.firstName
    await say('Lee')
    await say()
    expect(await known()).toBe('Lee')
    await Promise.all([say('Kim'), say('Lee')])
    expect(await known()).toBe('Lee')
    await say('Kim')
    expect(await known()).toBe('Kim')
  })
})

describe('payments that change together', () => {
  it('are written although another one lost a race or is invalid', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => draft()))
    await Promise.all(all.map((payment) => insert(payment)))
    const paid = all.map((payment): Payment => {
      return { ...payment, state: 'Captured', sequence: 2, capturedMinor: 1000n }
    })
    const [first, late, bad, last] = paid as [Payment, Payment, Payment, Payment]
    const changes = [update(first, 1), update(late, 7), update({ ...bad, capturedMinor: 1001n }, 1)]
    expect(await fates([...changes, update(last, 1)])).toEqual(['written', undefined, '23514', 'written'])
    const found = await Promise.all(all.map(({ paymentId }) => findPayment(ctx.db, appId, paymentId)))
    expect(found.map((payment) => payment?.state)).toEqual(['Captured', 'Created', 'Created', 'Captured'])
    expect((await eventsOf(all)).map((row) => row.sequence)).toEqual([1, 2, 1, 1, 1, 2])
  })

  it('of one payment and version, ten times concurrently: one is written', async () => {
    const payment = await draft()
    await insert(payment)
    const changed: Payment = { ...payment, state: 'Captured', sequence: 2, capturedMinor: 1000n }
    const written = await fates(Array.from({ length: 10 }, () => update(changed, 1)))
    expect(written.filter((fate) => fate === 'written')).toHaveLength(1)
    expect((await findPayment(ctx.db, appId, payment.paymentId))?.version).toBe(2)
  })
})

const opened = ({ paymentId, createdTime }: Payment, key = `key ${paymentId}`, requestKey?: string) => ({
  ...{
    key,
    step: 'refund' as const,
    attempt: 1,
    profileId: 1,
    amountMinor: 1000n,
    method: 'CreditCard' as const,
  },
  ...{ leaseToken: 'lease', createdTime, dueTime: createdTime },
  ...(requestKey ? { requestKey } : {}),
})

/** The real database, with the size of each batch that reaches it. */
function countedBatches() {
  const sizes: number[] = []
  const batch = createLanes(async (statement, json) => {
    sizes.push((JSON.parse(json) as unknown[]).length)
    return (await ctx.db.query(statement as never, [json])) as never
  })
  return { sizes, db: { ...ctx.db, batch } }
}

describe('operations that are opened together', () => {
  const refundOf = (payment: Payment, opens = opened(payment)) => {
    const changed: Payment = { ...payment, state: 'Refunding', sequence: 2 }
    return { ...write(changed), wasVersion: 1, opens, operation: undefined, refunds: [] }
  }
  const inserted = async (count: number) => {
    const all = await Promise.all(Array.from({ length: count }, () => draft()))
    await Promise.all(all.map((payment) => insert(payment)))
    return all
  }

  it('are written in one statement, although one payment is busy and one request repeated', async () => {
    const all = await inserted(62)
    const [busy, repeated] = [await draft(), await draft()]
    await insertPayment(ctx.db, { ...write(busy), opens: opened(busy), customer: {} })
    const first = opened(repeated, `first ${repeated.paymentId}`, 'the key')
    await insertPayment(ctx.db, { ...write(repeated), opens: first, customer: {} })
    const { db, sizes } = countedBatches()
    const changes = [
      refundOf(busy, opened(busy, 'another')),
      refundOf(repeated, opened(repeated, 'again', 'the key')),
      ...all.map((payment) => refundOf(payment)),
    ]
    expect(await fates(changes.map((change) => resultOf(db, change)))).toEqual([
      'busy',
      'repeated',
      ...all.map(() => 'written'),
    ])
    expect(sizes).toEqual([64])
    expect((await findPayment(ctx.db, appId, busy.paymentId))?.state).toBe('Created')
  })

  it('of a payment that has changed since are not written, without payment_busy', async () => {
    const payment = await draft()
    await insertPayment(ctx.db, { ...write(payment), opens: opened(payment), customer: {} })
    const change = { ...refundOf(payment, opened(payment, 'late')), wasVersion: 0 }
    expect(await resultOf(ctx.db, change)).toBeUndefined()
  })

  it('may follow the one that ends in the same change', async () => {
    const payment = await draft()
    const { key } = opened(payment)
    await insertPayment(ctx.db, { ...write(payment), opens: opened(payment), customer: {} })
    const operation = { key, leaseToken: 'lease', status: 'done' as const, outcome: {}, dueTime: null }
    const change = { ...refundOf(payment, opened(payment, `next ${key}`)), operation }
    expect(await resultOf(ctx.db, change)).toBe('written')
  })

  it('with the key of another payment fail with their own error, not as busy', async () => {
    const [one, other] = (await inserted(2)) as [Payment, Payment]
    expect(await resultOf(ctx.db, refundOf(one))).toBe('written')
    await expect(resultOf(ctx.db, refundOf(other, opened(one)))).rejects.toMatchObject({
      code: '23505',
      constraint: 'operations_pkey',
    })
  })
})

const LOCK = sql('test.lock', 'select 1 from operations where app_id = $1 and operation_key = $2 for update')
const FREE = sql(
  'test.free',
  'select 1 from payments where app_id = $1 and payment_id = $2 for update nowait',
)
const WAITING = sql(
  'test.waiting',
  `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
)

describe('an operation and its payment', () => {
  // With a lease and without: a different lock order could deadlock.
  it.each(['lease', null])('are locked in this order by every change of both: %s', async (leaseToken) => {
    const payment = await draft()
    const { paymentId, createdTime } = payment
    const key = `key ${paymentId}`
    const opens = {
      ...{ key, step: 'start' as const, attempt: 1, profileId: 1, amountMinor: 1000n },
      ...{ method: 'CreditCard' as const, leaseToken: 'lease', createdTime, dueTime: createdTime },
    }
    await insertPayment(ctx.db, { ...write(payment), opens, customer: {} })
    const operation = { key, leaseToken, status: 'done' as const, outcome: {}, dueTime: null }
    const paid: Payment = { ...payment, state: 'Captured', sequence: 2, capturedMinor: 1000n }
    const change = { ...write(paid), wasVersion: 1, operation, refunds: [] }
    const written = await ctx.db.transaction(async (tx) => {
      await tx.query(LOCK, [appId, key])
      const later = resultOf(ctx.db, change)
      await expect.poll(() => ctx.db.query(WAITING)).toHaveLength(1)
      expect(await tx.query(FREE, [appId, paymentId])).toHaveLength(1)
      return { later }
    })
    expect(await written.later).toBe('written')
  })
})

describe('payments that are read together', () => {
  it('are returned to their own caller, and not to another app', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => draft()))
    await Promise.all(all.map((payment) => insert(payment)))
    const ids = all.map(({ paymentId }) => paymentId)
    const asked = [...ids, ids[0] ?? 0, 999_999_999].map((id) => findPayment(ctx.db, appId, id))
    const found = await Promise.all([...asked, findPayment(ctx.db, 'app_000000000000', ids[0] ?? 0)])
    expect(found.map((payment) => payment?.paymentId)).toEqual([...ids, ids[0], undefined, undefined])
  })
})
