import { after } from '../../base/clock.ts'
import { sha256 } from '../../base/secret.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../db/database.ts'
import type { App } from '../../merchants/app.ts'
import { findLogo } from '../../merchants/apps/branding.ts'
import { loadApp } from '../../merchants/directory.ts'
import { readAddress } from '../address.ts'
import { isPayerMail, isReminder, MAIL_KINDS, type Mail } from '../kinds.ts'
import { isUnsubscribed, unsubscribeUrl } from '../opt-outs.ts'
import { isOfApp, type MailContent } from '../queue.ts'
import { composeMail, senderName } from '../render/compose.ts'
import { line } from '../render/format.ts'
import { pauseAfter } from '../schedule.ts'
import { type ClaimedMail, endMail, type MailEnding } from '../store.ts'
import { hasMember } from './recipients-store.ts'
import { mailTransport, type SmtpMessage, type SmtpResult } from './transport.ts'

/** Sends a leased message and records the result. After a crash in between it is sent again. */
export async function deliverMail(ctx: Context, claimed: ClaimedMail): Promise<void> {
  const ending = await endingOf(ctx, claimed)
  const isRecorded = await endMail(ctx.db, claimed, ending, ctx.clock.now())
  const { appId, mailId, kind } = claimed
  const data = { appId, mailId, kind, ...(ending.error === null ? {} : { error: ending.error }) }
  if (!isRecorded) ctx.log.warn('mail.lease_lost', data)
  else if (ending.status === 'sent') ctx.log.debug('mail.sent', data)
  else if (ending.status === 'dropped') ctx.log.info('mail.dropped', data)
  else ctx.log.warn(`mail.${ending.status === 'failed' ? 'failed' : 'refused'}`, data)
}

const dropped = (error: string): MailEnding => ({ status: 'dropped', error })

async function endingOf(ctx: Context, claimed: ClaimedMail): Promise<MailEnding> {
  if (ctx.clock.now() >= claimed.expiresTime) return { status: 'failed', error: 'It was not sent in time.' }
  const mail = readMail(ctx, claimed)
  const to = mail && readAddress(mail.content.to)
  if (!mail || !to) return dropped(mail ? 'The address is not valid.' : 'It cannot be read.')
  const app = isOfApp(claimed.appId) ? await loadApp(ctx, claimed.appId) : undefined
  const refusal = await whyNot(ctx, mail.mail, app, to)
  if (refusal) return dropped(refusal)
  const message = await messageOf(ctx, { claimed, ...mail, app, to })
  return afterTry(ctx, claimed, await mailTransport(ctx).send(message))
}

interface ReadMail {
  readonly content: MailContent
  readonly mail: Mail
}

/** Undefined when it was sealed with a key that is gone, or is of a kind that this version does not know. */
function readMail(ctx: Context, { kind, content: sealed }: ClaimedMail): ReadMail | undefined {
  const known = MAIL_KINDS.find((one) => one === kind)
  if (!known) return undefined
  try {
    const content = JSON.parse(ctx.vault.open(sealed)) as MailContent
    return { content, mail: { kind: known, data: content.data } as Mail }
  } catch {
    return undefined
  }
}

/** What changed since the message was queued, and what a sandbox app may not send. */
async function whyNot(
  ctx: Context,
  { kind }: Mail,
  app: App | undefined,
  to: string,
): Promise<string | undefined> {
  if (app?.isSandbox && !(await mayTestWith(ctx.db, app, to))) return 'The recipient is not of the team.'
  if (!isPayerMail(kind)) return undefined
  if (!app?.isActive) return 'These e-mails are off.'
  if (kind === 'payment-link') return undefined
  if (!app.mails.payer.includes(kind)) return 'These e-mails are off.'
  if (isReminder(kind) && (await isUnsubscribed(ctx, app.appId, to))) return 'The recipient unsubscribed.'
  return undefined
}

interface Outgoing extends ReadMail {
  readonly claimed: ClaimedMail
  readonly app: App | undefined
  readonly to: string
}

