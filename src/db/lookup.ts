import { type BatchStatement, batchSql } from './database.ts'

/** `asks`: the column definitions of an input. `finds`: the query for its row, which returns at most one. */
interface Lookup {
  readonly columns: string
  readonly finds: string
}

/**
 * A batched read by key: under load one round trip answers dozens. `finds` refers to the input as `i`.
 * `offset 0` keeps it a subquery that the planner cannot turn into a join, so its index is used whatever the
 * statistics of the table are.
 */
export const lookup = <Input extends object, Row>(
  name: string,
  { columns, finds }: Lookup,
): BatchStatement<Input, Row> =>
  batchSql({
    name,
    encode: (input) => JSON.stringify(input),
    text: `select i.n, f.* from json_to_recordset($1) as i (n integer, ${columns})
    cross join lateral (${finds} offset 0) f`,
  })
