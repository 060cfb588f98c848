import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { batchSql, type Database, sql } from './database.ts'
import { lookup } from './lookup.ts'
import { openDatabase } from './pool.ts'
import { readRows } from './rows.ts'

let db: Database
beforeAll(() => {
  db = openDatabase({ url: inject('databaseUrl'), size: 2 })
})
afterAll(() => db.close())

let made = 0
const only = async (text: string) => (await db.query(sql<object>(`rowsTest.${++made}`, text)))[0]

describe('the columns of a row', () => {
  it('have the names of the code', async () => {
    expect(await only(`select 1 as payment_id, 2 as "webhookUrl", 3 as slogan1, 4 as line_2_text`)).toEqual({
      paymentId: 1,
      webhookUrl: 2,
      slogan1: 3,
      line2Text: 4,
    })
  })

  it('may be members of an object inside of the row', async () => {
    const text = `select 'k1' as key_id, 'app' as "actor.kind", null as "actor.last_name", 7 as "actor.of.id"`
    expect(await only(text)).toEqual({ keyId: 'k1', actor: { kind: 'app', lastName: null, of: { id: 7 } } })
  })

  it('are numbers where they are bigint, also in arrays', async () => {
    expect(
      await only(`select 9007199254740991 as id, count(*) as rows, array[1, -2::bigint] as ids`),
    ).toEqual({
      id: Number.MAX_SAFE_INTEGER,
      rows: 1,
      ids: [1, -2],
    })
  })

  it('are never rounded: a number that is not exact is an error', async () => {
    await expect(only('select 9007199254740993 as id')).rejects.toThrow('exact')
    await expect(only('select array[-9007199254740993] as ids')).rejects.toThrow('exact')
  })

  it('are bigint where they are minor units, also as a sum or of a short type', async () => {
    const text = `select 9223372036854775807 as amount_minor, sum(x) as "totalMinor", 5 as fee_minor,
      null::bigint as paid_minor from (values (9007199254740993), (1)) as v (x)`
    expect(await only(text)).toEqual({
      amountMinor: 9223372036854775807n,
      totalMinor: 9007199254740994n,
      feeMinor: 5n,
      paidMinor: null,
    })
  })

  it('are texts where they are decimals or texts', async () => {
    expect(await only(`select 0.10 as amount, 'a' as text, '12'::varchar as number_text`)).toEqual({
      amount: '0.10',
      text: 'a',
      numberText: '12',
    })
  })

  it('are dates with milliseconds where they are times', async () => {
    expect(
      await only(`select timestamptz '2026-01-02T03:04:05.678901Z' as created_time,
        array[timestamptz '2026-01-02T03:04:05Z'] as times, null::timestamptz as ended_time`),
    ).toEqual({
      createdTime: new Date('2026-01-02T03:04:05.678Z'),
      times: [new Date('2026-01-02T03:04:05Z')],
      endedTime: null,
    })
  })

  it('keep the names within JSON, and bytes and booleans as the driver reads them', async () => {
    expect(
      await only(`select '{"order_id": {"amount_minor": 1}}'::jsonb as pay_info, 'null'::json as nothing,
        '\\x0102'::bytea as key_hash, true as is_on, 1.5::float8 as average_ms, array['a_b'] as names`),
    ).toEqual({
      payInfo: { order_id: { amount_minor: 1 } },
      nothing: null,
      keyHash: Buffer.from([1, 2]),
      isOn: true,
      averageMs: 1.5,
      names: ['a_b'],
    })
  })

  it('cannot run as code, whatever their names are', async () => {
    const name = 'a": (() => { throw 1 })(), "b'
    expect(await only(`select 1 as "${name.replaceAll('"', '""')}", 2 as "?column?"`)).toEqual({
      [name]: 1,
      '?column?': 2,
    })
  })
})

it('a statement without rows has none, and one without columns has empty ones', async () => {
  expect(await only('select 1 as a_b where false')).toBeUndefined()
  expect(await only('select')).toEqual({})
})

it('a transaction returns the same rows', async () => {
  const statement = sql<object>('rowsTest.transaction', 'select 1::bigint as app_id')
  expect(await db.transaction((tx) => tx.query(statement))).toEqual([{ appId: 1 }])
})

it('a row of a batch has no number of its input', async () => {
  const double = batchSql<{ value: number }, { twiceMinor: bigint }>({
    name: 'rowsTest.double',
    encode: (input) => JSON.stringify(input),
    text: `select x.value * 2 as twice_minor, x.n from json_to_recordset($1) as x (n integer, value bigint)
      order by x.n desc`,
  })
  expect(await Promise.all([3, 4].map((value) => db.batch(double, { value })))).toEqual([
    { twiceMinor: 6n },
    { twiceMinor: 8n },
  ])
  const none = lookup<{ key: number }, object>('rowsTest.none', { columns: 'key integer', finds: 'select' })
  expect(await db.batch(none, { key: 1 })).toEqual({})
})

it('a statement whose columns have changed is compiled again', () => {
  const statement = { name: 'rowsTest.changed', text: '' }
  const read = (name: string, dataTypeID: number) =>
    readRows(statement, { fields: [{ name, dataTypeID }], rows: [['1']] })
  expect(read('a_id', 23)).toEqual([{ aId: 1 }])
  expect(read('a_id', 25)).toEqual([{ aId: '1' }])
  expect(read('b_id', 25)).toEqual([{ bId: '1' }])
})
