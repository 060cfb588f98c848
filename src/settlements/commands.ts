import { after, DAY } from '../base/clock.ts'
import { ApiError, notFound } from '../base/errors.ts'
import { type FileProblem, fileProblem, fileProblemText } from '../base/files/file-problem.ts'
import { majorNumber } from '../base/money.ts'
import { sha256 } from '../base/secret.ts'
import { cut, folded } from '../base/text.ts'
import type { Context } from '../context.ts'
import { type App, appNow, findProfile, type Profile } from '../merchants/app.ts'
import { auditApp } from '../merchants/app-audit.ts'
import { forgetApp } from '../merchants/directory.ts'
import { settingsOf } from '../merchants/profiles/adapter.ts'
import type { Payment } from '../payments/payment.ts'
import { countUnlisted } from '../payments/provider/outcome/unlisted.ts'
import type { SettlementView } from '../payments/wire/schema.ts'
import type { SettledPage, WrongReport } from '../providers/settlement.ts'
import { SETTLEMENTS } from './limits.ts'
import { settlementsOf } from './matching/judging.ts'
import { judgePayouts } from './payouts.ts'
import { parseGeneralCsv } from './reports/csv.ts'
import { type Imported, importPage } from './reports/import.ts'
import { reportQueue } from './reports/queue.ts'
import { isTooMuch } from './reports/usable.ts'
import { READING } from './sources.ts'
import { findState, type StoredState } from './store/judged.ts'
import {
  closeException,
  type Exception,
  findException,
  findPayout,
  type ReportedPayout,
} from './store/lists.ts'
import { beginProgress } from './store/progress.ts'
import { coverUntil, ensureSource, type SettlementSource, sourcesOf, switchSource } from './store/sources.ts'
import { type KindSum, sumsOf } from './store/sums.ts'

export function profileNamed(app: App, profileId: number | undefined): Profile {
  const profile = profileId === undefined ? undefined : findProfile(app, profileId)
  if (!profile) throw notFound('The payment profile')
  return profile
}

export interface ReportFile {
  readonly bytes: Uint8Array
  /** As its sender calls it; shown in the list of reports. */
  readonly name?: string | undefined
}

/** Imports a file: in the form of the provider where its adapter can parse it, else in the general form. */
export const importFile = (ctx: Context, app: App, profile: Profile, file: ReportFile): Promise<Imported> =>
  reportQueue(ctx).serialize(app.appId, () => importNow(ctx, app, profile, file))

async function importNow(
  ctx: Context,
  app: App,
  profile: Profile,
  { bytes, name }: ReportFile,
): Promise<Imported> {
  if (bytes.length === 0) throw new WrongReportError(fileProblem('empty'))
  const page = await parseFile(ctx, app, profile, bytes)
  if (page.kind === 'wrong') throw new WrongReportError(page.problem)
  if (page.lines.length === 0 && page.payouts.length === 0)
    throw new WrongReportError(page.bad[0]?.problem ?? fileProblem('no-lines'))
  if (isTooMuch(page)) throw new WrongReportError(fileProblem('too-much'))
  for (const value of page.unlisted ?? []) countUnlisted(ctx, profile, value)
  const imported = await importPage(ctx, app, profile, {
    ...{ source: 'file', page, digest: sha256(bytes) },
    fileName: shownName(name),
  })
  await coverFile(ctx, app, profile, imported)
  await judgePayouts(ctx, app, profile)
  await auditApp(ctx, ctx.db, app, {
    action: 'settlement_report.received',
    target: `settlement_report:${imported.reportId}`,
    after: {
      paymentProfileId: profile.profileId,
      lines: imported.lineCount,
      isRepeated: imported.isRepeated,
    },
  })
  return imported
}

/**
 * Up to the newest line that was stored, and never beyond now: what comes later is in no file yet. Rows that
 * could not be read cover nothing, whatever time they name.
 */
async function coverFile(
  ctx: Context,
  app: App,
  { profileId }: Profile,
  { untilTime }: Imported,
): Promise<void> {
  const now = appNow(ctx, app)
  if (untilTime) await coverUntil(ctx.db, { appId: app.appId, profileId }, untilTime < now ? untilTime : now)
}

/** Without folders and characters that cannot be shown. */
const shownName = (name: string | undefined): string | undefined =>
  cut(folded(name?.toWellFormed().split(/[\\/]/).at(-1) ?? ''), SETTLEMENTS.nameLength) || undefined

/** Nothing of the file was taken. */
export class WrongReportError extends ApiError {
  readonly problem: FileProblem

  constructor(problem: FileProblem) {
    super('wrong_settlement_report', fileProblemText(problem))
    this.problem = problem
  }
}

