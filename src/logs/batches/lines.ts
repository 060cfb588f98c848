import { after } from '../../base/clock.ts'
import type { Queryable } from '../../db/database.ts'
import { type BatchRange, type StoredBatch, selectBatches } from '../batch-store.ts'
import { type LogKind, type LogLine, SPAN_MS, unpacked } from './batch.ts'

/** A line as it is read; its id names the batch and the place in it. */
export type StoredLine<Line> = Omit<Line, 'appId'> & { readonly lineId: number }

/** From newest to oldest. */
export interface LinePlace {
  readonly time: Date
  readonly lineId: number
}

export interface LineRange {
  readonly appId: string
  readonly kind: LogKind
  /** Only batches with a line that has this key; they have other lines as well. */
  readonly key?: string
  readonly since?: Date | undefined
  readonly before?: LinePlace | undefined
}

/** More than a batch has lines. */
const PLACES = 1_000
/** Few: their lines have bodies. */
const BATCHES_READ = 5
/** No line is newer, or older. */
const END = new Date('9999-01-01T00:00:00Z')
const BEGIN = new Date(0)

/**
 * Lines before a place, the newest first. Batches overlap in time: a line is returned when no batch that is
 * still to be read can have a newer one.
 */
export async function* newestLines<Line extends LogLine>(
  db: Queryable,
  { appId, kind, key, since = BEGIN, before = { time: END, lineId: 0 } }: LineRange,
): AsyncGenerator<StoredLine<Line>> {
  const range = { appId, kind, key, since, until: before.time, limit: BATCHES_READ }
  let place: BatchRange['after'] = { time: after(before.time, SPAN_MS + 1), batchId: 0 }
  let held: StoredLine<Line>[] = []
  for (;;) {
    const batches = await selectBatches(db, { ...range, after: place })
    const read = batches.flatMap((batch) => linesOf<Line>(batch))
    held.push(...read.filter((line) => line.startTime >= since && isBefore(line, before)))
    held.sort(newestFirst)
    const last = batches.length === BATCHES_READ ? batches.at(-1) : undefined
    const count = last ? held.filter(({ startTime }) => startTime > last.lastTime).length : held.length
    yield* held.slice(0, count)
    if (!last) return
    held = held.slice(count)
    place = { time: last.lastTime, batchId: last.batchId }
  }
}

function linesOf<Line extends LogLine>({ batchId, lines }: StoredBatch): StoredLine<Line>[] {
  return unpacked<Line>(lines).map((line, index) => ({ ...line, lineId: batchId * PLACES + index }))
}

type Placed = StoredLine<LogLine>

const isBefore = ({ startTime, lineId }: Placed, { time, lineId: end }: LinePlace): boolean =>
  startTime < time || (startTime.getTime() === time.getTime() && lineId < end)

const newestFirst = (one: Placed, other: Placed): number =>
  other.startTime.getTime() - one.startTime.getTime() || other.lineId - one.lineId

/** The first of these lines that meet a condition. */
export async function firstLines<Line>(
  lines: AsyncIterable<Line>,
  limit: number,
  isWanted: (line: Line) => boolean,
): Promise<Line[]> {
  const found: Line[] = []
  for await (const line of lines) {
    if (isWanted(line)) found.push(line)
    if (found.length >= limit) break
  }
  return found
}
