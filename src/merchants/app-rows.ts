import { type Queryable, sql } from '../db/database.ts'

/** Removes at most so many rows of an app. Returns how many: 0 when none is left. */
export type Clear = (db: Queryable, appId: string, most: number) => Promise<number>

/** Clears one table after the other, so that rows go before those they refer to. */
export function clearTables(tables: readonly string[], column = 'app_id'): Clear {
  const statements = tables.map((table) =>
    sql<{ count: number }>(
      `clear.${table}`,
      `with gone as (
         delete from ${table} where ctid = any (array(
           select ctid from ${table} where ${column} = $1 limit $2))
         returning 1)
       select count(*)::int as count from gone`,
    ),
  )
  return async (db, appId, most) => {
    for (const statement of statements) {
      const [row] = await db.query(statement, [appId, most])
      if (row && row.count > 0) return row.count
    }
    return 0
  }
}
