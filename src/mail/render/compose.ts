import { CONSOLE_PAGES } from '../../base/console-pages.ts'
import { cut, folded } from '../../base/text.ts'
import type { Context } from '../../context.ts'
import type { App } from '../../merchants/app.ts'
import { isPayerMail, type Mail, type MailData, type MailKind } from '../kinds.ts'
import { payerLanguage, teamLanguage } from '../texts/languages.ts'
import { line } from './format.ts'
import { htmlOf, type MailLook } from './html.tsx'
import type { Block, FooterLine, Message } from './message.ts'
import { payerMessage } from './payer.ts'
import { type PersonMail, teamMessage } from './team.ts'

export interface ComposedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The language it is written in. */
  readonly locale: string
}

export interface ComposeOptions {
  /** Absent for messages of the installation itself. */
  readonly app: App | undefined
  readonly locale: string | null
  /** Where the HTML finds the logo: `cid:logo`, or an address in the preview. */
  readonly logo?: string | undefined
  readonly unsubscribe?: string | undefined
}

/** The name on messages of the installation itself. */
const INSTALLATION = 'Tender'

type Ctx = Pick<Context, 'config'>

/** Subject, text and HTML of a message. */
export function composeMail(ctx: Ctx, mail: Mail, options: ComposeOptions): ComposedMail {
  const { app, logo } = options
  const toPayer = isPayerMail(mail.kind)
  const language = toPayer ? payerLanguage(options.locale) : teamLanguage(options.locale)
  const message = messageOf(ctx, mail, options)
  const look: MailLook = {
    brand: {
      name: app ? line((toPayer && app.mails.fromName) || app.friendlyName) : senderName(ctx),
      color: app?.branding.color ?? null,
      logo,
      isSandbox: app?.isSandbox ?? false,
    },
    lang: language.locale,
    dir: language.dir,
  }
  const { locale } = language
  return {
    subject: cut(folded(message.subject), 150),
    text: plainText(message),
    html: htmlOf(message, look),
    locale,
  }
}

export const senderName = ({ config }: Ctx): string => config.mail?.from.name || INSTALLATION

function messageOf(ctx: Ctx, { kind, data }: Mail, options: ComposeOptions): Message {
  const { app, locale, unsubscribe } = options
  const timeZone = app?.timeZone ?? 'UTC'
  if (isPayerMail(kind)) {
    const scene = {
      language: payerLanguage(locale),
      shop: app ? line(app.mails.fromName ?? app.friendlyName, 60) : INSTALLATION,
      timeZone,
      isSandbox: app?.isSandbox ?? false,
      support: app?.branding.support ?? app?.mails.replyTo ?? null,
      unsubscribe,
    }
    return payerMessage(scene, kind, data as MailData[typeof kind])
  }
  const about = app && {
    name: line(app.friendlyName, 60),
    settingsUrl: ctx.config.publicUrl + CONSOLE_PAGES.mailSettings(app.appId),
  }
  const scene = { language: teamLanguage(locale), app: about, timeZone }
  return teamMessage(scene, kind satisfies MailKind as PersonMail, data as MailData[PersonMail])
}

/** The plain text of a message: one paragraph a line, for readers without HTML. */
function plainText({ heading, blocks, footer }: Message): string {
  const foot = footer.length === 0 ? '' : ['--', ...footer.map(footerText)].join('\n')
  const parts = [heading, ...blocks.map(blockText), foot]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

function blockText(block: Block): string {
  if (block.kind === 'text') return block.text
  if (block.kind === 'button') return `${block.label}:\n${block.url}`
  return block.rows.map(({ label, value }) => `${label}: ${value}`).join('\n')
}

const footerText = ({ text, url }: FooterLine): string => (url ? `${text}: ${url}` : text)
