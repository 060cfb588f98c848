import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../../src/base/limits.ts'
import type { Statement } from '../../src/db/database.ts'
import { type Answer, nextPath, startTestService, type TestApp, type TestService } from '../support/tender.ts'

let tender: TestService
let app: TestApp
beforeAll(async () => {
  tender = await startTestService('e2e_lists')
})
afterAll(() => tender?.stop())
beforeEach(async () => {
  app = (await tender.newMerchant()).sandbox
})

/** The size of an event for an order with 500 items. */
const LARGE_BYTES = 300_000

const add = (name: string, text: string, values: readonly unknown[]) =>
  tender.service.ctx.db.query({ name: `test.${name}`, text }, values)

/** Small batches: statements have a time limit, and the machine may be busy. */
const BATCH = 10

/** Events of many payments with few distinct times, so that cursors must order events of the same time. */
async function addEvents(count: number, bytes: number) {
  for (let first = 1; first <= count; first += BATCH)
    await add(
      'events',
      `insert into events (app_id, payment_id, sequence, type, state, created_time, body)
       select $1, 9000000 + n / 3, n % 3 + 1, 'payment.state_changed', 'Created',
         '2030-01-01'::timestamptz + (n / 7) * interval '1 second',
         json_build_object('eventId', 'evt_' || n, 'filler', repeat('x', $4))::text
       from generate_series($2::integer, $3::integer) n`,
      [app.appId, first, Math.min(count, first + BATCH - 1), bytes],
    )
}

async function addWebhooks(count: number, attempts: number, responseBytes: number) {
  await addEvents(count, 10)
  await add(
    'deliveries',
    `insert into deliveries (app_id, payment_id, sequence, endpoint, status, queued_time)
     select app_id, payment_id, sequence, '', 'delivered', created_time from events where app_id = $1`,
    [app.appId],
  )
  for (let first = 1; first <= attempts; first += BATCH)
    await add(
      'attempts',
      `insert into delivery_attempts (app_id, payment_id, sequence, attempt, start_time, latency_ms,
         http_status, error, response)
       select app_id, payment_id, sequence, a, created_time, 5, 500, repeat('e', 150), repeat('r', $4)
       from events cross join generate_series($2::integer, $3::integer) a where app_id = $1`,
      [app.appId, first, Math.min(attempts, first + BATCH - 1), responseBytes],
    )
}

interface WalkedPage {
  readonly items: readonly Answer[]
  readonly bytes: number
}

/** Follows the links of a list and returns every page. */
async function walk(path: string): Promise<WalkedPage[]> {
  const pages: WalkedPage[] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const reply = await app.call('GET', next)
    expect(reply.status).toBe(200)
    pages.push({ items: reply.body, bytes: JSON.stringify(reply.body).length })
    next = nextPath(reply)
  }
  return pages
}

const ids = (pages: readonly WalkedPage[]): string[] =>
  pages.flatMap(({ items }) => items.map(({ eventId }) => String(eventId)))

describe('pages of events', () => {
  it('end before 4 MiB, and their links lead to every event exactly once', async () => {
    await addEvents(60, LARGE_BYTES)
    const pages = await walk('events?pageSize=500')
    expect(pages.length).toBeGreaterThan(3)
    for (const { bytes } of pages) expect(bytes).toBeLessThanOrEqual(LIMITS.pageBytes)
    expect(ids(pages).sort()).toEqual(Array.from({ length: 60 }, (_, n) => `evt_${n + 1}`).sort())
  })

  it('return every event exactly once for events of any size', async () => {
    await addEvents(100, 10)
    const all = ids(await walk('events?pageSize=500'))
    expect(new Set(all).size).toBe(100)
    for (const size of [1, 7, 33, 99, 100]) expect(ids(await walk(`events?pageSize=${size}`))).toEqual(all)
  })

  it('have at least one event, even a very large one', async () => {
    await addEvents(2, LIMITS.pageBytes + 1)
    const pages = await walk('events')
    expect(pages.map(({ items }) => items.length)).toEqual([1, 1])
  })

  it('are also bounded for the events of one payment', async () => {
    await addEvents(3, 2_000_000)
    const pages = await walk('events?paymentId=9000000')
    expect(pages.map(({ items }) => items.length)).toEqual([2])
    expect((await walk('events?paymentId=1')).map(({ items }) => items)).toEqual([[]])
  })

  it('are read in chunks: no query returns more than one chunk', async () => {
    await addEvents(20, LARGE_BYTES)
    const largest = await largestAnswer(async () => void (await walk('events?pageSize=500')))
    expect(largest).toBeGreaterThan(LARGE_BYTES)
    expect(largest).toBeLessThan(LIMITS.pieceBytes + 100_000)
  })
})

/** Runs `work` and returns the size of the largest query result, in bytes. */
async function largestAnswer(work: () => Promise<void>): Promise<number> {
  const { db } = tender.service.ctx
  const { query } = db
  let largest = 0
  db.query = async <Row>(statement: Statement<Row>, values?: readonly unknown[]) => {
    const rows = await query.call(db, statement, values)
    largest = Math.max(largest, JSON.stringify(rows).length)
    return rows as Row[]
  }
  try {
    await work()
  } finally {
    db.query = query
  }
  return largest
}

