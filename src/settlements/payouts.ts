import { after, DAY } from '../base/clock.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { type App, appNow, type Profile } from '../merchants/app.ts'
import { differenceOf } from './adds-up.ts'
import { SETTLEMENTS } from './limits.ts'
import { settlementsOf } from './matching/judging.ts'
import {
  closeSubjects,
  openExceptions,
  type SettlementFinding,
  subjectOfLine,
  type Writing,
} from './store/exceptions.ts'
import { type ComparedPayout, checkedUntil, linesToCheck, takeChangedPayouts } from './store/payouts.ts'
import { lockSource } from './store/sources.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'providers'>

const subjectOfPayout = ({ payoutId }: ComparedPayout): string => `payout:${payoutId}`

/** Compares payouts with their lines, when a window or a file has been read to its end. */
export async function judgePayouts(ctx: Ctx, app: App, { profileId }: Profile): Promise<void> {
  const writing = { appId: app.appId, profileId, licenseId: app.licenseId, now: appNow(ctx, app) }
  let count: number = SETTLEMENTS.duePayments
  while (count === SETTLEMENTS.duePayments)
    count = await ctx.db.transaction((tx) => judgeChanged(tx, writing))
}

/** Returns how many payouts were compared. */
async function judgeChanged(tx: Queryable, writing: Writing): Promise<number> {
  await lockSource(tx, writing)
  const payouts = await takeChangedPayouts(tx, writing, SETTLEMENTS.duePayments)
  const findings = payouts.flatMap((payout) => [...difference(payout), ...doubled(payout)])
  for (const kind of ['payout', 'doubled'] as const) {
    const wrong = new Set(findings.filter((one) => one.kind === kind).map(({ subject }) => subject))
    const right = payouts.filter((payout) => isCompared(kind, payout)).map(subjectOfPayout)
    await closeSubjects(
      tx,
      writing,
      kind,
      right.filter((subject) => !wrong.has(subject)),
    )
  }
  await openExceptions(tx, writing, findings)
  return payouts.length
}

/** A payout without lines, or with lines that cannot be added up, keeps its exception. */
const isCompared = (kind: 'payout' | 'doubled', payout: ComparedPayout): boolean =>
  kind === 'doubled' || differenceOf(payout, payout.sums) !== null

function difference(payout: ComparedPayout): SettlementFinding[] {
  const difference = differenceOf(payout, payout.sums)
  return difference ? [finding('payout', payout, (payout.amountMinor ?? 0n) + difference)] : []
}

/** The balance was charged several times for one payout: by lines with ids of their own. Decision 0197. */
function doubled(payout: ComparedPayout): SettlementFinding[] {
  const { amountMinor, currency, sums } = payout
  const own = sums.find((sum) => sum.kind === 'payout' && sum.currency === currency)
  const isRepeated = own && own.count > 1 && own.grossMinor === -(amountMinor ?? 0n) * BigInt(own.count)
  return isRepeated && amountMinor ? [finding('doubled', payout, -own.grossMinor)] : []
}

function finding(kind: 'payout' | 'doubled', payout: ComparedPayout, actualMinor: bigint): SettlementFinding {
  const { amountMinor, currency, payoutId, providerPayoutId } = payout
  const amounts = { expectedMinor: String(amountMinor), actualMinor: String(actualMinor) }
  const details = { ...(currency === null ? {} : { currency }), ...amounts, providerPayoutId }
  return { kind, subject: subjectOfPayout(payout), payoutId, details }
}

/**
 * Lines that are in no payout after the slowest schedule. Each line is checked once; the exception closes
 * when the line is reported again with its payout. Returns how many lines were checked.
 */
export async function findUnpaid(ctx: Ctx, app: App, profile: Profile): Promise<number> {
  if (!settlementsOf(ctx, profile)?.hasPayouts) return 0
  const { profileId } = profile
  const writing = { appId: app.appId, profileId, licenseId: app.licenseId, now: appNow(ctx, app) }
  const until = after(writing.now, -SETTLEMENTS.unpaidDays * DAY)
  return await ctx.db.transaction(async (tx) => {
    const lines = await linesToCheck(tx, writing, until, SETTLEMENTS.batchLines)
    const unpaid = lines.filter((line) => line.isUnpaid && line.profileId === profileId)
    const findings = unpaid.map(({ lineId, currency, amountMinor }): SettlementFinding => {
      const details = { currency, actualMinor: String(amountMinor) }
      return { kind: 'unpaid', subject: subjectOfLine(lineId), lineId, details }
    })
    await openExceptions(tx, writing, findings)
    const last = lines.at(-1)
    // Lines of the same moment may be left: the next run begins before it, unless the whole batch is of it.
    const isFull = lines.length === SETTLEMENTS.batchLines
    const reached =
      last && isFull && last.time > (lines[0]?.time ?? last.time) ? after(last.time, -1) : last?.time
    await checkedUntil(tx, writing, isFull && reached ? reached : until)
    return isFull ? lines.length : 0
  })
}
