import { createServer } from 'node:net'
import pg from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { createDatabase } from '../../test/support/database.ts'
import { addressesOf, findWritable } from './addresses.ts'

describe('an address of several servers', () => {
  it('is one address for each, with the same user, database and options', () => {
    expect(
      addressesOf(
        'postgres://tender:p%2C@a:5432,b:5433/shop?target_session_attrs=read-write&sslmode=disable',
      ),
    ).toEqual([
      'postgres://tender:p%2C@a:5432/shop?sslmode=disable',
      'postgres://tender:p%2C@b:5433/shop?sslmode=disable',
    ])
  })

  it('may be one server, also one reached through a socket', () => {
    expect(addressesOf('postgresql://tender@/shop?host=/run/postgresql')).toEqual([
      'postgresql://tender@/shop?host=/run/postgresql',
    ])
    expect(addressesOf('postgres://a/shop')).toEqual(['postgres://a/shop'])
  })

  it('is refused when it is not an address of PostgreSQL', () => {
    expect(addressesOf('mysql://a,b/shop')).toEqual([])
    expect(addressesOf('postgres:/a')).toEqual([])
  })
})

/** An address without a listener. */
async function nowhere(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return `postgres://tender@127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/tender`
}

/** Two databases of the test server: a writable one, and a read-only one in place of a standby. */
async function writableAndNot(name: string) {
  const writable = await createDatabase(inject('databaseUrl'), `${name}_primary`)
  const standby = await createDatabase(inject('databaseUrl'), `${name}_standby`)
  await setReadOnly(standby, true)
  return { writable, standby }
}

async function setReadOnly(url: string, isReadOnly: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: inject('databaseUrl') })
  await client.connect()
  const name = new URL(url).pathname.slice(1)
  await client.query(
    `alter database ${name} set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`,
  )
  await client.end()
}

describe('of several servers', () => {
  it('the writable one is found at any position of the list', async () => {
    const { writable, standby } = await writableAndNot('addresses')
    expect(await findWritable([await nowhere(), standby, writable])).toBe(writable)
    expect(await findWritable([writable, standby])).toBe(writable)
  })

  it('none is chosen while none is writable', async () => {
    const { standby } = await writableAndNot('addresses_none')
    await expect(findWritable([standby, await nowhere()])).rejects.toBeInstanceOf(AggregateError)
  })
})
