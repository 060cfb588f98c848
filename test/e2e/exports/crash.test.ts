import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Killable, killableService } from '../../support/killable.ts'
import { PROCESS_TOKEN } from '../../support/service-process.ts'
import { type Answer, good, type TestApp, testMerchant } from '../../support/tender.ts'

/** Enough for several claims of the job, so that the process is killed between two parts of the file. */
const ROWS = 100_000

let service: Killable
let app: TestApp
let db: pg.Client
beforeAll(async () => {
  service = await killableService('e2e_exports_crash')
  await service.start()
  app = (await testMerchant(service.url, undefined, PROCESS_TOKEN)).sandbox
  db = new pg.Client({ connectionString: service.databaseUrl })
  await db.connect()
})
afterAll(async () => {
  await db?.end()
  await service?.kill()
})

/** Rows of the file and its state, as they are stored. */
async function stored(exportId: string) {
  const { rows } = await db.query<{ state: string; rows: number }>(
    'select state, row_count::integer as rows from exports where app_id = $1 and export_id = $2',
    [app.appId, exportId],
  )
  return rows[0] ?? { state: 'unknown', rows: 0 }
}

it('kill -9 in the middle of an export, twice: the file is whole, and has each row once', async () => {
  await db.query(
    `insert into customers (app_id, customer_id, created_time)
     select $1, 'c-' || n, now() - n * interval '1 second' from generate_series(1, $2::integer) n`,
    [app.appId, ROWS],
  )
  const made: Answer = good(
    await app.call('POST', 'exports', { kind: 'customers', columns: ['customerId'], byteOrderMark: false }),
  )
  const { exportId } = made
  let reached = 0
  for (let round = 0; round < 2; round++) {
    const before = reached
    await expect.poll(async () => (await stored(exportId)).rows > before + 5_000).toBe(true)
    await service.kill()
    const { state, rows } = await stored(exportId)
    // Otherwise nothing was cut off, and the test would tell nothing.
    expect([state, rows < ROWS]).toEqual(['running', true])
    reached = rows
    // The lease of the process that is gone ends.
    await db.query('update exports set due_time = now() where export_id = $1', [exportId])
    await service.start()
  }
  await expect.poll(async () => (await stored(exportId)).state, { timeout: 200_000 }).toBe('done')
  const file = good(await app.call('GET', `exports/${exportId}/file`)) as unknown as string
  const lines = file.trimEnd().split('\r\n').slice(1)
  expect([lines.length, new Set(lines).size]).toEqual([ROWS, ROWS])
  expect([lines[0], lines.at(-1)]).toEqual(['c-1', `c-${ROWS}`])
})
