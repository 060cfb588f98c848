import { after, MINUTE } from '../../base/clock.ts'
import { decimalText } from '../../base/money.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import { type App, appNow, type Profile } from '../../merchants/app.ts'
import { forgetApp } from '../../merchants/directory.ts'
import { providerFee } from '../../merchants/profiles/fees.ts'
import type { LineKind, SettledLine, SettledPage } from '../../providers/settlement.ts'
import { SETTLEMENTS } from '../limits.ts'
import { mayBePlain } from '../matching/judge.ts'
import { judgePayments } from '../matching/judging.ts'
import { catchUp } from '../matching/progress.ts'
import { recheckUnseen } from '../matching/recheck.ts'
import {
  closeSubjects,
  openExceptions,
  type SettlementFinding,
  subjectOfLine,
  type Writing,
} from '../store/exceptions.ts'
import { type WrittenLines, writeLines } from '../store/lines.ts'
import { awaitPayments, paymentsOfLines, suggestMatches } from '../store/matches.ts'
import { beginProgress } from '../store/progress.ts'
import {
  findReport,
  insertReport,
  insertRows,
  removeReport,
  type StoredBadRow,
  upsertPayouts,
} from '../store/reports.ts'
import { ensureSource, lockSource } from '../store/sources.ts'
import { type UsablePage, usablePage } from './usable.ts'

export interface Report {
  readonly source: 'api' | 'file'
  readonly page: SettledPage
  /** Identifies the file or the page: the same one again changes nothing. */
  readonly digest: Uint8Array
  readonly fileName?: string | undefined
}

export interface Imported {
  readonly reportId: number
  /** Lines of the report, known ones included. */
  readonly lineCount: number
  readonly badRows: readonly StoredBadRow[]
  /** Of its newest line. Null: it has none. */
  readonly untilTime: Date | null
  readonly isRepeated: boolean
}

/**
 * Stores the lines and payouts of a report and matches them, all in one transaction. Lines that are known are
 * left as they are: with the same content they are a repetition, with another an exception.
 */
export async function importPage(
  ctx: Context,
  app: App,
  profile: Profile,
  report: Report,
): Promise<Imported> {
  const usable = await usablePage(report.page, appNow(ctx, app))
  await beginSource(ctx, app, profile, usable)
  await catchUp(ctx, app)
  const { imported, unseen } = await ctx.db.transaction((tx) =>
    importIn(ctx, tx, { app, profile }, { ...report, usable }),
  )
  recheckUnseen(ctx, app, unseen)
  if (!imported.isRepeated) ctx.meter?.settled(profile.provider, imported.lineCount)
  return imported
}

/** The first report of a profile makes it a source. Keys of payments are needed from before its lines. */
async function beginSource(
  ctx: Context,
  app: App,
  { profileId }: Profile,
  { lines }: UsablePage,
): Promise<void> {
  const { appId } = app
  const now = appNow(ctx, app)
  const first = lines.reduce((least, { time }) => (time < least ? time : least), now)
  const isNew = await ctx.db.transaction(async (tx) => {
    await beginProgress(tx, appId, after(first, -SETTLEMENTS.keysBeforeMs), ctx.clock.now())
    return ensureSource(tx, { appId, profileId }, first)
  })
  if (isNew) forgetApp(ctx, appId)
}

interface Place {
  readonly app: App
  readonly profile: Profile
}

async function importIn(
  ctx: Context,
  tx: Queryable,
  { app, profile }: Place,
  { source, usable, digest, fileName }: Report & { readonly usable: UsablePage },
) {
  const { lines, again, payouts, bad } = usable
  const key = { appId: app.appId, profileId: profile.profileId }
  await lockSource(tx, key)
  const receivedTime = appNow(ctx, app)
  const counts = { lineCount: lines.length, badRows: bad.slice(0, SETTLEMENTS.badRows) }
  const period = periodOf(lines)
  const about = { source, digest, fileName: fileName ?? null, ...period }
  const reportId = await insertReport(tx, { ...key, ...about, ...counts, receivedTime })
  if (reportId === undefined) {
    const known = await findReport(tx, key, digest)
    return { imported: { ...known, badRows: known.badRows ?? [], isRepeated: true }, unseen: [] }
  }
  const changedPayouts = await upsertPayouts(tx, key, payouts)
  const unseen: number[] = []
  let made = 0
  // Repeated ids come in batches of their own: a statement writes a line once.
  for (const some of [...inBatches(lines), ...inBatches(again)]) {
    const done = await importBatch(ctx, tx, { app, profile }, { reportId, lines: some })
    made += done.made
    unseen.push(...done.unseen)
  }
  const isNews = made > 0 || changedPayouts > 0 || bad.length > 0
  if (!isNews && source === 'api') await removeReport(tx, app.appId, reportId)
  return { imported: { reportId, ...counts, untilTime: period.untilTime, isRepeated: false }, unseen }
}

