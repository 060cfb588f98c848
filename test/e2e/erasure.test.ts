import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Database, sql } from '../../src/db/database.ts'
import { writeLogs } from '../../src/logs/jobs.ts'
import { erasePass } from '../../src/payments/erasure/erase.ts'
import { retentionJob } from '../../src/payments/erasure/jobs.ts'
import { insertPerson } from '../../src/people/store/people.ts'
import { LOG_BATCHES, logLinesIn } from '../support/log-lines.ts'
import { good, startTestService, type TestApp, type TestService } from '../support/tender.ts'

/** Erasing the personal data of a customer. */
let tender: TestService
let db: Database
beforeAll(async () => {
  tender = await startTestService('e2e_erasure')
  db = tender.service.ctx.db
})
afterAll(() => tender?.stop())

const PERSON = {
  firstName: 'Zebulon',
  lastName: 'Quixworth',
  email: 'zebulon@quixworth.example',
  phoneNumber: '+4420719999',
  address: { streetAddressLine1: '7 Quixworth Lane', city: 'Quixville', countryCode: 'GB' },
}
const MARKS = ['Zebulon', 'Quixworth', 'quixworth.example', '+4420719999', 'Quixville']

const orderOf = (customerId: string, more: object = {}) => ({
  customerOrder: { customer: { customerId, ...PERSON, ...more } },
})

async function paidCustomer(app: TestApp, customerId: string) {
  return app.paid({ ...orderOf(customerId), registerAutoPayment: true })
}

const erase = (app: TestApp, customerId: string) => app.call('POST', `customers/${customerId}/erase`)

/**
 * Erases until no table has one of the texts. The log line of a request that was running, such as a read
 * after the bank's notification, is written later: the second pass erases it.
 */
async function eraseEverywhere(app: TestApp, customerId: string) {
  return vi.waitFor(
    async () => {
      const reply = await erase(app, customerId)
      expect(good(reply).customerId).toBe(customerId)
      expect(await tablesWith(MARKS)).toEqual([])
      return reply
    },
    { timeout: 60_000 },
  )
}

const LINES = sql<{ lines: string }>('test.lines', LOG_BATCHES)

/** The tables that hold one of the texts. Stored answers are removed after a day. */
async function tablesWith(texts: readonly string[]): Promise<string[]> {
  const tables = await db.query(
    sql<{ name: string }>(
      'test.tables',
      `select tablename as name from pg_tables
       where schemaname = 'public' and tablename <> 'idempotency_keys'`,
    ),
  )
  const found: string[] = []
  for (const { name } of tables) {
    const text = `select 1 as one from ${name} t where t::text like any ($1) limit 1`
    const rows = await db.query(sql(`test.in_${name}`, text), [texts.map((one) => `%${one}%`)])
    if (rows.length > 0) found.push(name)
  }
  const lines = logLinesIn(await db.query(LINES))
  return texts.some((text) => lines.includes(text)) ? [...found, 'log_batches'] : found
}

