import { once } from 'node:events'
import { connect } from 'node:net'

/** One kept connection, one request at a time. */
export interface Line {
  ask(request: string): Promise<Reply>
  close(): void
}

export interface Reply {
  readonly status: number
  readonly body: string
}

const HEAD_END = '\r\n\r\n'

/**
 * HTTP by hand: what the load costs is taken from the service, as both share the machine. An HTTP client
 * takes five times as much as this.
 */
export async function openLine(url: string, localAddress?: string): Promise<Line> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), ...(localAddress ? { localAddress } : {}) })
  await once(socket, 'connect')
  socket.setNoDelay(true)
  // One character for each byte, whatever they mean.
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
  const lost = () => waiting?.reject(new Error('the connection was closed before the answer'))
  socket.on('error', lost)
  socket.on('close', lost)
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}

/** Undefined until all of it is there. */
function readReply(text: string): Reply | undefined {
  const end = text.indexOf(HEAD_END)
  if (end < 0) return undefined
  const head = text.slice(0, end)
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
  const start = end + HEAD_END.length
  if (text.length < start + length) return undefined
  return { status: Number(head.slice(9, 12)), body: text.slice(start) }
}
