import { connect } from 'node:net'

export interface FuzzAnswer {
  /** 0 if there was no response. */
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
  /** Why the response is incomplete. */
  readonly cut?: string
}

interface Sending {
  readonly port: number
  readonly bytes: Buffer
  readonly isHead: boolean
  /** An incomplete request: the write side is closed, or the service would wait for the rest. */
  readonly isBroken: boolean
  /** Limits of pages apply per address. */
  readonly localAddress?: string
}

/** Far above the time of any request; a later response counts as none. */
const ANSWER_MS = 60_000
const SILENT_MS = 300

/** Sends bytes on a new connection and reads until the service closes it. */
export function exchange({ port, bytes, isHead, isBroken, localAddress }: Sending): Promise<FuzzAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let why: string | undefined
    const at = { host: '127.0.0.1', port, ...(localAddress ? { localAddress } : {}) }
    const socket = connect(at, () => socket.write(bytes))
    const timer = setTimeout(() => {
      why = `no answer within ${ANSWER_MS / 1_000} s`
      socket.destroy()
    }, ANSWER_MS)
    const silence = isBroken ? setTimeout(() => socket.end(), SILENT_MS) : undefined
    socket.on('data', (chunk) => {
      clearTimeout(silence)
      const isFirst = chunks.length === 0
      chunks.push(chunk)
      // An event stream does not end.
      if (isFirst && /\r\ncontent-type: text\/event-stream/i.test(chunk.toString('latin1'))) socket.destroy()
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      why ??= error.code ?? error.message
    })
    socket.on('close', () => {
      clearTimeout(timer)
      clearTimeout(silence)
      resolve(answerOf(Buffer.concat(chunks), isHead, why))
    })
  })
}

const HEAD_END = '\r\n\r\n'

function answerOf(received: Buffer, isHead: boolean, why: string | undefined): FuzzAnswer {
  let rest = received
  for (;;) {
    const end = rest.indexOf(HEAD_END)
    if (end < 0) return { status: 0, headers: new Map(), text: '', cut: why ?? 'closed without an answer' }
    const [first = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0)
    rest = rest.subarray(end + HEAD_END.length)
    if (status < 200 && status > 0) continue
    const headers = new Map(lines.map((line) => pair(line)))
    const body = headers.get('transfer-encoding') === 'chunked' ? unchunked(rest) : rest
    const length = Number(headers.get('content-length') ?? body.length)
    const isStream = headers.get('content-type') === 'text/event-stream'
    const isShort = !isHead && !isStream && body.length < length
    const text = body.toString('utf8')
    return { status, headers, text, ...(isShort ? { cut: why ?? 'the body ends early' } : {}) }
  }
}

const pair = (line: string): [string, string] => {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}

function unchunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  let at = 0
  for (;;) {
    const end = bytes.indexOf('\r\n', at)
    const size = end < 0 ? 0 : Number.parseInt(bytes.subarray(at, end).toString('latin1'), 16)
    if (!(size > 0)) return Buffer.concat(parts)
    parts.push(bytes.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
}
