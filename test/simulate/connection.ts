import { Socket } from 'node:net'
import pg from 'pg'
import type { Database, Queryable } from '../../src/db/database.ts'

/**
 * The first two as in the service, see src/db/pool.ts. And a plan must not depend on how often its statement
 * ran before, or a replay might see rows in another order.
 */
const SETTINGS = '-c enable_seqscan=off -c jit=off -c plan_cache_mode=force_generic_plan'

/**
 * The simulation's way to the database. Everything passes the turnstile one by one, so it needs no pool, no
 * timers and no lanes of its own; the service's are around it.
 */
export async function connect(url: string): Promise<Database> {
  const client = new pg.Client({ connectionString: url, options: SETTINGS, stream: () => inOnePiece() })
  await client.connect()
  const query: Queryable['query'] = async ({ name, text }, values = []) =>
    (await client.query({ name, text, values: [...values] })).rows
  const unused = () => {
    throw new Error('a node brings its own')
  }
  return {
    query,
    async transaction(work) {
      await client.query('begin')
      try {
        const result = await work({ query })
        await client.query('commit')
        return result
      } catch (error) {
        await client.query('rollback')
        throw error
      }
    },
    batch: unused,
    listen: unused,
    close: () => client.end(),
  }
}

/** The driver writes a query in five pieces; sent as one they cost a third less of our time. */
function inOnePiece(): Socket {
  const socket = new Socket()
  socket._writev = (pieces, done) =>
    socket._write(Buffer.concat(pieces.map(({ chunk }) => chunk as Buffer)), 'buffer' as never, done)
  return socket
}
