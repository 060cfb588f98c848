import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { Secret } from '../../src/base/secret.ts'
import type { MailConfig } from '../../src/config/mail.ts'

/** A message as the server received it. */
export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** Names in lower case, values unfolded and decoded. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly html: string
  readonly raw: string
}

/** What the server does with the next message. */
type Behaviour = { readonly at: 'rcpt' | 'data'; readonly code: number } | 'cut before' | 'cut after'

export interface MailServer {
  readonly mail: MailConfig
  readonly received: ReceivedMail[]
  /** How the next messages are treated, in order; afterwards all are accepted. */
  readonly next: Behaviour[]
  /** When set, messages wait for it before they are answered. */
  gate: Promise<unknown> | undefined
  stop(): Promise<void>
}

/** A real SMTP server without TLS and authentication, on a free port. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const next: Behaviour[] = []
  const world: { gate: Promise<unknown> | undefined } = { gate: undefined }
  const refusal = (code: number) => Object.assign(new Error('refused <by@test>'), { responseCode: code })
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo(_address, _session, done) {
      const how = next[0]
      if (typeof how !== 'object' || how.at !== 'rcpt') return done()
      next.shift()
      done(refusal(how.code))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        await world.gate
        const how = next.shift()
        if (how === 'cut before') return cut(session.id)
        if (typeof how === 'object') return done(refusal(how.code))
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom ? mailFrom.address : ''
        const to = rcptTo.map(({ address }) => address)
        received.push({ from, to, ...parsed(Buffer.concat(chunks).toString('utf8')) })
        if (how === 'cut after') return cut(session.id)
        done()
      })
    },
  })
  const cut = (id: string) => {
    for (const connection of server.connections)
      if (connection.id === id) (connection as unknown as { _socket: { destroy(): void } })._socket.destroy()
  }
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    mail: {
      smtpUrl: new Secret(`smtp://127.0.0.1:${port}`),
      from: { name: 'Tender test', address: 'mail@tender.test' },
      perAppDay: 1_000,
    },
    received,
    next,
    get gate() {
      return world.gate
    },
    set gate(gate) {
      world.gate = gate
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function parsed(raw: string): Pick<ReceivedMail, 'headers' | 'text' | 'html' | 'raw'> {
  const { headers } = partOf(raw)
  const parts = leavesOf(raw)
  const bodyOf = (type: string) =>
    parts.find((part) => part.headers['content-type']?.startsWith(type))?.body ?? ''
  return { headers, text: bodyOf('text/plain'), html: bodyOf('text/html'), raw }
}

interface Part {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

function partOf(raw: string): Part {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), decodedWords(line.slice(colon + 1).trim())]
    }),
  )
  return { headers, body: raw.slice(end + 4) }
}

/** The parts without parts of their own, decoded. */
function leavesOf(raw: string): Part[] {
  const part = partOf(raw)
  const boundary = /boundary="?([^";]+)"?/.exec(part.headers['content-type'] ?? '')?.[1]
  if (!boundary) return [{ ...part, body: decoded(part) }]
  const pieces = part.body.split(`--${boundary}`).slice(1, -1)
  return pieces.flatMap((piece) => leavesOf(piece.replace(/^\r\n/, '').replace(/\r\n$/, '')))
}

function decoded({ headers, body }: Part): string {
  const encoding = headers['content-transfer-encoding']
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body.replaceAll('\r\n', '\n')
  const soft = body.replace(/=\r\n/g, '').replaceAll('\r\n', '\n')
  return Buffer.from(percentBytes(soft, /=([0-9A-F]{2})/g), 'latin1').toString('utf8')
}

const percentBytes = (text: string, pattern: RegExp): string =>
  text.replace(pattern, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** RFC 2047. */
const decodedWords = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) => {
      const bytes =
        kind.toLowerCase() === 'b'
          ? Buffer.from(word, 'base64')
          : Buffer.from(percentBytes(word.replaceAll('_', ' '), /=([0-9A-F]{2})/gi), 'latin1')
      return bytes.toString('utf8')
    })
