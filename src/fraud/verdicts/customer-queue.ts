import type { Database } from '../../db/database.ts'

/**
 * Serializes work per customer within this process, so that a verdict is rarely outdated when it is written:
 * only another node can still write in between.
 */
const queues = new WeakMap<Database, Map<string, Promise<unknown>>>()

export function serializeByCustomer<T>(
  db: Database,
  customerKey: string,
  work: () => Promise<T>,
): Promise<T> {
  const queue = queues.get(db) ?? new Map<string, Promise<unknown>>()
  queues.set(db, queue)
  const result = (queue.get(customerKey) ?? Promise.resolve()).then(work, work)
  // The next task runs after this one ends, whether it succeeded or failed.
  const settled = result
    .catch(() => undefined)
    .finally(() => {
      if (queue.get(customerKey) === settled) queue.delete(customerKey)
    })
  queue.set(customerKey, settled)
  return result
}
