import { type Random, systemRandom } from '../../../src/base/ids.ts'

const COUNTED = 4
/** The last letters of every id: keys are shown by them. */
const ENDING = [31, 31, 31, 31]

/**
 * Random ids that sort in the order in which they were made, where a list is sorted by them, and that end in
 * the same letters.
 */
export function createOrderedRandom(): Random {
  let made = 0
  return {
    bytes(count) {
      const bytes = systemRandom.bytes(count)
      if (count < COUNTED + ENDING.length + 4) return bytes
      made++
      for (let place = 0; place < COUNTED; place++) bytes[place] = (made >> (5 * (COUNTED - 1 - place))) & 31
      bytes.set(ENDING, count - ENDING.length)
      return bytes
    },
  }
}
