import { setImmediate } from 'node:timers/promises'

/** Some milliseconds of work for rows of a file. */
const ITEMS = 500
/** Rows may be long: after this much work, other requests have their turn whatever its number of items. */
const TURN_MS = 10

/** The same items; other work of the process runs between groups of them. For long loops over a file. */
export async function* inTurns<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  let count = 0
  let startMs = performance.now()
  for (const item of items) {
    yield item
    if (++count < ITEMS && performance.now() - startMs < TURN_MS) continue
    await setImmediate()
    count = 0
    startMs = performance.now()
  }
}

/** Does the work for every item, at most so many at once. */
export async function inParallel<Item>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values()
  const worker = async () => {
    for (const item of rest) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker))
}
