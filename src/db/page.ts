/**
 * Limits a page by bytes inside PostgreSQL, so that larger pages never reach the process. `rows` selects one
 * row more than the page may have, each with its `size`, in this order. `found` is their number: when it is
 * more than the page has, there is a next page. A page has at least one row, of any size.
 */
export const boundedPage = (rows: string, { order, bytes }: { order: string; bytes: string }): string =>
  `select * from (
     select r.*, sum(r.size) over (order by ${order} rows unbounded preceding) - r.size as before_bytes,
       count(*) over ()::integer as found
     from (${rows}) r) page
   where before_bytes + size <= ${bytes} or before_bytes = 0 order by ${order}`

export interface PageRow {
  size: number
  found: number
}

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly hasNext: boolean
}

/** Keeps at most `limit` rows. The extra row only shows that there is a next page. */
export const pageOf = <Row extends PageRow>(rows: readonly Row[], limit: number): Page<Row> => {
  const items = rows.slice(0, limit)
  return { items, hasNext: (rows[0]?.found ?? 0) > items.length }
}
