import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { ArmedBehaviour, SimulatedReply, SimulatedRequest } from '../kit/simulator.ts'
import { identity } from './certificate.ts'
import { CERTIFICATE_PATH } from './notifications.ts'
import { isPage, showPage } from './pages.ts'
import { ROUTES, type Route } from './routes.ts'
import { check } from './schemas.ts'
import { problem, unprocessable } from './views.ts'
import { type Call, newId, type Reply, type UsedKey, type World } from './world.ts'

const TOKEN_PATH = '/v1/oauth2/token'
const TOKEN_SECONDS = 32_400
const MOST_BYTES = 1_000_000

export async function readRequest(world: World, request: IncomingMessage): Promise<SimulatedRequest> {
  const body = await bodyOf(request)
  const url = new URL(request.url ?? '/', world.origin)
  return { method: request.method ?? '', url, headers: flat(request), body }
}

export async function answer(world: World, request: SimulatedRequest): Promise<SimulatedReply> {
  const { method, url, headers, body: rawBody } = request
  if (isPage(url)) return showPage(world, { method, url, rawBody })
  const reply = await replyTo(world, { method, url, headers, rawBody })
  const seen = { method, path: url.pathname + url.search, headers, body: rawBody }
  world.requests.push({ ...seen, status: reply.status })
  return written(reply)
}

function written({ status, body, headers }: Reply): SimulatedReply {
  const isText = typeof body === 'string'
  const type: Record<string, string> =
    body === undefined ? {} : { 'content-type': isText ? 'text/plain' : 'application/json' }
  const text = isText ? body : (JSON.stringify(body) ?? '')
  return { status, headers: { ...type, 'paypal-debug-id': newId().toLowerCase(), ...headers }, body: text }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size <= MOST_BYTES) chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const flat = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

interface Sent {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly rawBody: string
}

async function replyTo(world: World, sent: Sent): Promise<Reply> {
  const { method, url } = sent
  if (method === 'GET' && url.pathname === CERTIFICATE_PATH)
    return { status: 200, body: identity().certificate }
  if (method === 'POST' && url.pathname === TOKEN_PATH) return issueToken(world, sent)
  const route = ROUTES.find((one) => one.method === method && one.path.test(url.pathname))
  if (!route) {
    world.violations.push(`${method} ${url.pathname}: no such operation`)
    return problem(404)
  }
  const bearer = /^Bearer (\S+)$/.exec(sent.headers.authorization ?? '')?.[1]
  if (bearer === undefined || (world.accessTokens.get(bearer) ?? 0) <= world.now()) return problem(401)
  return readHeaders(world, sent, route) ?? perform(world, sent, route)
}

function issueToken(world: World, { headers, rawBody }: Sent): Reply {
  const { clientId, clientSecret } = world.account
  const isForm = /^application\/x-www-form-urlencoded\b/.test(headers['content-type'] ?? '')
  const form = new URLSearchParams(rawBody)
  if (!isForm || rawBody !== 'grant_type=client_credentials') {
    world.violations.push(`POST ${TOKEN_PATH}: ${rawBody}`)
    const error = form.get('grant_type') ? 'unsupported_grant_type' : 'invalid_request'
    return { status: 400, body: { error, error_description: 'Grant Type is NULL or not supported' } }
  }
  const expected = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  if (headers.authorization !== `Basic ${expected}`)
    return {
      status: 401,
      body: { error: 'invalid_client', error_description: 'Client Authentication failed' },
    }
  const token = `A21AA${newId()}${newId()}`
  world.accessTokens.set(token, world.now() + TOKEN_SECONDS * 1_000)
  const scope = 'https://uri.paypal.com/services/payments/payment'
  const body = {
    scope,
    access_token: token,
    token_type: 'Bearer',
    app_id: 'APP-80W284485P519543T',
    nonce: newId(),
  }
  return { status: 200, body: { ...body, expires_in: TOKEN_SECONDS } }
}

const HEADERS = (
  'accept accept-encoding accept-language authorization connection content-length content-type host prefer ' +
  'paypal-request-id sec-fetch-mode transfer-encoding user-agent'
).split(' ')

