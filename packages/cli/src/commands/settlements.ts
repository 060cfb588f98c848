import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Payout, SettlementException, SettlementReport } from '../../../sdk/src/tender.ts'
import { type Command, count, given, RefusedError, type Shown, table, UsageError } from '../command.ts'

const LIMIT = { value: 'count', description: 'How many, 20 by default.' }
const PROFILE = { value: 'paymentProfileId', description: 'The profile that the report is of.' }

/** The service takes no larger file. */
const MAX_BYTES = 25 * 1024 * 1024
/** A large file is matched line by line before it is answered. */
const TIMEOUT_MS = 10 * 60_000

async function fileAt(path: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path)
    if (size > MAX_BYTES)
      throw new RefusedError(`${path} has more than ${MAX_BYTES / 1024 / 1024} MB. Split it.`)
    return await readFile(path)
  } catch (error) {
    if (error instanceof RefusedError) throw error
    throw new RefusedError(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'error'}.`)
  }
}

function imported(path: string, report: SettlementReport): Shown {
  const { reportId, lines, badRows, isRepeated } = report
  const result = isRepeated
    ? `${path} was received before, as report ${reportId}. Nothing has changed.`
    : `${path}: ${lines} lines read, ${badRows.length} bad rows. Report ${reportId}.`
  const bad = isRepeated ? [] : badRows.map(({ row, problem }) => [`row ${row}`, problem])
  return { data: report, lines: [result, ...table(bad)], hasProblems: bad.length > 0 }
}

const payoutRow = (payout: Payout): unknown[] => [
  payout.payoutId,
  payout.time.slice(0, 10),
  payout.state,
  payout.amount === null ? null : `${payout.amount} ${payout.currency}`,
  payout.paymentProfileId,
  payout.providerPayoutId,
  payout.bankReference ?? '',
]

const exceptionRow = (exception: SettlementException): unknown[] => [
  exception.exceptionId,
  exception.kind,
  exception.state,
  exception.paymentId === null ? '' : `payment ${exception.paymentId}`,
  exception.expectedAmount,
  exception.actualAmount,
  exception.currency ?? '',
  exception.openedTime,
]

export const SETTLEMENTS: readonly Command[] = [
  {
    name: 'settlements import',
    description: 'Import a settlement report. The same file again changes nothing.',
    args: ['file'],
    options: { profile: PROFILE },
    async run({ tender, io, args: [path = ''], values: { profile } }) {
      if (profile === undefined) throw new UsageError('Give --profile.')
      const file = await fileAt(path)
      io.err(`Sending ${path}, ${Math.ceil(file.length / 1024)} kB…`)
      const query = { paymentProfileId: profile, fileName: basename(path) }
      const options = { timeoutMs: TIMEOUT_MS, signal: io.signal }
      return imported(path, await tender.settlements.importReport(file, query, options))
    },
  },
  {
    name: 'settlements payouts',
    description: 'List payouts of providers, the newest first.',
    options: {
      state: { value: 'state', description: 'pending, paid or failed.' },
      profile: PROFILE,
      limit: LIMIT,
    },
    async run({ tender, values: { state, profile, limit } }) {
      const query = given({ state, paymentProfileId: profile })
      const data = await tender.settlements.payouts(query).take(count(limit, 20))
      return { data, lines: table(data.map(payoutRow)) }
    },
  },
  {
    name: 'settlements exceptions',
    description: 'List what does not agree, open exceptions first.',
    options: {
      kind: { value: 'kind', description: 'Such as missing or amount.' },
      state: { value: 'state', description: 'open or closed.' },
      limit: LIMIT,
    },
    async run({ tender, values: { kind, state, limit } }) {
      const data = await tender.settlements.exceptions(given({ kind, state })).take(count(limit, 20))
      return { data, lines: table(data.map(exceptionRow)) }
    },
  },
]
