import { setImmediate } from 'node:timers/promises'
import { type ArmedError, isJson, parsed, recordRequest, retryAfter, takeArmed } from '../kit/gate.ts'
import { partsOf } from '../kit/multipart.ts'
import type { SimulatedReply, SimulatedRequest } from '../kit/simulator.ts'
import { identity } from './certificate.ts'
import { CERTIFICATE_PATH } from './notifications.ts'
import { isPage, showPage } from './pages.ts'
import { ROUTES, type Route } from './routes.ts'
import { check } from './schemas.ts'
import { problem, unprocessable } from './views.ts'
import { type Call, newId, type Reply, type World } from './world.ts'

const TOKEN_PATH = '/v1/oauth2/token'
const TOKEN_SECONDS = 32_400

export async function answer(world: World, request: SimulatedRequest): Promise<SimulatedReply> {
  const { method, url, body: rawBody } = request
  if (isPage(url)) return showPage(world, { method, url, rawBody })
  const reply = await replyTo(world, request)
  recordRequest(world, request, reply.status)
  return written(reply)
}

function written({ status, body, headers }: Reply): SimulatedReply {
  const isText = typeof body === 'string'
  const type: Record<string, string> =
    body === undefined ? {} : { 'content-type': isText ? 'text/plain' : 'application/json' }
  const text = isText ? body : (JSON.stringify(body) ?? '')
  return { status, headers: { ...type, 'paypal-debug-id': newId().toLowerCase(), ...headers }, body: text }
}

async function replyTo(world: World, sent: SimulatedRequest): Promise<Reply> {
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

function issueToken(world: World, { headers, body }: SimulatedRequest): Reply {
  const { clientId, clientSecret } = world.account
  const isForm = /^application\/x-www-form-urlencoded\b/.test(headers['content-type'] ?? '')
  const form = new URLSearchParams(body)
  if (!isForm || body !== 'grant_type=client_credentials') {
    world.violations.push(`POST ${TOKEN_PATH}: ${body}`)
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
  const issued = {
    scope,
    access_token: token,
    token_type: 'Bearer',
    app_id: 'APP-80W284485P519543T',
    nonce: newId(),
  }
  return { status: 200, body: { ...issued, expires_in: TOKEN_SECONDS } }
}

const HEADERS = (
  'accept accept-encoding accept-language authorization connection content-length content-type host prefer ' +
  'paypal-request-id sec-fetch-mode transfer-encoding user-agent'
).split(' ')

/** Headers that PayPal refuses, and those that a correct client would not send. */
function readHeaders(world: World, sent: SimulatedRequest, route: Route): Reply | undefined {
  const { method, url, headers } = sent
  const where = `${method} ${url.pathname}`
  for (const name of Object.keys(headers))
    if (!HEADERS.includes(name)) world.violations.push(`${where}: header ${name}`)
  for (const name of url.searchParams.keys())
    if (!route.query?.includes(name)) world.violations.push(`${where}: query ${name}`)
  const { prefer, 'paypal-request-id': key } = headers
  if (prefer !== undefined && !/^return=(minimal|representation)$/.test(prefer))
    world.violations.push(`${where}: prefer ${prefer}`)
  // Without a body the type of the body does not matter, and PayPal's own client sends the one of a form.
  const isTyped = sent.body === '' || (route.takesFiles ? filesIn(sent) !== undefined : isJson(sent))
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

const filesIn = ({ headers, body }: SimulatedRequest) => partsOf(headers['content-type'], body)

async function perform(world: World, sent: SimulatedRequest, route: Route): Promise<Reply> {
  const where = `${sent.method} ${sent.url.pathname}`
  const files = route.takesFiles ? filesIn(sent) : undefined
  const body = sent.body === '' ? {} : parsed(files?.[0]?.content ?? sent.body)
  const details = route.schema ? check(route.schema, body ?? {}) : []
  if (body === undefined || details.length > 0) {
    world.violations.push(`${where}: ${JSON.stringify(details)} ${sent.body}`)
    return problem(400, body === undefined ? [{ issue: 'MALFORMED_REQUEST_JSON' }] : details)
  }
  const { operation } = route
  const armed = takeArmed(world, typeof operation === 'function' ? operation(body) : operation)
  if (armed?.kind === 'error') return armedError(armed)
  const call: Call = {
    world,
    id: route.path.exec(sent.url.pathname)?.[1] ?? '',
    query: sent.url.searchParams,
    body,
    rawBody: sent.body,
    files: files?.slice(1) ?? [],
    key: sent.headers['paypal-request-id'],
    armed,
    wantsAll: sent.headers.prefer === 'return=representation',
  }
  return call.key !== undefined && route.keepsKeysMs !== undefined
    ? once(call, `${where} ${sent.body}`, route)
    : rendered(route.handle(call))
}

const rendered = (made: Reply | (() => Reply)): Reply => (typeof made === 'function' ? made() : made)

const armedError = (armed: ArmedError): Reply => ({
  ...problem(armed.status, armed.code === undefined ? [] : [{ issue: armed.code }]),
  headers: retryAfter(armed),
})

/**
 * One effect for each request id. A repeated request gets the latest state of what the first one made.
 * Refusals are not kept. While the first request is processed, a second one is refused.
 */
async function once(call: Call, request: string, route: Route): Promise<Reply> {
  const { world, key } = call
  const family = `${route.keepsKeysMs} ${key}`
  const used = world.keys.find(family)
  if (used) {
    if (used.request !== request) return unprocessable('DUPLICATE_REQUEST_ID')
    return used.result?.() ?? problem(409, [{ issue: 'PREVIOUS_REQUEST_IN_PROGRESS' }])
  }
  const kept = world.keys.begin(family, request, route.keepsKeysMs ?? 0)
  await setImmediate()
  const made = route.handle(call)
  if (typeof made === 'function') kept.result = made
  else world.keys.drop(family)
  return rendered(made)
}
