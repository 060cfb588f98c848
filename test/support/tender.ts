import { inject } from 'vitest'
import { type Service, startService } from '../../src/app.ts'
import type { Clock } from '../../src/base/clock.ts'
import type { Random } from '../../src/base/ids.ts'
import { type Log, silentLog } from '../../src/base/log.ts'
import { Secret } from '../../src/base/secret.ts'
import type { Config } from '../../src/config.ts'
import { changeApp } from '../../src/merchants/apps/commands.ts'
import type { AppPatch } from '../../src/merchants/apps/schema.ts'
import { loadApp } from '../../src/merchants/directory.ts'
import { passwordWork } from '../../src/people/passwords/hash.ts'
import { createDatabase, PATIENCE } from './database.ts'
import { freePort } from './free-port.ts'

/** The body of a payment, as the API answers with it. */
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever member they assert, undeclared ones too
export type Answer = any

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: Answer
}

export interface TestApp {
  readonly appId: string
  readonly apiKey: string
  /** Relative to the app: `call('POST', 'payments/hosted-page', {…})`. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  create(more?: object): Promise<Answer>
  pay(paymentId: number, wish?: object): Promise<Reply>
  /** A payment that is paid with a card and authorised, or captured. */
  paid(more?: object): Promise<Answer>
  read(paymentId: number): Promise<Answer>
  act(paymentId: number, action: string): Promise<Reply>
  ledger(paymentId: number): Promise<Answer[]>
  fault(step: string, effect: string, more?: object): Promise<void>
  advance(duration: string): Promise<void>
  /** Changes settings on behalf of the service itself: a key cannot loosen what protects refunds. */
  settings(patch: AppPatch): Promise<void>
  /** How many attempts were begun. */
  attempts(paymentId: number): Promise<number>
  /** The states that webhooks will tell of, in order. */
  states(paymentId: number): Promise<string[]>
}

export interface TestService {
  readonly service: Service
  readonly url: string
  readonly databaseUrl: string
  readonly operatorToken: string
  readonly sandbox: TestApp
  readonly live: TestApp
  newMerchant(): Promise<{ sandbox: TestApp; live: TestApp }>
  stop(): Promise<void>
}

export interface TestServiceOptions {
  readonly databaseUrl?: string
  readonly role?: Config['role']
  readonly clock?: Clock
  readonly random?: Random
  readonly log?: Log
  readonly dnsServers?: readonly string[]
  readonly config?: Partial<Config>
  /** Requests a second of one API key. */
  readonly rateLimit?: number
}

/** What no request should come to, so that a test that met it tells why. */
const tellBroken: Log['error'] = (event, data) => {
  if (event === 'request.failed' || event === 'request.unavailable')
    process.stderr.write(`${event} ${JSON.stringify(data)}\n`)
}
const brokenLog: Log = { ...silentLog, error: tellBroken, warn: tellBroken }

/** Hashes of real ones take 0.2 s of CPU time; src/people/passwords has the tests of the cost. */
const CHEAP_PASSWORDS = { n: 2 ** 10, r: 8, p: 1 }

const OPERATOR_TOKEN = 'operator-token-of-the-tests'

/** The whole service on its own database, spoken to over HTTP as a merchant would. */
export async function startTestService(name: string, options: TestServiceOptions = {}): Promise<TestService> {
  const databaseUrl = options.databaseUrl ?? (await createDatabase(inject('databaseUrl'), name, 'template'))
  const port = options.config?.port ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const config: Config = {
    port,
    host: '127.0.0.1',
    publicUrl: url,
    dataDir: 'unused',
    operatorToken: new Secret(OPERATOR_TOKEN),
    secretKeys: [new Secret('a secret key of at least thirty-two characters')],
    rateLimit: options.rateLimit ?? 200,
    role: options.role ?? 'all',
    logLevel: 'warn',
    allowPrivateWebhooks: true,
    production: true,
    ...options.config,
  }
  const { clock, random, dnsServers, log = brokenLog } = options
  const service = await startService({
    config,
    databaseUrl,
    databasePatience: PATIENCE,
    log,
    ...(clock ? { clock } : {}),
    ...(random ? { random } : {}),
    ...(dnsServers ? { dnsServers } : {}),
  })
  Object.assign(passwordWork(service.ctx), { cost: CHEAP_PASSWORDS })
  const newMerchant = () => testMerchant(url, service)
  const operatorToken = OPERATOR_TOKEN
  return {
    service,
    url,
    databaseUrl,
    operatorToken,
    ...(await newMerchant()),
    newMerchant,
    stop: service.stop,
  }
}

