/**
 * The inputs of a batch as rows `x`, numbered by `n`. The condition on `n` is always true. It makes the
 * planner estimate a single row and choose an index. Without it the estimate is a hundred rows, for which the
 * planner scans a table of a few thousand rows.
 */
export const inputRows = (columns: string): string =>
  `json_to_recordset($1) as x (n integer, ${columns}) where n between 0 and 1000`
