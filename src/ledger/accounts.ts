import { ACCOUNTS, type LedgerAccount } from './rules.ts'

/** As beancount writes them. */
const PATHS: Readonly<Record<LedgerAccount, string>> = {
  clearing: 'Assets:Clearing',
  reserves: 'Assets:Reserves',
  bank: 'Assets:Bank-In-Transit',
  sales: 'Income:Sales',
  refunds: 'Income:Refunds',
  fees: 'Expenses:Fees',
  disputes: 'Expenses:Disputes',
  adjustments: 'Expenses:Adjustments',
  conversion: 'Equity:Conversion',
  differences: 'Equity:Differences',
}

interface AccountKey {
  readonly account: LedgerAccount
  readonly profileId: number | null
  readonly currency: string
}

/** `Assets:Clearing:3:EUR`. Profiles have their id in it: their names may change. */
export function beancountName({ account, profileId, currency }: AccountKey): string {
  const profile = profileId === null ? '' : `:${profileId}`
  return `${PATHS[account]}${profile}${account === 'clearing' ? `:${currency}` : ''}`
}

/** `assets:clearing:3:EUR` */
export function hledgerName(key: AccountKey): string {
  const path = PATHS[key.account]
  return path.toLowerCase() + beancountName(key).slice(path.length)
}

/** In the order of the chart of accounts, then by profile and currency. */
export const byAccount = (one: AccountKey, other: AccountKey): number =>
  ACCOUNTS.indexOf(one.account) - ACCOUNTS.indexOf(other.account) ||
  (one.profileId ?? 0) - (other.profileId ?? 0) ||
  (one.currency < other.currency ? -1 : one.currency > other.currency ? 1 : 0)
