import type { Service } from '../../src/app.ts'
import { importJobs } from '../../src/moving/jobs.ts'
import { type Answer, good, type TestApp } from './tender.ts'

/** Lines of a file for imports; cells are quoted where they must be. */
export const csvFile = (rows: readonly Readonly<Record<string, string>>[]): string => {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const line = (cells: readonly string[]) =>
    `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
  return [columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))].map(line).join('')
}

interface Sending {
  readonly query?: string
  readonly headers?: Record<string, string>
}

export const sendFile = (
  app: TestApp,
  file: string | Uint8Array,
  { query = '', headers = {} }: Sending = {},
) => app.call('POST', `imports${query}`, file, { 'content-type': 'text/csv', ...headers })

/** Does everything that is due, without the loop of the job. */
export async function runImports({ ctx }: Service): Promise<void> {
  const [job] = importJobs(ctx)
  while ((await job?.runOnce()) !== 0) await ctx.background.settled()
}

/** Imports a file to its end, with the wrong lines. */
export async function importFile(
  service: Service,
  app: TestApp,
  file: string | Uint8Array,
  sending: Sending = {},
): Promise<Answer> {
  const { importId } = good(await sendFile(app, file, sending))
  await runImports(service)
  const problems = good(await app.call('GET', `imports/${importId}/problems`))
  return { ...good(await app.call('GET', `imports/${importId}`)), problems }
}
