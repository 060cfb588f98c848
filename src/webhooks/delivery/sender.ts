import { after } from '../../base/clock.ts'
import { newLeaseToken } from '../../base/ids.ts'
import { errorData } from '../../base/log.ts'
import type { Context } from '../../context.ts'
import { WEBHOOKS } from '../schedule.ts'
import { type Claimed, claimReady } from './claim-store.ts'
import { deliver, type TryOptions } from './deliver.ts'
import { nextLeaseToken } from './direct/state.ts'
import { sending } from './sending.ts'
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
  const { stopping, inFlight, shares, positions, hints, direct, track } = sending(ctx)
  const isFull = () => shares.total >= WEBHOOKS.perNode || stopping.signal.aborted

  async function runOnce(): Promise<number> {
    hints.isFull = isFull()
    if (hints.isFull) return 0
    const now = ctx.clock.now()
    const lease = {
      ...{ now, leaseEnd: after(now, WEBHOOKS.leaseMs) },
      ...{ leaseToken: newLeaseToken(ctx.random), grantToken: nextLeaseToken(direct, ctx.random) },
    }
    const lookedAt = positions.lookedAt()
    const { claimed, more } = await direct.grants.withLentSlots(async (free) => {
      const result = await hints.duringClaim(() => claimReady(ctx.db, lease, positions.load(free)))
      for (const delivery of result.claimed) {
        const leave = enter(delivery)
        track(delivery, sendLeased(ctx, delivery).finally(leave))
      }
      return result
    })
    positions.note(lookedAt, more)
    return claimed.length + more.size
  }

  function enter(delivery: Claimed): () => void {
    shares.enter(delivery.appId)
    const leave = delivery.borrowed ? direct.grants.enter(delivery) : undefined
    return () => {
      shares.leave(delivery.appId)
      leave?.()
    }
  }

  async function idle(appId?: string): Promise<void> {
    const selected = [...inFlight].filter(([of]) => appId === undefined || of.appId === appId)
    await Promise.all(selected.map(([, sent]) => sent))
  }

  async function stop(): Promise<void> {
    const done = new AbortController()
    const all = idle().then(() => done.abort())
    await ctx.clock.sleep(WEBHOOKS.stopMs, done.signal)
    const interrupted = inFlight.size
    stopping.abort()
    await all
    await idle()
    // Another node sends the released deliveries now instead of at its next poll.
    if (interrupted > 0) ctx.signals.wake(WRITTEN)
  }

  return { runOnce, isFull, idle, stop }
}

/**
 * Sends a delivery that is leased to this node. An error affects only this delivery: it is claimed again when
 * its lease ends.
 */
export async function sendLeased(
  ctx: Context,
  delivery: Claimed,
  options: Pick<TryOptions, 'onAcknowledged' | 'record'> = {},
): Promise<void> {
  const { hints, stopping } = sending(ctx)
  try {
    const onEnding = () => hints.isEnding(delivery)
    const ended = await deliver(ctx, delivery, { ...options, signal: stopping.signal, onEnding })
    if (hints.hasEnded(delivery) || ended?.hasNext) wakeSoon(ctx)
  } catch (error) {
    hints.hasEnded(delivery)
    ctx.log.warn('webhook.try_failed', errorData(error))
  }
}

/** Tries end in groups: one claim for several free slots costs less than one for each. */
function wakeSoon(ctx: Context): void {
  const state = sending(ctx)
  if (state.isWaking) return
  state.isWaking = true
  void ctx.clock.sleep(WEBHOOKS.gatherMs).then(() => {
    state.isWaking = false
    ctx.signals.wake(SENDING)
  })
}
