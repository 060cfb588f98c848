import { errorData, type Log } from '../base/log.ts'

/**
 * Runs `work` for each app in turn and adds up what it returns. An error of one app is logged and does not keep the
 * others from their work; `failed` schedules its retry.
 */
export async function forEachApp<Row extends { readonly appId: string }>(
  { log }: { readonly log: Log },
  job: string,
  rows: readonly Row[],
  work: (row: Row) => Promise<number>,
  failed?: (row: Row) => Promise<unknown>,
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
