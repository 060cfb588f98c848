import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { answerWith } from '../../../support/receiver.ts'
import { type Answer, good, hostedPage, newReference } from '../../../support/tender.ts'
import type { Desk } from './desk.ts'

const KEY = 'sk_test_51SimulatorSecretKeyOfTheAccount0001'
const WRONG_KEY = 'sk_test_51WrongKeyThatNoAccountHas0000000001'

export async function connectProvider(desk: Desk): Promise<void> {
  const hand = await desk.at('providers')
  await hand.press('Add provider')
  await hand.follow('Set up Stripe')
  await hand.fill('Name', `Stripe, ${desk.manner}`)
  await hand.fill('Secret key', WRONG_KEY)
  await hand.press('Test connection')
  await hand.sees('The connection to Stripe does not work.')
  await hand.fill('Secret key', KEY)
  await hand.press('Test connection')
  await hand.sees('Stripe accepts the credentials.')
  await hand.press('Continue')
  await hand.press('Connect')
  await hand.sees('The address is registered at the provider.')
  await hand.sees('No notification has arrived yet.')
  await notify(desk, /providers\/(\d+)/.exec(hand.page.url())?.[1] ?? '')
  if (desk.manner === 'no script') await hand.follow('Refresh')
  await hand.sees('A genuine notification has arrived.')
  await hand.press('Continue')
  await hand.press('Finish and enable')
  await hand.sees('The provider is on.')
}

/** A payment at another profile of the same Stripe account: Stripe tells every address of the account. */
async function notify({ world, stripe }: Desk, profileId: string): Promise<void> {
  const { call } = world.sandbox
  const wanted = { provider: 'stripe', name: newReference(), currency: 'EUR', settings: { secretKey: KEY } }
  const { paymentProfileId } = good(await call('POST', 'payment-profiles', wanted))
  const body = { ...hostedPage(), paymentProfileId }
  const payment = good(await call('POST', 'payments/provider-hosted-page', body))
  await stripe.payer(payment.redirectUrl, { kind: 'pay' })
  for (const { url, headers, body: sent } of stripe.takeNotifications())
    if (url.includes(`profileId=${profileId}&`))
      expect((await fetch(url, { method: 'POST', headers, body: sent })).status).toBe(200)
}

export async function seeRoute({ at, world }: Desk): Promise<void> {
  const wanted = { provider: 'sandbox', name: newReference(), currency: 'EUR', methods: ['CreditCard'] }
  const other = good(await world.sandbox.call('POST', 'payment-profiles', wanted))
  const { paymentProfileId } = other
  const route = { name: 'Large', minAmount: 500, profiles: [{ paymentProfileId }] }
  good(await world.sandbox.call('PUT', 'routing', { routes: [route] }))
  const hand = await at('routing')
  const trial = hand.within(hand.page.locator('#try'))
  await trial.pick('Currency', 'EUR')
  await trial.fill('Amount', '900')
  await trial.press('Explain')
  await hand.sees(`${wanted.name} takes it first, by Card:`)
  await hand.sees('place 1 of route 1 (Large)')
  good(await world.sandbox.call('PUT', 'routing', { routes: [] }))
}

/** The rows of the list have buttons of the same name, each described by its event. */
const resendOf = (page: Page, eventId: string) =>
  page.getByRole('button', { name: 'Resend', exact: true }).and(page.getByTitle(eventId, { exact: true }))

/** A webhook that arrived is sent again; then all that could not be sent. */
export async function resendWebhooks({ at, world, receiver }: Desk): Promise<void> {
  const address = (value: string | null) => world.sandbox.call('PATCH', '', { paymentWebhookUrl: { value } })
  good(await address(receiver.url))
  const { paymentId } = await world.sandbox.create()
  const eventId = `evt_${paymentId}_1`
  const times = () => receiver.hooks.filter(({ event }) => event.eventId === eventId).length
  await expect.poll(times).toBe(1)
  const hand = await at('developers/webhooks')
  await hand.pressOn(resendOf(hand.page, eventId))
  await hand.sees('The webhook is queued again.')
  await expect.poll(times).toBe(2)

  receiver.answer = answerWith(500)
  const { paymentId: second } = await world.sandbox.create()
  await expect.poll(() => receiver.states(second).length).toBe(1)
  // Without an address the retries are dropped.
  good(await address(null))
  await world.sandbox.advance('1m')
  receiver.answer = answerWith(200)
  good(await address(receiver.url))
  const dropped = await at('developers/webhooks?status=dropped')
  await resendOf(dropped.page, `evt_${second}_1`).waitFor()
  await dropped.press('Resend all failed')
  const question = await dropped.asked('Resend all failed webhooks')
  await question.press('Resend all failed')
  await dropped.sees(/webhooks are queued again/)
  await expect.poll(() => receiver.states(second).length).toBe(2)
  good(await address(null))
}

export async function rollKey({ at, world }: Desk): Promise<void> {
  const name = newReference()
  const made: Answer = good(await world.sandbox.call('POST', 'api-keys', { name }))
  const ask = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` }
    return (await fetch(`${world.origin}/api/apps/${world.sandbox.appId}`, { headers })).status
  }
  expect(await ask(made.apiKey)).toBe(200)
  const hand = await at('developers')
  const row = hand.page.getByRole('row').filter({ hasText: name })
  await hand.pressOn(row.getByRole('button', { name: 'Roll' }))
  const question = await hand.asked(`Roll the key ${name}`)
  await question.pick('The old key works for another', 'no time: it ends at once')
  await question.press('Roll')
  await hand.sees('Your new key')
  const rolled = (await hand.page.locator('.copy code').first().textContent()) ?? ''
  expect(rolled).toMatch(/^sk_sandbox_/)
  expect([await ask(rolled), await ask(made.apiKey)]).toEqual([200, 401])
}

const COLOURS = {
  mouse: ['#0a6640', 'rgb(10, 102, 64)'],
  keyboard: ['#1a4fa0', 'rgb(26, 79, 160)'],
  'no script': ['#7a1f5c', 'rgb(122, 31, 92)'],
} as const

export async function changeColour({ at, world, manner }: Desk): Promise<void> {
  const { redirectUrl } = await world.sandbox.create()
  const [colour, shown] = COLOURS[manner]
  const hand = await at('settings/checkout')
  const { page } = hand
  await hand.fill('Colour', colour)
  if (manner === 'no script') await hand.press('Preview')
  const fillOf = (place: Pick<typeof page, 'locator'>) =>
    place
      .locator('button.primary:visible')
      .first()
      .evaluate((button) => getComputedStyle(button).backgroundColor)
  await expect.poll(() => fillOf(page.frameLocator('#preview') as never).catch(() => '')).toBe(shown)
  await hand.sees(/Easy to read/)
  await hand.press('Save checkout')
  await hand.sees('The settings are saved.')
  await page.goto(redirectUrl)
  expect(await fillOf(page)).toBe(shown)
}
