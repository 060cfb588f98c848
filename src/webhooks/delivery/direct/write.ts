import type { Context } from '../../../context.ts'
import { WRITTEN } from '../topics.ts'
import { type DirectLease, type EventSource, openDirectWrite, type WrittenDelivery } from './chains.ts'

interface Written {
  /** The deliveries are leased to this node. */
  readonly leased: boolean
}

interface Events {
  readonly app: { readonly paymentWebhookUrl: string | null }
  readonly payment: EventSource
  readonly events: readonly WrittenDelivery[]
}

/**
 * Runs the statement that writes these events. The deliveries that it leases to this node are sent at once;
 * for the others the sender is woken. Without a webhook URL nothing is queued. The poll covers a URL that
 * another node has just set.
 */
export async function writeAndSend<Result extends Written>(
  ctx: Context,
  { app, payment, events }: Events,
  write: (lease: DirectLease | undefined) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  if (events.length === 0 || (payment.webhookUrl ?? app.paymentWebhookUrl) === null)
    return await write(undefined)
  const direct = openDirectWrite(ctx, payment)
  try {
    const written = await write(direct?.lease)
    direct?.end(written?.leased ? events : [])
    if (written && !written.leased) ctx.signals.wake(WRITTEN)
    return written
  } catch (error) {
    direct?.fail()
    throw error
  }
}
