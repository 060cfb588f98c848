import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MINUTE } from '../../../../base/clock.ts'
import { errorData } from '../../../../base/log.ts'
import { type Answer, errorAnswer } from '../answer.ts'
import { badRequest, RefusedError } from '../rules/refused.ts'
import type { World } from '../world.ts'
import { sessionOwner } from './pages.ts'
import type { Body } from './read.ts'
import { type Caller, ROUTES } from './routes.ts'

const HOST = '127.0.0.1'
const BODY_BYTES = 64 * 1024
/** Longer than any client keeps a connection idle: the bank never closes one a request is coming on. */
const IDLE_MS = 10 * MINUTE

export interface BankServer {
  readonly url: string
  stop(): Promise<void>
}

/** The bank's door: bare node:http, because every payment of a benchmark passes through it twice. */
export async function startServer(world: World): Promise<BankServer> {
  const stopping = new AbortController()
  const server = createServer((request, response) => {
    void respond(world, request, response, stopping.signal)
  })
  server.keepAliveTimeout = IDLE_MS
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, HOST, resolve)
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://${HOST}:${port}`, stop: () => stop(server, stopping) }
}

async function stop(server: Server, stopping: AbortController): Promise<void> {
  stopping.abort()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  await closed
}

async function respond(
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
  stopping: AbortSignal,
): Promise<void> {
  try {
    const given = await handle(world, request)
    const { mishap } = given
    if (mishap && mishap.afterMs > 0) await world.clock.sleep(mishap.afterMs, stopping)
    if (stopping.aborted) response.setHeader('connection', 'close')
    if (mishap?.kind === 'cut') request.socket.destroy()
    else send(response, given)
  } catch (error) {
    world.log.error('sandbox.bank.failed', errorData(error))
    send(response, errorAnswer(500, 'internal', 'The bank met an error.'))
  }
}

function send(response: ServerResponse, { status, body, mishap }: Answer): void {
  const failed = mishap?.kind === 'server-error'
  const text = failed ? '{"error":{"code":"internal","message":"The bank met an error."}}' : body
  const sent = mishap?.kind === 'garbled' ? text.slice(0, text.length >> 1) : text
  response.writeHead(failed ? 500 : status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(sent),
  })
  response.end(sent)
}

async function handle(world: World, request: IncomingMessage): Promise<Answer> {
  try {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://bank')
    const [version, resource = '', id = '', verb = ''] = pathname.slice(1).split('/')
    const route = version === 'v1' ? findRoute(request.method ?? '', resource, id, verb) : undefined
    if (!route) throw new RefusedError(404, 'not_found', 'There is no such address.')
    const owner = ownerOf(world, request, route.caller, decoded(id))
    const rawBody = await readBody(request)
    const key = request.headers['idempotency-key']
    return await route.handle(world, {
      ...owner,
      path: pathname,
      query,
      key: typeof key === 'string' ? key : undefined,
      rawBody,
      body: parsed(rawBody),
    })
  } catch (error) {
    if (error instanceof RefusedError) return errorAnswer(error.status, error.code, error.message)
    throw error
  }
}

function findRoute(method: string, resource: string, id: string, verb: string) {
  if (id === '') return ROUTES.get(`${method} ${resource}`)
  if (resource === 'test') return ROUTES.get(`${method} test/${id}`)
  return ROUTES.get(`${method} ${resource}/*${verb === '' ? '' : `/${verb}`}`)
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw badRequest('The address is not well-formed.')
  }
}

function ownerOf(
  world: World,
  request: IncomingMessage,
  caller: Caller,
  id: string,
): { account: string; id: string } {
  if (caller === 'session') {
    const { account, paymentId } = sessionOwner(world, id)
    return { account, id: paymentId }
  }
  const key = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
  const owner = key === undefined ? undefined : world.keys.ownerOf(key)
  if (!owner || (caller === 'secret-key' && !owner.secret))
    throw new RefusedError(401, 'bad_key', 'This is not a key that may do this.')
  return { account: owner.account, id }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > BODY_BYTES) throw new RefusedError(413, 'too_large', 'The body is too large.')
    chunks.push(chunk)
  }
  return chunks.length === 1 ? (chunks[0] as Buffer).toString('utf8') : Buffer.concat(chunks).toString('utf8')
}

function parsed(text: string): Body {
  if (text === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Body
  } catch {
    // Said below, as for everything that is not an object.
  }
  throw badRequest('The body must be a JSON object.')
}
