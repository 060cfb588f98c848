import { deflateSync, inflateSync } from 'node:zlib'
import { MINUTE } from '../../base/clock.ts'
import { LOGS } from '../limits.ts'

/**
 * Lines of one app that were written together, as one row: compressed JSON, found by time or by key.
 * Decision 0194.
 */

export type LogKind = 'api' | 'provider'

export interface LogLine {
  readonly appId: string
  readonly startTime: Date
  readonly paymentId: number | null
}

export interface LogBatch {
  readonly appId: string
  readonly kind: LogKind
  readonly firstTime: Date
  readonly lastTime: Date
  readonly lineCount: number
  readonly keys: readonly string[]
  readonly lines: Uint8Array
}

/** The lines of a batch lie no further apart, so that few batches overlap in time. */
export const SPAN_MS = MINUTE

/** Speed counts: a batch is small, and its lines resemble each other. */
const LEVEL = { level: 1 } as const

/** The app is part of a key, so that no search reads a batch of another one. */
export const paymentKey = (appId: string, paymentId: number): string => `${appId} ${paymentId}`

/** `moreKeys`: how a line is found besides its payment. */
export function batchesOf<Line extends LogLine>(
  kind: LogKind,
  lines: readonly Line[],
  moreKeys: (line: Line) => readonly string[] = () => [],
): LogBatch[] {
  const keysOf = (line: Line) => [
    ...(line.paymentId === null ? [] : [paymentKey(line.appId, line.paymentId)]),
    ...moreKeys(line),
  ]
  return grouped(lines).map(([first, ...more]) => ({
    appId: first.appId,
    kind,
    firstTime: first.startTime,
    lastTime: (more.at(-1) ?? first).startTime,
    lineCount: 1 + more.length,
    keys: [...new Set([first, ...more].flatMap(keysOf))],
    lines: packed([first, ...more]),
  }))
}

type Group<Line> = [Line, ...Line[]]

function grouped<Line extends LogLine>(lines: readonly Line[]): Group<Line>[] {
  const groups: Group<Line>[] = []
  const inOrder = [...lines].sort(
    (one, other) =>
      (one.appId < other.appId ? -1 : Number(one.appId > other.appId)) ||
      one.startTime.getTime() - other.startTime.getTime(),
  )
  for (const line of inOrder) {
    const group = groups.at(-1)
    const isOfGroup =
      group?.[0].appId === line.appId &&
      group.length < LOGS.batchLines &&
      line.startTime.getTime() - group[0].startTime.getTime() <= SPAN_MS
    if (isOfGroup) group.push(line)
    else groups.push([line])
  }
  return groups
}

/** The app is a column of the batch. */
export const packed = (lines: readonly Partial<LogLine>[]): Uint8Array =>
  deflateSync(Buffer.from(JSON.stringify(lines.map((line) => ({ ...line, appId: undefined })))), LEVEL)

const BRACKET = '['.charCodeAt(0)

/** Batches of lines that were written before there were batches are not compressed. */
export function unpacked<Line extends LogLine>(bytes: Uint8Array): Omit<Line, 'appId'>[] {
  const text = bytes[0] === BRACKET ? Buffer.from(bytes) : inflateSync(bytes)
  const lines = JSON.parse(text.toString()) as (Omit<Line, 'appId' | 'startTime'> & { startTime: string })[]
  return lines.map((line) => ({ ...line, startTime: new Date(line.startTime) })) as Omit<Line, 'appId'>[]
}
