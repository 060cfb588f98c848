import type { Context } from '../../../context.ts'
import type { App } from '../../../merchants/app.ts'
import { WRITTEN } from '../topics.ts'
import { type DirectLease, type EventSource, openDirectWrite, type WrittenDelivery } from './chains.ts'

interface Written {
  /** The deliveries to the first endpoint are leased to this node. */
  readonly leased: boolean
  /** Others wait for a claim. */
  readonly queued: boolean
}

interface Events {
  readonly app: Pick<App, 'paymentWebhookUrl' | 'webhookStates' | 'webhookKinds' | 'isWebhookPaused'>
  readonly payment: EventSource
  readonly events: readonly WrittenDelivery[]
}

/**
 * Runs the statement that writes these events. The deliveries that it leases to this node are sent at once;
 * for the others the sender is woken. Leased are those to the first endpoint, unless it takes some events
 * only or is paused.
 */
export async function writeAndSend<Result extends Written>(
  ctx: Context,
  { app, payment, events }: Events,
  write: (lease: DirectLease | undefined) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  if (events.length === 0) return await write(undefined)
  const direct = mayLease(app, payment) ? openDirectWrite(ctx, payment) : undefined
  try {
    const written = await write(direct?.lease)
    direct?.end(written?.leased ? events : [])
    if (written?.queued) ctx.signals.wake(WRITTEN)
    return written
  } catch (error) {
    direct?.fail()
    throw error
  }
}

const mayLease = (app: Events['app'], { webhookUrl }: EventSource): boolean =>
  webhookUrl !== null || (app.paymentWebhookUrl !== null && takesAll(app) && !app.isWebhookPaused)

const takesAll = ({ webhookStates, webhookKinds }: Events['app']): boolean =>
  webhookStates === null && webhookKinds === null
