import { DAY } from '../../base/clock.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import { type App, appNow, findProfile, type Profile } from '../../merchants/app.ts'
import { findAdapter } from '../../merchants/profiles/adapter.ts'
import { providerFee } from '../../merchants/profiles/fees.ts'
import type { Settlements } from '../../providers/port.ts'
import { SETTLEMENTS } from '../limits.ts'
import { closeOfPayments, openExceptions } from '../store/exceptions.ts'
import { type PaymentToJudge, readPayments, removeStates, writeStates } from '../store/judged.ts'
import { nameRefunds } from '../store/progress.ts'
import { type SettlementSource, sourcesOf } from '../store/sources.ts'
import { judge, type Terms } from './judge.ts'

export type Ctx = Pick<Context, 'clock' | 'providers'>

/** What the provider declares; undefined: it has files of the general form only. */
export const settlementsOf = (ctx: Pick<Context, 'providers'>, profile: Profile): Settlements | undefined =>
  findAdapter(ctx, profile)?.settlements

function termsOf(ctx: Ctx, app: App, source: SettlementSource): Terms {
  const profile = findProfile(app, source.profileId)
  const declared = profile && settlementsOf(ctx, profile)
  const now = appNow(ctx, app)
  const { coveredUntil, beginTime } = source
  const delayDays = declared?.usualDelayDays ?? SETTLEMENTS.usualDelayDays
  return {
    coveredUntil: coveredUntil && coveredUntil < now ? coveredUntil : coveredUntil ? now : new Date(0),
    begin: beginTime,
    delayMs: delayDays * DAY,
    feeOf: profile && ((minor, currency) => providerFee(profile, minor, currency)),
  }
}

/**
 * Compares these payments with their lines, opens and closes exceptions, and stores the result. Returns the
 * payments of which the provider reports something that Tender has not seen.
 */
export async function judgePayments(
  ctx: Ctx,
  tx: Queryable,
  app: App,
  paymentIds: readonly number[],
): Promise<number[]> {
  if (paymentIds.length === 0) return []
  const payments = await readNamed(tx, app.appId, paymentIds)
  if (payments.length === 0) return []
  const unseen: number[] = []
  for (const source of await sourcesOf(tx, app.appId)) {
    const own = payments.filter(({ profileId }) => profileId === source.profileId)
    if (own.length > 0) unseen.push(...(await judgeOfSource(ctx, tx, app, { source, payments: own })))
  }
  return unseen
}

/** Without the refund of a line, a second line of it would be taken for another refund. */
async function readNamed(
  tx: Queryable,
  appId: string,
  paymentIds: readonly number[],
): Promise<PaymentToJudge[]> {
  const payments = await readPayments(tx, appId, paymentIds)
  const unnamed = payments.filter(
    ({ refunds, lines }) =>
      refunds.length > 0 && lines.some(({ kind, refundId }) => kind === 'refund' && refundId === null),
  )
  const ids = unnamed.map(({ paymentId }) => paymentId)
  const isNamed = ids.length > 0 && (await nameRefunds(tx, appId, ids))
  return isNamed ? readPayments(tx, appId, paymentIds) : payments
}

async function judgeOfSource(
  ctx: Ctx,
  tx: Queryable,
  app: App,
  { source, payments }: { readonly source: SettlementSource; readonly payments: readonly PaymentToJudge[] },
): Promise<number[]> {
  const terms = termsOf(ctx, app, source)
  const isNothing = ({ capturedMinor, lines }: PaymentToJudge) => capturedMinor === 0n && lines.length === 0
  const judged = payments
    .filter((payment) => !isNothing(payment))
    .map((payment) => ({ paymentId: payment.paymentId, ...judge(payment, terms) }))
  const findings = judged.flatMap((one) => one.findings)
  const writing = { ...source, licenseId: app.licenseId, now: appNow(ctx, app) }
  const open = payments.filter(({ isOpen }) => isOpen).map(({ paymentId }) => paymentId)
  await closeOfPayments(tx, writing, open, findings)
  await writeStates(tx, source, judged)
  await removeStates(
    tx,
    app.appId,
    payments.filter(isNothing).map(({ paymentId }) => paymentId),
  )
  const opened = await openExceptions(tx, writing, findings)
  return opened.flatMap(({ kind, isNew, paymentId }) =>
    kind === 'unseen' && isNew && paymentId !== null ? [paymentId] : [],
  )
}
