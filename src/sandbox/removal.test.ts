import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type Merchant,
  merchant,
  purchase,
  type SandboxWorld,
  sandboxWorld,
  till,
} from '../../test/support/sandbox.ts'
import { DAY } from '../base/clock.ts'
import { sql } from '../db/database.ts'
import { withDueChecks } from '../jobs/due-work-store.ts'
import { bankRemovalJob } from './jobs.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await sandboxWorld()
})
afterAll(() => world.close())

interface Rows {
  payments: number
  entries: number
  answers: number
}

const ROWS = sql<Rows>(
  'test.bank_rows',
  `select (select count(*)::integer from sandbox_bank.payments where account = $1) as payments,
     (select count(*)::integer from sandbox_bank.ledger where account = $1) as entries,
     (select count(*)::integer from sandbox_bank.requests where account = $1) as answers`,
)
const rowsOf = async ({ appId }: Merchant) => (await world.db.query(ROWS, [appId]))[0]

/** What the service does for the bank while it runs. */
async function runJobs(): Promise<void> {
  const [job] = withDueChecks(world, [bankRemovalJob(world.sandbox.bank)])
  while ((await world.sandbox.bank.runOnce()) > 0);
  while (((await job?.runOnce()) ?? 0) > 0);
}

it('removes answers after 30 days, and payments with their ledger after 180', async () => {
  const shop = merchant(world)
  const { payWith, capture, refund, see } = till(world, shop)
  const { reference } = await payWith({})
  await capture(reference)
  const all = { payments: 1, entries: 2, answers: 2 }
  await runJobs()
  expect(await rowsOf(shop)).toEqual(all)
  world.clock.advance(30 * DAY - 1)
  await runJobs()
  expect(await rowsOf(shop)).toEqual(all)
  world.clock.advance(2)
  const later = await payWith({})
  await runJobs()
  expect(await rowsOf(shop)).toEqual({ payments: 2, entries: 3, answers: 1 })
  world.clock.advance(150 * DAY)
  await runJobs()
  expect((await rowsOf(shop))?.payments).toBe(1)
  expect((await see(later.reference)).reference).toBe(later.reference)
  expect((await refund(reference)).kind).not.toBe('approved')
})

it('charges once when a request is repeated after its answer was removed', async () => {
  const shop = merchant(world)
  const op = shop.operation('start')
  const bought = purchase({ instrument: await shop.token('CreditCard') })
  const start = () => world.sandbox.adapter.start(shop.context(), op, bought)
  expect((await start()).kind).toBe('approved')
  world.clock.advance(31 * DAY)
  await runJobs()
  expect(await rowsOf(shop)).toMatchObject({ payments: 1, answers: 0 })
  await start()
  const entries = await shop.control.ledger(op.reference)
  expect(entries.map(({ kind }) => kind)).toEqual(['authorise'])
})

const LINES = sql<{ lines: number }>(
  'test.bank_lines',
  'select count(*)::integer as lines from sandbox_bank.lines where account = $1',
)
const linesOf = async ({ appId }: Merchant) => (await world.db.query(LINES, [appId]))[0]?.lines

it('removes settled lines after 180 days, and settles later payments', async () => {
  const shop = merchant(world)
  const { payWith } = till(world, shop)
  await payWith({}, { sale: true })
  expect(await shop.control.payOut()).toEqual([])
  world.clock.advance(180 * DAY - 1)
  await runJobs()
  expect(await linesOf(shop)).toBe(1)
  expect(await shop.control.payOut()).toHaveLength(1)
  world.clock.advance(2)
  await runJobs()
  expect(await linesOf(shop)).toBe(1)
  await payWith({}, { sale: true })
  world.clock.advance(180 * DAY)
  expect(await shop.control.payOut()).toMatchObject([{ id: 'po_000002', amountMinor: 941n }])
  await runJobs()
  expect(await linesOf(shop)).toBe(2)
})

const POSTPONE = sql<never>(
  'test.bank_postpone',
  `update sandbox_bank.payments set due_time = $2 where account = $1`,
)

it('keeps an old payment that time will still change', async () => {
  const shop = merchant(world)
  await till(world, shop).payWith({})
  world.clock.advance(170 * DAY)
  await runJobs()
  await world.db.query(POSTPONE, [shop.appId, new Date(world.clock.now().getTime() + 30 * DAY)])
  world.clock.advance(20 * DAY)
  await runJobs()
  expect((await rowsOf(shop))?.payments).toBe(1)
  await world.db.query(POSTPONE, [shop.appId, null])
  await runJobs()
  expect(await rowsOf(shop)).toEqual({ payments: 0, entries: 0, answers: 0 })
})

const MANY = sql<never>(
  'test.bank_many',
  `insert into sandbox_bank.requests (account, request_key, fingerprint, status, answer, answered_time)
   select $1, 'key-' || n, '', 200, '{}', $2 from generate_series(1, 1200) n`,
)

it('removes a limited number at once, and goes on', async () => {
  const shop = merchant(world)
  await world.db.query(MANY, [shop.appId, new Date(world.clock.now().getTime() - 31 * DAY)])
  expect(await world.sandbox.bank.removeOld()).toBe(500)
  await runJobs()
  expect((await rowsOf(shop))?.answers).toBe(0)
})
