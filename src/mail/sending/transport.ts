import type { Config } from '../../config.ts'
import { slot } from '../../node/slot.ts'
import { MAILS } from '../schedule.ts'

export interface SmtpMessage {
  readonly messageId: string
  readonly from: { readonly name: string; readonly address: string }
  readonly to: string
  readonly replyTo?: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
  /** Shown by the HTML as `cid:logo`. */
  readonly logo?: { readonly bytes: Uint8Array; readonly type: string }
}

export type SmtpResult =
  | { readonly kind: 'accepted' }
  /** The error holds no text of the server, which may repeat the address. */
  | { readonly kind: 'refused'; readonly error: string; readonly isPermanent: boolean }

export interface MailTransport {
  send(message: SmtpMessage): Promise<SmtpResult>
  close(): void
}

type Transporter = Awaited<ReturnType<typeof openTransporter>>

/** The connections to the mail server. The library is loaded by the first message. */
function createMailTransport(config: Pick<Config, 'mail' | 'production'>): MailTransport {
  let opened: Promise<Transporter> | undefined
  function close(): void {
    void opened?.then((transporter) => transporter.close())
    opened = undefined
  }
  return {
    async send(message) {
      opened ??= openTransporter(config)
      const transporter = await opened
      const sent = transporter.sendMail(mailOf(message)).then(
        () => ({ kind: 'accepted' }) as const,
        (error: SmtpError) => refusalOf(error),
      )
      return inTime(sent, close)
    },
    close,
  }
}

export const mailTransport = slot(
  'mailTransport',
  ({ config }: { readonly config: Config }) => createMailTransport(config),
  {
    holds: 'connections to the mail server',
    until: 'ten seconds without a message; a stop',
    restart: 'nothing: they are opened again',
  },
)

async function openTransporter({ mail, production }: Pick<Config, 'mail' | 'production'>) {
  if (!mail) throw new Error('SMTP_URL is not set')
  const { createTransport } = await import('nodemailer')
  const url = new URL(mail.smtpUrl.reveal())
  const isSecure = url.protocol === 'smtps:'
  const auth = url.username && {
    user: decodeURIComponent(url.username),
    pass: decodeURIComponent(url.password),
  }
  return createTransport({
    pool: true,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (isSecure ? 465 : 587),
    secure: isSecure,
    // A password is not sent in the clear.
    requireTLS: production && !isSecure && auth !== '',
    ...(auth && { auth }),
    maxConnections: MAILS.shares.perNode,
    // The queue in the database repeats: a repetition here could be sent twice.
    maxRequeues: 0,
    idleTimeout: MAILS.connectMs,
    connectionTimeout: MAILS.connectMs,
    greetingTimeout: MAILS.connectMs,
    socketTimeout: MAILS.answerMs,
    dnsTimeout: MAILS.connectMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** Addresses are objects and the envelope is given, so that no text is parsed as a list of addresses. */
const mailOf = ({ messageId, from, to, replyTo, subject, text, html, headers, logo }: SmtpMessage) => ({
  messageId,
  from,
  to: { name: '', address: to },
  ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
  envelope: { from: from.address, to: [to] },
  subject,
  text,
  html,
  headers: { ...headers },
  ...(logo && {
    attachments: [
      {
        cid: 'logo',
        filename: 'logo',
        content: Buffer.from(logo.bytes),
        contentType: logo.type,
        contentDisposition: 'inline' as const,
      },
    ],
  }),
})

/** A server that goes on answering slowly does not hold the message longer than its lease. */
async function inTime(sent: Promise<SmtpResult>, giveUp: () => void): Promise<SmtpResult> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<SmtpResult>((resolve) => {
    timer = setTimeout(() => {
      giveUp()
      resolve({ kind: 'refused', error: 'The mail server took too long.', isPermanent: false })
    }, MAILS.tryMs).unref()
  })
  try {
    return await Promise.race([sent, late])
  } finally {
    clearTimeout(timer)
  }
}

interface SmtpError {
  readonly code?: string
  readonly responseCode?: number
  readonly response?: string
  readonly command?: string
}

/** Only refusals of the recipient or the message are for good; others concern the connection. */
function refusalOf({ code, responseCode, response = '', command }: SmtpError): SmtpResult {
  const [, enhanced = ''] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? []
  if (responseCode === undefined)
    return {
      kind: 'refused',
      error: `No answer of the mail server (${code ?? 'unknown'}).`,
      isPermanent: false,
    }
  const answered = [responseCode, enhanced].filter(Boolean).join(' ')
  const isAboutMessage = code === 'EENVELOPE' || code === 'EMESSAGE'
  return {
    kind: 'refused',
    error: `The mail server answered ${answered} to ${command ?? 'the connection'}.`,
    isPermanent: responseCode >= 500 && isAboutMessage,
  }
}
