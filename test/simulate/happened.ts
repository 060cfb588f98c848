/** What happened at a real provider and is not in its ledger. Attempts are named by our references. */
export interface Happened {
  /** Debits that the payer's bank returned. */
  readonly returned: Set<string>
  /** Captures that failed after they were done, and were not repeated. */
  readonly failedCaptures: Set<string>
  /** Captures that the provider repeated. */
  readonly recaptures: Set<string>
  /** When the capture of an attempt failed or was repeated last. */
  readonly captureTimes: Map<string, number>
  /** Pending captures that were denied. */
  readonly denied: Set<string>
  /** Pages that were paid on, newest last. */
  readonly paidPages: string[]
  /** Attempts whose page was paid more than once. */
  readonly paidTwice: Set<string>
  /** Attempts whose page was paid in part. */
  readonly paidInPart: Set<string>
  /** Pages on which a payer has to confirm a charge. */
  readonly challenges: Set<string>
  /** Those that still took money long after their end. */
  readonly answeredLate: string[]
  /** Payments whose challenge would end after their link, as it was seen while the world was running. */
  readonly endAfterLink: Set<string>
  /** Wallets that were stored after the payment. */
  readonly lateWallets: Set<string>
}

export const newHappened = (): Happened => ({
  returned: new Set(),
  failedCaptures: new Set(),
  recaptures: new Set(),
  captureTimes: new Map(),
  denied: new Set(),
  paidPages: [],
  paidTwice: new Set(),
  paidInPart: new Set(),
  challenges: new Set(),
  answeredLate: [],
  endAfterLink: new Set(),
  lateWallets: new Set(),
})
