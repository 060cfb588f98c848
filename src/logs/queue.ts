import { LOGS } from './limits.ts'

/** Lines that wait to be written. A full queue drops what comes: no caller waits for the log. */
export interface LogQueue<Line> {
  /** False when the line was dropped. `bytes`: about how large the line is. */
  add(line: Line, bytes: number): boolean
  /** The next batch, oldest first; empty when there is none. */
  take(): Line[]
}

interface Waiting<Line> {
  readonly line: Line
  readonly bytes: number
}

export function createQueue<Line>(): LogQueue<Line> {
  let waiting: Waiting<Line>[] = []
  let size = 0
  return {
    add(line, bytes) {
      if (waiting.length >= LOGS.queueLines || size + bytes > LOGS.queueBytes) return false
      waiting.push({ line, bytes })
      size += bytes
      return true
    },
    take() {
      let count = 0
      let taken = 0
      for (const { bytes } of waiting) {
        const isFull = count >= LOGS.batchLines || (count > 0 && taken + bytes > LOGS.batchBytes)
        if (isFull) break
        count++
        taken += bytes
      }
      const batch = waiting.slice(0, count)
      waiting = waiting.slice(count)
      size -= taken
      return batch.map(({ line }) => line)
    },
  }
}
