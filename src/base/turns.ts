import { setImmediate } from 'node:timers/promises'

/** Some milliseconds of work for rows of a file. */
const ITEMS = 500

/** The same items; other work of the process runs between groups of them. For long loops over a file. */
export async function* inTurns<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  let count = 0
  for (const item of items) {
    yield item
    if (++count % ITEMS === 0) await setImmediate()
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
