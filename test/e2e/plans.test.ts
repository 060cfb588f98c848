import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../src/db/database.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { good, nextPath, startTestService, type TestService } from '../support/tender.ts'

let tender: TestService
let shop: Receiver
beforeAll(async () => {
  tender = await startTestService('e2e_plans')
  shop = await startReceiver()
  good(await tender.sandbox.call('PATCH', '', { paymentWebhookUrl: shop.url }))
})
afterAll(async () => {
  await tender?.stop()
  await shop?.stop()
})

let customers = 0

/** Creates, pays, captures, refunds and reads one payment of a new customer. */
async function runPayment(): Promise<void> {
  const { sandbox } = tender
  const customerId = `customer-${++customers}`
  const customerOrder = { customer: { customerId } }
  const { paymentId, referenceId } = await sandbox.create({
    customerOrder,
    autoCapture: false,
    registerAutoPayment: true,
  })
  good(await sandbox.pay(paymentId))
  good(await sandbox.act(paymentId, 'capture'))
  good(await sandbox.act(paymentId, 'refund'))
  await sandbox.read(paymentId)
  good(await sandbox.call('GET', `payments/referenceId:${referenceId}`))
  good(await sandbox.call('GET', `customers/${customerId}/payment-methods`))
}

async function runPayments(times: number): Promise<void> {
  let left = times
  const one = async () => {
    while (left-- > 0) await runPayment()
  }
  await Promise.all([one(), one(), one(), one()])
}

interface Reads {
  name: string
  scans: number
  rows: number
}

/**
 * Without queue indexes: a claim reads as many rows as are due. `$1`: indexes that a job reads in large
 * pieces meanwhile.
 */
const READS = sql<Reads>(
  'test.reads',
  `select indexrelname as name, idx_scan::float8 as scans, idx_tup_read::float8 as rows
   from pg_stat_user_indexes where idx_scan > 0
     and indexrelname !~ '_(due|queue|ready|leased|pending)$' and indexrelname <> all ($1::text[])
     and (schemaname, relname) <> ('sandbox_bank', 'notifications')
   union all
   select relname, seq_scan::float8, seq_tup_read::float8 from pg_stat_user_tables where seq_scan > 0`,
)
/** By the service's job, or by autovacuum where that was first. */
const ANALYSED = sql<{ tables: number }>(
  'test.analysed',
  `select count(*)::integer as tables from pg_stat_user_tables
   where analyze_count + autoanalyze_count > 0
     and relname in ('payments', 'operations', 'events', 'deliveries', 'customers', 'payment_methods',
     'payment_method_tokens', 'provider_notifications', 'requests', 'ledger')`,
)
const RESET = sql('test.forget', 'select pg_stat_reset()')

/** More rows than any statement needs, fewer than an app has. */
const FEW = 12

it('every statement uses an index, although it was prepared on an empty database', async () => {
  const { db } = tender.service.ctx
  await runPayments(100)
  await expect.poll(async () => (await db.query(ANALYSED))[0]?.tables).toBe(11)
  await expectFewReads({
    act: () => runPayments(20),
    isCounted: async () => (await readsOf([])).length > 20,
    except: READ_BY_JOBS,
  })
}, 300_000)

/** The comparison of events with the search rows, and the rollups. */
const READ_BY_JOBS = [
  ...['events_by_time', 'payment_search_by_time', 'payment_rollups_pkey', 'day_rollups_pkey'],
  ...['country_rollups_pkey', 'latency_rollups_pkey'],
]

it('every page of a list starts at its cursor in an index', async () => {
  for (const list of LISTS)
    await expectFewReads({
      act: async () => {
        let path: string | undefined = `${list}pageSize=2`
        let pages = 0
        for (; path && pages < PAGES; pages++) path = nextPath(await tender.sandbox.call('GET', path))
        expect(pages).toBe(PAGES)
      },
      isCounted: async () => (await readsOf([])).reduce((sum, of) => sum + of.scans, 0) >= PAGES,
    })
}, 300_000)

/** Of payments, those by one value: a list by several reads up to a thousand rows of each. */
const LISTS = [
  ...['webhooks?', 'events?', 'payments?', 'payments?state=Refunded&', 'payments?currency=EUR&'],
  ...['payments?q=last4:4242&'],
]
const PAGES = 40
const ROUNDS = 4

interface Watched {
  act: () => Promise<void>
  /** Whether the statistics include the work of `act`. */
  isCounted: () => Promise<boolean>
  readonly except?: readonly string[]
}

/**
 * Connections report statistics with a delay, so earlier reads may be counted in a later round.
 * A statement that reads too much does so in every round, so one good round is enough.
 */
async function expectFewReads({ act, isCounted, except = [] }: Watched): Promise<void> {
  for (let round = 1; ; round++) {
    await tender.service.ctx.db.query(RESET)
    await act()
    await expect.poll(isCounted).toBe(true)
    const excessive = await excessiveReads(except)
    if (excessive.length === 0) return
    if (round === ROUNDS) return expect(excessive).toEqual([])
  }
}

const readsOf = (except: readonly string[]): Promise<Reads[]> => tender.service.ctx.db.query(READS, [except])

async function excessiveReads(except: readonly string[]) {
  const reads = await readsOf(except)
  return reads.map((of) => ({ ...of, each: Math.round(of.rows / of.scans) })).filter(({ each }) => each > FEW)
}