/** Headers that PayPal refuses, and those that a correct client would not send. */
function readHeaders(world: World, { method, url, headers, rawBody }: Sent, route: Route): Reply | undefined {
  const where = `${method} ${url.pathname}`
  for (const name of Object.keys(headers))
    if (!HEADERS.includes(name)) world.violations.push(`${where}: header ${name}`)
  for (const name of url.searchParams.keys())
    if (!route.query?.includes(name)) world.violations.push(`${where}: query ${name}`)
  const { prefer, 'paypal-request-id': key } = headers
  if (prefer !== undefined && !/^return=(minimal|representation)$/.test(prefer))
    world.violations.push(`${where}: prefer ${prefer}`)
  // Without a body the type of the body does not matter, and PayPal's own client sends the one of a form.
  const isTyped = rawBody === '' || /^application\/json\b/.test(headers['content-type'] ?? '')
  if ((method === 'POST' || method === 'PATCH') && !isTyped) {
    world.violations.push(`${where}: content-type ${headers['content-type']}`)
    return problem(415)
  }
  if (route.keepsKeysMs === undefined) {
    if (key !== undefined) world.violations.push(`${where}: takes no PayPal-Request-Id`)
    return undefined
  }
  if (key !== undefined && key.length > 0 && key.length <= 108) return undefined
  world.violations.push(`${where}: PayPal-Request-Id ${key}`)
  return problem(400, [{ issue: 'PAYPAL_REQUEST_ID_REQUIRED' }])
}

async function perform(world: World, sent: Sent, route: Route): Promise<Reply> {
  const where = `${sent.method} ${sent.url.pathname}`
  const body = parsed(sent.rawBody)
  const details = route.schema ? check(route.schema, body ?? {}) : []
  if (body === null || details.length > 0) {
    world.violations.push(`${where}: ${JSON.stringify(details)} ${sent.rawBody}`)
    return problem(400, body === null ? [{ issue: 'MALFORMED_REQUEST_JSON' }] : details)
  }
  const armed = takeArmed(world, route, body)
  if (armed?.kind === 'error') return armedError(armed)
  const call: Call = {
    world,
    id: route.path.exec(sent.url.pathname)?.[1] ?? '',
    query: sent.url.searchParams,
    body: body ?? {},
    rawBody: sent.rawBody,
    key: sent.headers['paypal-request-id'],
    armed,
    wantsAll: sent.headers.prefer === 'return=representation',
  }
  return call.key !== undefined && route.keepsKeysMs !== undefined
    ? once(call, `${where} ${sent.rawBody}`, route)
    : rendered(route.handle(call))
}

/** Undefined without a body, null if it is not JSON. */
function parsed(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

const rendered = (made: Reply | (() => Reply)): Reply => (typeof made === 'function' ? made() : made)

function takeArmed(world: World, route: Route, body: unknown): ArmedBehaviour | undefined {
  const operation = typeof route.operation === 'function' ? route.operation(body) : route.operation
  const place = world.armed.findIndex((one) => one.operation === operation)
  return place < 0 ? undefined : world.armed.splice(place, 1)[0]
}

function armedError({ status, code, retryAfterSeconds }: Extract<ArmedBehaviour, { kind: 'error' }>): Reply {
  const reply = problem(status, code === undefined ? [] : [{ issue: code }])
  if (retryAfterSeconds === undefined) return reply
  return { ...reply, headers: { 'retry-after': String(retryAfterSeconds) } }
}

/**
 * One effect for each request id. A repeated request gets the latest state of what the first one made.
 * Refusals are not kept. While the first request is processed, a second one is refused.
 */
async function once(call: Call, request: string, route: Route): Promise<Reply> {
  const { world, key } = call
  const family = `${route.keepsKeysMs} ${key}`
  const used = world.keys.get(family)
  if (used && used.until > world.now()) {
    if (used.request !== request) return unprocessable('DUPLICATE_REQUEST_ID')
    return used.replay?.() ?? problem(409, [{ issue: 'PREVIOUS_REQUEST_IN_PROGRESS' }])
  }
  const kept: UsedKey = { request, until: world.now() + (route.keepsKeysMs ?? 0), replay: undefined }
  world.keys.set(family, kept)
  await setImmediate()
  const made = route.handle(call)
  if (typeof made === 'function') kept.replay = made
  else world.keys.delete(family)
  return rendered(made)
}
