import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRows } from '../../../src/base/files/csv.ts'
import { dayOf } from '../../../src/base/time/instant.ts'
import { sql } from '../../../src/db/database.ts'
import { exportJobs } from '../../../src/exports/jobs.ts'
import { EXPORTS } from '../../../src/exports/limits.ts'
import { makeParts } from '../../../src/exports/run.ts'
import { endExport, exportRows } from '../../../src/exports/store/exports.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import { listPayments } from '../../../src/payments/search/search.ts'
import { createFakeClock } from '../../support/clock.ts'
import { PAST_PAYMENTS } from '../../support/past-payments.ts'
import { type Answer, good, startTestService, type TestApp, type TestService } from '../../support/tender.ts'

const clock = createFakeClock(new Date('2026-11-18T10:00:00.000Z'))
let tender: TestService
let app: TestApp
beforeAll(async () => {
  // Without job loops: the tests run the jobs.
  tender = await startTestService('e2e_exports', { clock, role: 'web', rateLimit: 100_000 })
  app = tender.sandbox
})
afterAll(() => tender?.stop())

const make = async (body: object, of = app): Promise<Answer> => good(await of.call('POST', 'exports', body))
const fileOf = async (exportId: string, of = app): Promise<string> =>
  good(await of.call('GET', `exports/${exportId}/file`))

async function rowsOf(body: object, of = app): Promise<Readonly<Record<string, string>>[]> {
  const made = await make(body, of)
  expect(made.state).toBe('done')
  const read = await readRows(Buffer.from(await fileOf(made.exportId, of)))
  if (read.kind !== 'rows') throw new Error(read.problem.code)
  expect(read.bad).toEqual([])
  expect(made.rows).toBe(read.rows.length)
  return read.rows.map(({ cells }) => cells)
}

const runJob = async (name: string): Promise<void> => {
  const { ctx } = tender.service
  await exportJobs(ctx)
    .find((job) => job.name === name)
    ?.runOnce()
  await ctx.background.settled()
}

const write = (name: string, text: string, values: readonly unknown[]) =>
  tender.service.ctx.db.query(sql(`test.${name}`, text), values)

