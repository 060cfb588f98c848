import { randomText } from '../../base/ids.ts'
import { errorData } from '../../base/log.ts'
import type { Context } from '../../context.ts'
import { notify } from '../../db/notify.ts'
import { WEBHOOKS } from '../schedule.ts'
import { senderOf } from './sender.ts'
import { SENDING, WRITTEN } from './topics.ts'

/** Where nodes tell each other that there is something to send. */
const CHANNEL = 'tender_deliveries'

/**
 * Carries "something was written" to whoever sends: to this node, or to the others when this one does not
 * send or has its hands full. The notification goes out after the commit, at most every ten milliseconds:
 * inside the statement that writes the event it would make commits queue up behind each other. One that is
 * lost costs at most a second, the pace of the poll. Returns how to stop.
 */
export function startWakeups(ctx: Context): () => void {
  const me = randomText(ctx.random, 8)
  const sends = ctx.config.role !== 'web'
  let wanted = false
  let telling = false

  async function tell(): Promise<void> {
    wanted = true
    if (telling) return
    telling = true
    while (wanted) {
      wanted = false
      await notify(ctx.db, CHANNEL, me).catch((error) =>
        ctx.log.debug('webhook.wake_failed', errorData(error)),
      )
      await ctx.clock.sleep(WEBHOOKS.announceMs)
    }
    telling = false
  }

  const stops = [
    ctx.signals.on(WRITTEN, () => {
      ctx.signals.wake(SENDING)
      if (!sends || senderOf(ctx).isFull()) void tell()
    }),
  ]
  if (sends)
    stops.push(
      ctx.db.listen(CHANNEL, (who) => {
        if (who !== me) ctx.signals.wake(SENDING)
      }),
    )
  return () => {
    wanted = false
    for (const stop of stops) stop()
  }
}
