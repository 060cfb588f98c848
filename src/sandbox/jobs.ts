import { MINUTE, SECOND } from '../base/clock.ts'
import type { Context } from '../context.ts'
import type { Job } from '../jobs/loop.ts'
import { clearTables } from '../merchants/app-rows.ts'
import type { Bank } from './bank/bank.ts'

/** After work of the bank more is likely: a delayed notification, a retry, the next payment. */
const ACTIVE_MS = 15 * SECOND

/**
 * A run does not wait until notifications are sent: it keeps them as background work and wakes the job when
 * they end, for rows that became due meanwhile.
 */
export function bankJob(ctx: Context, bank: Bank): Job {
  const name = 'sandbox bank'
  let activeUntilMs = 0
  const nowMs = () => ctx.clock.now().getTime()
  function stayActive(): void {
    activeUntilMs = nowMs() + ACTIVE_MS
  }
  bank.onWork(stayActive)
  async function start(account?: string): Promise<number> {
    const { count, sending } = await bank.begin(account)
    if (count > 0) stayActive()
    for (const one of sending)
      ctx.background.keep(
        name,
        one.done.finally(() => ctx.signals.wake(name)),
        one.account,
      )
    return count
  }
  return {
    name,
    everyMs: 250,
    due: bank.due,
    isIdle: () => nowMs() >= activeUntilMs,
    runOnce: () => start(),
    runFor: start,
  }
}

/** Deletes what the bank no longer keeps. */
export const bankRemovalJob = (bank: Bank): Job => ({
  name: 'sandbox bank removal',
  everyMs: 10 * MINUTE,
  restMs: SECOND,
  due: bank.oldDue,
  runOnce: bank.removeOld,
})

/** The bank forgets the payments of an emptied app too: their lines would be unknown to it. */
export const clearBank = clearTables(
  ['sandbox_bank.lines', 'sandbox_bank.ledger', 'sandbox_bank.payments', 'sandbox_bank.settlements'],
  'account',
)