describe('an export', () => {
  it('has a file of its own for payments, refunds, disputes, customers, links and events', async () => {
    const { sandbox } = await tender.newMerchant()
    const payer = { customerId: 'c-1', firstName: 'Ana', lastName: 'Núñez', email: 'ana@shop.example' }
    const paid = await sandbox.paid({ amount: 20, customerOrder: { orderId: 'A-1', customer: payer } })
    good(await sandbox.call('POST', `payments/${paid.paymentId}/refund?amount=5&description=broken`))
    const other = await sandbox.paid({ amount: 30 })
    good(await sandbox.call('POST', `test-helpers/payments/${other.paymentId}/dispute`, { amount: 12 }))
    const [refund] = await rowsOf({ kind: 'refunds' }, sandbox)
    expect(refund).toMatchObject({ paymentId: String(paid.paymentId), amount: '5.00', currency: 'EUR' })
    expect(refund).toMatchObject({
      state: 'done',
      orderId: 'A-1',
      email: 'ana@shop.example',
      name: 'Ana Núñez',
    })
    const disputes = await rowsOf({ kind: 'disputes' }, sandbox)
    expect(disputes).toMatchObject([{ paymentId: String(other.paymentId), state: 'open', amount: '12.00' }])
    const customers = await rowsOf({ kind: 'customers', columns: ['email', 'customerId'] }, sandbox)
    expect(customers.find(({ customerId }) => customerId === 'c-1')).toEqual({
      email: 'ana@shop.example',
      customerId: 'c-1',
    })
    expect(await rowsOf({ kind: 'links' }, sandbox)).toEqual([])
    const events = await rowsOf({ kind: 'events', columns: ['paymentId', 'state', 'eventId'] }, sandbox)
    const states = events.filter(({ paymentId }) => paymentId === String(other.paymentId))
    expect(states.map(({ state }) => state).reverse()).toEqual(await sandbox.states(other.paymentId))
    const [newest] = await rowsOf({ kind: 'payments', query: 'order:A-1' }, sandbox)
    expect(newest).toMatchObject({ amount: '20.00', refunded: '5.00', name: 'Ana Núñez' })
  })

  it('has the chosen columns in their order, and refuses others', async () => {
    await app.paid({ amount: 10 })
    const { exportId } = await make({ kind: 'payments', columns: ['net', 'paymentId', 'currency'] })
    expect((await fileOf(exportId)).split('\r\n')[0]).toBe('net,paymentId,currency')
    for (const columns of [['net', 'net'], ['secret'], []]) {
      const { status, body } = await app.call('POST', 'exports', { kind: 'payments', columns })
      expect([status, body.errors?.[0]?.field]).toEqual([400, 'columns'])
    }
  })

  it('refuses a query with a part that means nothing: the file would have too much', async () => {
    for (const query of ['state:faild', 'amount:>x', `order:1 ${'x'.repeat(480)} colour:red`]) {
      const once = await app.call('POST', 'exports', { kind: 'payments', query })
      const daily = await app.call('POST', 'export-schedules', { kind: 'payments', every: 'day', query })
      for (const { status, body } of [once, daily])
        expect([query, status, body.errors?.[0]?.field]).toEqual([query, 400, 'query'])
    }
  })

  it('has inert formulas and true numbers, and semicolons with a decimal comma by choice', async () => {
    const { sandbox } = await tender.newMerchant()
    const customer = { customerId: '=1+1', email: 'a@b.example', firstName: '@SUM(A1)', lastName: '-2+3;x' }
    await sandbox.paid({ amount: 12.5, referenceId: '+49 30', customerOrder: { customer } })
    const columns = ['referenceId', 'customerId', 'name', 'amount', 'refunded']
    const line = async (more: object) => {
      const { exportId } = await make({ kind: 'payments', columns, ...more }, sandbox)
      return (await fileOf(exportId, sandbox)).split('\r\n')
    }
    expect((await line({}))[1]).toBe(`'+49 30,'=1+1,'@SUM(A1) -2+3;x,12.50,0.00`)
    const [head, row] = await line({ separator: 'semicolon', byteOrderMark: false })
    expect(head).toBe(columns.join(';'))
    expect(row).toBe(`'+49 30;'=1+1;"'@SUM(A1) -2+3;x";12,50;0,00`)
  })

  it('has the days of a period in the zone of the app', async () => {
    const { sandbox } = await tender.newMerchant()
    // Eleven hours behind UTC: there it is still the day before.
    await sandbox.settings({ timeZone: 'Pacific/Pago_Pago' })
    await sandbox.create()
    const today = clock.now().toISOString().slice(0, 10)
    const before = dayOf(clock.now(), 'Pacific/Pago_Pago')
    expect(before < today).toBe(true)
    const count = async (period: object) => (await rowsOf({ kind: 'payments', ...period }, sandbox)).length
    expect(await count({ from: before, to: before })).toBe(1)
    expect(await count({ from: today, to: today })).toBe(0)
    expect(await count({ period: 'today' })).toBe(1)
    expect(await count({ period: 'yesterday' })).toBe(0)
    const wrong = await sandbox.call('POST', 'exports', {
      kind: 'payments',
      from: today,
      to: before,
    })
    expect(wrong.status).toBe(400)
  })
})

const ROWS = 30_000

/** As many payments as an export needs to be made in the background. */
async function seedPast({ appId }: TestApp, count: number): Promise<void> {
  for (const [place, text] of PAST_PAYMENTS.entries())
    await write(`past${place}`, text, [appId, 1_000_000, clock.now(), count])
  await write(
    'search',
    `insert into payment_search (app_id, payment_id, version, state, flow, currency, amount, amount_minor,
       captured_minor, refunded_minor, fee_minor, profile_id, customer_id, reference_id, fraud_status,
       attempt, created_time)
     select app_id, payment_id, version, state, flow, currency, amount_minor / 100, amount_minor,
       captured_minor, refunded_minor, 0, profile_id, customer_id, reference_id, fraud_status, attempt,
       created_time
     from payments where app_id = $1`,
    [appId],
  )
  await write('analyse', 'analyze payments, payment_search', [])
}

async function listedIds({ appId }: TestApp): Promise<string[]> {
  const { ctx } = tender.service
  const found = await loadApp(ctx, appId)
  if (!found) throw new Error('no app')
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await listPayments(ctx, found, {}, { pageSize: 5_000, ...(cursor && { cursor }) })
    ids.push(...page.payments.map(({ paymentId }) => String(paymentId)))
    cursor = page.next
  } while (cursor)
  return ids
}

