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
