import { type BatchStatement, batchSql } from './database.ts'

/** What an input carries, as column definitions, and how it finds its row, of which there is at most one. */
interface Lookup {
  readonly asks: string
  readonly finds: string
}

/**
 * A read by key that goes out together with others of its kind which arrived meanwhile: under load one round
 * trip answers dozens. `finds` names what was asked as `i`. It stays a subquery of its own, which cannot
 * become a join: so its index is used whatever the planner believes about the table.
 */
export const lookup = <Input extends object, Row>(
  name: string,
  { asks, finds }: Lookup,
): BatchStatement<Input, Row & { n: number }> =>
  batchSql({
    name,
    encode: (input) => JSON.stringify(input),
    text: `select i.n, f.* from json_to_recordset($1) as i (n integer, ${asks})
    cross join lateral (${finds} offset 0) f`,
  })
