import { ApiError, notFound } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import type { Context } from '../context.ts'
import { mayLag } from '../db/database.ts'
import { type App, appNow, findProfile, type Profile } from '../merchants/app.ts'
import { auditApp } from '../merchants/app-audit.ts'
import { getPayment, recheckPayment } from '../payments/actions.ts'
import type { Payment } from '../payments/payment.ts'
import { differenceOf } from './adds-up.ts'
import { findSource, readSoon, shownState } from './commands.ts'
import { judgePayments, settlementsOf } from './matching/judging.ts'
import { recheckUnseen } from './matching/recheck.ts'
import { READING } from './sources.ts'
import { closeSubjects, type ExceptionKind, subjectOfLine } from './store/exceptions.ts'
import { findState } from './store/judged.ts'
import {
  type Exception,
  type ExceptionFilter,
  findException,
  type LineFilter,
  type PayoutFilter,
  pageOfExceptions,
  pageOfLines,
  pageOfPayouts,
  type ReportedPayout,
} from './store/lists.ts'
import { releaseLines } from './store/matches.ts'
import {
  acceptSuggestion,
  countExceptions,
  type KindCount,
  type ListedReport,
  selectReport,
  selectReports,
  selectStoredSums,
  selectSuggested,
} from './store/pages.ts'
import { sourcesOf } from './store/sources.ts'
import { readSums } from './store/sums.ts'

export { EXCEPTION_KINDS, type ExceptionKind } from './store/exceptions.ts'
export type { Exception } from './store/lists.ts'

/** What the console shows about settlements, and the one action of each kind of exception. */

type Reading = Pick<Context, 'db'>

/** `difference` is null where it cannot be said. */
export type ListedPayout = ReportedPayout & { readonly difference: bigint | null }

export async function payoutPage(ctx: Reading, { appId }: App, filter: PayoutFilter) {
  const db = mayLag(ctx.db)
  const { items, next } = await pageOfPayouts(db, appId, filter)
  const stored = await selectStoredSums(
    db,
    appId,
    items.map(({ payoutId }) => payoutId),
  )
  const byId = new Map(stored.map(({ payoutId, sums }) => [payoutId, readSums(sums)]))
  const listed = items.map((payout): ListedPayout => {
    return { ...payout, difference: differenceOf(payout, byId.get(payout.payoutId) ?? []) }
  })
  return { items: listed, next }
}

export const linePage = (ctx: Reading, { appId }: App, filter: LineFilter) =>
  pageOfLines(mayLag(ctx.db), appId, filter)

/** What the one button of a kind does. Kinds without an entry are closed with a reason. */
const ACTIONS = {
  missing: 'recheck',
  amount: 'recheck',
  unseen: 'recheck',
  unknown: 'foreign',
  payout: 'read',
  unpaid: 'read',
} as const satisfies Partial<Record<ExceptionKind, string>>

type ExceptionAction = (typeof ACTIONS)[keyof typeof ACTIONS] | 'upload'

/** An exception, with the payment that is suggested for its line and what can be done about it. */
export interface ListedException extends Exception {
  readonly suggestedId: number | undefined
  readonly action: ExceptionAction | undefined
}

/** A source that is off has files only: its report is read again by an upload. */
function actionOf({ kind, paymentId, profileId }: Exception, active: ReadonlySet<number>) {
  const action = kind in ACTIONS ? ACTIONS[kind as keyof typeof ACTIONS] : undefined
  if (action === 'recheck' && paymentId === null) return undefined
  return action === 'read' && !active.has(profileId) ? 'upload' : action
}

export async function exceptionPage(ctx: Reading, { appId }: App, filter: ExceptionFilter) {
  const [{ items, next }, sources] = await Promise.all([
    pageOfExceptions(ctx.db, appId, filter),
    sourcesOf(ctx.db, appId),
  ])
  const active = new Set(sources.filter(({ isActive }) => isActive).map(({ profileId }) => profileId))
  const unknown = items.flatMap(({ kind, lineId, closedTime }) =>
    kind === 'unknown' && lineId !== null && closedTime === null ? [lineId] : [],
  )
  const suggested = await selectSuggested(ctx.db, appId, unknown)
  const listed = items.map((one): ListedException => {
    const suggestedId = one.lineId === null ? undefined : suggested.get(one.lineId)
    return { ...one, suggestedId, action: actionOf(one, active) }
  })
  return { items: listed, next }
}

export async function getException(
  ctx: Reading,
  { appId }: App,
  exceptionId: number | undefined,
): Promise<Exception> {
  const found = exceptionId === undefined ? undefined : await findException(ctx.db, appId, exceptionId)
  if (!found) throw notFound('The exception')
  return found
}

