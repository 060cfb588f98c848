import type { Database } from '../../src/db/database.ts'
import { type Mutation, NONE } from './mutations.ts'

/**
 * Once for each database: nothing in it may depend on what ran before, neither on statistics gathered
 * meanwhile nor on how often a statement was prepared. Only then does a seed come out the same anywhere.
 */
export async function prepare(database: Database, { schema }: Mutation = NONE): Promise<void> {
  const tables = await listTables(database)
  for (const { name } of tables)
    await database.query({ name: '', text: `alter table ${name} set (autovacuum_enabled = off)` })
  // The log and the ledger are append-only; a seed begins with empty ones.
  await database.query({ name: '', text: 'alter table audit_log disable trigger user' })
  for (const table of ['ledger_entries', 'ledger_postings'])
    await database.query({ name: '', text: `alter table ${table} disable trigger ${table}_no_truncate` })
  if (schema) await database.query({ name: '', text: schema })
}

interface Table {
  readonly name: string
  readonly isUsed: boolean
}

/**
 * Every seed begins on empty tables and with the same ids. Emptying a table costs milliseconds even when
 * nothing is in it, so only those are emptied that were written to.
 */
export async function clean(database: Database): Promise<void> {
  const used = (await listTables(database)).filter((table) => table.isUsed).map(({ name }) => name)
  if (used.length > 0) await database.query({ name: '', text: `truncate ${used.join(', ')} cascade` })
  await database.query({
    name: 'simulate.sequences',
    text: `select setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
           from pg_sequences where schemaname in ('public', 'sandbox_bank')`,
  })
}

const listTables = (database: Database): Promise<Table[]> =>
  database.query<Table>({
    name: 'simulate.tables',
    text: `select format('%I.%I', n.nspname, c.relname) as name, pg_relation_size(c.oid) > 0 as is_used
           from pg_class c join pg_namespace n on n.oid = c.relnamespace
           where c.relkind = 'r' and n.nspname in ('public', 'sandbox_bank') and c.relname <> 'migrations'
           order by 1`,
  })
