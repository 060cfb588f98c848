import { describe, expect, it } from 'vitest'
import { type BatchStatement, DatabaseAwayError, type Numbered } from './database.ts'
import { createLanes } from './lanes.ts'

interface Row {
  doubled: number
}
const STATEMENT: BatchStatement<number, Row> = {
  name: 'double',
  text: '',
  encode: (value) => JSON.stringify({ value }),
  key: String,
}

/** A fake database that records its batches. */
function fakeServer(
  answer: (values: number[]) => Numbered<Row>[] | Error = (values) =>
    values.map((v, n) => ({ n, row: { doubled: 2 * v } })),
) {
  const batches: number[][] = []
  const waiting: (() => void)[] = []
  const lanes = createLanes(async (_statement, json) => {
    const values = (JSON.parse(json) as { n: number; value: number }[]).map((row) => row.value)
    batches.push(values)
    await new Promise<void>((resolve) => waiting.push(resolve))
    const rows = answer(values)
    if (rows instanceof Error) throw rows
    return rows as never
  })
  const pump = setInterval(() => waiting.shift()?.(), 1)
  return { batch: (value: number) => lanes(STATEMENT, value), batches, stop: () => clearInterval(pump) }
}

const dataError = (code: string) => Object.assign(new Error(code), { code })

describe('group commit', () => {
  it('writes a single input without waiting for others', async () => {
    const server = fakeServer()
    expect(await server.batch(7)).toEqual({ doubled: 14 })
    expect(server.batches).toEqual([[7]])
    server.stop()
  })

  it('writes inputs that arrive together in one statement, each with its own row', async () => {
    const server = fakeServer()
    const rows = await Promise.all([1, 2, 3].map((value) => server.batch(value)))
    expect(rows.map((row) => row?.doubled)).toEqual([2, 4, 6])
    expect(server.batches).toEqual([[1, 2, 3]])
    server.stop()
  })

  it('writes at most 64 inputs per batch, in order of arrival', async () => {
    const server = fakeServer()
    const values = Array.from({ length: 200 }, (_, index) => index)
    const rows = await Promise.all(values.map((value) => server.batch(value)))
    expect(rows.map((row) => row?.doubled)).toEqual(values.map((value) => 2 * value))
    expect(server.batches.flat()).toEqual(values)
    expect(Math.max(...server.batches.map((batch) => batch.length))).toBe(64)
    server.stop()
  })

  it('never puts two inputs of one key into a batch', async () => {
    const server = fakeServer()
    await Promise.all([1, 1, 2, 1].map((value) => server.batch(value)))
    for (const batch of server.batches) expect(new Set(batch).size).toBe(batch.length)
    expect(server.batches.flat().sort()).toEqual([1, 1, 1, 2])
    server.stop()
  })

  it('lets equal inputs without a key share a batch', async () => {
    const { key: _none, ...keyless } = STATEMENT
    const batches: string[] = []
    const lanes = createLanes(async (_statement, json) => {
      batches.push(json)
      return [
        { n: 0, row: {} },
        { n: 1, row: {} },
      ] as never
    })
    await Promise.all([lanes(keyless, 5), lanes(keyless, 5)])
    expect(batches).toEqual(['[{"n":0,"value":5},{"n":1,"value":5}]'])
  })

  it('returns undefined for an input without a row', async () => {
    const server = fakeServer((values) =>
      values.flatMap((v, n) => (v === 2 ? [] : [{ n, row: { doubled: 2 * v } }])),
    )
    const rows = await Promise.all([1, 2, 3].map((value) => server.batch(value)))
    expect(rows.map((row) => row?.doubled)).toEqual([2, undefined, 6])
    server.stop()
  })

  it.each(['23514', '22003', '40P01'])(
    'lets a bad row (%s) fail alone: the others of its batch are written',
    async (code) => {
      const server = fakeServer((values) =>
        values.includes(13) ? dataError(code) : values.map((v, n) => ({ n, row: { doubled: 2 * v } })),
      )
      const results = await Promise.allSettled([1, 13, 3].map((value) => server.batch(value)))
      expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      server.stop()
    },
  )

  it('retries a row that PostgreSQL cancelled to resolve a deadlock', async () => {
    let met = 0
    const server = fakeServer((values) =>
      ++met <= 2 ? dataError('40P01') : values.map((v, n) => ({ n, row: { doubled: 2 * v } })),
    )
    expect((await server.batch(4))?.doubled).toBe(8)
    expect(server.batches).toEqual([[4], [4], [4]])
    server.stop()
  })

  it('fails the whole batch after a lost connection, without a retry: it may have been written', async () => {
    const server = fakeServer(() => new Error('connection lost'))
    const results = await Promise.allSettled([1, 2].map((value) => server.batch(value)))
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected'])
    expect(server.batches).toEqual([[1, 2]])
    server.stop()
  })

  it('rejects inputs queued behind a statement that timed out, together with it', async () => {
    const written: string[] = []
    const lanes = createLanes(async (_statement, json) => {
      written.push(json)
      await new Promise((resolve) => setTimeout(resolve, 1_100))
      throw new DatabaseAwayError('silent')
    })
    const alike = { ...STATEMENT, key: () => 'the same row' }
    const results = await Promise.allSettled([1, 2, 3, 4].map((value) => lanes(alike, value)))
    expect(results.map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
    // One on each of the two lanes; the others were not tried.
    expect(written).toHaveLength(2)
  })
})
