import { Pool } from 'undici'
import { createAdyenSimulator } from '../../providers/adyen/simulator.ts'
import { createAuthorizeNetSimulator } from '../../providers/authorize-net/simulator.ts'
import { createBtcpaySimulator } from '../../providers/btcpay/simulator.ts'
import type { ProviderSimulator } from '../../providers/kit/simulator.ts'
import { createMollieSimulator } from '../../providers/mollie/simulator.ts'
import { createPaypalSimulator } from '../../providers/paypal/simulator.ts'
import { createSquareSimulator } from '../../providers/square/simulator.ts'
import { createStripeSimulator } from '../../providers/stripe/simulator.ts'
import { order } from '../load/scenarios.ts'
import type { Paid, PayPlan, ProviderId, Started } from './plan.ts'

/** Payments under way at the same time. */
const AT_ONCE = 16

const SIMULATORS: Readonly<Record<ProviderId, () => Promise<ProviderSimulator> | undefined>> = {
  // Part of the service.
  sandbox: () => undefined,
  stripe: () => createStripeSimulator(),
  paypal: () => createPaypalSimulator(),
  btcpay: () => createBtcpaySimulator(),
  adyen: () => createAdyenSimulator(),
  'authorize-net': () => createAuthorizeNetSimulator(),
  mollie: () => createMollieSimulator(),
  square: () => createSquareSimulator(),
}

interface Session {
  readonly plan: PayPlan
  readonly service: Pool
  readonly simulator: ProviderSimulator | undefined
}

interface Opened {
  readonly paymentId: number
  readonly paymentKey: string
  readonly redirectUrl: string
}

/** A simulator, its payers and its notifications in a separate process: their CPU time is not counted. */
async function start(id: ProviderId): Promise<void> {
  const simulator = await SIMULATORS[id]()
  process.on('message', (plan: PayPlan) => {
    run(plan, simulator).then(
      (paid) => process.send?.(paid),
      (error: Error) => process.send?.({ error: `${id}: ${error.message}` }),
    )
  })
  const started: Started = simulator ? { origin: simulator.origin, settings: simulator.settings } : {}
  process.send?.(started)
}

async function run(plan: PayPlan, simulator: ProviderSimulator | undefined): Promise<Paid> {
  const service = new Pool(plan.url, { connections: 2 * AT_ONCE })
  const session = { plan, service, simulator }
  const end = performance.now() + plan.seconds * 1_000
  let begun = 0
  const payer = async () => {
    while (begun < plan.count && performance.now() < end) await payOne(session, plan.from + begun++)
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, payer))
    if (simulator) await deliver(session, simulator)
  } finally {
    await service.destroy()
  }
  if (simulator && simulator.violations.length > 0) throw new Error(simulator.violations[0])
  return { count: begun, ...(simulator && { requests: simulator.requests.length }) }
}

async function payOne(session: Session, n: number): Promise<void> {
  const { plan, simulator } = session
  const opened = await open(session, n)
  // The test helper presses the button of the bank's page and returns from it.
  if (!simulator) {
    await call(session, `/api/apps/${plan.appId}/test-helpers/payments/${opened.paymentId}/pay`, {})
    return
  }
  await simulator.payer(await pageOf(session, simulator, opened), { kind: 'pay' })
  await returnFromPage(session, opened)
  await deliver(session, simulator)
  if (confirm(simulator, opened)) await deliver(session, simulator)
}

async function open(session: Session, n: number): Promise<Opened> {
  const { appId, profileId: paymentProfileId } = session.plan
  const { showPayRecurringInCheckout: _, ...body } = order(`order-${n}`, `customer-${n % 1_000}`)
  const path = `/api/apps/${appId}/payments/provider-hosted-page`
  const opened = JSON.parse(await call(session, path, { ...body, paymentProfileId })) as Opened
  if (!opened.redirectUrl) throw new Error(`no page was opened: ${JSON.stringify(opened)}`)
  return opened
}

/** The provider's page. One that is opened by a form post is reached through a page of the service. */
async function pageOf({ service }: Session, { origin }: ProviderSimulator, { redirectUrl }: Opened) {
  if (redirectUrl.startsWith(origin)) return redirectUrl
  const reply = await service.request({ method: 'GET', path: new URL(redirectUrl).pathname })
  const html = await reply.body.text()
  const [, action] = /<form[^>]* action="([^"]+)"/.exec(html) ?? []
  if (!action?.startsWith(origin)) throw new Error(`no page of the provider: ${html.slice(0, 500)}`)
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  return `${action}?${new URLSearchParams(fields.map(([, name = '', value = '']) => [name, value]))}`
}

async function call({ plan, service }: Session, path: string, body: object): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${plan.apiKey}` }
  const reply = await service.request({ method: 'POST', path, headers, body: JSON.stringify(body) })
  const text = await reply.body.text()
  if (reply.statusCode >= 300) throw new Error(`${reply.statusCode}: ${text.slice(0, 500)}`)
  return text
}

/** The payer's browser comes back from the provider. Every payment has one attempt. */
async function returnFromPage({ service }: Session, { paymentKey }: Opened): Promise<void> {
  const reply = await service.request({ method: 'GET', path: `/c/${paymentKey}/back/1` })
  await reply.body.dump()
  if (reply.statusCode !== 303) throw new Error(`the return was answered with ${reply.statusCode}`)
}

/** Sends all signed notifications that are due, also those of other payments. */
async function deliver({ plan, service }: Session, simulator: ProviderSimulator): Promise<void> {
  const { pathname, search } = new URL(plan.webhookUrl)
  const send = async ({ headers, body }: ReturnType<ProviderSimulator['takeNotifications']>[number]) => {
    const reply = await service.request({ method: 'POST', path: pathname + search, headers, body })
    await reply.body.dump()
    if (reply.statusCode !== 200)
      throw new Error(`a notification was answered with ${reply.statusCode}: ${body.slice(0, 500)}`)
  }
  await Promise.all(simulator.takeNotifications().map(send))
}

/** A payment in crypto gets its confirmations. Others were captured when they were paid: false. */
function confirm(simulator: ProviderSimulator, { paymentKey }: Opened): boolean {
  const sent = simulator.requests.findLast(({ body }) => body.includes(paymentKey))
  const { metadata } = JSON.parse(sent?.body.startsWith('{') ? sent.body : '{}') as {
    metadata?: { orderId?: string }
  }
  return metadata?.orderId !== undefined && simulator.dashboard(metadata.orderId, { kind: 'settle' })
}

await start(process.argv[2] as ProviderId)
