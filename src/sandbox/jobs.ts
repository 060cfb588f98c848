import type { Context } from '../context.ts'
import type { Job } from '../jobs/loop.ts'
import type { Bank } from './bank/bank.ts'

/**
 * A run does not wait until notifications are sent: it keeps them as background work and wakes the job when
 * they end, for rows that became due meanwhile.
 */
export function bankJob(ctx: Context, bank: Bank): Job {
  const name = 'sandbox bank'
  async function start(account?: string): Promise<number> {
    const { count, sending } = await bank.begin(account)
    for (const one of sending)
      ctx.background.keep(
        name,
        one.done.finally(() => ctx.signals.wake(name)),
        one.account,
      )
    return count
  }
  return { name, everyMs: 250, due: bank.due, runOnce: () => start(), runFor: start }
}
