import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newWebhookSecret, systemRandom } from '../../src/base/ids.ts'
import { modelOf } from '../../src/reference/sdk/model.ts'
import { signedHeaders } from '../../src/webhooks/delivery/sign.ts'
import { type Answer, startTestService, type TestService } from '../support/tender.ts'
import {
  type Driver,
  INSTALLED,
  type Outcome,
  programDriver,
  type Step,
  type Target,
  typescriptDriver,
} from './drivers.ts'
import { type Fault, type FaultyProxy, type Seen, startProxy } from './proxy.ts'

/**
 * The same calls in every language give the same results, against one service with a merchant for each. A
 * proxy between them loses answers and refuses requests.
 */
interface Call extends Step {
  readonly what: string
  readonly as?: string
  readonly expect?: Answer
  readonly error?: Answer
  readonly faults?: readonly Fault[]
  /** How many requests are sent. 1 by default; lists send what they need. */
  readonly requests?: number
  readonly waits?: readonly number[] | 'date'
}

const CALLS: readonly Call[] = JSON.parse(readFileSync('test/clients/calls.json', 'utf8'))
const { decimals } = modelOf(JSON.parse(readFileSync('docs/reference/openapi.json', 'utf8')))
const DATE_SECONDS = 50

type Start = (target: Target) => Driver
const python: Start = (target) => programDriver('python3', ['-W', 'error', 'test/clients/drive.py'], target)
const php: Start = (target) =>
  programDriver('php', ['-d', 'display_errors=stderr', 'test/clients/drive.php'], target)

const LANGUAGES = [
  { language: 'Python', isInstalled: INSTALLED.Python, start: python },
  { language: 'PHP', isInstalled: INSTALLED.PHP, start: php },
]
const missing = LANGUAGES.filter(({ isInstalled }) => !isInstalled).map(({ language }) => language)
if (missing.length > 0)
  console.warn(`Clients are not compared, because php-guzzlehttp-guzzle or python3 is missing: ${missing}`)

const secrets = [newWebhookSecret(systemRandom), newWebhookSecret(systemRandom)] as const
const EVENT =
  '{"type":"payment.state_changed","eventId":"evt_1_1","payment":{"referenceId":"naïve – 10 €","amount":10}}'

/** Webhooks to be verified, by the names that calls.json uses. */
function webhooks(): Answer {
  const now = new Date()
  const signed = (body: string) => signedHeaders({ id: 'evt_1_1', body, now, secrets })
  const genuine = { body: EVENT, headers: signed(EVENT), secret: secrets[0] }
  const seconds = now.getTime() / 1_000
  return {
    genuine,
    older: { ...genuine, secret: secrets[1] },
    rotated: { ...genuine, secret: [newWebhookSecret(systemRandom), secrets[1]] },
    listed: {
      ...genuine,
      headers: Object.fromEntries(
        Object.entries(genuine.headers).map(([name, value]) => [name.toUpperCase(), [value]]),
      ),
    },
    altered: { ...genuine, body: EVENT.replace('10 €', '99 €') },
    stranger: { ...genuine, secret: newWebhookSecret(systemRandom) },
    old: { ...genuine, now: seconds + 302 },
    new: { ...genuine, now: seconds - 302 },
    unsigned: { ...genuine, headers: { ...genuine.headers, 'webhook-signature': '' } },
    unusable: { ...genuine, secret: '' },
    text: { ...genuine, body: 'hello', headers: signed('hello') },
  }
}

/** What one language did with a call. */
interface Done {
  readonly outcome: Outcome
  readonly requests: readonly Seen[]
}

let service: TestService
let proxy: FaultyProxy
let hooks: Answer
let usual: ReadonlyMap<string, Done>
beforeAll(async () => {
  service = await startTestService('clients')
  proxy = await startProxy(service.url)
  hooks = webhooks()
  usual = await runAll(typescriptDriver)
})
afterAll(async () => {
  await proxy?.stop()
  await service?.stop()
})

async function withDriver(start: Start, use: (driver: Driver) => Promise<void>): Promise<void> {
  const { appId, apiKey } = service.sandbox
  const driver = start({ url: proxy.url, appId, apiKey })
  try {
    await use(driver)
  } finally {
    await driver.stop()
  }
}

