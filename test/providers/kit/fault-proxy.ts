import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * An HTTP proxy in front of a simulator that damages chosen exchanges on the socket. Adapters get its origin
 * instead of the simulator's.
 */
export interface FaultProxy {
  readonly origin: string
  /** Damages the next matching request. Faults are used in the order in which they were armed. */
  arm(fault: Fault): void
  /** Removes faults that were not used. Returns how many there were. */
  disarm(): number
  /** All requests, in order of arrival. */
  readonly exchanges: readonly Exchange[]
  close(): Promise<void>
}

export const FAULTS = [
  /** The connection ends before the provider sees the request. */
  'cut-before',
  /** The provider acts, then the connection ends without an answer. */
  'cut-after',
  /** The provider never sees the request, and no answer comes. */
  'hang-before',
  /** The provider acts, and no answer comes. */
  'hang-after',
  /** The provider acts, but the answer is an error of a gateway. */
  'error-after',
  /** The gateway answers with an error, and the provider never sees the request. */
  'error-before',
  /** The provider acts, and the connection ends in the middle of its answer. */
  'half-body',
  /** The provider acts, and the answer says it is JSON but is not. */
  'garbage',
  /** The provider acts, and the answer is a web page with status 200. */
  'html',
  /** Refused with 429 and `Retry-After`; the provider never sees the request. */
  'rate-limited',
  /** The answer is complete, but comes late and in pieces. */
  'slow',
] as const
export type FaultKind = (typeof FAULTS)[number]

/** Whether the provider acts although the client gets no usable answer. */
export const actsUnder = (kind: FaultKind): boolean =>
  !['cut-before', 'hang-before', 'error-before', 'rate-limited'].includes(kind)

interface Fault {
  readonly kind: FaultKind
  /** Which requests count. Absent: all. */
  readonly match?: (request: ProxiedRequest) => boolean
  /** Which of the matching requests is damaged, counted from arming. The first, if absent. */
  readonly nth?: number
  /** Status of `error-after` and `error-before`. 502, if absent. */
  readonly status?: number
  /** Of `rate-limited`. 1, if absent. */
  readonly retryAfterSeconds?: number
  /** How late the answer of `slow` is. */
  readonly delayMs?: number
}

export interface ProxiedRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Exchange extends ProxiedRequest {
  readonly fault?: FaultKind
  /** What the provider answered, whether or not the client got it. Absent: it was not asked. */
  readonly status?: number
}

interface Armed {
  readonly fault: Fault
  left: number
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: Buffer
}

export async function createFaultProxy(targetOrigin: string): Promise<FaultProxy> {
  const target = new URL(targetOrigin)
  const armed: Armed[] = []
  const exchanges: Exchange[] = []

  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy())
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await bytesOf(request)
    const seen: ProxiedRequest = {
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: flat(request.headers),
      body: bytes.toString('utf8'),
    }
    const fault = take(armed, seen)
    const place = exchanges.push({ ...seen, ...(fault ? { fault: fault.kind } : {}) }) - 1
    if (fault && !actsUnder(fault.kind)) return answerWithout(response, fault)
    const answer = await forward(target, seen, bytes)
    exchanges[place] = { ...(exchanges[place] ?? seen), status: answer.status }
    await answerWith(response, answer, fault)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arm: (fault) => void armed.push({ fault, left: fault.nth ?? 1 }),
    disarm: () => armed.splice(0).length,
    exchanges,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The fault of this request, if one is due. All armed faults count the request, the first due is used. */
function take(armed: Armed[], request: ProxiedRequest): Fault | undefined {
  const matching = armed.filter(({ fault }) => fault.match?.(request) ?? true)
  for (const one of matching) one.left -= 1
  const due = matching.find(({ left }) => left <= 0)
  if (!due) return undefined
  armed.splice(armed.indexOf(due), 1)
  return due.fault
}

function answerWithout(response: ServerResponse, fault: Fault): void {
  switch (fault.kind) {
    case 'rate-limited': {
      const headers = { 'retry-after': String(fault.retryAfterSeconds ?? 1), 'content-type': 'text/plain' }
      response.writeHead(429, headers).end('Too many requests')
      return
    }
    case 'error-before':
      gatewayError(response, fault)
      return
    case 'hang-before':
      return
    default:
      response.destroy()
  }
}

async function answerWith(response: ServerResponse, answer: Answer, fault: Fault | undefined): Promise<void> {
  switch (fault?.kind) {
    case undefined:
      response.writeHead(answer.status, answer.headers).end(answer.body)
      return
    case 'cut-after':
      response.destroy()
      return
    case 'hang-after':
      return
    case 'error-after':
      gatewayError(response, fault)
      return
    case 'garbage':
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"unfinished": ')
      return
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Sign in to continue')
      return
    case 'half-body':
      await halfOf(response, answer)
      return
    default:
      await slowly(response, answer, fault?.delayMs ?? 100)
  }
}

const gatewayError = (response: ServerResponse, { status = 502 }: Fault): void =>
  void response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')

/** The headers announce all of the body, and the connection ends in the middle of it. */
async function halfOf(response: ServerResponse, { status, headers, body }: Answer): Promise<void> {
  response.writeHead(status, { ...headers, 'content-length': String(Math.max(2, body.length)) })
  const half = body.length > 1 ? body.subarray(0, Math.floor(body.length / 2)) : Buffer.from(' ')
  await new Promise((resolve) => response.write(half, resolve))
  response.destroy()
}

async function slowly(response: ServerResponse, { status, headers, body }: Answer, delayMs: number) {
  const pause = () => new Promise((resolve) => setTimeout(resolve, delayMs / 2))
  await pause()
  response.writeHead(status, headers)
  const middle = Math.floor(body.length / 2)
  response.write(body.subarray(0, middle))
  await pause()
  response.end(body.subarray(middle))
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const flat = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/** Headers of one connection, which the proxy sets for itself. */
const OF_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host']

function forward(target: URL, { method, path, headers }: ProxiedRequest, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.includes(name)))
    const outgoing = send(
      { host: target.hostname, port: target.port, method, path, headers: { ...kept, host: target.host } },
      (incoming) => {
        bytesOf(incoming).then((bytes) => resolve(answerOf(incoming, bytes)), reject)
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function answerOf({ statusCode = 502, headers }: IncomingMessage, body: Buffer): Answer {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || OF_CONNECTION.includes(name) ? [] : [[name, value] as const],
  )
  return { status: statusCode, headers: Object.fromEntries(kept), body }
}
