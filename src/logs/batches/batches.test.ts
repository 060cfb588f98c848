import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestContext, testContext } from '../../../test/support/context.ts'
import { after as later, MINUTE, SECOND } from '../../base/clock.ts'
import { type Queryable, sql } from '../../db/database.ts'
import { insertBatches } from '../batch-store.ts'
import { eraseLogs } from '../erasure.ts'
import { batchesOf, type LogLine, packed, paymentKey, unpacked } from './batch.ts'
import { eraseLines } from './erase.ts'
import { type LinePlace, newestLines } from './lines.ts'

let ctx: TestContext
beforeAll(async () => {
  ctx = await testContext()
})
afterAll(() => ctx.close())

interface Line extends LogLine {
  readonly text: string
}

const START = new Date('2026-11-18T10:00:00Z')
const line = (appId: string, ms: number, more: Partial<Line> = {}): Line => ({
  ...{ appId, startTime: later(START, ms), paymentId: null, text: `${ms}` },
  ...more,
})

const write = async (lines: readonly Line[]) => insertBatches(ctx.db, batchesOf('api', lines))

async function read(appId: string, range: { key?: string; since?: Date; before?: LinePlace } = {}) {
  const texts: string[] = []
  for await (const each of newestLines<Line>(ctx.db, { appId, kind: 'api', ...range })) texts.push(each.text)
  return texts
}

describe('lines that are written together', () => {
  it('are one batch for each app, and come back as they were', () => {
    const lines = [line('b', 2), line('a', 3, { paymentId: 7 }), line('b', 1)]
    const batches = batchesOf('api', lines)
    expect(batches.map(({ appId, lineCount, keys }) => [appId, lineCount, keys])).toEqual([
      ['a', 1, [paymentKey('a', 7)]],
      ['b', 2, []],
    ])
    const { appId: _, ...first } = lines[1] as Line
    expect(unpacked(batches[0]?.lines ?? new Uint8Array())).toEqual([first])
  })

  it('are several batches when they are further apart than a minute', () => {
    const batches = batchesOf('api', [line('a', 0), line('a', MINUTE), line('a', MINUTE + 1)])
    expect(batches.map(({ lineCount }) => lineCount)).toEqual([2, 1])
  })
})

describe('lines of many batches', () => {
  const times = Array.from({ length: 150 }, (_one, index) => index * SECOND)

  it('are read newest first, also when batches overlap in time', async () => {
    // Each batch has a line of now and one of half a minute ago, as of a request that took so long.
    for (const ms of times) await write([line('mixed', ms), line('mixed', ms - 30 * SECOND + 1)])
    const all = times.flatMap((ms) => [ms, ms - 30 * SECOND + 1]).sort((one, other) => other - one)
    expect(await read('mixed')).toEqual(all.map(String))
    expect(await read('other')).toEqual([])
  })

  it('are read from a place on, and from a time on', async () => {
    const since = later(START, 40 * SECOND)
    const before = { time: later(START, 50 * SECOND), lineId: 0 }
    const texts = await read('mixed', { since, before })
    expect(texts.every((ms) => Number(ms) >= 40 * SECOND && Number(ms) < 50 * SECOND)).toBe(true)
    expect(texts.length).toBe(20)
  })

  it('are found by payment, but not those of the same payment id in another app', async () => {
    await write([line('one', 1, { paymentId: 5 }), line('two', 2, { paymentId: 5 })])
    expect(await read('one', { key: paymentKey('one', 5) })).toEqual(['1'])
    expect(await read('one', { key: paymentKey('two', 5) })).toEqual([])
    expect(await read('one', { key: paymentKey('one', 6) })).toEqual([])
  })
})

it('lines of before, which a migration made a batch without compression, are read too', () => {
  const plain = [{ startTime: START.toISOString(), paymentId: 3, text: 'old' }]
  expect(unpacked(Buffer.from(JSON.stringify(plain)))).toEqual([{ ...plain[0], startTime: START }])
})

const LINES = sql<{ lines: Uint8Array }>(
  'test.linesOf',
  'select lines from log_batches where app_id = $1 order by batch_id',
)

it('an erasure blanks the lines of its payments, and no other line of their batches', async () => {
  const secret = { requestBody: 'dana', answerBody: 'dana', query: 'dana', address: '192.0.2.1' }
  const of = (paymentId: number) => line('erased', paymentId, { paymentId, ...secret } as Partial<Line>)
  await write([of(1), of(2)])
  await eraseLogs(ctx, { appId: 'erased', paymentIds: [1] })
  const [row] = await ctx.db.query(LINES, ['erased'])
  const lines = unpacked(row?.lines ?? new Uint8Array())
  expect(lines).toMatchObject([
    { paymentId: 1, requestBody: null, answerBody: null, query: null, address: '' },
    { paymentId: 2, ...secret },
  ])
})

it('two erasures of lines of one batch both last', async () => {
  const lines = [1, 2].map((id) => line('twice', id, { paymentId: id, requestBody: 'dana' } as Partial<Line>))
  await write(lines)
  const erase = (db: Queryable, id: number) =>
    eraseLines<Line & { requestBody: string }>(db, {
      ...{ appId: 'twice', kind: 'api', paymentIds: [id] },
      blank: { requestBody: '' },
    })
  let other: Promise<void> | undefined
  const interrupted: Queryable = {
    async query(statement, values) {
      // The other erasure ends between the read and the write of this one.
      if (statement.name === 'logBatches.replace') {
        other ??= erase(ctx.db, 2)
        await other
      }
      return ctx.db.query(statement, values)
    },
  }
  await erase(interrupted, 1)
  const [row] = await ctx.db.query(LINES, ['twice'])
  expect(JSON.stringify(unpacked(row?.lines ?? new Uint8Array()))).not.toContain('dana')
})

it('a batch is smaller than its lines', () => {
  const lines = Array.from({ length: 20 }, (_one, index) => line('a', index))
  expect(packed(lines).length).toBeLessThan(JSON.stringify(lines).length / 4)
})
