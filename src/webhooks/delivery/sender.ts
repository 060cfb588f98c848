import { after } from '../../base/clock.ts'
import { newLeaseToken } from '../../base/ids.ts'
import { errorData } from '../../base/log.ts'
import type { Context } from '../../context.ts'
import { WEBHOOKS } from '../schedule.ts'
import { type Claimed, claimReady } from './claim-store.ts'
import { deliver } from './deliver.ts'
import type { SendingState } from './sending.ts'
import { SENDING, WRITTEN } from './topics.ts'

export interface Sender {
  /** Claims deliveries and starts to send them; returns 0 when nothing more can be claimed. */
  runOnce(): Promise<number>
  /** No more can be claimed: the node's limit is reached, or the sender stops. */
  isFull(): boolean
  /** Resolves when the deliveries in flight have ended, of one app or of all. */
  idle(appId?: string): Promise<void>
  /** Waits for replies for a while, then aborts the rest. */
  stop(): Promise<void>
}

/**
 * Sends ready deliveries. It claims when an event was written (see wake.ts), once a second, and when the end
 * of a try frees a slot or unblocks the payment's next delivery. Its state is that of the node, shared by the
 * job, the routes and the test helper that moves the clock.
 */
export function senderOf(ctx: Context): Sender {
  const { sending } = ctx.node
  const { stopping, inFlight, shares, walk, hints } = sending
  const isFull = () => shares.total >= WEBHOOKS.perNode || stopping.signal.aborted

  async function runOnce(): Promise<number> {
    hints.isFull = isFull()
    if (hints.isFull) return 0
    const now = ctx.clock.now()
    const lease = { now, leaseEnd: after(now, WEBHOOKS.leaseMs), leaseToken: newLeaseToken(ctx.random) }
    const load = walk.load()
    const lookedAt = walk.lookedAt()
    const { claimed, more } = await hints.duringClaim(() => claimReady(ctx.db, lease, load))
    walk.note(lookedAt, more)
    for (const delivery of claimed) {
      shares.enter(delivery.appId)
      inFlight.set(delivery, sendSafely(delivery))
    }
    return claimed.length + more.size
  }

  /** An error affects only this delivery: it is claimed again when its lease ends. */
  async function sendSafely(delivery: Claimed): Promise<void> {
    try {
      const onEnding = () => hints.isEnding(delivery)
      const ended = await deliver(ctx, delivery, { signal: stopping.signal, onEnding })
      if (hints.hasEnded(delivery) || ended?.hasNext) wakeSoon(ctx, sending)
    } catch (error) {
      hints.hasEnded(delivery)
      ctx.log.warn('webhook.try_failed', errorData(error))
    } finally {
      inFlight.delete(delivery)
      shares.leave(delivery.appId)
    }
  }

  async function idle(appId?: string): Promise<void> {
    const selected = [...inFlight].filter(([delivery]) => appId === undefined || delivery.appId === appId)
    await Promise.all(selected.map(([, sent]) => sent))
  }

  async function stop(): Promise<void> {
    const done = new AbortController()
    const all = idle().then(() => done.abort())
    await ctx.clock.sleep(WEBHOOKS.stopMs, done.signal)
    const interrupted = inFlight.size
    stopping.abort()
    await all
    // Another node sends the released deliveries now instead of at its next poll.
    if (interrupted > 0) ctx.signals.wake(WRITTEN)
  }

  return { runOnce, isFull, idle, stop }
}

/** Tries end in groups: one claim for several free slots costs less than one for each. */
function wakeSoon(ctx: Context, sending: SendingState): void {
  if (sending.isWaking) return
  sending.isWaking = true
  void ctx.clock.sleep(WEBHOOKS.gatherMs).then(() => {
    sending.isWaking = false
    ctx.signals.wake(SENDING)
  })
}
