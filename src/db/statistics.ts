import { type Database, sql } from './database.ts'

/**
 * Plans are cached with the connection. A plan made while a table was nearly empty may use any index that
 * begins with the app, and read all of the app's rows by it. Autovacuum analyses a table at most once a
 * minute. So a table is analysed here whenever it has doubled, until it is large. Changes of a table that
 * stays small are no reason: each analysis has every connection plan the statements of that table anew.
 */
const YOUNG = sql<{ name: string }>(
  'statistics.young',
  `select format('%I.%I', s.schemaname, s.relname) as name
   from pg_stat_user_tables s join pg_class c on c.oid = s.relid
   where s.n_live_tup - greatest(c.reltuples, 0) > greatest($1, c.reltuples) and s.n_live_tup < $2`,
)

const FEW_ROWS = 50
/** From this size on autovacuum is frequent enough. */
const MANY_ROWS = 1_000_000

/** Returns the number of tables analysed. */
export async function analyseYoungTables(db: Database): Promise<number> {
  const young = await db.query(YOUNG, [FEW_ROWS, MANY_ROWS])
  for (const { name } of young)
    await db.query({ name: `statistics.${name}`, text: `analyze (skip_locked) ${name}` })
  return young.length
}