async function runAll(start: Start): Promise<Map<string, Done>> {
  const { sandbox } = await service.newMerchant()
  const driver = start({ url: proxy.url, appId: sandbox.appId, apiKey: sandbox.apiKey })
  const known: Answer = { hooks, operatorToken: service.operatorToken }
  const done = new Map<string, Done>()
  try {
    for (const { what, as, faults = [], call, args, options, read } of CALLS) {
      proxy.faults.push(...faults.map(dated))
      const step = filled({ call, args, options, read }, known)
      const outcome = await driver.run(step)
      if (as) known[as] = outcome.result
      done.set(what, { outcome, requests: proxy.taken() })
      expect(proxy.faults.splice(0), `${what}: faults that no request met`).toEqual([])
    }
  } finally {
    await driver.stop()
  }
  return done
}

const dated = (fault: Fault): Fault =>
  typeof fault === 'object' && fault.retryAfter === 'date'
    ? { ...fault, retryAfter: new Date(Date.now() + DATE_SECONDS * 1_000).toUTCString() }
    : fault

/** With the values that `{first.paymentId}` and the like stand for. */
function filled(value: Answer, known: Answer): Answer {
  if (Array.isArray(value)) return value.map((one) => filled(one, known))
  if (typeof value === 'object' && value !== null) return mapped(value, (one) => filled(one, known))
  const [, path] = (typeof value === 'string' && /^\{([\w.]+)\}$/.exec(value)) || []
  return path ? path.split('.').reduce((found, name) => found[name], known) : value
}

const mapped = (object: object, change: (value: Answer, name: string) => Answer): Answer =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]))

/** Amounts as numbers. In other languages they must not have been floats. */
function withNumbers(value: Answer, language: string, name = ''): Answer {
  if (typeof value === 'number' && !Number.isInteger(value) && language !== 'TypeScript')
    throw new Error(`${name} is a float in ${language}: ${value}`)
  if (decimals.has(name) && value !== null && typeof value !== 'object' && language !== 'TypeScript') {
    if (language !== 'PHP' || typeof value !== 'string') throw new Error(`${name} is a number in ${language}`)
    return Number(value)
  }
  if (typeof value?.decimal === 'string') return Number(value.decimal)
  // PHP has one type for lists and objects.
  if (Array.isArray(value))
    return value.length === 0 ? 'empty' : value.map((one) => withNumbers(one, language, name))
  if (typeof value !== 'object' || value === null) return value
  const members = mapped(value, (one, member) => withNumbers(one, language, member))
  return Object.keys(members).length === 0 ? 'empty' : members
}

const GIVEN = new Set(['referenceId', 'customerId'])
/** The end of a key, and what is written some time after its use. */
const CHANGING = new Set(['hint', 'lastUsedTime', 'lastUsedAddress'])

/** Without what differs between merchants and moments. */
function comparable(value: Answer, name = ''): Answer {
  if (Array.isArray(value)) return value.map((one) => comparable(one, name))
  if (typeof value === 'object' && value !== null)
    return mapped(value, (one, member) => comparable(one, member))
  if (CHANGING.has(name)) return '<changing>'
  if (value === null || GIVEN.has(name)) return value
  if (/(?:Id|Key|Code|Token)$/.test(name) && /\d|_/.test(String(value))) return `<${name}>`
  if (typeof value !== 'string') return value
  return value
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/(?:app|evt|req|sk_sandbox|lic|key)_\w+/g, '<id>')
    .replaceAll(/https?:\/\/127\.0\.0\.1\S*/g, '<address>')
    .replaceAll(/\b\d{5,}\b|(?<=payment-profiles\/)\d+/g, '<number>')
    .replace(/^No answer.*/, 'No answer')
}

const same = ({ outcome }: Done, language: string): Answer => {
  const { waits: _waits, ...result } = outcome
  return comparable(withNumbers(result, language))
}