describe('a large export', () => {
  it('goes on where a worker died, without holes or doubles, and equals the list', async () => {
    const { ctx } = tender.service
    const { sandbox } = await tender.newMerchant()
    await seedPast(sandbox, ROWS)
    const made = await make({ kind: 'payments', columns: ['paymentId'] }, sandbox)
    expect(made).toMatchObject({ state: 'running', rows: EXPORTS.pagesAtOnce * EXPORTS.pageRows })
    expect((await sandbox.call('GET', `exports/${made.exportId}/file`)).status).toBe(422)

    const found = await loadApp(ctx, sandbox.appId)
    const share = { limit: 1, perApp: 1, perProfile: 1, apps: {}, profiles: {} }
    const until = new Date(clock.now().getTime() + EXPORTS.leaseMs)
    const [dead] = await exportRows.claim(ctx.db, { now: clock.now(), until, token: 'dead', share })
    if (!found || !dead) throw new Error('nothing was claimed')
    await makeParts(ctx, found, dead, { pages: 3 })
    // It holds the lease and does nothing more; another worker waits for its end.
    await runJob('exports')
    expect(await readExport(made.exportId, sandbox)).toMatchObject({ state: 'running', rows: 8_000 })
    clock.advance(EXPORTS.leaseMs + 1)
    await runJob('exports')
    // The dead worker is back: its lease is over, so that it writes nothing.
    await makeParts(ctx, found, { ...dead, place: null, partCount: 0 }, { pages: 2 })
    // Nor does it free or end what another worker holds.
    const claim = (token: string) =>
      exportRows.claim(ctx.db, { now: clock.now(), until: later(), token, share })
    const later = () => new Date(clock.now().getTime() + EXPORTS.leaseMs)
    const [second] = await claim('second')
    if (!second) throw new Error('nothing was claimed')
    await exportRows.release(ctx.db, dead, clock.now())
    await exportRows.retry(ctx.db, dead, clock.now())
    expect(
      await endExport(ctx.db, dead, { state: 'done', now: clock.now(), leaseToken: 'dead' }),
    ).toBeUndefined()
    expect(await claim('third')).toEqual([])
    await exportRows.release(ctx.db, second, clock.now())
    while ((await readExport(made.exportId, sandbox)).state === 'running') await runJob('exports')

    const [head, ...ids] = (await fileOf(made.exportId, sandbox)).trim().split('\r\n')
    expect(head).toBe('paymentId')
    expect(ids).toHaveLength(ROWS)
    expect(ids).toEqual(await listedIds(sandbox))
  })

  it('can be cancelled and removed, and its file goes after a week', async () => {
    const { sandbox } = await tender.newMerchant()
    await seedPast(sandbox, (EXPORTS.pagesAtOnce + 1) * EXPORTS.pageRows)
    const one = await make({ kind: 'payments' }, sandbox)
    expect(good(await sandbox.call('POST', `exports/${one.exportId}/cancel`)).state).toBe('cancelled')
    await runJob('exports')
    expect(await readExport(one.exportId, sandbox)).toMatchObject({ state: 'cancelled' })
    expect(await parts(sandbox)).toBe(0)
    const small = await make({ kind: 'customers' }, sandbox)
    expect((await sandbox.call('DELETE', `exports/${one.exportId}`)).status).toBe(204)
    expect((await sandbox.call('GET', `exports/${one.exportId}`)).status).toBe(404)
    clock.advance(EXPORTS.keptMs - 1_000)
    await runJob('export removal')
    expect(await parts(sandbox)).toBe(1)
    clock.advance(2_000)
    await runJob('export removal')
    expect([await parts(sandbox), (await sandbox.call('GET', `exports/${small.exportId}`)).status]).toEqual([
      0, 404,
    ])
  })
})

const readExport = async (exportId: string, of: TestApp): Promise<Answer> =>
  good(await of.call('GET', `exports/${exportId}`))

async function parts({ appId }: TestApp): Promise<number> {
  const text = 'select count(*)::integer as count from export_parts where app_id = $1'
  const [row] = await tender.service.ctx.db.query(sql<{ count: number }>('test.parts', text), [appId])
  return row?.count ?? 0
}

