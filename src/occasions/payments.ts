import { DAY } from '../base/clock.ts'
import { CONSOLE_PAGES } from '../base/console-pages.ts'
import type { Context } from '../context.ts'
import { panelLink } from '../customers/panel.ts'
import type { Queryable } from '../db/database.ts'
import type { Mail } from '../mail/kinds.ts'
import { queueMail } from '../mail/queue.ts'
import type { App } from '../merchants/app.ts'
import type { CursorPosition } from './cursors-store.ts'
import { type EventOccasion, eventsAfter } from './events-store.ts'
import { refundTeamOf, tellTeam } from './recipients.ts'
import { occasionOf, type PaymentOccasion } from './rules.ts'

/** Links in e-mails are opened later than those that are handed over. */
export const MAIL_LINK_MS = 7 * DAY

/** Queues the e-mails of the events after a position, and returns the last position; undefined at the end. */
export async function mailEvents(
  ctx: Context,
  tx: Queryable,
  app: App,
  page: { readonly after: CursorPosition; readonly until: Date; readonly limit: number },
): Promise<CursorPosition | undefined> {
  const events = await eventsAfter(tx, app.appId, page.after, page)
  for (const event of events) await mailEvent(ctx, tx, app, event)
  return events.at(-1)?.position
}

async function mailEvent(ctx: Context, tx: Queryable, app: App, event: EventOccasion): Promise<void> {
  const { position } = event
  const found = occasionOf(event, position.time)
  if (!found) return
  if (found.kind === 'refund') await tellOfRefund(ctx, tx, app, { event, found })
  const { email, customerId, language } = event
  if (!email || !customerId || found.isReturn || !app.mails.payer.includes(found.kind)) return
  const { id, part } = position
  const occasion = {
    appId: app.appId,
    // A payment is paid and fails once; it may be refunded in parts, and be on its way several times.
    mailId: REPEATED.has(found.kind) ? `${found.kind}:${id}:${part}` : `${found.kind}:${id}`,
    to: email,
    locale: language ?? app.branding.locale,
    customerId,
  }
  await queueMail(ctx, tx, occasion, mailOf(ctx, app, event, found))
}

const REPEATED: ReadonlySet<PaymentOccasion['kind']> = new Set(['refund', 'payment-pending'] as const)

function mailOf(ctx: Context, app: App, event: EventOccasion, found: PaymentOccasion): Mail {
  const { kind, facts, refundedMinor } = found
  if (kind === 'receipt') return { kind, data: facts }
  if (kind === 'refund') return { kind, data: { ...facts, refundedMinor } }
  if (kind === 'payment-pending') return { kind, data: { ...facts, until: found.until ?? facts.time } }
  const grant = {
    customerId: event.customerId ?? '',
    scope: 'All',
    task: 'pay',
    targetId: event.position.id,
  } as const
  return { kind, data: { ...facts, url: panelLink(ctx, app, grant, MAIL_LINK_MS) } }
}

/** To the recipients of refund e-mails. */
async function tellOfRefund(
  ctx: Context,
  tx: Queryable,
  app: App,
  { event, found }: { readonly event: EventOccasion; readonly found: PaymentOccasion },
): Promise<void> {
  const { id, part } = event.position
  const { facts, refundedMinor } = found
  const url = ctx.config.publicUrl + CONSOLE_PAGES.payment(app.appId, id)
  await tellTeam(
    ctx,
    tx,
    { appId: app.appId, occasion: `refund-made:${id}:${part}`, recipients: await refundTeamOf(tx, app) },
    { kind: 'refund-made', data: { ...facts, refundedMinor, url } },
  )
}
