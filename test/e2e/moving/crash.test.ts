import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { csvFile } from '../../support/imports.ts'
import { type Killable, killableService } from '../../support/killable.ts'
import { PROCESS_TOKEN } from '../../support/service-process.ts'
import { good, type TestApp, testMerchant } from '../../support/tender.ts'

/** Enough for several claims of the job, so that the process is killed between two chunks. */
const TOKENS = 4_000

let service: Killable
let app: TestApp
let db: pg.Client
beforeAll(async () => {
  service = await killableService('e2e_moving_crash')
  await service.start()
  app = (await testMerchant(service.url, undefined, PROCESS_TOKEN)).sandbox
  db = new pg.Client({ connectionString: service.databaseUrl })
  await db.connect()
})
afterAll(async () => {
  await db?.end()
  await service?.kill()
})

async function progress(importId: string) {
  const { rows } = await db.query<{ state: string; done: number }>(
    'select state, done_count as done from imports where app_id = $1 and import_id = $2',
    [app.appId, importId],
  )
  return rows[0] ?? { state: 'unknown', done: 0 }
}

const storedMethods = async (): Promise<number> =>
  (
    await db.query<{ methods: number }>(
      'select count(*)::integer as methods from payment_methods where app_id = $1',
      [app.appId],
    )
  ).rows[0]?.methods ?? 0

/** Tokens are stored before their chunk is counted: a lock on the counts holds the process up in between. */
async function killBetweenStoringAndCounting(importId: string): Promise<void> {
  await db.query('begin')
  await db.query('select from imports where app_id = $1 and import_id = $2 for no key update', [
    app.appId,
    importId,
  ])
  const { done } = await progress(importId)
  await expect.poll(async () => (await storedMethods()) > done, { timeout: 60_000 }).toBe(true)
  await service.kill()
  await db.query('rollback')
}

it('kill -9 in the middle of an import, twice: each token is stored once, and counted once', async () => {
  const [{ paymentProfileName }] = good(await app.call('GET', 'payment-profiles'))
  const file = csvFile(
    Array.from({ length: TOKENS }, (_, n) => ({
      ...{ kind: 'payment-method', customerId: `c-${n % 1_000}`, paymentProfile: paymentProfileName },
      ...{ token: `met_test_visa_${n}`, consentTime: '2025-01-01T00:00:00Z', consentText: 'Terms' },
    })),
  )
  const sent = await app.call('POST', 'imports', file, { 'content-type': 'text/csv' })
  const { importId } = good(sent)
  let reached = 0
  for (let round = 0; round < 2; round++) {
    const before = reached
    await expect
      .poll(async () => (await progress(importId)).done > before + 200, { timeout: 60_000 })
      .toBe(true)
    await killBetweenStoringAndCounting(importId)
    const { state, done } = await progress(importId)
    // Otherwise nothing was cut off, and the test would tell nothing.
    expect([state, done < TOKENS]).toEqual(['running', true])
    reached = done
    // The lease of the process that is gone ends.
    await db.query('update imports set due_time = now() where import_id = $1', [importId])
    await service.start()
  }
  await expect.poll(async () => (await progress(importId)).state, { timeout: 200_000 }).toBe('done')
  const ended = good(await app.call('GET', `imports/${importId}`))
  expect(ended).toMatchObject({ done: TOKENS, added: TOKENS, unchanged: 0, wrong: 0 })
  expect(await storedMethods()).toBe(TOKENS)
}, 300_000)
