import { gunzipSync } from 'node:zlib'
import type { Line, Reply } from './line.ts'
import type { LoadApp, Plan } from './plan.ts'

/** One unit of load; returns its payment. */
type Scenario = (line: Line, app: LoadApp, n: number) => Promise<string>

export type ScenarioName = keyof typeof SCENARIOS

/** Number of customers: few enough to recur, and a prime, so that every app uses all of them. */
const CUSTOMERS_OF_APP = 41
const LISTED = 20

const SCENARIOS = {
  create: () => async (line, app, n) => idOf(expectStatus(201, await line.ask(creation(app, n)))),

  /** Created, paid with a card at the bank and captured in one step. */
  life: () => async (line, app, n) => {
    const paymentId = idOf(expectStatus(201, await line.ask(creation(app, n))))
    await settled(line, app, await line.ask(post(app, `/test-helpers/payments/${paymentId}/pay`, '{}')))
    return paymentId
  },

  /** The same in two steps: the shop captures. */
  twoSteps: () => async (line, app, n) => {
    const paymentId = idOf(expectStatus(201, await line.ask(creation(app, n, { autoCapture: false }))))
    const paid = await line.ask(post(app, `/test-helpers/payments/${paymentId}/pay`, '{}'))
    await settled(line, app, paid, 'Authorized')
    await settled(line, app, await line.ask(post(app, `/payments/${paymentId}/capture`, '{}')))
    return paymentId
  },

  read: (plan) => async (line, app, n) => {
    const thing = thingOf(plan, n)
    const path = `/api/apps/${app.appId}/payments/${thing}`
    const reply = expectStatus(200, await line.ask(get(path, app)))
    if (!reply.body.includes(`${thing.replace('referenceId:', '')}`)) throw unexpected(reply)
    return thing
  },

  /** One page of a list. */
  list: () => async (line, app) => {
    const path = `/api/apps/${app.appId}/webhooks?pageSize=${LISTED}`
    const reply = expectStatus(200, await line.ask(get(path, app)))
    if (reply.body.match(/"paymentId":/g)?.length !== LISTED) throw unexpected(reply)
    return path
  },

  /** A charge of a stored card; each app has one customer with one card. */
  auto: () => async (line, app, n) => {
    const body = JSON.stringify({
      referenceId: `auto-${n}`,
      amount: 25.5,
      currency: 'EUR',
      autoCapture: true,
      customerOrder: { customer: { customerId: 'customer-0' } },
    })
    const reply = expectStatus(200, await line.ask(post(app, '/payments/auto-payment', body)))
    if (!reply.body.includes('"paymentState":"Captured"')) throw unexpected(reply)
    return idOf(reply)
  },

  /** The compressed checkout page of an open payment; one in fifty is decompressed and checked. */
  checkout: (plan) => async (line, _app, n) => {
    const thing = thingOf(plan, n)
    const reply = expectStatus(
      200,
      await line.ask(get(`/c/${thing}`, undefined, 'accept-encoding: gzip\r\n')),
    )
    if (n % 50 === 0 && !decompressed(reply).includes('</html>')) throw unexpected(reply)
    return thing
  },
} satisfies Record<string, (plan: Plan) => Scenario>

const isMoving = (body: string): boolean => /"(?:Authorizing|Capturing|SaleInProgress)"/.test(body)

/** The bank's notification may arrive before its reply; a background task then goes on. */
async function settled(line: Line, app: LoadApp, first: Reply, state = 'Captured'): Promise<void> {
  const paymentId = idOf(expectStatus(200, first))
  let reply = first
  for (let tries = 0; tries < 100 && isMoving(expectStatus(200, reply).body); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    reply = await line.ask(get(`/api/apps/${app.appId}/payments/${paymentId}`, app))
  }
  if (!reply.body.includes(`"paymentState":"${state}"`)) throw unexpected(reply)
}

export const scenarioOf = (plan: Plan): Scenario => SCENARIOS[plan.scenario](plan)

const appsOf = (plan: Plan): number => plan.apps.length

/** `things` has one entry per app in turn, like the requests. */
function thingOf(plan: Plan, n: number): string {
  const things = plan.things ?? []
  const turns = Math.floor(things.length / appsOf(plan))
  const turn = (Math.imul(Math.floor(n / appsOf(plan)), 7919) >>> 0) % turns
  return things[turn * appsOf(plan) + (n % appsOf(plan))] ?? ''
}

function creation(app: LoadApp, n: number, more: object = {}): string {
  const wanted = { ...order(`order-${n}`, `customer-${n % CUSTOMERS_OF_APP}`), ...more }
  return post(app, '/payments/hosted-page', JSON.stringify(wanted))
}

/** A typical order. */
export const order = (referenceId: string, customerId: string) => ({
  referenceId,
  amount: 25.5,
  currency: 'EUR',
  returnUrl: 'https://shop.example/orders/back',
  autoCapture: true,
  showPayRecurringInCheckout: false,
  customerOrder: {
    customer: { customerId, firstName: 'Dana', lastName: 'Example', email: 'dana@shop.example' },
    orderId: referenceId,
    description: 'Two books and a pencil',
  },
})

const COMMON = 'host: 127.0.0.1\r\nuser-agent: bench\r\naccept: */*\r\n'

const authorised = ({ apiKey }: LoadApp): string => `authorization: Bearer ${apiKey}\r\n`

const get = (path: string, app?: LoadApp, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\n${COMMON}${app ? authorised(app) : ''}${headers}\r\n`

const decompressed = ({ body }: Reply): string => gunzipSync(Buffer.from(body, 'latin1')).toString()

/** Bodies are ASCII, so their length is the byte length. */
const post = (app: LoadApp, path: string, body: string): string =>
  `POST /api/apps/${app.appId}${path} HTTP/1.1\r\n${COMMON}${authorised(app)}` +
  `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`

function expectStatus(status: number, reply: Reply): Reply {
  if (reply.status !== status) throw unexpected(reply)
  return reply
}

const unexpected = ({ status, body }: Reply): Error => new Error(`${status}: ${body.slice(0, 500)}`)

const idOf = ({ body }: Reply): string => {
  const id = /"paymentId":(\d+)/.exec(body)?.[1]
  if (id === undefined) throw new Error(`no payment: ${body.slice(0, 500)}`)
  return id
}
