import type { Clock } from '../base/clock.ts'
import { DatabaseAwayError } from './database.ts'

const PAUSE_MS = 1_000
const TRIES = 60

/**
 * Repeats work that may be done again while the database does not answer: a start on a busy machine takes
 * longer instead of ending before it has printed the key of the demo.
 */
export async function untilAnswered<T>(clock: Pick<Clock, 'sleep'>, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DatabaseAwayError) || tries === TRIES) throw error
    }
    await clock.sleep(PAUSE_MS)
  }
}
