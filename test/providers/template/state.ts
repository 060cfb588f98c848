import type { LedgerEntry, SignedNotification } from '../kit/simulator.ts'

/** What the simulated account knows. Amounts are in minor units. */
export interface State {
  readonly now: () => number
  readonly origin: () => string
  readonly ledger: LedgerEntry[]
  /** Signed, and not yet taken. */
  readonly queue: SignedNotification[]
  readonly endpoints: { readonly url: string; readonly secret: string }[]
  /** Movements that are decided later. */
  readonly delayed: (() => void)[]
}
