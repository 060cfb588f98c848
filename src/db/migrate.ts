import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'

/** Advisory lock: when several nodes start at once, one migrates and the others wait. */
const LOCK = 7_363_265

/**
 * Applies the pending migration files of a folder in order, each in one transaction. Returns their names.
 * Decision 0017.
 */
export async function migrate(url: string, folder: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  // Without a listener, an error event of a broken connection would end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await client.query(
      `create table if not exists migrations (
         name text primary key, applied_time timestamptz not null default now())`,
    )
    const { rows } = await client.query<{ name: string }>('select name from migrations')
    const applied = new Set(rows.map((row) => row.name))
    const files = (await readdir(folder)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort()
    const unknown = [...applied].filter((name) => !files.includes(name)).sort()
    if (unknown.length > 0)
      throw new Error(
        `it has ${unknown.at(-1)} of a newer version. Install that version, or restore a backup of this one.`,
      )
    const pending = files.filter((name) => !applied.has(name))
    for (const name of pending) await applyFile(client, folder, name)
    return pending
  } finally {
    await client.end()
  }
}

async function applyFile(client: pg.Client, folder: string, name: string): Promise<void> {
  const text = await readFile(join(folder, name), 'utf8')
  try {
    await client.query('begin')
    await client.query(text)
    await client.query('insert into migrations (name) values ($1)', [name])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}
