import { DAY } from '../base/clock.ts'
import { CONSOLE_PAGES } from '../base/console-pages.ts'
import type { Context } from '../context.ts'
import { panelLink } from '../customers/panel.ts'
import type { Queryable } from '../db/database.ts'
import type { Mail } from '../mail/kinds.ts'
import { queueMail } from '../mail/queue.ts'
import type { App } from '../merchants/app.ts'
import { eventsAfter, type NoticedEvent } from './events-store.ts'
import { refundTeamOf, tellTeam } from './recipients.ts'
import { noticeOf, type PaymentNotice } from './rules.ts'
import type { WalkPosition } from './walks-store.ts'

/** Links in e-mails are opened later than those that are handed over. */
export const MAIL_LINK_MS = 7 * DAY

/** Queues the e-mails of the events after a position, and returns the last position; undefined at the end. */
export async function noticeEvents(
  ctx: Context,
  tx: Queryable,
  app: App,
  page: { readonly after: WalkPosition; readonly until: Date; readonly limit: number },
): Promise<WalkPosition | undefined> {
  const events = await eventsAfter(tx, app.appId, page.after, page)
  for (const event of events) await noticeEvent(ctx, tx, app, event)
  return events.at(-1)?.position
}

async function noticeEvent(ctx: Context, tx: Queryable, app: App, event: NoticedEvent): Promise<void> {
  const { position } = event
  const notice = noticeOf(event, position.time)
  if (!notice) return
  if (notice.kind === 'refund') await tellOfRefund(ctx, tx, app, { event, notice })
  const { email, customerId, language } = event
  if (!email || !customerId || !app.mails.payer.includes(notice.kind)) return
  const { id, part } = position
  const occasion = {
    appId: app.appId,
    // A payment is paid and fails once; it may be refunded in parts.
    mailId: notice.kind === 'refund' ? `refund:${id}:${part}` : `${notice.kind}:${id}`,
    to: email,
    locale: language ?? app.branding.locale,
    customerId,
  }
  await queueMail(ctx, tx, occasion, mailOf(ctx, app, event, notice))
}

function mailOf(ctx: Context, app: App, event: NoticedEvent, notice: PaymentNotice): Mail {
  const { kind, facts, refundedMinor } = notice
  if (kind === 'receipt') return { kind, data: facts }
  if (kind === 'refund') return { kind, data: { ...facts, refundedMinor } }
  const grant = {
    customerId: event.customerId ?? '',
    scope: 'All',
    task: 'pay',
    targetId: event.position.id,
  } as const
  return { kind, data: { ...facts, url: panelLink(ctx, app, grant, MAIL_LINK_MS) } }
}

/** To the addresses of the app that are told of refunds. */
async function tellOfRefund(
  ctx: Context,
  tx: Queryable,
  app: App,
  { event, notice }: { readonly event: NoticedEvent; readonly notice: PaymentNotice },
): Promise<void> {
  const { id, part } = event.position
  const { facts, refundedMinor } = notice
  const url = ctx.config.publicUrl + CONSOLE_PAGES.payment(app.appId, id)
  await tellTeam(
    ctx,
    tx,
    { appId: app.appId, occasion: `refund-made:${id}:${part}`, recipients: await refundTeamOf(tx, app) },
    { kind: 'refund-made', data: { ...facts, refundedMinor, url } },
  )
}
