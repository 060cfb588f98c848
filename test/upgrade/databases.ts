import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../../src/db/migrate.ts'
import type { Ask } from '../support/invariants.ts'
import { asOfToday, type Facts, factsOf } from './facts.ts'

const DATA = 'test/upgrade/generated'

export interface Version {
  readonly name: string
  readonly text: string
  readonly facts: Facts
}

/** The recorded databases, oldest first. */
export const VERSIONS: readonly Version[] = readdirSync(DATA)
  .sort()
  .map((name) => {
    const text = readFileSync(join(DATA, name), 'utf8')
    return { name: name.slice(0, 4), text: asOfToday(text), facts: factsOf(text) }
  })

export async function asking<T>(url: string, work: (ask: Ask) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(async (text) => (await client.query(text)).rows)
  } finally {
    await client.end()
  }
}

/** Brings an empty database to the state in which that version left it. `folder` is for its migrations. */
export async function load(url: string, { name, text, facts }: Version, folder: string): Promise<void> {
  const migrations = join(folder, name)
  for (const file of Object.keys(facts.migrations)) cpSync(join('migrations', file), join(migrations, file))
  await migrate(url, migrations)
  await asking(url, (ask) => ask(text))
}