describe('an erased customer', () => {
  it('is in no table any more, while payments and sums stay', async () => {
    const app = tender.sandbox
    const paid = await paidCustomer(app, 'erase-1')
    good(await app.call('PATCH', 'customers/erase-1', { email: PERSON.email }))
    await writeLogs(tender.service.ctx)
    expect(await tablesWith(MARKS)).toEqual(
      expect.arrayContaining(['customers', 'payments', 'events', 'log_batches']),
    )
    const before = await app.read(paid.paymentId)
    const reply = await eraseEverywhere(app, 'erase-1')

    const after = await app.read(paid.paymentId)
    expect(after).toMatchObject({
      paymentState: 'Captured',
      amount: before.amount,
      capturedAmount: before.capturedAmount,
      customerId: 'erase-1',
      payerIp: null,
    })
    expect(after.customerOrder.customer).toEqual({ customerId: 'erase-1' })
    const { body } = await app.call('GET', 'customers/erase-1')
    expect(body).toMatchObject({ firstName: null, lastName: null, email: null, mobileNumber: null })
    expect(body.erasedTime).toBe(reply.body.erasedTime)
    expect((await app.call('GET', 'customers/erase-1/payment-methods')).body).toEqual([])
    const events = (await app.call('GET', `events?paymentId=${paid.paymentId}`)).body
    expect(
      events.map((event: { payment: { paymentState: string } }) => event.payment.paymentState),
    ).toContain('Captured')
  })

  it('is in no saved view any more, and other views stay', async () => {
    const { appId } = tender.sandbox
    await paidCustomer(tender.sandbox, 'viewed')
    const viewer = { personId: 'usr_v', email: 'v@x.test', name: 'V', passwordHash: null, now: new Date() }
    await insertPerson(db, viewer)
    const views = {
      byAddress: 'q=-state%3Afailed+ZEBULON%40quixworth.example&columns=id',
      byPart: 'q=zebulon%40qui*',
      byName: 'q=%22Zebulon+Quixworth%22',
      byLastName: 'q=quixworth',
      byNumber: 'q=%2B4420719999',
      byCustomer: 'customer=viewed',
      'Of Zebulon Quixworth': 'state=Failed',
      Failures: 'state=Failed',
      other: 'q=ref%3AINV-*+ada%40shop.example&customer=viewed-2',
      short: 'q=zeb',
    }
    const save = sql(
      'test.save_view',
      'insert into saved_views (person_id, app_id, name, query, created_time) values ($1, $2, $3, $4, now())',
    )
    for (const [name, query] of Object.entries(views)) await db.query(save, ['usr_v', appId, name, query])
    await eraseEverywhere(tender.sandbox, 'viewed')
    const left = sql<{ name: string }>('test.views', 'select name from saved_views order by name collate "C"')
    expect((await db.query(left)).map(({ name }) => name)).toEqual(['Failures', 'other', 'short'])
  })

  it('can be erased again, refunded and can pay again', async () => {
    const { sandbox: app } = await tender.newMerchant()
    const paid = await paidCustomer(app, 'erase-2')
    await erase(app, 'erase-2')
    expect((await erase(app, 'erase-2')).status).toBe(200)
    expect(good(await app.act(paid.paymentId, 'refund')).paymentState).toBe('Refunded')
    expect((await app.read(paid.paymentId)).customerOrder.customer).toEqual({ customerId: 'erase-2' })
    await app.paid(orderOf('erase-2', { firstName: 'Newname' }))
    expect((await app.call('GET', 'customers/erase-2')).body.firstName).toBe('Newname')
    expect((await erase(app, 'nobody')).status).toBe(404)
  })

  it('is refused with 409 while a payment moves', async () => {
    const { sandbox: app } = await tender.newMerchant()
    const { paymentId } = await app.paid(orderOf('erase-3'))
    await app.fault('refund', 'refund-pending')
    await app.act(paymentId, 'refund')
    expect((await app.read(paymentId)).paymentState).toBe('Refunding')
    expect(await erase(app, 'erase-3')).toMatchObject({
      status: 409,
      body: { code: 'customer_busy', paymentId },
    })
    expect((await app.call('GET', 'customers/erase-3')).body.firstName).toBe('Zebulon')
  })

  it('a payment that begins to move during the erasure is erased when it has ended', async () => {
    const { ctx } = tender.service
    const { sandbox: app } = await tender.newMerchant()
    const { paymentId } = await app.paid(orderOf('erase-6'))
    await app.fault('refund', 'refund-pending')
    await app.act(paymentId, 'refund')
    const erasure = {
      appId: app.appId,
      customerId: 'erase-6',
      erasedTime: new Date(Date.now() + 400 * 86_400_000),
    }
    expect(await erasePass(ctx, erasure, [])).toBe(false)
    expect((await app.read(paymentId)).customerOrder.customer.lastName).toBe('Quixworth')
    await app.advance('30d')
    expect((await app.read(paymentId)).paymentState).toBe('Refunded')
    expect(await erasePass(ctx, erasure, [])).toBe(true)
    expect((await app.read(paymentId)).customerOrder.customer).toEqual({ customerId: 'erase-6' })
  })

  it('a payment created after the erasure keeps its data', async () => {
    const { ctx } = tender.service
    const { sandbox: app } = await tender.newMerchant()
    const { body } = await app.call('POST', 'customers', { customerId: 'erase-7' })
    const erasure = { appId: app.appId, customerId: 'erase-7', erasedTime: new Date(body.createdTime) }
    const { paymentId } = await app.paid(orderOf('erase-7'))
    expect(await erasePass(ctx, erasure, [])).toBe(true)
    expect((await app.read(paymentId)).customerOrder.customer.lastName).toBe('Quixworth')
  })

  it('customers are erased after the retention period of the app, and others are not', async () => {
    const { sandbox: app } = await tender.newMerchant()
    await app.paid(orderOf('old'))
    await app.call('POST', 'customers', { customerId: 'old-without-payments', lastName: 'Quixworth' })
    await app.paid(orderOf('returning'))
    await app.advance('31d')
    await app.paid(orderOf('returning'))
    await app.paid(orderOf('new'))
    good(await app.call('PATCH', '', { personalDataDays: 30 }))
    const job = retentionJob(tender.service.ctx, [])
    const nameOf = async (id: string) => (await app.call('GET', `customers/${id}`)).body.lastName
    await vi.waitFor(
      async () => {
        await job.runOnce()
        expect(await nameOf('old')).toBeNull()
      },
      { timeout: 60_000 },
    )
    expect(await nameOf('old-without-payments')).toBeNull()
    expect([await nameOf('returning'), await nameOf('new')]).toEqual(['Quixworth', 'Quixworth'])
  })

  it('methods are forgotten at the provider', async () => {
    const { sandbox: app } = await tender.newMerchant()
    await paidCustomer(app, 'erase-4')
    await erase(app, 'erase-4')
    const left = async () =>
      (
        await db.query(
          sql<{ tries: number }>('test.removals', 'select tries from method_removals where app_id = $1'),
          [app.appId],
        )
      ).length
    await vi.waitFor(async () => expect(await left()).toBe(0), { timeout: 60_000 })
    const stored = await db.query(
      sql<{ isForgotten: boolean }>(
        'test.bank_methods',
        'select is_forgotten from sandbox_bank.stored_methods where account like $1',
      ),
      [`%${app.appId.slice(4)}%`],
    )
    expect(stored).toEqual([{ isForgotten: true }])
  })

  it('the erasure is in the audit log, without personal data', async () => {
    const { sandbox: app } = await tender.newMerchant()
    await app.create(orderOf('erase-5'))
    await erase(app, 'erase-5')
    const rows = await db.query(
      sql<{ action: string; target: string }>(
        'test.audit',
        'select action, target from audit_log where app_id = $1',
      ),
      [app.appId],
    )
    expect(rows).toContainEqual({ action: 'customer.erased', target: 'customer:erase-5' })
  })
})
