import type { Clock } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'

/** Limits the large responses in progress for each subject. Further ones wait in a queue. */
export interface ConcurrencyLimit {
  /** Returns the release function; throws 429 when the queue is full or the wait too long. */
  enter(subject: string): Promise<() => void>
}

interface Line {
  running: number
  readonly waiting: (() => void)[]
}

/** A subject is kept only while it has a response in progress. */
export function createConcurrencyLimit(clock: Clock): ConcurrencyLimit {
  const lines = new Map<string, Line>()

  function leave(subject: string, line: Line): void {
    const next = line.waiting.shift()
    // The slot passes directly to the next in the queue.
    if (next) next()
    else line.running--
    if (line.running === 0) lines.delete(subject)
  }

  async function wait(line: Line): Promise<void> {
    if (line.waiting.length >= LIMITS.listsWaiting) throw tooMany()
    const called = new AbortController()
    const call = () => called.abort()
    line.waiting.push(call)
    await clock.sleep(LIMITS.listWaitMs, called.signal)
    if (called.signal.aborted) return
    line.waiting.splice(line.waiting.indexOf(call), 1)
    throw tooMany()
  }

  return {
    async enter(subject) {
      const line = lines.get(subject) ?? { running: 0, waiting: [] }
      lines.set(subject, line)
      if (line.running >= LIMITS.listsAtOnce) await wait(line)
      else line.running++
      let isOver = false
      return () => {
        if (!isOver) leave(subject, line)
        isOver = true
      }
    },
  }
}

const tooMany = (): ApiError =>
  new ApiError(
    'too_many_requests',
    `At most ${LIMITS.listsAtOnce} lists are answered at once for an app: ask for one page after the other.`,
    { headers: { 'retry-after': '1' } },
  )
