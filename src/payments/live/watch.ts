import { SECOND } from '../../base/clock.ts'
import type { Context } from '../../context.ts'
import { notify } from '../../db/notify.ts'
import { slot } from '../../node/slot.ts'
import type { Payment } from '../payment.ts'

/**
 * Notifies open pages on all nodes that their payment changed. A NOTIFY on every change would make every
 * commit wait for PostgreSQL's single notification lock. Instead, watchers announce themselves, and only
 * changes of watched payments are notified. After a lost notification the page falls back to polling.
 * Decision 0061.
 */

type Ctx = Pick<Context, 'db' | 'clock' | 'signals' | 'background' | 'node'>
type Named = Pick<Payment, 'appId' | 'paymentId'>

/** Channels: payments that are watched, and watched payments that changed. */
const WATCHED = 'tender_watched'
const CHANGED = 'tender_changed'

/** How often a watcher announces itself, and how long an announcement is valid. */
const REPEAT_MS = 20 * SECOND
const VALID_MS = 45 * SECOND

const nameOf = ({ appId, paymentId }: Named): string => `${appId}:${paymentId}`
const topicOf = (name: string): string => `payment ${name}`

const watchedPayments = slot('watchedPayments', () => new Map<string, number>(), {
  holds: 'payments shown by open pages of any node',
  until: '45 s without an announcement',
  restart: 'nothing: pages announce themselves every 20 s',
})

/** Listens to the other nodes. Returns how to stop. */
export function listenToNodes(ctx: Ctx): () => void {
  const known = watchedPayments(ctx)
  const stops = [
    ctx.db.listen(WATCHED, (name) => {
      const nowMs = ctx.clock.now().getTime()
      for (const [each, untilMs] of known) if (untilMs < nowMs) known.delete(each)
      if (name !== '') known.set(name, nowMs + VALID_MS)
    }),
    ctx.db.listen(CHANGED, (name) => ctx.signals.wake(topicOf(name))),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Notifies pages of this node directly and those of other nodes through the database. */
export function tellChange(ctx: Ctx, payment: Named): void {
  const name = nameOf(payment)
  ctx.signals.wake(topicOf(name))
  if (watchedPayments(ctx).has(name))
    ctx.background.keep('tell-change', notify(ctx.db, CHANGED, name), payment.appId)
}

/** Calls back whenever the payment may have changed, until the signal ends it. */
export function watchPayment(ctx: Ctx, payment: Named, changed: () => void, ended: AbortSignal): void {
  const name = nameOf(payment)
  const stop = ctx.signals.on(topicOf(name), changed)
  ended.addEventListener('abort', stop)
  void announce(ctx, name, ended)
}

export interface Changes {
  /** Ends when the payment may have changed since the last call, or after the pause. */
  next(pauseMs: number): Promise<void>
  end(): void
}

/** The same for a request that waits for a change. Whatever comes after this call is not missed. */
export function followPayment(ctx: Ctx, payment: Named): Changes {
  const ended = new AbortController()
  let hasChanged = false
  let wake = () => {}
  const changed = () => {
    hasChanged = true
    wake()
  }
  watchPayment(ctx, payment, changed, ended.signal)
  return {
    async next(pauseMs) {
      const paused = new AbortController()
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      if (!hasChanged) await Promise.race([woken, ctx.clock.sleep(pauseMs, paused.signal)])
      paused.abort()
      hasChanged = false
    },
    end: () => ended.abort(),
  }
}

async function announce(ctx: Ctx, name: string, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    // Not background work: shutdown need not wait for it, and a lost notification costs only a poll.
    await notify(ctx.db, WATCHED, name).catch(() => {})
    await ctx.clock.sleep(REPEAT_MS, ended)
  }
}
