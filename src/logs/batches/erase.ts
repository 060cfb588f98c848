import type { Queryable } from '../../db/database.ts'
import { batchesWithKeys, replaceLines, type StoredBatch } from '../batch-store.ts'
import { type LogKind, type LogLine, packed, paymentKey, unpacked } from './batch.ts'

interface Erasure<Line> {
  readonly appId: string
  readonly kind: LogKind
  readonly paymentIds: readonly number[]
  /** Replaces these members of the lines of the payments. */
  readonly blank: Partial<Line>
}

const BATCHES_READ = 50

/** Batches are rewritten one at a time; one that another erasure has changed meanwhile is read again. */
export async function eraseLines<Line extends LogLine>(
  db: Queryable,
  { appId, kind, paymentIds, blank }: Erasure<Line>,
): Promise<void> {
  const keys = paymentIds.map((paymentId) => paymentKey(appId, paymentId))
  const erased = new Set<number | null>(paymentIds)
  let after = 0
  for (;;) {
    const batches = await batchesWithKeys(db, { appId, kind }, { keys, after, limit: BATCHES_READ })
    if (batches.length === 0) return
    for (const batch of batches) {
      if (!(await replaceLines(db, { appId, kind }, batch, erasedLines(batch)))) break
      after = batch.batchId
    }
  }

  function erasedLines(batch: StoredBatch): Uint8Array {
    const lines = unpacked<Line>(batch.lines)
    return packed(lines.map((line) => (erased.has(line.paymentId) ? { ...line, ...blank } : line)))
  }
}
