import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../base/clock.ts'
import { type ApiError, type FieldError, invalid, notFound, wrongField } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import type { Log } from '../base/log.ts'
import type { RequestState } from './client/request.ts'
import type { ConcurrencyLimit } from './content/concurrency.ts'
import { holdPlace } from './content/held-place.ts'
import { refuseCards, withoutUnknown } from './content/known-members.ts'
import { inspectText } from './inspect.ts'
import { PROBLEM_TYPE, problemOf, toApiError } from './problem.ts'
import { readQuery } from './query.ts'
import type { Call, Route } from './route.ts'
import { type Check, createCheck } from './validate.ts'

/** An answer ready to be sent, or to be stored and sent again. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Not stored for repeats: the same request may get another answer later. */
  readonly isTransient?: boolean
}

/** An answer that is sent once: its body may also be bytes or a stream. */
interface Outgoing extends Omit<Answer, 'body'> {
  readonly body: string | Buffer | Readable
}

export interface Repeatable {
  /** Owner of the keys: an app's id, or the operator's name. */
  readonly scope: string
  readonly key: string
  readonly method: string
  readonly target: string
  readonly rawBody: Uint8Array
  readonly secret: boolean
}

/** Runs the work once for each Idempotency-Key and answers repeats with the first answer. */
export type Repeats = (request: Repeatable, work: () => Promise<Answer>) => Promise<Answer>

interface Checks {
  readonly body: Check | undefined
  readonly query: Check | undefined
  readonly params: Check | undefined
}

/** Headers of every answer: no content sniffing, no caching. */
export const SAFE_HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' } as const

const JSON_TYPE = 'application/json; charset=utf-8'
const KEY = /^[\x21-\x7e]+$/

export interface Answering {
  readonly clock: Clock
  readonly log: Log
  readonly repeats: Repeats | undefined
  readonly concurrency: ConcurrencyLimit
}

/** Handles a request after its guard: read, validate, run, store, send. */
export function createAnswerer(route: Route, { log, repeats, concurrency, clock }: Answering) {
  const checks: Checks = {
    body: route.body && createCheck(route.body),
    query: route.query && createCheck(route.query),
    params: route.params && createCheck(route.params),
  }
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const call = readCall(route, checks, request, reply)
    const once = { work: () => run(route, request, call, log), repeats }
    const work = () => answerOnce(route, request, call, once)
    const { list } = route
    return list ? sendInTurn(request, reply, { work, list, concurrency, clock }) : send(reply, await work())
  }
}

interface Work {
  readonly work: () => Promise<Outgoing>
}

interface ListWork extends Work {
  readonly list: true | 'export'
}

function answerOnce(
  route: Route,
  request: FastifyRequest,
  call: Call,
  { work, repeats }: Work & { readonly repeats: Repeats | undefined },
): Promise<Outgoing> {
  const { scope, rawBody } = request.tender
  const { idempotencyKey: key } = call
  if (!repeats || scope === undefined || key === undefined) return work()
  const { method, secret = false } = route
  return repeats({ scope, key, method, target: request.url, rawBody, secret }, async () => {
    const { body, ...answer } = await work()
    if (typeof body !== 'string') throw new Error('only text is stored for repeats')
    return { ...answer, body }
  })
}

/** Sends a list within the app's concurrency limit, held from the first read to the last byte. */
async function sendInTurn(
  request: FastifyRequest,
  reply: FastifyReply,
  { work, list, concurrency, clock }: ListWork & Pick<Answering, 'concurrency' | 'clock'>,
): Promise<FastifyReply> {
  const { raw } = reply
  const place = holdPlace(raw, await concurrency.enter(request.tender.scope ?? request.tender.network))
  const sent = new AbortController()
  raw.once('close', () => sent.abort())
  const answer = await place.during(work)
  void endSlow(raw, { list, clock, sent: sent.signal })
  return send(reply, answer)
}

interface Sending extends Pick<ListWork, 'list'> {
  readonly clock: Clock
  /** Aborted when the answer is sent or the client has disconnected. */
  readonly sent: AbortSignal
}

