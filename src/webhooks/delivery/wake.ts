import { randomText } from '../../base/ids.ts'
import { errorData } from '../../base/log.ts'
import type { Context } from '../../context.ts'
import { notify } from '../../db/notify.ts'
import { WEBHOOKS } from '../schedule.ts'
import { senderOf } from './sender.ts'
import { SENDING, WRITTEN } from './topics.ts'

/** Notification channel between nodes: there are deliveries to send. */
const CHANNEL = 'tender_deliveries'

/**
 * Wakes the sender after events were written: of this node, or of the other nodes when this one does not send
 * or is full. The notification is sent after the commit and at most every ten milliseconds, because NOTIFY
 * inside the writing transaction serializes commits. A lost notification delays a delivery until the next
 * poll, at most a second. Returns a function that stops it.
 */
export function startWakeups(ctx: Context): () => void {
  const nodeId = randomText(ctx.random, 8)
  const sends = ctx.config.role !== 'web'
  let isRequested = false
  let isNotifying = false

  async function notifyOthers(): Promise<void> {
    isRequested = true
    if (isNotifying) return
    isNotifying = true
    while (isRequested) {
      isRequested = false
      await notify(ctx.db, CHANNEL, nodeId).catch((error) =>
        ctx.log.debug('webhook.wake_failed', errorData(error)),
      )
      await ctx.clock.sleep(WEBHOOKS.announceMs)
    }
    isNotifying = false
  }

  const stops = [
    ctx.signals.on(WRITTEN, () => {
      ctx.signals.wake(SENDING)
      if (!sends || senderOf(ctx).isFull()) void notifyOthers()
    }),
  ]
  if (sends)
    stops.push(
      ctx.db.listen(CHANNEL, (sender) => {
        if (sender !== nodeId) ctx.signals.wake(SENDING)
      }),
    )
  return () => {
    isRequested = false
    for (const stop of stops) stop()
  }
}
