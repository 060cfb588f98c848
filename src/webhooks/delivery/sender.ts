import { setMaxListeners } from 'node:events'
import { after } from '../../base/clock.ts'
import { newLeaseToken } from '../../base/ids.ts'
import { errorData } from '../../base/log.ts'
import type { Context } from '../../context.ts'
import { WEBHOOKS } from '../schedule.ts'
import { type Claimed, claimReady } from './claim-store.ts'
import { deliver } from './deliver.ts'

/** The topic of the job that sends. */
export const SENDING = 'webhooks'

export interface Sender {
  /** Takes what may be sent now and begins to send it; says how many that were. */
  runOnce(): Promise<number>
  /** It has as many in flight as a node may have. */
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
  const hints = createHints()
  const wakeSoon = gathered(ctx, () => ctx.signals.wake(SENDING))

  const isFull = () => inFlight.size >= WEBHOOKS.perNode

  async function runOnce(): Promise<number> {
    const limit = WEBHOOKS.perNode - inFlight.size
    hints.isFull = isFull()
    if (hints.isFull || stopping.signal.aborted) return 0
    const now = ctx.clock.now()
    const lease = { now, leaseEnd: after(now, WEBHOOKS.leaseMs), leaseToken: newLeaseToken(ctx.random) }
    const claimed = await hints.whileClaiming(() => claimReady(ctx.db, lease, limit))
    for (const delivery of claimed) inFlight.set(delivery, sendSafely(delivery))
    return claimed.length
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
    stopping.abort()
    await all
  }

  return { runOnce, isFull, idle, stop }
}

/** Whether the end of a try is a reason to claim again before the next poll. */
function createHints() {
  const ending = new Set<Claimed>()
  const crowded = new Set<string>()
  let claiming = 0
  let lookAgain = false
  const hints = {
    /** This node had no room left. */
    isFull: false,
    async whileClaiming(claim: () => Promise<Claimed[]>): Promise<Claimed[]> {
      // An event written while the one before it just ends may be passed over by both that end and this
      // claim.
      lookAgain ||= ending.size > 0
      claiming++
      const claimed = await claim().finally(() => claiming--)
      for (const delivery of claimed) if (delivery.crowded) crowded.add(endpointKey(delivery))
      return claimed
    },
    isEnding(delivery: Claimed): void {
      ending.add(delivery)
      lookAgain ||= claiming > 0
    },
    hasEnded(delivery: Claimed): boolean {
      ending.delete(delivery)
      const madeRoom = crowded.delete(endpointKey(delivery)) || hints.isFull || lookAgain
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