function periodOf(lines: readonly SettledLine[]) {
  let [fromTime, untilTime]: [Date | null, Date | null] = [null, null]
  for (const { time } of lines) {
    if (!fromTime || time < fromTime) fromTime = time
    if (!untilTime || time > untilTime) untilTime = time
  }
  return { fromTime, untilTime }
}

function inBatches(lines: readonly SettledLine[]): SettledLine[][] {
  const count = Math.ceil(lines.length / SETTLEMENTS.batchLines)
  return Array.from({ length: count }, (_, n) =>
    lines.slice(n * SETTLEMENTS.batchLines, (n + 1) * SETTLEMENTS.batchLines),
  )
}

interface Batch {
  readonly reportId: number
  readonly lines: readonly SettledLine[]
}

async function importBatch(ctx: Context, tx: Queryable, { app, profile }: Place, { reportId, lines }: Batch) {
  const now = appNow(ctx, app)
  const key = { appId: app.appId, profileId: profile.profileId }
  const written = await writeLines(tx, {
    ...{ ...key, reportId, receivedTime: now },
    lines: lines.map((line) => ({ line, mayBePlain: isPlainLine(profile, line) })),
  })
  await keepRows(ctx, tx, { appId: app.appId, reportId, lines }, written)
  const writing = { ...key, licenseId: app.licenseId, now }
  await noteKnown(tx, writing, written, lines)
  await noteUnmatched(tx, writing, written, lines)
  const paid = written.known.filter(({ isPaid }) => isPaid).map(({ lineId }) => lineId)
  const touched = new Set(written.paymentIds)
  if (paid.length > 0) for (const id of await paymentsOfLines(tx, app.appId, paid)) touched.add(id)
  return { made: written.made.size, unseen: await judgePayments(ctx, tx, app, [...touched]) }
}

const isPlainLine = (profile: Profile, { kind, gross, fee, net }: SettledLine): boolean =>
  mayBePlain(
    {
      ...{ kind, grossMinor: gross.minor, currency: gross.currency, feeMinor: fee?.minor ?? null },
      settlementCurrency: net?.currency ?? fee?.currency ?? null,
    },
    (minor, currency) => providerFee(profile, minor, currency),
  )

async function keepRows(
  ctx: Context,
  tx: Queryable,
  { appId, reportId, lines }: Batch & { readonly appId: string },
  { made }: WrittenLines,
): Promise<void> {
  if (made.size === 0) return
  const rows = Object.fromEntries([...made].map(([n, lineId]) => [lineId, lines[n]?.raw ?? '']))
  const sealed = ctx.vault.seal(JSON.stringify(rows))
  const lineId = Math.min(...made.values())
  await insertRows(tx, { appId, reportId, lineId, sealed, receivedTime: ctx.clock.now() })
}

/** The same id with other content is kept once, and reported. A line that has its payout now is paid. */
async function noteKnown(
  tx: Queryable,
  writing: Writing,
  { known }: WrittenLines,
  lines: readonly SettledLine[],
): Promise<void> {
  const findings = known.flatMap(({ n, lineId, differs }): SettlementFinding[] => {
    const line = lines[n]
    if (!differs || !line) return []
    const { minor, currency } = line.gross
    const details = { currency, actualMinor: String(minor), providerLineId: line.id }
    return [{ kind: 'doubled', subject: `${subjectOfLine(lineId)}:again`, lineId, details }]
  })
  await openExceptions(tx, writing, findings)
  const paid = known.filter(({ isPaid }) => isPaid).map(({ lineId }) => subjectOfLine(lineId))
  await closeSubjects(tx, writing, 'unpaid', paid)
}

/** Kinds that are about a payment. The others may be, and often name none. */
const OF_PAYMENTS: ReadonlySet<LineKind> = new Set<LineKind>([
  'sale',
  'refund',
  'dispute',
  'dispute-reversal',
  'return',
])

async function noteUnmatched(
  tx: Queryable,
  writing: Writing,
  { made, unmatched }: WrittenLines,
  lines: readonly SettledLine[],
): Promise<void> {
  const rest = unmatched.flatMap((n) => {
    const [line, lineId] = [lines[n], made.get(n)]
    return line && lineId !== undefined && OF_PAYMENTS.has(line.kind) ? [{ lineId, line }] : []
  })
  const ids = rest.map(({ lineId }) => lineId)
  await awaitPayments(tx, writing, ids, after(writing.now, MINUTE))
  const sales = rest.filter(({ line }) => line.kind === 'sale' && line.gross.minor > 0n)
  const amounts = sales.map(({ lineId, line: { gross } }) => {
    return { lineId, amount: decimalText(gross.minor, gross.currency) }
  })
  await suggestMatches(tx, writing, amounts)
  const findings = rest.map(({ lineId, line: { gross, id } }): SettlementFinding => {
    const details = { currency: gross.currency, actualMinor: String(gross.minor), providerLineId: id }
    return { kind: 'unknown', subject: subjectOfLine(lineId), lineId, details }
  })
  await openExceptions(tx, writing, findings)
}
