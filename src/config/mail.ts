import { isSender } from '../base/mailbox.ts'
import { Secret } from '../base/secret.ts'
import { parseUrl } from '../base/text.ts'
import { count, type Setting } from './values.ts'

/** The server that sends e-mails, and their sender. */
export interface MailConfig {
  readonly smtpUrl: Secret
  readonly from: { readonly name: string; readonly address: string }
  /** E-mails of one app on a day. */
  readonly perAppDay: number
}

const MAX_PER_DAY = 100_000_000

/** `Shop <mail@shop.example>` or the address alone. */
function sender(text: string): MailConfig['from'] | undefined {
  const [, name = '', bracketed] = /^([^<>"\r\n]{0,100})<([^<>]+)>$/.exec(text) ?? []
  const address = bracketed ?? text
  return isSender(address) ? { name: name.trim(), address } : undefined
}

function smtpUrl(text: string): Secret | undefined {
  const url = parseUrl(text)
  const isSmtp = url && /^smtps?:$/.test(url.protocol) && url.hostname !== ''
  return isSmtp && !/[?#]/.test(text) && /^\/?$/.test(url.pathname) ? new Secret(text) : undefined
}

export const MAIL_SETTINGS = {
  SMTP_URL: {
    description:
      'The server that sends e-mails. `smtps` is TLS from the start, port 465; `smtp` is STARTTLS where ' +
      'the server offers it, port 587, and in production required with a password.',
    mustBe: 'an address like smtp://user:password@host:587, with user and password escaped for URLs',
    parse: smtpUrl,
    defaultSays: 'no e-mails',
    isSecret: true,
  },
  MAIL_FROM: {
    description: 'The sender of e-mails. Apps may set another name and an address for replies.',
    mustBe: 'an address like mail@shop.example or Name <mail@shop.example>',
    parse: sender,
    defaultSays: 'required with `SMTP_URL`',
  },
  MAIL_DAILY_LIMIT: {
    description:
      'How many e-mails one app may send on a day (UTC). Further ones are left out and logged once.',
    mustBe: `a whole number from 1 to ${MAX_PER_DAY}`,
    parse: (text) => count(text, MAX_PER_DAY),
    byDefault: '10000',
  },
} as const satisfies Record<string, Setting<unknown>>

interface MailValues {
  readonly SMTP_URL: Secret | undefined
  readonly MAIL_FROM: MailConfig['from'] | undefined
  readonly MAIL_DAILY_LIMIT: number
}

/** Undefined without a server. Adds a problem when the sender is missing. */
export function readMail(values: MailValues, problems: string[]): { readonly mail: MailConfig } | undefined {
  const { SMTP_URL: url, MAIL_FROM: from, MAIL_DAILY_LIMIT: perAppDay } = values
  if (!url) return undefined
  if (!from) problems.push('MAIL_FROM is required with SMTP_URL')
  return from && { mail: { smtpUrl: url, from, perAppDay } }
}