/** Disconnects a client that does not take its list in time, or nothing more of its export. */
async function endSlow(raw: FastifyReply['raw'], { list, clock, sent }: Sending): Promise<void> {
  let takenBytes: number
  const bytesNow = () => raw.socket?.bytesWritten ?? 0
  do {
    takenBytes = bytesNow()
    await clock.sleep(LIMITS.listSendMs, sent)
    if (sent.aborted) return
  } while (list === 'export' && bytesNow() > takenBytes)
  raw.destroy()
}

function readCall(route: Route, checks: Checks, request: FastifyRequest, reply: FastifyReply): Call {
  const params = request.params as Record<string, string>
  for (const [name, value] of Object.entries(params)) {
    // The router lets a parameter match an empty text.
    if (value === '') throw notFound('The path')
    inspectText(name, value)
  }
  const query = readQuery(request.url)
  const sent = route.rawBody ? request.tender.rawBody : (request.body ?? (route.body ? {} : undefined))
  if (route.body) refuseCards(route.body, sent)
  const errors: FieldError[] = [
    ...(checks.params?.(params) ?? []),
    ...(checks.query?.(query) ?? []),
    ...(checks.body?.(sent) ?? []),
  ]
  if (errors.length > 0) throw invalid(errors)
  const body = route.body ? withoutUnknown(route.body, sent) : sent
  const { headers, id: requestId } = request
  const { keyId, actor, address, network } = request.tender
  const idempotencyKey = readKey(route, headers)
  return { body, query, params, headers, requestId, address, network, reply, idempotencyKey, keyId, actor }
}

function readKey(route: Route, headers: FastifyRequest['headers']): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined || route.method !== 'POST') return undefined
  if (typeof key !== 'string' || !KEY.test(key) || key.length > LIMITS.idempotencyKeyLength)
    throw invalid([
      wrongField('Idempotency-Key', `must be 1 to ${LIMITS.idempotencyKeyLength} visible ASCII characters`),
    ])
  inspectText('Idempotency-Key', key)
  return key
}

/** An error becomes an answer too: unless it is transient, it is stored and repeated like any other. */
async function run(route: Route, request: FastifyRequest, call: Call, log: Log): Promise<Outgoing> {
  try {
    call.reply.code(route.status)
    const result = await route.handler(request.tender.caller, call)
    const status = call.reply.statusCode
    if (result === undefined) return { status, headers: {}, body: '' }
    const isReady = typeof result === 'string' || result instanceof Buffer || result instanceof Readable
    const body = isReady ? result : JSON.stringify(result)
    const contentType = String(call.reply.getHeader('content-type') ?? route.contentType ?? JSON_TYPE)
    return { status, headers: { 'content-type': contentType }, body }
  } catch (error) {
    return problemAnswer(toApiError(error, log, request.id), request.id)
  }
}

/** Default for every transient error; a rate limiter overrides it. */
const RETRY_AFTER = { 'retry-after': '1' }

export const problemAnswer = (error: ApiError, requestId: string): Answer => ({
  status: error.status,
  headers: {
    'content-type': PROBLEM_TYPE,
    ...(error.isTransient ? RETRY_AFTER : {}),
    ...error.extras.headers,
  },
  body: JSON.stringify(problemOf(error, requestId)),
  // An internal failure may not recur either.
  isTransient: error.isTransient || error.status >= 500,
})

export function send(reply: FastifyReply, { status, headers, body }: Outgoing): FastifyReply {
  // Absent when the framework refused the request before any hook.
  const state = reply.request.tender as RequestState | undefined
  if (state && typeof body === 'string') state.answer = body
  return reply.code(status).headers(headers).send(body)
}

/** Refusals of the size and the rate of a page's request are pages; what else cannot be read is a problem. */
export function renderRefusal(log: Log, refused: NonNullable<Route['refused']>) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const known = toApiError(error, log, request.id, request.routeOptions.bodyLimit)
    if (known.status !== 413 && known.status !== 429)
      return void send(reply, problemAnswer(known, request.id))
    const { html, status = known.status, headers } = refused(known, request.headers)
    reply.code(status).headers(headers).type('text/html; charset=utf-8').send(html)
  }
}
