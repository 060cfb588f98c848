import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { build } from '../../scripts/build.js'
import { startEmbedded } from '../../src/db/embedded/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { createDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { brokenInvariants } from '../support/invariants.ts'
import { startProcess } from '../support/service-process.ts'
import { type Answer, good, type TestApp, testApp } from '../support/tender.ts'
import { asking, load, VERSIONS, type Version } from './databases.ts'
import type { Facts } from './facts.ts'

const [oldest] = VERSIONS
const folder = mkdtempSync(join(tmpdir(), 'tender-upgrade-'))

beforeAll(() => build())
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }))

/** Starts the service as it is now, and stops it. */
async function onService(
  env: Record<string, string>,
  facts: Facts,
  work: (app: TestApp) => Promise<void>,
): Promise<void> {
  const service = startProcess({ port: await freePort(), env })
  try {
    await service.ready()
    await work(testApp(service.url, facts))
  } finally {
    await service.kill('SIGTERM')
  }
  expect(await service.exited).toBe(0)
}

/** Where rows are now, of tables that are no more. */
const MOVED: Readonly<Record<string, string>> = {
  'public.api_log': `select sum(line_count)::int from log_batches where kind = 'api'`,
  'public.provider_log': `select sum(line_count)::int from log_batches where kind = 'provider'`,
}

const SUMS = `select payment_id::int as id, state,
    captured_minor::int as captured, refunded_minor::int as refunded
  from payments order by payment_id`

/** What the API tells of the payments, in the same form. */
async function shownBy(app: TestApp, ids: readonly number[]): Promise<unknown[]> {
  const minor = (amount: number | undefined) => Math.round((amount ?? 0) * 100)
  const rows: unknown[] = []
  for (const id of ids) {
    const { paymentState, capturedAmount, refundedAmount }: Answer = await app.read(id)
    rows.push({ id, state: paymentState, captured: minor(capturedAmount), refunded: minor(refundedAmount) })
  }
  return rows
}

/** Continues what was begun before the upgrade: pays, captures, refunds, charges, resolves. */
async function continuePayments(app: TestApp, { payments }: Facts): Promise<void> {
  expect(good(await app.pay(payments.created))).toMatchObject({ paymentState: 'Captured' })
  expect(good(await app.act(payments.authorized, 'capture'))).toMatchObject({ capturedAmount: 25.5 })
  for (const id of [payments.authorized, payments.captured, payments.registered])
    expect(good(await app.act(id, 'refund'))).toMatchObject({ refundedAmount: 25.5 })
  const charge = await app.call('POST', 'payments/auto-payment', {
    referenceId: 'after the upgrade',
    amount: 9.99,
    autoCapture: true,
    customerOrder: { customer: { customerId: 'dana' } },
  })
  expect(good(charge)).toMatchObject({ paymentState: 'Captured', autoPayment: 'Use' })
  await expect
    .poll(async () => {
      await app.act(payments.open, 'recheck')
      return app.read(payments.open)
    })
    .toMatchObject({ paymentState: 'Captured', capturedAmount: 25.5 })
}

describe.each(VERSIONS)('the database of a version with migrations up to $name', (version) => {
  const { name, facts } = version
  let url: string
  beforeAll(async () => {
    url = await createDatabase(inject('databaseUrl'), `upgrade_${name}`)
    await load(url, version, folder)
  })

  it('has migrations that are still the same', () => {
    for (const [file, hash] of Object.entries(facts.migrations)) {
      const now = createHash('sha256').update(readFileSync(join('migrations', file)))
      expect([file, now.digest('hex')]).toEqual([file, hash])
    }
  })

  it('loses no row by the upgrade', async () => {
    const copy = await createDatabase(inject('databaseUrl'), `upgrade_${name}_copy`, `upgrade_${name}`)
    const tables = [...version.text.matchAll(/^insert into (\S+)/gm)].map(([, table]) => table)
    const countOf = (table = '', rows = `select count(*)::int from ${table}`) =>
      `select '${table}' as name, (${rows}) as count`
    const counts = (each: readonly string[]) => asking(copy, (ask) => ask(each.join(' union all ')))
    const before = await counts(tables.map((table) => countOf(table)))
    expect(await migrate(copy, 'migrations')).not.toEqual([])
    expect(await counts(tables.map((table = '') => countOf(table, MOVED[table])))).toEqual(before)
  })

  it('serves the service: what was begun before is read, captured, refunded and resolved', async () => {
    const ids = Object.values(facts.payments)
    const settled = ids.filter((id) => id !== facts.payments.open)
    const before = await asking(url, (ask) => ask<{ id: number }>(SUMS))
    await onService({ DATABASE_URL: url }, facts, async (app) => {
      expect(await shownBy(app, settled)).toEqual(before.filter(({ id }) => settled.includes(id)))
      good(await app.call('DELETE', 'test-helpers/faults'))
      await continuePayments(app, facts)
      const listed: Answer[] = good(await app.call('GET', 'payments'))
      expect(listed.map(({ paymentId }) => paymentId)).toEqual(expect.arrayContaining(ids))
      expect(good(await app.call('GET', 'webhooks')).length).toBeGreaterThan(0)
    })
    expect(await asking(url, (ask) => brokenInvariants(ask, []))).toEqual([])
  })
})

describe('a database of a newer version', () => {
  it('is refused', async () => {
    const url = await createDatabase(inject('databaseUrl'), 'upgrade_newer', 'template')
    await asking(url, (ask) => ask("insert into migrations (name) values ('9999_later.sql')"))
    const service = startProcess({ port: await freePort(), env: { DATABASE_URL: url } })
    expect(await service.exited).toBe(1)
    expect(service.output()).toBe(
      'The database cannot be brought up to date: it has 9999_later.sql of a newer version. Install that ' +
        'version, or restore a backup of this one.\n',
    )
  })
})

describe('the data directory of the oldest version', () => {
  it('serves the service', async () => {
    const version = oldest as Version
    const dataDir = join(folder, 'data')
    const embedded = await startEmbedded({ dataDir, durable: false })
    await load(embedded.url, version, folder)
    await embedded.stop()
    await onService({ DATA_DIR: dataDir }, version.facts, async (app) => {
      good(await app.call('DELETE', 'test-helpers/faults'))
      const { captured } = version.facts.payments
      expect(good(await app.act(captured, 'refund'))).toMatchObject({ paymentState: 'Refunded' })
    })
  })
})
