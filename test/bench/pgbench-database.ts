import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../../src/db/migrate.ts'
import type { Rig } from './rig.ts'

const NAME = 'pgbench'

/**
 * A database for pgbench on the server of the rig, with the tables of the service and one of its apps. In the
 * database of the service its jobs would find payments that no node has listed, and list them during the
 * rounds of the service.
 */
export async function createPgbenchDatabase(rig: Rig, appId: string): Promise<string> {
  await rig.db.query(`create database ${NAME}`)
  const url = urlOf(rig.databaseUrl)
  await migrate(url, join(rig.root, 'migrations'))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await copy('licenses', `license_id = (select license_id from apps where app_id = $1)`)
    await copy('apps', 'app_id = $1')
    await copy('payment_profiles', 'app_id = $1')
  } finally {
    await client.end()
  }
  return url

  async function copy(table: string, which: string): Promise<void> {
    const { rows } = await rig.db.query(`select to_json(t)::text as row from ${table} t where ${which}`, [
      appId,
    ])
    for (const { row } of rows)
      await client.query(
        `insert into ${table} overriding system value select * from json_populate_record(null::${table}, $1)`,
        [row],
      )
  }
}

function urlOf(serviceUrl: string): string {
  const url = new URL(serviceUrl)
  url.pathname = `/${NAME}`
  return url.href
}
