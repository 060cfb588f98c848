/**
 * Loaded into the service's process before it starts, with V8's `gc` exposed. Asked by its parent, it
 * collects garbage and says what is still in use.
 */
export interface MemoryUse {
  /** Objects and buffers that are still referenced, after garbage was collected. */
  readonly liveMb: number
  readonly rssMb: number
}

declare const gc: () => void

const MB = 2 ** 20
/** What ends with the first collection may hold what only the next one frees. */
const COLLECTIONS = 3

process.on('message', (asked) => {
  if (asked !== 'memory') return
  for (let times = 0; times < COLLECTIONS; times++) gc()
  const { heapUsed, external, rss } = process.memoryUsage()
  process.send?.({ liveMb: (heapUsed + external) / MB, rssMb: rss / MB } satisfies MemoryUse)
})
// The channel alone does not keep a process that was told to stop.
process.channel?.unref()