async function messageOf(ctx: Context, outgoing: Outgoing): Promise<SmtpMessage> {
  const { claimed, content, mail, app, to } = outgoing
  const unsubscribe = app && isReminder(mail.kind) ? await unsubscribeUrl(ctx, app.appId, to) : undefined
  const logo = app && (await logoOf(ctx, app))
  const composed = composeMail(ctx, mail, {
    app,
    locale: content.locale,
    unsubscribe,
    ...(logo && { logo: 'cid:logo' }),
  })
  const address = ctx.config.mail?.from.address ?? ''
  const replyTo = app?.mails.replyTo ? readAddress(app.mails.replyTo) : undefined
  return {
    messageId: messageIdOf(claimed, address),
    from: { name: fromName(ctx, app), address },
    to,
    ...(replyTo && isPayerMail(mail.kind) && { replyTo }),
    subject: composed.subject,
    text: composed.text,
    html: composed.html,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'Content-Language': composed.locale,
      ...(unsubscribe && {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    ...(logo && { logo }),
  }
}

/** The same on every try, so that mail programs recognise a repetition. */
const messageIdOf = ({ appId, mailId }: ClaimedMail, from: string): string =>
  `<${sha256(`${appId}\n${mailId}`).toString('hex').slice(0, 40)}@${from.split('@')[1]}>`

/** Without characters that would need quoting. */
const fromName = (ctx: Context, app: App | undefined): string =>
  line((app ? (app.mails.fromName ?? app.friendlyName) : senderName(ctx)).replace(/[<>"@,;:\\]/g, ' '), 60)

/** Inside the message: nothing is loaded when it is read. Mail programs do not show SVG. */
async function logoOf(ctx: Context, { appId, branding }: App): Promise<SmtpMessage['logo']> {
  const logo = branding.logoHash ? await findLogo(ctx, appId, branding.logoHash) : undefined
  return logo && logo.type !== 'image/svg+xml' ? { bytes: logo.bytes, type: logo.type } : undefined
}

function afterTry(ctx: Context, { tries }: ClaimedMail, result: SmtpResult): MailEnding {
  if (result.kind === 'accepted') return { status: 'sent', error: null }
  const { error, isPermanent } = result
  const chance = (ctx.random.bytes(1)[0] ?? 0) / 255
  const pause = pauseAfter(tries + 1, isPermanent, chance)
  if (pause === undefined) return { status: 'failed', error }
  return { status: 'waiting', error, dueTime: after(ctx.clock.now(), pause) }
}

/** Domains of mail services: who has an address there knows no other who has one. */
const PUBLIC_DOMAINS: ReadonlySet<string> = new Set([
  ...['gmail.com', 'googlemail.com', 'outlook.com', 'hotmail.com', 'hotmail.co.uk', 'hotmail.fr', 'live.com'],
  ...['msn.com', 'yahoo.com', 'yahoo.co.uk', 'yahoo.co.jp', 'yahoo.fr', 'ymail.com', 'aol.com', 'icloud.com'],
  ...['me.com', 'mac.com', 'proton.me', 'protonmail.com', 'pm.me', 'gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch'],
  ...['gmx.com', 'web.de', 't-online.de', 'freenet.de', 'mail.com', 'mail.ru', 'yandex.ru', 'yandex.com'],
  ...['zoho.com', 'fastmail.com', 'tutanota.com', 'tuta.com', 'hey.com', 'qq.com', '163.com', '126.com'],
  ...['naver.com', 'orange.fr', 'free.fr', 'laposte.net', 'libero.it', 'wp.pl', 'o2.pl', 'ziggo.nl'],
  ...['comcast.net', 'verizon.net', 'att.net', 'btinternet.com', 'rediffmail.com', 'uol.com.br'],
])

/**
 * Whether a sandbox app may write to an address: that of a member of its licence, also with a `+tag`, or one
 * of the same domain, unless that is a mail service's. `to` as `readAddress` returns it.
 */
export function mayTestWith(
  db: Queryable,
  { licenseId }: { readonly licenseId: string },
  to: string,
): Promise<boolean> {
  const [local = '', domain = ''] = to.toLowerCase().split('@')
  const addresses = [`${local}@${domain}`, `${withoutTag(local)}@${domain}`]
  return hasMember(db, licenseId, { addresses, domain: PUBLIC_DOMAINS.has(domain) ? null : domain })
}

/** `dana+shop` is the mailbox of `dana`. */
function withoutTag(local: string): string {
  const at = local.indexOf('+')
  return at > 0 ? local.slice(0, at) : local
}
