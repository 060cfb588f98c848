import { createWriteStream, existsSync } from 'node:fs'
import { rename, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Export, Tender } from '../../../sdk/src/tender.ts'
import { type Command, type CommandCall, given, RefusedError, UsageError } from '../command.ts'

const POLL_MS = 1_000
/** How often the file is read again when it does not arrive whole. */
const TRIES = 3

export const EXPORT: Command = {
  name: 'export',
  description: 'Write payments, refunds, disputes, customers, links, events or everything to a CSV file.',
  args: ['[kind]'],
  options: {
    from: { value: 'day', description: 'The first day, such as 2026-11-01, in the time zone of the app.' },
    to: { value: 'day', description: 'The last day.' },
    period: { value: 'period', description: 'Instead of days: yesterday, last-month and so on.' },
    columns: { value: 'names', description: 'Such as paymentId,amount,net; the usual ones by default.' },
    query: { value: 'query', description: 'Of payments: search terms.' },
    semicolon: { description: 'Semicolons between cells, and decimal commas.' },
    out: { value: 'file', description: 'Where to write it; in this folder by default.' },
    everything: { description: 'All that an import takes. TENDER_SEALING_KEY seals the tokens.' },
    id: { value: 'exportId', description: 'Go on with an export that was made before.' },
  },
  async run(call) {
    const made = await begin(call)
    const done = await untilDone(call, made)
    const file = await write(call, done)
    return { data: { ...done, file }, lines: [`${done.rows} rows in ${file}`] }
  },
}

function begin({ tender, io, args, values }: CommandCall): Promise<Export> {
  const { from, to, period, columns, query, semicolon, id } = values
  const kind = values.everything === undefined ? args[0] : 'everything'
  const sealingKey = kind === 'everything' ? io.env.TENDER_SEALING_KEY : undefined
  if ((kind === undefined) === (id === undefined)) throw new UsageError('Give either a kind or --id.')
  if (id !== undefined) return tender.exports.get(id)
  return tender.exports.create({
    ...(given({ from, to, period, query, sealingKey }) as object),
    // The service refuses what is no kind.
    kind: kind as Export['kind'],
    ...(columns === undefined ? {} : { columns: columns.split(',').map((name) => name.trim()) }),
    ...(semicolon === undefined ? {} : { separator: 'semicolon' }),
  })
}

/** Tells the progress until the file is ready. */
async function untilDone({ tender, io }: CommandCall, made: Export): Promise<Export> {
  let current = made
  while (current.state === 'waiting' || current.state === 'running') {
    io.err(`${current.rows} rows … (${current.exportId})`)
    await pause(POLL_MS, undefined, { signal: io.signal }).catch(() => {
      throw new RefusedError(`Stopped. The service goes on: ${again(current.exportId)}`)
    })
    current = await tender.exports.get(current.exportId)
  }
  if (current.state === 'done') return current
  throw new RefusedError(
    `The export ${current.exportId} is ${current.state}: ${current.problem ?? 'by hand'}.`,
  )
}

const again = (exportId: string): string => `tender export --id ${exportId}`

/** Into a file beside it first, so that a file with the name is whole. */
async function write({ tender, values }: CommandCall, { exportId, bytes, kind }: Export): Promise<string> {
  const file = values.out ?? `${kind}-${exportId}.csv`
  if (values.out === undefined && existsSync(file)) throw new UsageError(`${file} exists. Give --out.`)
  for (let tries = 1; ; tries++) {
    const isWhole = await receive(tender, exportId, `${file}.part`).then(
      async () => (await stat(`${file}.part`)).size === bytes,
      (error: Error) => (error.name === 'TenderError' ? Promise.reject(error) : false),
    )
    if (isWhole) break
    if (tries === TRIES) throw new RefusedError(`The file did not arrive whole. Try: ${again(exportId)}`)
  }
  await rename(`${file}.part`, file)
  return file
}

async function receive(tender: Tender, exportId: string, path: string): Promise<void> {
  const { body } = await tender.exports.file(exportId)
  await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), createWriteStream(path))
}
