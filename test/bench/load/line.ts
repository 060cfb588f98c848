import { once } from 'node:events'
import { connect } from 'node:net'

/** One keep-alive connection with one request at a time. */
export interface Line {
  /** False once the service has closed it. */
  isOpen(): boolean
  ask(request: string): Promise<Reply>
  close(): void
}

export interface Reply {
  readonly status: number
  readonly body: string
}

const HEAD_END = '\r\n\r\n'
const LAST_CHUNK = '\r\n0\r\n\r\n'

/**
 * Minimal HTTP: load and service share the machine, so the load must be cheap. An HTTP client library
 * costs five times as much.
 */
export async function openLine(url: string, localAddress?: string): Promise<Line> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), ...(localAddress ? { localAddress } : {}) })
  await once(socket, 'connect')
  socket.setNoDelay(true)
  // One character per byte, without decoding.
  socket.setEncoding('latin1')
  let received = ''
  let waiting: { resolve(reply: Reply): void; reject(error: Error): void } | undefined
  socket.on('data', (chunk: string) => {
    received += chunk
    const reply = readReply(received)
    if (!reply) return
    received = ''
    waiting?.resolve(reply)
  })
  const lost = () => waiting?.reject(new Error('the connection was closed before the response'))
  socket.on('error', lost)
  socket.on('close', lost)
  return {
    isOpen: () => !socket.destroyed,
    ask: (request) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) throw new Error('the connection was closed before the request')
        waiting = { resolve, reject }
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}

/** Undefined until the response is complete. A list has chunks, whose lengths stay in the body. */
function readReply(text: string): Reply | undefined {
  const end = text.indexOf(HEAD_END)
  if (end < 0) return undefined
  const head = text.slice(0, end)
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
  const start = end + HEAD_END.length
  const isComplete = /\r\ntransfer-encoding: chunked/i.test(head)
    ? text.endsWith(LAST_CHUNK)
    : text.length >= start + length
  if (!isComplete) return undefined
  return { status: Number(head.slice(9, 12)), body: text.slice(start) }
}
