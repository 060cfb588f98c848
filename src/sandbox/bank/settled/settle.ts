import { after, DAY } from '../../../base/clock.ts'
import { dayEnd } from '../../../base/time/zone.ts'
import type { Queryable } from '../../../db/database.ts'
import { shopOf } from '../../adapter/settled.ts'
import { freshAccount } from '../accounts.ts'
import { accountNow, type BankContext } from '../context.ts'
import { advanceDue } from '../perform.ts'
import { lineId, linesOf } from '../rules/balance.ts'
import type { LedgerPayment } from '../rules/payment.ts'
import {
  insertLines,
  lockAccount,
  markSettled,
  nextAvailable,
  payOutLines,
  readBalances,
  readPayouts,
  readUnsettled,
  type SettledAccount,
  type SettledRow,
  saveAccount,
} from './store.ts'

/** Money can be paid out this long after it moved. */
const PAYOUT_DELAY_DAYS = 2
const PAYMENTS_AT_ONCE = 500
/** The rest of a large account is settled by the next read. */
const MAX_ROUNDS = 40
/** Days with payouts, not days. */
const MAX_PAYOUT_DAYS = 1_000

/** An account that is being settled: locked, with all that time has done to it. */
export interface Settling {
  readonly bank: BankContext
  readonly tx: Queryable
  readonly account: string
  readonly now: Date
  state: SettledAccount
}

export interface SettleOptions {
  readonly account: string
  /** Absent: the one that was given before, or UTC. */
  readonly timeZone?: string | undefined
}

/**
 * Settles an account up to its present time, then does `work`. Nothing runs at midnight: lines and payouts
 * follow from what happened and when, so they are the same whenever they are made. Decision 0160.
 */
export async function settled<T>(
  bank: BankContext,
  { account, timeZone }: SettleOptions,
  work: (settling: Settling) => Promise<T>,
): Promise<T> {
  while ((await advanceDue(bank, account)) > 0);
  const now = accountNow(bank, await freshAccount(bank, account))
  return bank.db.transaction(async (tx) => {
    const state = await lockAccount(tx, account, timeZone)
    const settling: Settling = { bank, tx, account, now, state }
    await addLines(settling)
    await payOutByClock(settling)
    const result = await work(settling)
    await saveAccount(tx, account, settling.state)
    return result
  })
}

async function addLines({ bank, tx, account, state }: Settling): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const changed = await readUnsettled(tx, account, PAYMENTS_AT_ONCE)
    if (changed.length === 0) return
    const rows = changed.flatMap(({ payment }) => rowsOf(payment, state))
    await insertLines(tx, account, { now: bank.clock.now(), rows })
    await markSettled(tx, account, changed)
    if (changed.length < PAYMENTS_AT_ONCE) return
  }
}

/** Lines that come late are paid out next and reported next: earlier payouts and reports do not change. */
function rowsOf(payment: LedgerPayment, { paidUntil, reported }: SettledAccount): SettledRow[] {
  const shop = shopOf(payment.notify ?? '')
  return linesOf(payment).map((line, place) => {
    const lineTime = new Date(line.time)
    return {
      lineId: lineId(payment, place),
      shop,
      kind: line.kind,
      paymentId: payment.id,
      movementId: line.movement,
      reference: line.key ?? payment.reference,
      amountMinor: BigInt(line.amount),
      feeMinor: BigInt(line.fee),
      currency: payment.currency,
      lineTime,
      availableTime: later(after(lineTime, PAYOUT_DELAY_DAYS * DAY), paidUntil && after(paidUntil, 1)),
      reportTime: later(lineTime, reportedUntil(reported, shop)),
      payoutId: null,
    }
  })
}

const later = (one: Date, other: Date | null): Date => (other && other > one ? other : one)

export function reportedUntil(reported: SettledAccount['reported'], shop: string): Date | null {
  const until = reported[shop]
  return until === undefined ? null : new Date(until)
}

/** Pays out at each midnight of the account since the last one at which money had become available. */
async function payOutByClock(settling: Settling): Promise<void> {
  const { tx, account, now } = settling
  for (let day = 0; day < MAX_PAYOUT_DAYS; day++) {
    const { timeZone, paidUntil } = settling.state
    const available = await nextAvailable(tx, account, paidUntil)
    if (!available) return
    // The first midnight that is not before the time.
    const midnight = dayEnd(after(available, -1), timeZone)
    if (midnight > now) return
    await payOut(settling, midnight)
    settling.state = { ...settling.state, paidUntil: midnight }
  }
}

/** Pays out every balance above zero of what is available at a time. */
async function payOut(settling: Settling, at: Date): Promise<void> {
  const { bank, tx, account } = settling
  for (const { shop, currency, sumMinor } of await readBalances(tx, account, at)) {
    const payoutCount = settling.state.payoutCount + 1
    settling.state = { ...settling.state, payoutCount }
    const payoutId = payoutIdOf(payoutCount)
    const reportTime = later(at, reportedUntil(settling.state.reported, shop))
    await payOutLines(tx, account, { at, shop, currency, payoutId, reportTime })
    const row: SettledRow = {
      ...{ lineId: payoutId, shop, kind: 'payout', currency, payoutId, reportTime },
      ...{ paymentId: null, movementId: null, reference: null },
      ...{ amountMinor: -sumMinor, feeMinor: 0n, lineTime: at, availableTime: at },
    }
    await insertLines(tx, account, { now: bank.clock.now(), rows: [row] })
  }
}

const payoutIdOf = (count: number): string => `po_${String(count).padStart(6, '0')}`

/** More than these are left for the next call. */
const PAYOUTS_TOLD = 1_000

/** Pays out what is available now, without waiting for midnight. Returns the payouts since the last call. */
export const payOutNow = (bank: BankContext, options: SettleOptions): Promise<readonly SettledRow[]> =>
  settled(bank, options, async (settling) => {
    await payOut(settling, settling.now)
    const { toldCount, payoutCount } = settling.state
    const told = Math.min(payoutCount, toldCount + PAYOUTS_TOLD)
    settling.state = { ...settling.state, toldCount: told }
    const ids = Array.from({ length: told - toldCount }, (_, n) => payoutIdOf(toldCount + n + 1))
    return readPayouts(settling.tx, settling.account, ids)
  })
