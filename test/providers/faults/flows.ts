import { expect } from 'vitest'
import { STATES, type State } from '../../../src/payments/machine.ts'
import { operationsOf } from '../../support/notifying.ts'
import { type Answer, good, newReference } from '../../support/tender.ts'
import type { PayerAct } from '../kit/simulator.ts'
import type { World } from './world.ts'

const MINUTE = 60_000

/** What customers and merchants do. */

const order = (customerId: string) => ({
  customer: { customerId, firstName: 'Dana', lastName: 'Moreno', email: 'dana.moreno@example.com' },
})

const wanted = (customerId: string, more: object) => ({
  referenceId: newReference(),
  amount: 25.5,
  currency: 'EUR',
  returnUrl: 'https://shop.example.com/back',
  autoCapture: true,
  customerOrder: order(customerId),
  ...more,
})

/** Texts about the customer that no log line may have. */
export const PAYER_DETAILS = ['dana.moreno@example.com', 'Moreno']

export async function openProviderPage(world: World, more: object = {}, customerId = newReference()) {
  const body = { ...wanted(customerId, more), paymentProfileId: world.profileId }
  return accepted(await world.app.call('POST', 'payments/provider-hosted-page', body))
}

/** The shop repeats its request. If the page was never opened, it is opened now. */
export function openAgain(world: World, { referenceId, customerId, autoPayment }: Answer): Promise<Answer> {
  const more = autoPayment === 'Register' ? { registerAutoPayment: true } : {}
  return openProviderPage(world, { referenceId, ...more }, customerId)
}

export async function openCheckout(world: World): Promise<Answer> {
  const { profileId } = world
  const body = wanted(newReference(), { showPayRecurringInCheckout: false, paymentProfiles: [profileId] })
  return accepted(await world.app.call('POST', 'payments/hosted-page', body))
}

/** Chooses the provider on our checkout. */
export async function chooseProvider({ tender }: World, { paymentKey }: Answer): Promise<void> {
  const base = `${tender.url}/c/${paymentKey}`
  const page = await fetch(base).then((reply) => reply.text())
  const attempt = /name="attempt" value="([^"]+)"/.exec(page)?.[1]
  const way = /name="way" value="([^"]+)"|value="([^"]+)"[^>]*name="way"/.exec(page)
  if (!attempt) throw new Error('the checkout has no form')
  const form = new URLSearchParams({ attempt, way: way?.[1] ?? way?.[2] ?? '' })
  const reply = await fetch(`${base}/pay`, { method: 'POST', body: form, redirect: 'manual' })
  await reply.text()
  expect(reply.status).toBe(303)
}

export async function chargeStored(world: World, customerId: string, more: object = {}): Promise<Answer> {
  const { returnUrl: _unused, ...body } = wanted(customerId, more)
  return accepted(await world.app.call('POST', 'payments/auto-payment', body))
}

/** Pays on the provider's page and does not come back. */
export async function payThere(world: World, payment: Answer, act: PayerAct = { kind: 'pay' }) {
  const page = await pageOf(world, payment)
  if (!page) throw new Error('the page is not open')
  await world.simulator.payer(page, act)
  world.paid.add(payment.paymentId)
  if (world.subject.confirmsLater) await confirm(world, payment)
}

/** The browser returns from the provider's page. */
export async function comeBack(world: World, { paymentId, paymentKey }: Answer): Promise<void> {
  const attempt = await world.app.attempts(paymentId)
  const reply = await fetch(`${world.tender.url}/c/${paymentKey}/back/${attempt}`, { redirect: 'manual' })
  await reply.text()
  expect(reply.status).toBe(303)
}

export async function act(world: World, { paymentId }: Answer, action: string): Promise<Answer> {
  return accepted(await world.app.act(paymentId, action))
}

/** Whatever the provider does, the service answers and does not break. */
function accepted(reply: { status: number; body: Answer }): Answer {
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(400)
  return reply.body
}

/** Movements that need time are confirmed, and refunds are claimed. */
async function confirm({ simulator, tender, app }: World, { paymentId }: Answer): Promise<void> {
  for (const reference of await referencesOf({ tender, app }, paymentId))
    simulator.dashboard(reference, { kind: 'settle' })
}

/** Our references of all attempts. */
export async function referencesOf({ tender, app }: Pick<World, 'tender' | 'app'>, paymentId: number) {
  const operations = await operationsOf(tender, app, paymentId)
  return operations.filter(({ step }) => step === 'start' || step === 'charge').map(({ key }) => key)
}

/** Posts what the provider has to tell, each twice. */
export async function deliverNotifications(world: World): Promise<number> {
  const { simulator, webhookUrl, tender, proxy } = world
  const due = simulator.takeNotifications()
  // Certificates are at the address that the service knows the provider by.
  const known = (value: string) => value.replace(simulator.origin, proxy.origin)
  for (const { headers: signed, body } of [...due, ...due]) {
    const headers = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name, known(value)]))
    const reply = await fetch(webhookUrl, { method: 'POST', headers, body })
    expect(reply.status, await reply.text()).toBe(200)
  }
  await tender.service.ctx.background.settled()
  return due.length
}