/** What was sent: keys by the order in which they appeared. */
function sent({ requests }: Done): Answer {
  const keys = [...new Set(requests.map(({ headers }) => headers['idempotency-key']))]
  return requests.map(({ method, path, query, body, headers }) => ({
    method,
    ...comparable({ path: decodeURIComponent(path), query, body }),
    key: headers['idempotency-key'] === undefined ? 'none' : keys.indexOf(headers['idempotency-key']),
    prefer: headers.prefer,
    type: headers['content-type'],
  }))
}

function checkWaits({ waits, faults = [] }: Call, { outcome }: Done): void {
  if (waits === 'date') {
    expect(outcome.waits[0]).toBeLessThanOrEqual(DATE_SECONDS)
    expect(outcome.waits[0]).toBeGreaterThan(0.25)
  } else if (waits) expect(outcome.waits).toEqual(waits)
  else
    outcome.waits.forEach((seconds, place) => {
      expect(seconds).toBeLessThanOrEqual(0.25 * 2 ** place)
      expect(seconds).toBeGreaterThanOrEqual(0.125 * 2 ** place)
    })
  expect(outcome.waits.length).toBeLessThanOrEqual(faults.length)
}

it('at least 40 calls are compared', () => {
  expect(new Set(CALLS.map(({ what }) => what)).size).toBe(CALLS.length)
  expect(CALLS.length).toBeGreaterThanOrEqual(40)
})

describe('the calls in TypeScript', () => {
  it.each(CALLS.map((call) => [call.what, call] as const))('give what is expected: %s', (what, call) => {
    const done = usual.get(what) as Done
    const known = { hooks, first: usual.get('a payment with two decimals')?.outcome.result }
    if (call.error) expect(done.outcome.error).toMatchObject(call.error)
    else expect(done.outcome).not.toHaveProperty('error')
    if (call.expect) expect(done.outcome.result).toMatchObject(filled(call.expect, known))
    if (call.requests !== undefined) expect(done.requests).toHaveLength(call.requests)
    expect(new Set(done.requests.map(({ headers }) => headers['idempotency-key'])).size).toBeLessThanOrEqual(
      1,
    )
    checkWaits(call, done)
  })

  it('make one payment and one refund where answers are lost', () => {
    const movements = usual.get('the movements after it')?.outcome.result
    const refunds = movements.filter(({ kind }: Answer) => kind === 'refund')
    expect(refunds.map(({ amount }: Answer) => amount).sort()).toEqual([1.05, 5.1])
  })
})

describe.each(LANGUAGES)('the calls in $language', ({ language, isInstalled, start }) => {
  let all: ReadonlyMap<string, Done>
  beforeAll(async () => {
    if (isInstalled) all = await runAll(start)
  })

  it.skipIf(!isInstalled).each(CALLS.map((call) => [call.what, call] as const))(
    'send and give the same: %s',
    (what, call) => {
      const done = all.get(what) as Done
      const expected = usual.get(what) as Done
      expect(same(done, language)).toEqual(same(expected, 'TypeScript'))
      expect(sent(done)).toEqual(sent(expected))
      checkWaits(call, done)
      for (const { headers } of done.requests)
        expect(headers['user-agent']).toMatch(new RegExp(`^tender-pay-${language.toLowerCase()}/\\d`))
    },
  )

  it.skipIf(!isInstalled)('refuse floats, before anything is sent', async () => {
    await withDriver(start, async (driver) => {
      for (const args of [[{ referenceId: 'a', amount: 25.5 }], [{ items: [{ amount: 0.1 }] }]])
        expect((await driver.run({ call: 'payments.create', args })).error).toEqual({ refused: true })
      const refund = { call: 'payments.refund', args: [1, { amount: 0.5 }] }
      expect((await driver.run(refund)).error).toEqual({ refused: true })
    })
    expect(proxy.taken()).toEqual([])
  })
})

describe('the time limit of the client for Python', () => {
  it.skipIf(missing.includes('Python')).each(['no-reply', 'endless-reply'] as const)(
    'ends a try with %s',
    async (fault) => {
      await withDriver(python, async (driver) => {
        proxy.faults.push(fault)
        const step = { call: 'payments.get', args: [1], options: { timeout: 0.1, maxRetries: 0 } }
        expect((await driver.run(step)).error).toMatchObject({ code: 'timed_out', retryable: true })
      })
    },
  )
})
