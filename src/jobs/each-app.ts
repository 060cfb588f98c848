import { errorData, type Log } from '../base/log.ts'

interface AppWork<Row> {
  /** The name of the job. */
  readonly job: string
  readonly work: (row: Row) => Promise<number>
  /** Schedules the retry of a row whose work threw. Absent: its time is set already. */
  readonly failed?: (row: Row) => Promise<unknown>
}

/**
 * Does the work of each app in turn and adds up what it returns. An error of one app is logged and does not
 * keep the others from their work. Decision 0189.
 */
export async function forEachApp<Row extends { readonly appId: string }>(
  { log }: { readonly log: Log },
  rows: readonly Row[],
  { job, work, failed }: AppWork<Row>,
): Promise<number> {
  let done = 0
  for (const row of rows)
    try {
      done += await work(row)
    } catch (error) {
      log.warn('job.row_failed', { job, appId: row.appId, ...errorData(error) })
      await failed?.(row)
    }
  return done
}
