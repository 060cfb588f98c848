import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { createDatabase } from '../support/database.ts'
import { connect } from './connection.ts'

let ours: Database
let driver: pg.Client
beforeAll(async () => {
  const url = await createDatabase(inject('databaseUrl'), 'simulate_connection', 'template')
  ours = await connect(url)
  driver = new pg.Client({ connectionString: url })
  await driver.connect()
  await driver.query('create table kept (n integer primary key)')
})
afterAll(() => Promise.all([ours.close(), driver.end()]))

const ECHO = {
  name: 'echo',
  text: `select $1::text as text, $2::bigint as big, $3::timestamptz as time, $4::bytea as bytes,
    $5::text[] as list, $6::json as json, $7::boolean as yes, $8::integer as nothing,
    $9::integer[] as numbers`,
}
const VALUES = [
  `é "quoted" \\ 'text' 😀`.repeat(20_000),
  2n ** 62n,
  new Date('2026-02-03T04:05:06.789Z'),
  Buffer.from([0, 1, 92, 255]),
  ['a,b', 'c"d', 'e\\f', '', 'null', null],
  { deep: [1, null] },
  true,
  null,
  [1, null, 3],
]

it('gives the same rows as the driver of the service, whatever is sent', async () => {
  const { rows } = await driver.query({ ...ECHO, values: VALUES })
  for (let time = 1; time <= 2; time++) expect(await ours.query(ECHO, VALUES)).toEqual(rows)
  const many = { name: 'many', text: 'select n, n::text as text from generate_series(1, 20000) n' }
  expect(await ours.query(many)).toEqual((await driver.query(many)).rows)
})

it('fails as the driver does, and goes on', async () => {
  const insert = { name: 'insert', text: 'insert into kept values ($1)' }
  await driver.query({ ...insert, values: [1] })
  const refused = {
    code: '23505',
    constraint: 'kept_pkey',
    message: expect.stringContaining('duplicate key'),
  }
  for (let time = 1; time <= 2; time++) await expect(ours.query(insert, [1])).rejects.toMatchObject(refused)
  expect(await ours.query(insert, [2])).toEqual([])
  await expect(ours.query({ name: 'wrong', text: 'selekt 1' })).rejects.toMatchObject({ code: '42601' })
  expect(await ours.query({ name: 'wrong', text: 'select 1 as one' })).toEqual([{ one: 1 }])
})

it('keeps a transaction whole', async () => {
  const insert = { name: 'whole', text: 'insert into kept values ($1)' }
  const count = { name: 'count', text: 'select count(*)::integer as count from kept where n >= 10' }
  for (let time = 1; time <= 2; time++) {
    const broken = ours.transaction(async (tx) => {
      await tx.query(insert, [10])
      await tx.query(insert, [10])
    })
    await expect(broken).rejects.toMatchObject({ code: '23505' })
    expect(await ours.query(count)).toEqual([{ count: 0 }])
  }
  await ours.transaction((tx) => tx.query(insert, [10]))
  expect((await driver.query(count)).rows).toEqual([{ count: 1 }])
})
