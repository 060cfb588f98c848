import { createServer, type Socket } from 'node:net'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { createDatabase } from '../../test/support/database.ts'
import { DatabaseAwayError, mayLag, sql } from './database.ts'
import { openDatabase } from './pool.ts'

const PID = sql<{ pid: number }>('test.pid', 'select pg_backend_pid() as pid')
const END = sql('test.end', 'select pg_terminate_backend($1::int)')
const SLEEP = sql('test.sleep', 'select pg_sleep(30)')
const WHERE = sql<{ name: string }>('test.where', 'select current_database() as name')
const READ_ONLY = sql('test.read_only', `select set_config('default_transaction_read_only', 'on', false)`)
const WRITE = sql('test.write', 'create table written ()')
const SETTINGS = sql<{ name: string; setting: string }>(
  'test.settings',
  `select name, setting from pg_settings
   where name in ('enable_seqscan', 'jit', 'plan_cache_mode', 'statement_timeout') order by name`,
)

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

function open(url: string, more: { replicaUrl?: string } = {}) {
  const db = openDatabase({ url, size: 2, ...more })
  closing.push(db.close)
  return db
}

/** A message of PostgreSQL's protocol. */
function message(type: string, body: string): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, Buffer.from(body)])
}

const READY = message('Z', 'I')
const OPENED = [message('R', '\0\0\0\0'), READY]
/** The server ends the connection: admin_shutdown. */
const ENDED = message('E', 'SFATAL\0C57P01\0Mterminating connection\0\0')

/** A server that answers the first message and every later one with these, each time in one packet. */
async function fakeServer(greeting: readonly Buffer[], answer: readonly Buffer[]) {
  const startups: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (startup) => {
      startups.push(String(startup))
      socket.write(Buffer.concat(greeting))
      socket.on('data', () => void socket.write(Buffer.concat(answer)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return { url: `postgres://tender@127.0.0.1:${port}/tender`, startups }
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

  it('just after it was opened fails the transaction, not the process', async () => {
    for (const greeting of [[...OPENED, ENDED], OPENED]) {
      const { url } = await fakeServer(greeting, [message('C', 'SET\0'), READY, ENDED])
      const work = open(url).transaction((tx) => tx.query(PID))
      await expect(work).rejects.toBeInstanceOf(DatabaseAwayError)
    }
  })

  it('because its server is now read-only is replaced', async () => {
    const url = await createDatabase(inject('databaseUrl'), 'pool_read_only', 'template')
    const db = openDatabase({ url, size: 1 })
    closing.push(db.close)
    await db.query(READ_ONLY)
    const write = () => db.transaction((tx) => tx.query(WRITE))
    await expect(write()).rejects.toBeInstanceOf(DatabaseAwayError)
    expect(await write()).toEqual([])
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

it('a server that takes no writes serves no reads either, except as a replica', async () => {
  const url = await createDatabase(inject('databaseUrl'), 'pool_standby', 'template')
  const setReadOnly = (value: 'on' | 'off') =>
    open(inject('databaseUrl')).query(
      sql(
        `test.read_only_${value}`,
        `alter database pool_standby set default_transaction_read_only = ${value}`,
      ),
    )
  await setReadOnly('on')
  const db = open(url)
  await expect(db.query(WHERE)).rejects.toBeInstanceOf(DatabaseAwayError)
  await expect(db.transaction((tx) => tx.query(WHERE))).rejects.toBeInstanceOf(DatabaseAwayError)
  const other = open(inject('databaseUrl'), { replicaUrl: url })
  expect(await mayLag(other).query(WHERE)).toEqual([{ name: 'pool_standby' }])
  await setReadOnly('off')
  expect(await db.query(WHERE)).toEqual([{ name: 'pool_standby' }])
})

describe('settings of a session', () => {
  it('apply to every connection of the pool', async () => {
    const db = open(inject('databaseUrl'))
    const settings = (await db.query(SETTINGS)).map(({ name, setting }) => `${name} ${setting}`)
    expect(settings).toEqual([
      'enable_seqscan off',
      'jit off',
      'plan_cache_mode force_generic_plan',
      'statement_timeout 3500',
    ])
  })

  it('are not startup parameters, which PgBouncer refuses', async () => {
    const { url, startups } = await fakeServer([...OPENED, ENDED], [ENDED])
    await expect(open(url).query(PID)).rejects.toBeInstanceOf(DatabaseAwayError)
    expect(startups[0]).toContain('user\0tender\0database\0tender')
    expect(startups[0]).not.toMatch(/options|statement_timeout/)
  })
})
