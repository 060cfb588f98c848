import { nextStart } from '../base/time/zone.ts'
import type { Context } from '../context.ts'
import type { App } from '../merchants/app.ts'
import { byAccount } from './accounts.ts'
import { monthsOf, todayOf, updateLedger } from './commands.ts'
import { type AccountSum, accountSums, type DaySum, daySums, firstBookingDay } from './read-store.ts'

/** An account in a month. Debits are positive. */
export interface AccountMonth extends Pick<AccountSum, 'account' | 'profileId' | 'currency'> {
  readonly openingMinor: bigint
  readonly closingMinor: bigint
}

export interface BooksMonth {
  /** `2026-10` */
  readonly month: string
  /** Its days in the app's time zone: `2026-10-01`. */
  readonly from: string
  readonly to: string
  readonly isClosed: boolean
  readonly isComplete: boolean
  /** From the first month with an entry to the present one, the newest first. */
  readonly months: readonly { readonly month: string; readonly isClosed: boolean }[]
  readonly accounts: readonly AccountMonth[]
  /** The last day that has begun or has an entry. */
  readonly until: string
  /** What each day added, in the order of the days. */
  readonly days: readonly DaySum[]
}

/** Months that can be chosen: five years. */
const MOST_MONTHS = 60

/** The books of a month, by default the present one. Undefined: nothing is booked. */
export async function booksOfMonth(
  ctx: Context,
  app: App,
  wanted: string | undefined,
): Promise<BooksMonth | undefined> {
  const isComplete = await updateLedger(ctx, app)
  const [first, closed] = await Promise.all([firstBookingDay(ctx.db, app.appId), monthsOf(ctx, app)])
  if (first === null) return undefined
  const lastClosed = closed.at(-1)?.month ?? ''
  const months = monthsBetween(first, todayOf(ctx, app)).map((month) => ({
    month,
    isClosed: month <= lastClosed,
  }))
  const chosen = months.find(({ month }) => month === wanted) ?? months[0]
  if (!chosen) return undefined
  const { month, isClosed } = chosen
  const [from, to] = [`${month}-01`, lastDayOf(month)]
  const [sums, days] = await Promise.all([
    accountSums(ctx.db, app.appId, to),
    daySums(ctx.db, app.appId, { from, to }),
  ])
  const begun = [todayOf(ctx, app), days.at(-1)?.day ?? from].sort().at(-1) ?? to
  const until = begun < to ? begun : to
  return { month, from, to, until, isClosed, isComplete, months, days, accounts: accountsOf(sums, days) }
}

/** The first day of the next month, of a month or one of its days. */
const startAfter = (day: string): Date => nextStart(new Date(`${day.slice(0, 7)}-01T00:00:00Z`), 'month')
const monthAfter = (day: string): string => startAfter(day).toISOString().slice(0, 7)
const lastDayOf = (month: string): string =>
  new Date(startAfter(month).getTime() - 1).toISOString().slice(0, 10)

/** The newest first, and one at least: the clock of a sandbox app may have been set back. */
function monthsBetween(first: string, today: string): string[] {
  const months = [first.slice(0, 7)]
  const last = today.slice(0, 7)
  for (let month = monthAfter(first); month <= last; month = monthAfter(month)) months.push(month)
  return months.slice(-MOST_MONTHS).toReversed()
}

function accountsOf(sums: readonly AccountSum[], days: readonly DaySum[]): AccountMonth[] {
  return sums.toSorted(byAccount).map(({ account, profileId, currency, balanceMinor }) => {
    const key = { account, profileId, currency }
    const changeMinor = days.reduce((sum, day) => (isOf(day, key) ? sum + day.amountMinor : sum), 0n)
    return { ...key, openingMinor: balanceMinor - changeMinor, closingMinor: balanceMinor }
  })
}

type AccountKey = Pick<AccountSum, 'account' | 'profileId' | 'currency'>

export const isOf = (sum: AccountKey, { account, profileId, currency }: AccountKey): boolean =>
  sum.account === account && sum.profileId === profileId && sum.currency === currency
