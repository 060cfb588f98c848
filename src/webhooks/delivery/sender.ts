import { setMaxListeners } from 'node:events'
import { after } from '../../base/clock.ts'
import { newLeaseToken } from '../../base/ids.ts'
import { errorData } from '../../base/log.ts'
import type { Context } from '../../context.ts'
import { WEBHOOKS } from '../schedule.ts'
import { type Claimed, type ClaimResult, claimReady, type Load } from './claim-store.ts'
import { deliver } from './deliver.ts'
import { createDeliveryShares, type DeliveryShares } from './shares.ts'
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
 * of a try frees a slot or unblocks the payment's next delivery.
 */
function createSender(ctx: Context): Sender {
  const stopping = new AbortController()
  setMaxListeners(WEBHOOKS.perNode, stopping.signal)
  const inFlight = new Map<Claimed, Promise<void>>()
  const shares = createDeliveryShares()
  const walk = createWalk(shares)
  const hints = createHints(shares)
  const wakeSoon = debounced(ctx, () => ctx.signals.wake(SENDING))
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
      if (hints.hasEnded(delivery) || ended?.hasNext) wakeSoon()
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
    await Promise.all(selected.map(([, sending]) => sending))
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

/**
 * The state of this node that a claim needs: its load, and per app the last endpoint that a claim looked at.
 * One claim looks at a limited number of endpoints of an app; the next one continues behind them. After the
 * last endpoint it starts again.
 */
function createWalk(shares: DeliveryShares) {
  const positions = new Map<string, string>()
  return {
    load(): Load {
      const apps: Record<string, { used: number; after?: string }> = {}
      for (const [appId, used] of shares.byApp) apps[appId] = { used }
      for (const [appId, after] of positions) apps[appId] = { used: apps[appId]?.used ?? 0, after }
      return { total: shares.total, apps }
    },
    /** Apps without a free slot are skipped by a claim and keep their position. */
    lookedAt: (): string[] => [...positions.keys()].filter((appId) => shares.mayStart(appId)),
    note(lookedAt: readonly string[], more: ClaimResult['more']): void {
      for (const appId of lookedAt) positions.delete(appId)
      for (const [appId, endpoint] of more) positions.set(appId, endpoint)
    },
  }
}

/** Decides whether the end of a try is a reason to claim again before the next poll. */
function createHints(shares: DeliveryShares) {
  const ending = new Set<Claimed>()
  const crowded = new Set<string>()
  let claiming = 0
  let claimAgain = false
  const hints = {
    /** The last claim found this node full. */
    isFull: false,
    async duringClaim(claim: () => Promise<ClaimResult>): Promise<ClaimResult> {
      // An event written while the delivery before it ends may be missed by both that end and this claim:
      // claim again.
      claimAgain ||= ending.size > 0
      claiming++
      const result = await claim().finally(() => claiming--)
      for (const delivery of result.claimed) if (delivery.crowded) crowded.add(endpointKey(delivery))
      return result
    },
    isEnding(delivery: Claimed): void {
      ending.add(delivery)
      claimAgain ||= claiming > 0
    },
    hasEnded(delivery: Claimed): boolean {
      ending.delete(delivery)
      const isTight = shares.isTight(delivery.appId)
      const freedSlot = crowded.delete(endpointKey(delivery)) || hints.isFull || isTight || claimAgain
      hints.isFull = false
      claimAgain = false
      return freedSlot
    },
  }
  return hints
}

/** Tries end in groups: one claim for several free slots costs less than one for each. */
function debounced(ctx: Context, act: () => void): () => void {
  let isWaiting = false
  return () => {
    if (isWaiting) return
    isWaiting = true
    void ctx.clock.sleep(WEBHOOKS.gatherMs).then(() => {
      isWaiting = false
      act()
    })
  }
}

const senders = new WeakMap<Context['db'], Sender>()

/** One sender per node, shared by its job and the test helper that moves the clock. */
export function senderOf(ctx: Context): Sender {
  const existing = senders.get(ctx.db)
  if (existing) return existing
  const sender = createSender(ctx)
  senders.set(ctx.db, sender)
  return sender
}

const endpointKey = ({ appId, endpoint }: Claimed): string => `${appId}\n${endpoint}`
