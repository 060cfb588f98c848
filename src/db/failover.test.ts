import { connect, createServer, type Socket } from 'node:net'
import { afterEach, expect, inject, it } from 'vitest'
import { sql } from './database.ts'
import { openDatabase } from './pool.ts'

const ONE = sql<{ one: number }>('test.one', 'select 1 as one')
const SAY = sql('test.say', `select pg_notify('test_failover', $1)`)

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A proxy to the test server on its own port. Shutting it down simulates the death of a server. */
async function openProxy() {
  const sockets = new Set<Socket>()
  const path = `${new URL(inject('databaseUrl')).searchParams.get('host')}/.s.PGSQL.5432`
  const server = createServer((outer) => {
    const inner = connect(path)
    for (const one of [outer, inner]) sockets.add(one.on('error', () => {}))
    outer.pipe(inner).pipe(outer)
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const shut = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  await listen(0)
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  closing.push(shut)
  return { host: `127.0.0.1:${port}`, shut, reopen: () => listen(port) }
}

async function twoServers() {
  const [first, second] = [await openProxy(), await openProxy()]
  await second.shut()
  const { username, password } = new URL(inject('databaseUrl'))
  const hosts = `${first.host},${second.host}`
  const db = openDatabase({ url: `postgres://${username}:${password}@${hosts}/postgres`, size: 2 })
  closing.push(db.close)
  return { first, second, db }
}

it('statements find the writable server at any position of the address', async () => {
  const { first, second, db } = await twoServers()
  await first.shut()
  await second.reopen()
  expect(await db.query(ONE)).toEqual([{ one: 1 }])
})

it('after a failover statements and listeners move to the new server', async () => {
  const { first, second, db } = await twoServers()
  const received: string[] = []
  db.listen('test_failover', (payload) => void received.push(payload))
  await expect.poll(() => received).toEqual([''])
  expect(await db.query(ONE)).toEqual([{ one: 1 }])
  await first.shut()
  await expect(db.query(ONE)).rejects.toThrow('cannot be reached')
  await second.reopen()
  await expect.poll(() => db.query(ONE).catch(() => [])).toEqual([{ one: 1 }])
  await expect.poll(() => received).toEqual(['', ''])
  await db.query(SAY, ['hello'])
  await expect.poll(() => received).toEqual(['', '', 'hello'])
})
