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
  readonly leaseToken: string | null
}