async function parseFile(
  ctx: Context,
  app: App,
  profile: Profile,
  file: Uint8Array,
): Promise<SettledPage | WrongReport> {
  const parse = settlementsOf(ctx, profile)?.parse
  const own = await parse?.(file, { config: settingsOf(ctx, app, profile) })
  if (own && (own.kind === 'page' || own.why !== 'format')) return own
  const general = await parseGeneralCsv(file, profile.account)
  // A file in neither form: what the provider's own should look like is the better advice.
  return general.kind === 'wrong' && general.why === 'format' && own ? own : general
}

/** Turns reading of the provider's API on or off. `begin`: from when a new source is read. */
export async function setSource(
  ctx: Context,
  app: App,
  profile: Profile,
  { isActive, begin: earliest }: { readonly isActive: boolean; readonly begin?: Date },
): Promise<SettlementSource | undefined> {
  const { appId } = app
  const { profileId } = profile
  const declared = settlementsOf(ctx, profile)
  if (isActive && !declared?.read)
    throw new ApiError('not_possible', 'The API of this provider cannot be read: send its files instead.')
  const now = appNow(ctx, app)
  const begin = earliest ?? after(now, -(declared?.overlapDays ?? 0) * DAY)
  await ctx.db.transaction(async (tx) => {
    await beginProgress(tx, appId, after(begin, -SETTLEMENTS.keysBeforeMs), ctx.clock.now())
    await ensureSource(tx, { appId, profileId }, begin)
    await switchSource(tx, { appId, profileId }, isActive, now)
    await auditApp(ctx, tx, app, {
      action: 'settlement_source.changed',
      target: `profile:${profileId}`,
      after: { isActive },
    })
  })
  forgetApp(ctx, appId)
  ctx.signals.wake(READING)
  return findSource(ctx, app, profile)
}

/** Lets a source be read now. One that is off, or new, is turned on. */
export async function readSoon(ctx: Context, app: App, profile: Profile, begin: Date): Promise<void> {
  const known = await findSource(ctx, app, profile)
  if (!known?.isActive) await setSource(ctx, app, profile, { isActive: true, begin })
  else await switchSource(ctx.db, known, true, appNow(ctx, app))
}

export const findSource = async (
  ctx: Pick<Context, 'db'>,
  { appId }: App,
  { profileId }: Profile,
): Promise<SettlementSource | undefined> =>
  (await sourcesOf(ctx.db, appId)).find((source) => source.profileId === profileId)

/** A payment is paid out when all of it is settled, and in a payout that has been paid. */
export const shownState = ({
  state,
  paidOutTime,
}: Pick<StoredState, 'state' | 'paidOutTime'>): SettlementView['state'] =>
  state === 'settled' && paidOutTime !== null ? 'paid-out' : state

/** What is settled of a payment. Null: nothing was captured, or it has not been compared yet. */
export async function settlementOf(
  ctx: Pick<Context, 'db'>,
  { appId }: App,
  { paymentId, currency }: Payment,
): Promise<SettlementView | null> {
  const found = await findState(ctx.db, appId, paymentId)
  if (!found) return null
  const { payoutId, paidOutTime, differenceMinor } = found
  return {
    state: shownState(found),
    payoutId,
    paidOutTime: paidOutTime?.toISOString() ?? null,
    difference: majorNumber(differenceMinor, currency),
  }
}

export async function getPayout(
  ctx: Pick<Context, 'db'>,
  { appId }: App,
  payoutId: number | undefined,
): Promise<{ readonly payout: ReportedPayout; readonly sums: readonly KindSum[] }> {
  const payout = payoutId === undefined ? undefined : await findPayout(ctx.db, appId, payoutId)
  if (!payout) throw notFound('The payout')
  return { payout, sums: await sumsOf(ctx.db, appId, payout.payoutId) }
}

/** Closes an open exception on behalf of the actor. One that is closed stays as it is. */
export async function closeByHand(
  ctx: Context,
  app: App,
  exceptionId: number | undefined,
  reason: string,
): Promise<Exception> {
  const known = exceptionId === undefined ? undefined : await findException(ctx.db, app.appId, exceptionId)
  if (!known) throw notFound('The exception')
  const closing = { now: appNow(ctx, app), by: ctx.actor?.name ?? 'service', reason }
  const closed = await ctx.db.transaction(async (tx) => {
    const one = await closeException(tx, app.appId, known.exceptionId, closing)
    const target = `settlement_exception:${known.exceptionId}`
    const after = { kind: known.kind, reason }
    if (one) await auditApp(ctx, tx, app, { action: 'settlement_exception.closed', target, after })
    return one
  })
  if (!closed) throw new ApiError('not_possible', 'The exception is closed already.')
  return closed
}
