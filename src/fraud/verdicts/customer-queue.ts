import type { Database } from '../../db/database.ts'

/**
 * Work for one customer runs one piece after the other within this process, so that verdicts seldom come too
 * late: only another node can then be faster.
 */
const lines = new WeakMap<Database, Map<string, Promise<unknown>>>()

export function inTurn<T>(db: Database, who: string, work: () => Promise<T>): Promise<T> {
  const line = lines.get(db) ?? new Map<string, Promise<unknown>>()
  lines.set(db, line)
  const turn = (line.get(who) ?? Promise.resolve()).then(work, work)
  // Whoever comes next waits for the end of this piece, not for its success.
  const settled = turn
    .catch(() => undefined)
    .finally(() => {
      if (line.get(who) === settled) line.delete(who)
    })
  line.set(who, settled)
  return turn
}
