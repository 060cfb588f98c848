import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MINUTE } from '../../../base/clock.ts'
import { errorData } from '../../../base/log.ts'
import { type BankAnswer, errorAnswer } from '../answer.ts'
import type { BankContext } from '../context.ts'
import { RefusedError } from '../rules/refused.ts'
import { dispatch, type RawRequest } from './dispatch.ts'

const HOST = '127.0.0.1'
const BODY_BYTES = 64 * 1024
/** Longer than any client's idle timeout, so the bank never closes a connection that is about to be used. */
const IDLE_MS = 10 * MINUTE

export interface BankServer {
  readonly url: string
  stop(): Promise<void>
}

/** The bank's HTTP server. It uses node:http directly, because each payment in a benchmark calls it twice. */
export async function startBankServer(bank: BankContext): Promise<BankServer> {
  const stopping = new AbortController()
  const server = createServer((request, response) => {
    void respond(bank, request, response, stopping.signal)
  })
  server.keepAliveTimeout = IDLE_MS
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    // Exclusive: with several processes on one node, each process has its own bank and port.
    server.listen({ port: 0, host: HOST, exclusive: true }, resolve)
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://${HOST}:${port}`, stop: () => stop(server, stopping) }
}

/** Grace period for requests in progress before open connections are closed. */
const GRACE_MS = 1_000

async function stop(server: Server, stopping: AbortController): Promise<void> {
  stopping.abort()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const forceClose = setTimeout(() => server.closeAllConnections(), GRACE_MS)
  await closed
  clearTimeout(forceClose)
}

async function respond(
  bank: BankContext,
  request: IncomingMessage,
  response: ServerResponse,
  stopping: AbortSignal,
): Promise<void> {
  try {
    const given = await dispatch(bank, rawRequest(request))
    const { replyFault } = given
    if (replyFault && replyFault.afterMs > 0) await bank.clock.sleep(replyFault.afterMs, stopping)
    if (stopping.aborted) response.setHeader('connection', 'close')
    if (replyFault?.kind === 'cut') request.socket.destroy()
    else send(response, given)
  } catch (error) {
    bank.log.error('sandbox.bank.failed', errorData(error))
    send(response, errorAnswer(500, 'internal', 'The bank met an error.'))
  }
}

function send(response: ServerResponse, { status, body, replyFault }: BankAnswer): void {
  const failed = replyFault?.kind === 'server-error'
  const text = failed ? '{"error":{"code":"internal","message":"The bank met an error."}}' : body
  const sent = replyFault?.kind === 'garbled' ? text.slice(0, text.length >> 1) : text
  response.writeHead(failed ? 500 : status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(sent),
  })
  response.end(sent)
}

function rawRequest(request: IncomingMessage): RawRequest {
  const { method = '', url = '/', headers } = request
  const key = headers['idempotency-key']
  return {
    method,
    url,
    authorization: headers.authorization,
    idempotencyKey: typeof key === 'string' ? key : undefined,
    body: () => readBody(request),
  }
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
