import type { Clock } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'

/** Limits the work in progress for each subject. Further work waits in a queue. */
export interface ConcurrencyLimit {
  /** Returns the release function; throws 429 when the queue is full or the wait too long. */
  enter(subject: string): Promise<() => void>
}

interface Line {
  running: number
  readonly waiting: (() => void)[]
}

export interface ConcurrencyPolicy {
  /** Of one subject. */
  readonly atOnce: number
  readonly waiting: number
  readonly waitMs: number
  /** The `detail` of the answer when there is no place. */
  readonly refusal: string
}

/** Large answers. */
const LISTS: ConcurrencyPolicy = {
  atOnce: LIMITS.listsAtOnce,
  waiting: LIMITS.listsWaiting,
  waitMs: LIMITS.listWaitMs,
  refusal:
    `At most ${LIMITS.listsAtOnce} lists are answered at once for an app: ` +
    'ask for one page after the other.',
}

/** A subject is kept only while it has work in progress. */
export function createConcurrencyLimit(
  clock: Clock,
  { atOnce, waiting, waitMs, refusal }: ConcurrencyPolicy = LISTS,
): ConcurrencyLimit {
  const lines = new Map<string, Line>()

  function leave(subject: string, line: Line): void {
    const next = line.waiting.shift()
    // The slot passes directly to the next in the queue.
    if (next) next()
    else line.running--
    if (line.running === 0) lines.delete(subject)
  }

  async function wait(line: Line): Promise<void> {
    if (line.waiting.length >= waiting) throw tooMany(refusal)
    const called = new AbortController()
    const call = () => called.abort()
    line.waiting.push(call)
    await clock.sleep(waitMs, called.signal)
    if (called.signal.aborted) return
    line.waiting.splice(line.waiting.indexOf(call), 1)
    throw tooMany(refusal)
  }

  return {
    async enter(subject) {
      const line = lines.get(subject) ?? { running: 0, waiting: [] }
      lines.set(subject, line)
      if (line.running >= atOnce) await wait(line)
      else line.running++
      let isOver = false
      return () => {
        if (!isOver) leave(subject, line)
        isOver = true
      }
    },
  }
}

const tooMany = (refusal: string): ApiError =>
  new ApiError('too_many_requests', refusal, { headers: { 'retry-after': '1' } })
