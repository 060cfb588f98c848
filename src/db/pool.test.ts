import { createServer, type Socket } from 'node:net'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { createDatabase } from '../../test/support/database.ts'
import { DatabaseAwayError, mayLag, sql } from './database.ts'
import { openDatabase } from './pool.ts'

const PID = sql<{ pid: number }>('test.pid', 'select pg_backend_pid() as pid')
const END = sql('test.end', 'select pg_terminate_backend($1::int)')
const SLEEP = sql('test.sleep', 'select pg_sleep(30)')
const WHERE = sql<{ name: string }>('test.where', 'select current_database() as name')

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

function open(url: string, more: { replicaUrl?: string } = {}) {
  const db = openDatabase({ url, size: 2, ...more })
  closing.push(db.close)
  return db
}

const endOf = (pid: number) => open(inject('databaseUrl')).query(END, [pid])

describe('a connection that breaks', () => {
  it('in the middle of a transaction fails that transaction, not the process', async () => {
    const db = open(inject('databaseUrl'))
    const broken = db.transaction(async (tx) => {
      const [row] = await tx.query(PID)
      await endOf(row?.pid ?? 0)
      await expect
        .poll(() => tx.query(PID).then(String, (error: Error) => error.name))
        .toBe('DatabaseAwayError')
      await tx.query(PID)
    })
    await expect(broken).rejects.toBeInstanceOf(DatabaseAwayError)
    expect(await db.query(PID)).toHaveLength(1)
  })

  it('during a statement rejects with DatabaseAwayError, and the next statement succeeds', async () => {
    const db = open(inject('databaseUrl'))
    const [row] = await db.query(PID)
    // Expected before the connection is ended: the rejection may arrive before `endOf` resolves.
    const refused = expect(db.query(SLEEP)).rejects.toBeInstanceOf(DatabaseAwayError)
    await endOf(row?.pid ?? 0)
    await refused
    expect(await db.query(PID)).toHaveLength(1)
  })
})

/** A server that accepts connections and never answers. */
async function startSilent(): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}

describe('a server that does not answer', () => {
  it('times out with DatabaseAwayError', async () => {
    const db = open(`postgres://tender@${await startSilent()}/tender`)
    await expect(db.query(PID)).rejects.toBeInstanceOf(DatabaseAwayError)
  })
})

describe('a replica', () => {
  it('serves reads that may lag, and nothing else', async () => {
    const url = await createDatabase(inject('databaseUrl'), 'pool_primary')
    const replicaUrl = await createDatabase(inject('databaseUrl'), 'pool_replica')
    const db = open(url, { replicaUrl })
    expect(await mayLag(db).query(WHERE)).toEqual([{ name: 'pool_replica' }])
    expect(await db.query(WHERE)).toEqual([{ name: 'pool_primary' }])
    expect(await db.transaction((tx) => tx.query(WHERE))).toEqual([{ name: 'pool_primary' }])
  })

  it('is the primary when none is configured', async () => {
    const db = open(inject('databaseUrl'))
    expect(mayLag(db)).toBe(db)
  })

  it('that is unreachable is replaced by the primary', async () => {
    const db = open(inject('databaseUrl'), { replicaUrl: `postgres://tender@${await startSilent()}/tender` })
    expect(await db.replica?.query(PID)).toHaveLength(1)
    expect(await db.replica?.query(PID)).toHaveLength(1)
  })
})
