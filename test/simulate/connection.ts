import pg from 'pg'
import type { Database, Queryable } from '../../src/db/database.ts'
import { AS_TEXTS, readRows } from '../../src/db/rows.ts'

/**
 * As in the service, see src/db/pool.ts. A plan that depended on how often its statement ran before could
 * return rows in another order when a seed is replayed.
 */
const SETTINGS = '-c enable_seqscan=off -c jit=off -c plan_cache_mode=force_generic_plan'

/**
 * The simulation's database: one connection. All steps pass the turnstile one at a time, so there is no pool
 * and there are no timeouts; each node adds its own lanes.
 *
 * Its PostgreSQL must have no other users. When others create or empty many tables, a connection forgets its
 * plans and makes new ones for tables that have grown meanwhile; these may return rows in another order.
 */
export async function connect(url: string): Promise<Database> {
  const client = new pg.Client({ connectionString: url, options: SETTINGS })
  await client.connect()
  const query: Queryable['query'] = async (statement, values = []) => {
    const { name, text } = statement
    return readRows(statement, await client.query({ name, text, values: [...values], ...AS_TEXTS }))
  }
  const unused = () => {
    throw new Error('a node brings its own')
  }
  return {
    query,
    async transaction(work, opening) {
      await client.query(opening ? `begin; ${opening.text}` : 'begin')
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
