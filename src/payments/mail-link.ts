import { DAY } from '../base/clock.ts'
import { ApiError, invalid } from '../base/errors.ts'
import { isDottedMailbox } from '../base/mailbox.ts'
import { expected, mistaken } from '../base/mistakes.ts'
import type { Context } from '../context.ts'
import { queuedMails, queueMail } from '../mail/queue.ts'
import { LINK_MESSAGE } from '../mail/render/payer.ts'
import { mayTestWith } from '../mail/sending/deliver.ts'
import type { App } from '../merchants/app.ts'
import { auditApp } from '../merchants/app-audit.ts'
import type { Payment } from './payment.ts'
import { isPayable, paymentLink } from './view.ts'

/** Links that a person sends by e-mail. Bounded, so that an account does not become a sender of spam. */
const MOST = { ofPayment: 5, ofAppDay: 200 } as const

const ALL = 'payment-link:'
const idOf = ({ paymentId }: Payment): string => `${ALL}${paymentId}:`

/** What became of the messages with the link of this payment, the newest first. */
export const linkMailsOf = (ctx: Pick<Context, 'db'>, { appId }: App, payment: Payment) =>
  queuedMails(ctx, appId, idOf(payment), MOST.ofPayment)

interface LinkMail {
  readonly to: string
  readonly locale: string
  readonly message: string
}

/** Queues the message. False: as many were sent as a payment or an app may on a day. */
export async function mailLink(
  ctx: Context,
  app: App,
  payment: Payment,
  { to, locale, message }: LinkMail,
): Promise<boolean> {
  await checkMail(ctx, app, { to, message })
  if (!isPayable(ctx, app, payment))
    throw new ApiError('payment_not_payable', 'This payment can no longer be paid by link.')
  const sent = await linkMailsOf(ctx, app, payment)
  const since = ctx.clock.now().getTime() - DAY
  const recent = await queuedMails(ctx, app.appId, ALL, MOST.ofAppDay)
  const ofDay = recent.filter(({ queuedTime }) => queuedTime.getTime() > since)
  if (sent.length >= MOST.ofPayment || ofDay.length >= MOST.ofAppDay) return false
  const { paymentId, amountMinor, currency, customerId, details, expirationTime } = payment
  const data = {
    amountMinor: String(amountMinor),
    currency,
    description: details.description || null,
    reference: details.orderId || payment.referenceId,
    message: message || null,
    until: expirationTime?.toISOString() ?? null,
    url: paymentLink(ctx, payment),
  }
  return ctx.db.transaction(async (tx) => {
    // Two requests at the same time have the same number, and one message is sent.
    const mailId = `${idOf(payment)}${sent.length + 1}`
    const occasion = { appId: app.appId, mailId, to, locale, customerId }
    const isQueued = await queueMail(ctx, tx, occasion, { kind: 'payment-link', data })
    // The address is not named: the log outlives an erasure.
    const audited = { action: 'link.mailed', target: `payment:${paymentId}`, after: { language: locale } }
    if (isQueued) await auditApp(ctx, tx, app, audited)
    return isQueued
  })
}

async function checkMail(ctx: Context, app: App, { to, message }: Omit<LinkMail, 'locale'>): Promise<void> {
  if (!isDottedMailbox(to)) throw invalid([expected('to', 'email')])
  if (message.length > LINK_MESSAGE) throw invalid([expected('message', 'textUpTo', { most: LINK_MESSAGE })])
  if (app.isSandbox && !(await mayTestWith(ctx.db, app, to))) throw invalid([mistaken('to', 'teamMailbox')])
}
