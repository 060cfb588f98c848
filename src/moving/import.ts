import type { Queryable } from '../db/database.ts'
import type { LineProblem } from './format.ts'

/** Times are real. Counts of lines: `done` has those that were added, that are known and that are wrong. */
export interface Import {
  readonly appId: string
  readonly importId: string
  readonly state: 'waiting' | 'running' | 'done' | 'cancelled'
  readonly isDryRun: boolean
  readonly fileName: string | null
  readonly requestedBy: { readonly kind: string; readonly id: string; readonly name: string }
  readonly createdTime: Date
  readonly endedTime: Date | null
  readonly lineCount: number
  readonly doneCount: number
  readonly addedCount: number
  readonly wrongCount: number
  readonly chunkCount: number
  readonly chunk: number
  readonly tries: number
  /** Tokens that its next chunk reads at once. */
  readonly readsAtOnce: number
  readonly leaseToken: string | null
}

export type LineResult = 'added' | 'known' | LineProblem

/** What was found about the lines of a chunk, and how it is written. */
export interface ChunkResult {
  readonly results: ReadonlyMap<number, LineResult>
  /** In the transaction that ends the chunk. */
  write?(tx: Queryable): Promise<void>
}

/** The chunk is repeated then: a provider asks to wait, or does not answer. */
export interface Postponed {
  readonly until: Date | undefined
}