/** Lines and open exceptions of a payment: more than any payment has, except by mistake. */
const OF_PAYMENT = 100

/** What is settled of a payment. Undefined: the app has no source, or nothing of it is known. */
export async function paymentSettlement(
  { db }: Reading,
  { appId, hasSettlements }: App,
  { paymentId }: Pick<Payment, 'paymentId'>,
) {
  if (!hasSettlements) return undefined
  const [found, { items: lines }, { items: exceptions }] = await Promise.all([
    findState(db, appId, paymentId),
    pageOfLines(db, appId, { paymentId, match: 'exact', limit: OF_PAYMENT }),
    pageOfExceptions(db, appId, { paymentId, isOpen: true, limit: OF_PAYMENT }),
  ])
  if (!found && lines.length === 0) return undefined
  const fees = new Map<string, bigint>()
  for (const { feeMinor, settlementCurrency } of lines)
    if (feeMinor !== null && settlementCurrency !== null)
      fees.set(settlementCurrency, (fees.get(settlementCurrency) ?? 0n) + feeMinor)
  return { found, state: found && shownState(found), fees, exceptions }
}

/** Open exceptions by kind; none of an app without a source. */
export const openCounts = async (ctx: Reading, { appId, hasSettlements }: App): Promise<KindCount[]> =>
  hasSettlements ? countExceptions(mayLag(ctx.db), appId) : []

export const reportPage = async (
  ctx: Reading,
  { appId }: App,
  before: number | undefined,
  pageSize: number,
): Promise<{ readonly items: readonly ListedReport[]; readonly next: number | undefined }> => {
  const rows = await selectReports(ctx.db, appId, before, pageSize + 1)
  const items = rows.slice(0, pageSize)
  return { items, next: rows.length > pageSize ? items.at(-1)?.reportId : undefined }
}

export async function getReport(
  ctx: Reading,
  { appId }: App,
  reportId: number | undefined,
): Promise<ListedReport> {
  const found = reportId === undefined ? undefined : await selectReport(ctx.db, appId, reportId)
  if (!found) throw notFound('The report')
  return found
}

/** Each profile of the app, with its source if it has one. */
export async function sourceList(ctx: Pick<Context, 'db' | 'providers'>, app: App) {
  const sources = await sourcesOf(ctx.db, app.appId)
  return app.profiles.map((profile) => ({
    profile,
    canRead: settlementsOf(ctx, profile)?.read !== undefined,
    source: sources.find(({ profileId }) => profileId === profile.profileId),
  }))
}

/** Reads a source that is on at once. */
export async function readNow(ctx: Context, app: App, profile: Profile): Promise<void> {
  const source = await findSource(ctx, app, profile)
  if (!source?.isActive) throw new ApiError('not_possible', 'The source is off. Turn it on first.')
  await readSoon(ctx, app, profile, source.beginTime)
  ctx.signals.wake(READING)
}

/** Reads the payment at its provider. What has changed is an event, and closes the exception. */
export async function recheckException(ctx: Context, app: App, { paymentId }: Exception): Promise<void> {
  if (paymentId === null) throw new ApiError('not_possible', 'The exception is about no payment.')
  const payment = await getPayment(ctx, app, paymentId)
  await recheckPayment(ctx, app, payment, { waitMs: LIMITS.actionWaitMs })
}

/** Lets the source of the exception be read again. */
export async function rereadException(ctx: Context, app: App, { profileId }: Exception): Promise<void> {
  const profile = findProfile(app, profileId)
  if (!profile) throw notFound('The payment profile')
  await readNow(ctx, app, profile)
}

/** Takes the suggested payment for that of the line, on behalf of the actor. */
export async function acceptSuggested(ctx: Context, app: App, exception: Exception): Promise<number> {
  const { lineId, profileId, exceptionId } = exception
  const { appId, licenseId } = app
  const { paymentId, unseen } = await ctx.db.transaction(async (tx) => {
    const accepted = lineId === null ? undefined : await acceptSuggestion(tx, { appId, profileId }, lineId)
    if (lineId === null || accepted === undefined)
      throw new ApiError('not_possible', 'There is no suggestion any more.')
    await releaseLines(tx, appId, [lineId])
    await auditApp(ctx, tx, app, {
      action: 'settlement_line.matched',
      target: `settlement_exception:${exceptionId}`,
      after: { lineId, paymentId: accepted },
    })
    const writing = { appId, profileId, licenseId, now: appNow(ctx, app) }
    await closeSubjects(tx, writing, 'unknown', [subjectOfLine(lineId)])
    return { paymentId: accepted, unseen: await judgePayments(ctx, tx, app, [accepted]) }
  })
  recheckUnseen(ctx, app, unseen)
  return paymentId
}
