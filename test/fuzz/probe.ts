/**
 * Loaded into the service process before its program, with V8's `gc` exposed. On the message `memory` of the
 * parent it collects garbage and reports the memory in use.
 */
export interface MemoryUse {
  /** Referenced objects and buffers, after garbage collection. */
  readonly liveMb: number
  readonly rssMb: number
}

declare const gc: () => void

const MB = 2 ** 20
/** Some objects are freed only by a later collection. */
const COLLECTIONS = 3

process.on('message', (message) => {
  if (message !== 'memory') return
  for (let times = 0; times < COLLECTIONS; times++) gc()
  const { heapUsed, external, rss } = process.memoryUsage()
  process.send?.({ liveMb: (heapUsed + external) / MB, rssMb: rss / MB } satisfies MemoryUse)
})
// The channel must not keep the process alive.
process.channel?.unref()
