import { setMaxListeners } from 'node:events'
import { after } from '../../base/clock.ts'
import { newLeaseToken } from '../../base/ids.ts'
import { errorData } from '../../base/log.ts'
import type { Context } from '../../context.ts'
import { WEBHOOKS } from '../schedule.ts'
import { type Claimed, type ClaimResult, claimReady, type Load } from './claim-store.ts'
import { deliver } from './deliver.ts'
import { createShares, type DeliveryShares } from './shares.ts'
import { SENDING, WRITTEN } from './topics.ts'

export interface Sender {
  /** Claims what may be sent now and begins to send it; returns 0 when nothing more can be claimed. */
  runOnce(): Promise<number>
  /** It takes no more: as many are in flight as a node may have, or it is stopping. */
  isFull(): boolean
  /** Resolves when what is in flight now has ended, for one app or for all. */
  idle(appId?: string): Promise<void>
  /** Lets answers come in for a while, then gives up waiting for them. */
  stop(): Promise<void>
}

/**
 * Sends what is ready. A claim happens when something was written (see wake.ts), once a second, and when the
 * end of a try makes room for what did not fit before or lets the payment's next delivery go.
 */
function createSender(ctx: Context): Sender {
  const stopping = new AbortController()
  setMaxListeners(WEBHOOKS.perNode, stopping.signal)
  const inFlight = new Map<Claimed, Promise<void>>()
  const shares = createShares()
  const walks = createWalks(shares)
  const hints = createHints(shares)
  const wakeSoon = gathered(ctx, () => ctx.signals.wake(SENDING))
  const isFull = () => shares.total >= WEBHOOKS.perNode || stopping.signal.aborted

  async function runOnce(): Promise<number> {
    hints.isFull = isFull()
    if (hints.isFull) return 0
    const now = ctx.clock.now()
    const lease = { now, leaseEnd: after(now, WEBHOOKS.leaseMs), leaseToken: newLeaseToken(ctx.random) }
    const load = walks.load()
    const lookedAt = walks.lookedAt()
    const { claimed, more } = await hints.whileClaiming(() => claimReady(ctx.db, lease, load))
    walks.note(lookedAt, more)
    for (const delivery of claimed) {
      shares.enter(delivery.appId)
      inFlight.set(delivery, sendSafely(delivery))
    }
    return claimed.length + more.size
  }

  /** One delivery's trouble is its own: its lease ends and it comes back. */
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
    const wanted = [...inFlight].filter(([delivery]) => appId === undefined || delivery.appId === appId)
    await Promise.all(wanted.map(([, sending]) => sending))
  }

  async function stop(): Promise<void> {
    const done = new AbortController()
    const all = idle().then(() => done.abort())
    await ctx.clock.sleep(WEBHOOKS.stopMs, done.signal)
    const interrupted = inFlight.size
    stopping.abort()
    await all
    // What was released here is sent by another node now, not when that node polls.
    if (interrupted > 0) ctx.signals.wake(WRITTEN)
  }

  return { runOnce, isFull, idle, stop }
}

/**
 * What a claim is told of this node, and how far claims have walked through the endpoints of apps that have
 * more than one claim looks at. A walk that reached the end starts anew at the next claim.
 */
function createWalks(shares: DeliveryShares) {
  const reached = new Map<string, string>()
  return {
    load(): Load {
      const apps: Record<string, { used: number; after?: string }> = {}
      for (const [appId, used] of shares.byApp) apps[appId] = { used }
      for (const [appId, after] of reached) apps[appId] = { used: apps[appId]?.used ?? 0, after }
      return { total: shares.total, apps }
    },
    /** An app that may start nothing is not looked at, and keeps its place. */
    lookedAt: (): string[] => [...reached.keys()].filter((appId) => shares.mayStart(appId)),
    note(lookedAt: readonly string[], more: ClaimResult['more']): void {
      for (const appId of lookedAt) reached.delete(appId)
      for (const [appId, endpoint] of more) reached.set(appId, endpoint)
    },
  }
}

/** Whether the end of a try is a reason to claim again before the next poll. */
function createHints(shares: DeliveryShares) {
  const ending = new Set<Claimed>()
  const crowded = new Set<string>()
  let claiming = 0
  let lookAgain = false
  const hints = {
    /** This node had no room left. */
    isFull: false,
    async whileClaiming(claim: () => Promise<ClaimResult>): Promise<ClaimResult> {
      // An event written while the one before it just ends may be passed over by both that end and this
      // claim.
      lookAgain ||= ending.size > 0
      claiming++
      const found = await claim().finally(() => claiming--)
      for (const delivery of found.claimed) if (delivery.crowded) crowded.add(endpointKey(delivery))
      return found
    },
    isEnding(delivery: Claimed): void {
      ending.add(delivery)
      lookAgain ||= claiming > 0
    },
    hasEnded(delivery: Claimed): boolean {
      ending.delete(delivery)
      const isTight = shares.isTight(delivery.appId)
      const madeRoom = crowded.delete(endpointKey(delivery)) || hints.isFull || isTight || lookAgain
      hints.isFull = false
      lookAgain = false
      return madeRoom
    },
  }
  return hints
}

/** Ends come in groups: one claim for all the room they make costs a fraction of one for each. */
function gathered(ctx: Context, act: () => void): () => void {
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

/** One for each node, whoever asks it to send: its job, or the test helper that moves the clock. */
export function senderOf(ctx: Context): Sender {
  const known = senders.get(ctx.db)
  if (known) return known
  const made = createSender(ctx)
  senders.set(ctx.db, made)
  return made
}

const endpointKey = ({ appId, endpoint }: Claimed): string => `${appId}\n${endpoint}`
