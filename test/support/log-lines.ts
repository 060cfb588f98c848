import { unpacked } from '../../src/logs/batches/batch.ts'

/** Log lines are compressed: a search for a text in all tables does not find what is in them. */
export const LOG_BATCHES = `select encode(lines, 'base64') as lines from log_batches`

export const logLinesIn = (batches: readonly { readonly lines: string }[]): string =>
  batches
    .flatMap(({ lines }) => unpacked(Buffer.from(lines, 'base64')))
    .map((line) => JSON.stringify(line))
    .join('\n')