const PAUSES_MS = [0, 3_000, 15_000, 90_000, 6 * MINUTE, 35 * MINUTE] as const

/**
 * Time passes: the recovery of the service runs, the merchant rechecks and the provider's notifications
 * arrive, in either order, until nothing moves any more.
 */
export async function settle(world: World, { paymentId }: Answer): Promise<Answer> {
  const { app, clock, subject } = world
  const isNotifiedFirst = paymentId % 2 === 0
  let payment = await app.read(paymentId)
  for (const pauseMs of PAUSES_MS) {
    clock.advance(pauseMs)
    if (subject.confirmsLater) await confirm(world, { paymentId })
    if (isNotifiedFirst) await deliverNotifications(world)
    if (pauseMs === 0) await act(world, { paymentId }, 'recheck')
    // Runs the work of the app that is due.
    await app.advance('1ms')
    const reported = await deliverNotifications(world)
    payment = await app.read(paymentId)
    if (reported === 0 && (await isAtRest(world, payment))) return payment
  }
  return payment
}

/** Nothing happens any more before the customer or the merchant acts. */
async function isAtRest({ tender, paid }: World, payment: Answer): Promise<boolean> {
  const { paymentId, paymentKey, paymentState, redirectUrl } = payment
  if (paymentState !== 'Created') return STATES[paymentState as State].kind !== 'moving'
  if (paid.has(paymentId) || redirectUrl === null) return false
  const reply = await fetch(`${tender.url}/c/${paymentKey}`, { redirect: 'manual' })
  await reply.text()
  // Our checkout waits for the provider.
  return !/\/status$/.test(reply.headers.get('location') ?? '')
}

/** The provider's page, while the customer can pay there. */
export async function pageOf(world: World, { paymentState, paymentKey }: Answer) {
  if (paymentState !== 'Created') return undefined
  const { tender, simulator } = world
  const reply = await fetch(`${tender.url}/c/${paymentKey}/go`, { redirect: 'manual' })
  const html = await reply.text()
  const addresses = [...html.matchAll(/href="([^"]+)"/g)].map(([, link = '']) =>
    link.replaceAll('&amp;', '&'),
  )
  return addresses.find((address) => address.startsWith(simulator.origin)) ?? formOf(world, html)
}

/** A page that a form post opens, with the fields of the form in its query. */
function formOf({ simulator, proxy }: World, html: string): string | undefined {
  const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(html) ?? []
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  if (!action.startsWith(proxy.origin)) return undefined
  const query = new URLSearchParams(fields.map(([, name = '', value = '']) => [name, value]))
  return `${action.replace(proxy.origin, simulator.origin)}?${query}`
}

/** A customer whose method the provider stored. */
export async function customerWithMethod(world: World): Promise<string> {
  const customerId = newReference()
  const payment = await openProviderPage(world, { registerAutoPayment: true }, customerId)
  await payThere(world, payment, { kind: 'save' })
  await comeBack(world, payment)
  const paid = await settle(world, payment)
  expect(paid).toMatchObject({ paymentState: 'Captured' })
  const methods = good(await world.app.call('GET', `customers/${customerId}/payment-methods`))
  expect(methods).toHaveLength(1)
  return customerId
}
