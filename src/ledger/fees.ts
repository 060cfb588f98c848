import type { Context } from '../context.ts'
import type { App } from '../merchants/app.ts'
import { updateLedger } from './commands.ts'
import { countEntries, type FeeSum, type FeesQuery, selectFees } from './fees-store.ts'

export interface FeeShare extends FeeSum {
  /** Fees ÷ gross; null without sales. */
  readonly rate: number | null
}

export interface Fees extends FeesQuery {
  readonly isComplete: boolean
  readonly fees: readonly FeeShare[]
}

/** Entries of one transaction, and transactions of one call: a request waits for half a million entries. */
const ENTRIES = 5_000
const PAGES = 100

/** Adds up the entries since the last time. Returns whether all are counted. */
export async function countFees({ db }: Pick<Context, 'db'>, { appId }: App): Promise<boolean> {
  for (let page = 0; page < PAGES; page++)
    if (!(await db.transaction((tx) => countEntries(tx, appId, ENTRIES)))) return true
  return false
}

/** With everything that is known by now. */
export async function feesOf(ctx: Context, app: App, query: FeesQuery): Promise<Fees> {
  const isBooked = await updateLedger(ctx, app)
  const isCounted = await countFees(ctx, app)
  return { ...query, isComplete: isBooked && isCounted, fees: await feeShares(ctx, app, query) }
}

/** Of what is counted: months in their order, everything else by the highest fees. */
export async function feeShares(
  { db }: Pick<Context, 'db'>,
  { appId }: App,
  query: FeesQuery,
): Promise<FeeShare[]> {
  const sums = await selectFees(db, appId, query)
  return sums.map((sum) => ({ ...sum, rate: rateOf(sum) }))
}

const rateOf = ({ feeMinor, grossMinor }: FeeSum): number | null =>
  grossMinor > 0n ? Number(feeMinor) / Number(grossMinor) : null