describe('pages of webhooks', () => {
  it('end before 4 MiB, with every webhook exactly once and without response bodies', async () => {
    await addWebhooks(200, 100, 100)
    const largest = await largestAnswer(async () => {
      const pages = await walk('webhooks?pageSize=500')
      expect(pages.length).toBeGreaterThan(1)
      for (const { bytes } of pages) expect(bytes).toBeLessThan(LIMITS.pageBytes * 1.5)
      expect(new Set(ids(pages)).size).toBe(200)
      expect(ids(pages)).toHaveLength(200)
    })
    expect(largest).toBeLessThan(LIMITS.pieceBytes * 2)
  })

  it('show the newest attempts of a webhook that has very many', async () => {
    await addWebhooks(1, LIMITS.shownAttempts + 50, 4_096)
    const [{ items }] = (await walk('webhooks')) as [WalkedPage]
    const numbers = items[0].attempts.map(({ attempt }: Answer) => attempt)
    expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([200, 51, 250])
    const { body } = await app.call('GET', 'webhooks/evt_9000000_2')
    expect(body.attempts).toHaveLength(200)
    expect(body.attempts[0].response).toHaveLength(4_096)
  })
})

it('limits concurrent lists of one app: others wait or get 429; other apps are unaffected', async () => {
  await addEvents(3, 10)
  const { sandbox: other } = await tender.newMerchant()
  const gate = closeGate('webhooks.events')
  const asked = LIMITS.listsAtOnce + LIMITS.listsWaiting + 5
  let refused = 0
  const ask = async () => {
    const reply = await app.call('GET', 'events')
    if (reply.status === 429) refused++
    return reply
  }
  const replies = Promise.all(Array.from({ length: asked }, ask))
  await expect.poll(() => gate.held()).toBe(LIMITS.listsAtOnce)
  await expect.poll(() => refused).toBeGreaterThan(0)
  expect((await other.call('GET', 'webhooks')).status).toBe(200)
  expect((await other.call('GET', '')).status).toBe(200)
  expect((await app.call('GET', '')).status).toBe(200)
  // No more are admitted while these are held.
  expect(gate.held()).toBe(LIMITS.listsAtOnce)
  gate.open()
  const statuses = (await replies).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(LIMITS.listsAtOnce)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  for (const { status, headers } of await replies)
    if (status === 429) expect(headers.get('retry-after')).toBe('1')
  expect((await app.call('GET', 'events')).status).toBe(200)
})

/** Holds the queries of this name until the gate is opened. */
function closeGate(name: string) {
  const { db } = tender.service.ctx
  const { query } = db
  let held = 0
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  db.query = async <Row>(statement: Statement<Row>, values?: readonly unknown[]) => {
    if (statement.name === name) {
      held++
      await opened
    }
    return query.call(db, statement, values) as Promise<Row[]>
  }
  return {
    held: () => held,
    open() {
      db.query = query
      open()
    },
  }
}

describe('fraud policies', () => {
  const firewall = {
    blockedAddresses: Array.from({ length: 1_000 }, (_, n) => `2001:db8:${n.toString(16)}::/64`),
  }

  it('are listed in pages below 4 MiB', async () => {
    for (let n = 0; n < 3; n++)
      expect((await app.call('POST', 'fraud-policies', { name: `p${n}`, firewall })).status).toBe(201)
    await add(
      'grow_policies',
      `update fraud_policies set firewall = jsonb_set(firewall::jsonb, '{filler}',
         to_jsonb(repeat('x', 2000000))) where app_id = $1`,
      [app.appId],
    )
    const pages = await walk('fraud-policies')
    expect(pages.map(({ items }) => items.length)).toEqual([2, 1])
    expect(pages.flatMap(({ items }) => items.map(({ name }) => name))).toEqual(['p0', 'p1', 'p2'])
  })

  it('list their versions in pages', async () => {
    const { body } = await app.call('POST', 'fraud-policies', { name: 'v1' })
    const path = `fraud-policies/${body.fraudPolicyId}`
    for (let n = 2; n <= 4; n++) await app.call('PATCH', path, { name: `v${n}` })
    await add(
      'grow_versions',
      `update fraud_policy_versions set firewall = jsonb_set(firewall::jsonb, '{filler}',
         to_jsonb(repeat('x', 2000000))) where app_id = $1`,
      [app.appId],
    )
    const pages = await walk(`${path}/versions`)
    expect(pages.map(({ items }) => items.map(({ name }) => name))).toEqual([
      ['v4', 'v3'],
      ['v2', 'v1'],
    ])
  })

  it('are at most 100 for each app', async () => {
    await add(
      'policies',
      `insert into fraud_policies (app_id, version, name, rules, firewall, created_time)
       select $1, 1, 'p', '[]', '{}', now() from generate_series(1, 100)`,
      [app.appId],
    )
    const { status, body } = await app.call('POST', 'fraud-policies', { name: 'one more' })
    expect([status, body.code]).toEqual([422, 'not_possible'])
  })
})

it('API keys are listed in pages', async () => {
  await add(
    'keys',
    `insert into api_keys (app_id, key_id, key_hash, name, kind, hint, created_time, revoked_time)
     select $1, 'key_' || n, sha256(($1 || n)::bytea), 'k', 'app', 'abcd', '2020-01-01', now()
     from generate_series(1, 600) n`,
    [app.appId],
  )
  const pages = await walk('api-keys')
  expect(pages.map(({ items }) => items.length > 0)).toEqual([true, true])
  const keys = pages.flatMap(({ items }) => items.map(({ keyId }) => keyId))
  expect([keys.length, new Set(keys).size]).toEqual([keys.length, keys.length])
  expect(keys.length).toBeGreaterThanOrEqual(601)
})
