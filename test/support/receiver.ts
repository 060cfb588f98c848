import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type Answer, good, type TestApp } from './tender.ts'

/** One webhook as a merchant's server got it. */
interface Hook {
  readonly headers: Readonly<Record<string, string>>
  readonly path: string
  /** Byte for byte. */
  readonly body: string
  readonly event: Answer
}

export interface Receiver {
  readonly url: string
  readonly port: number
  readonly hooks: readonly Hook[]
  /** How the next webhooks are answered. */
  answer: (hook: Hook, response: ServerResponse, request: IncomingMessage) => unknown
  /** The most that were being answered at once. */
  readonly mostAtOnce: number
  /** The states of one payment, in the order in which they came. */
  states(paymentId: number): string[]
  /** Resolves when this many have come. */
  count(wanted: number, withinMs?: number): Promise<void>
  stop(): Promise<void>
}

export const answerWith =
  (status: number, headers: Record<string, string> = {}, text = ''): Receiver['answer'] =>
  (_hook, response) =>
    response.writeHead(status, headers).end(text)

/** A merchant's server on loopback. It answers 200 unless told otherwise. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const hooks: Hook[] = []
  const sockets = new Set<Socket>()
  let atOnce = 0
  let mostAtOnce = 0
  const server = createServer(async (request, response) => {
    atOnce++
    mostAtOnce = Math.max(mostAtOnce, atOnce)
    response.on('close', () => atOnce--)
    const hook = await readHook(request)
    hooks.push(hook)
    await receiver.answer(hook, response, request)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve, reject) => server.on('error', reject).listen(port, '127.0.0.1', resolve))
  const { port: listening } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${listening}/hooks`,
    port: listening,
    hooks,
    answer: answerWith(200),
    get mostAtOnce() {
      return mostAtOnce
    },
    states: (paymentId) =>
      hooks
        .filter(({ event }) => event.payment?.paymentId === paymentId)
        .map(({ event }) => event.payment.paymentState),
    async count(wanted, withinMs = 60_000) {
      const end = performance.now() + withinMs
      while (hooks.length < wanted) {
        if (performance.now() > end) throw new Error(`${hooks.length} of ${wanted} webhooks came`)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
  return receiver
}

async function readHook(request: IncomingMessage): Promise<Hook> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString('utf8')
  return {
    headers: request.headers as Record<string, string>,
    path: request.url ?? '',
    body,
    event: JSON.parse(body),
  }
}

/** Changes the settings of an app; its own path has nothing after the id. */
export const settings = async (app: TestApp, changes: object): Promise<Answer> =>
  good(await app.call('PATCH', `../${app.appId}`, changes))

export const readApp = async (app: TestApp): Promise<Answer> => good(await app.call('GET', `../${app.appId}`))