/** A new merchant of a running service. Without its context, events cannot be read. */
export async function testMerchant(url: string, service?: Service, operatorToken = OPERATOR_TOKEN) {
  const headers = { authorization: `Bearer ${operatorToken}` }
  const { body } = await send(`${url}/api/licenses`, 'POST', { licenseName: 'Acme' }, headers)
  const [first, second] = body.apps
  return { sandbox: testApp(url, first, service), live: testApp(url, second, service) }
}

async function send(
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Reply> {
  const hasBody = body !== undefined
  const response = await fetch(url, {
    method,
    headers: { ...(hasBody ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(hasBody ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
    redirect: 'manual',
  })
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== ''
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

let references = 0
export const newReference = (): string => `ref-${process.pid}-${++references}`

/** Where the next page of a list is, under the app's address. */
export const nextPath = ({ headers }: Reply): string | undefined =>
  /\/api\/apps\/[^/]+\/([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]

export const hostedPage = (more: object = {}) => ({
  referenceId: newReference(),
  amount: 25.5,
  currency: 'EUR',
  returnUrl: 'https://shop.example.com/back?order=1',
  autoCapture: true,
  showPayRecurringInCheckout: false,
  customerOrder: { customer: { customerId: 'dana' } },
  ...more,
})

interface Credentials {
  readonly appId: string
  readonly apiKey: string
}

export function testApp(url: string, { appId, apiKey }: Credentials, service?: Service): TestApp {
  const call: TestApp['call'] = (method, path, body, headers = {}) =>
    send(`${url}/api/apps/${appId}${path && `/${path}`}`, method, body, {
      authorization: `Bearer ${apiKey}`,
      ...headers,
    })
  const create = async (more?: object) => good(await call('POST', 'payments/hosted-page', hostedPage(more)))
  const pay: TestApp['pay'] = (paymentId, wish = {}) =>
    call('POST', `test-helpers/payments/${paymentId}/pay`, wish)
  return {
    appId,
    apiKey,
    call,
    create,
    pay,
    paid: async (more) => good(await pay((await create(more)).paymentId)),
    read: async (paymentId) => good(await call('GET', `payments/${paymentId}`)),
    act: (paymentId, action) => call('POST', `payments/${paymentId}/${action}`),
    ledger: async (paymentId) => good(await call('GET', `test-helpers/ledger?paymentId=${paymentId}`)),
    fault: async (step, effect, more = {}) => {
      good(await call('POST', 'test-helpers/faults', { step, effect, ...more }))
    },
    advance: async (duration) => {
      good(await call('POST', 'test-helpers/clock', { advance: duration }))
    },
    settings: (patch) => changeSettings(service, appId, patch),
    attempts: async (paymentId) => (service ? attemptsOf(service, appId, paymentId) : 0),
    states: async (paymentId) => (service ? eventStates(service, appId, paymentId) : []),
  }
}

async function changeSettings(service: Service | undefined, appId: string, patch: AppPatch): Promise<void> {
  const app = service && (await loadApp(service.ctx, appId))
  if (!app) throw new Error('no service in this process')
  await changeApp(service.ctx, app, patch, {})
}

async function attemptsOf(service: Service, appId: string, paymentId: number): Promise<number> {
  const text = 'select attempt from payments where app_id = $1 and payment_id = $2'
  const [row] = await service.ctx.db.query<{ attempt: number }>({ name: 'test.attempts', text }, [
    appId,
    paymentId,
  ])
  return row?.attempt ?? 0
}

async function eventStates(service: Service, appId: string, paymentId: number): Promise<string[]> {
  const statement = {
    name: 'test.events',
    text: 'select state from events where app_id = $1 and payment_id = $2 order by sequence',
  }
  const rows = await service.ctx.db.query<{ state: string }>(statement, [appId, paymentId])
  return rows.map((row) => row.state)
}

/** The body of a success; a refusal fails the test with what it said. */
export function good(reply: Reply): Answer {
  if (reply.status >= 400) throw new Error(`${reply.status}: ${JSON.stringify(reply.body)}`)
  return reply.body
}
