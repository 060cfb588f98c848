/**
 * The inputs of a batch as rows `x`, numbered by `n`. The bound on `n` holds always. It makes the planner
 * expect a single row, and find what belongs to each by an index; for the hundred that it would expect
 * otherwise it reads a table of a few thousand rows whole.
 */
export const inputRows = (columns: string): string =>
  `json_to_recordset($1) as x (n integer, ${columns}) where n between 0 and 1000`