describe('a schedule', () => {
  it('exports each period once, when it has ended in the zone of the app', async () => {
    const { sandbox } = await tender.newMerchant()
    await sandbox.settings({ timeZone: 'Asia/Tokyo' })
    const body = { kind: 'refunds', every: 'day', columns: ['refundId'] }
    const { scheduleId, nextTime } = good(await sandbox.call('POST', 'export-schedules', body))
    const hour = new Date(nextTime).getTime()
    expect(new Date(hour).toISOString()).toMatch(/T15:00:00\.000Z$/)
    clock.advance(hour - clock.now().getTime() + EXPORTS.graceMs - 1)
    await runJob('export schedules')
    expect(good(await sandbox.call('GET', 'exports'))).toEqual([])
    clock.advance(1)
    await Promise.all([runJob('export schedules'), runJob('export schedules')])
    const [only, ...others] = good(await sandbox.call('GET', 'exports'))
    expect(others).toEqual([])
    const day = 86_400_000
    const period = { from: new Date(hour - day).toISOString(), to: nextTime }
    expect(only).toMatchObject({ scheduleId, state: 'waiting', ...period })
    await runJob('exports')
    expect(await fileOf(only.exportId, sandbox)).toBe('refundId\r\n')

    // A service that was stopped makes up for the days that it missed.
    clock.advance(2 * day)
    for (let run = 0; run < 3; run++) await runJob('export schedules')
    expect(good(await sandbox.call('GET', 'exports'))).toHaveLength(3)
    const pause = (isPaused: boolean) => sandbox.call('PATCH', `export-schedules/${scheduleId}`, { isPaused })
    good(await pause(true))
    clock.advance(3 * day)
    await runJob('export schedules')
    expect(good(await pause(false)).nextTime > clock.now().toISOString()).toBe(true)
    await runJob('export schedules')
    expect(good(await sandbox.call('GET', 'exports'))).toHaveLength(3)
    expect((await sandbox.call('DELETE', `export-schedules/${scheduleId}`)).status).toBe(204)
    expect(good(await sandbox.call('GET', 'export-schedules'))).toEqual([])
  })
})

it('a schedule follows the clock of its app', async () => {
  const { sandbox } = await tender.newMerchant()
  good(
    await sandbox.call('POST', 'export-schedules', { kind: 'refunds', every: 'week', columns: ['refundId'] }),
  )
  await runJob('export schedules')
  expect(good(await sandbox.call('GET', 'exports'))).toEqual([])
  await sandbox.advance('8d')
  await runJob('export schedules')
  const [only, ...others] = good(await sandbox.call('GET', 'exports'))
  expect([others, new Date(only.from).getUTCDay()]).toEqual([[], 1])
  expect(Date.parse(only.to) - Date.parse(only.from)).toBe(7 * 86_400_000)
})

describe('a schedule of months', () => {
  it('has the months of the app, and leaves out no day when they change', async () => {
    const { sandbox } = await tender.newMerchant()
    const monthStartsOn = async (value: number) =>
      good(await sandbox.call('PATCH', '', { monthStartsOn: { value } }))
    await monthStartsOn(20)
    const body = { kind: 'refunds', every: 'month', columns: ['refundId'] }
    const { nextTime, scheduleId } = good(await sandbox.call('POST', 'export-schedules', body))
    expect(nextTime).toMatch(/-20T00:00:00\.000Z$/)
    const runAt = async (time: string) => {
      clock.advance(new Date(time).getTime() + EXPORTS.graceMs - clock.now().getTime())
      await runJob('export schedules')
    }
    await runAt(nextTime)
    // In the middle of the period the app goes over to calendar months.
    await monthStartsOn(1)
    const next = async () => good(await sandbox.call('GET', 'export-schedules'))[0].nextTime
    await runAt(await next())
    await runAt(await next())
    const made: Answer[] = good(await sandbox.call('GET', 'exports'))
    const spans = made.filter((one) => one.scheduleId === scheduleId).reverse()
    expect(spans.map(({ from, to }) => [from.slice(8, 10), to.slice(8, 10)])).toEqual([
      ['20', '20'],
      ['01', '01'],
      ['01', '01'],
    ])
    for (const [place, { from }] of spans.slice(1).entries()) expect(from <= spans[place]?.to).toBe(true)
  })
})

describe('access to exports', () => {
  it('ends at the app, and at the scopes of a key', async () => {
    const { sandbox: stranger } = await tender.newMerchant()
    const { exportId } = await make({ kind: 'customers' })
    for (const path of [`exports/${exportId}`, `exports/${exportId}/file`])
      expect((await stranger.call('GET', path)).status).toBe(404)
    expect((await stranger.call('POST', `exports/${exportId}/cancel`)).status).toBe(404)
    expect((await stranger.call('DELETE', `exports/${exportId}`)).status).toBe(404)
    const key = good(await app.call('POST', 'api-keys', { name: 'refunds only', scopes: ['refunds'] }))
    const limited = { authorization: `Bearer ${key.apiKey}` }
    const call = (method: string, path: string, body?: object) => app.call(method, path, body, limited)
    expect((await call('POST', 'exports', { kind: 'refunds' })).status).toBe(201)
    expect((await call('POST', 'exports', { kind: 'customers' })).status).toBe(403)
    expect((await call('GET', `exports/${exportId}/file`)).status).toBe(404)
    expect(good(await call('GET', 'exports')).map((one: Answer) => one.kind)).not.toContain('customers')
    // Only who made it may remove it.
    const { exportId: others } = await make({ kind: 'refunds' })
    expect((await call('DELETE', `exports/${others}`)).status).toBe(403)
  })
})
