import { type Queryable, sql } from '../../../db/database.ts'

const READ = sql<{ columns: string[] }>(
  'console.columns',
  'select columns from list_columns where person_id = $1',
)

/** The columns that a person has chosen for the list of payments. Undefined: none were chosen. */
export const selectColumns = async (db: Queryable, personId: string): Promise<string[] | undefined> =>
  (await db.query(READ, [personId]))[0]?.columns

const SAVE = sql<never>(
  'console.saveColumns',
  `insert into list_columns (person_id, columns) values ($1, $2)
   on conflict (person_id) do update set columns = excluded.columns`,
)

export async function saveColumns(
  db: Queryable,
  personId: string,
  columns: readonly string[],
): Promise<void> {
  await db.query(SAVE, [personId, columns])
}

const RESET = sql<never>('console.resetColumns', 'delete from list_columns where person_id = $1')

export async function resetColumns(db: Queryable, personId: string): Promise<void> {
  await db.query(RESET, [personId])
}
