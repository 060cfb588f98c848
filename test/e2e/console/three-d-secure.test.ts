import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { good } from '../../support/tender.ts'

/** 3-D Secure on demand in the console: routes, rules, their simulation and the page of a payment. */

let world: TestConsole
let cards = 0
beforeAll(async () => {
  world = await startTestConsole('console_three_d_secure')
  cards = good(await world.sandbox.call('GET', 'payment-profiles'))[0].paymentProfileId
})
afterAll(() => world?.stop())

const seenIn = (html: string): string => /name="seen" value="([^"]+)"/.exec(html)?.[1] ?? ''

it('a route asks for it, says so in its sentence, and can ask for nothing again', async () => {
  const form = await world.get('Owner', 'routing/route')
  expect(form.html).toContain('Require a challenge')
  const route = { 'profile.0': String(cards), minAmount: '100', threeDSecure: 'RequestChallenge' }
  const saved = await world.post(
    'Owner',
    'routing/route',
    { ...route, seen: seenIn(form.html) },
    'routing/route',
  )
  expect(saved.location).toContain('note=saved')
  const stored = async () => good(await world.sandbox.call('GET', 'routing')).routes
  expect(await stored()).toMatchObject([{ minAmount: 100, threeDSecure: 'RequestChallenge' }])
  const { html } = await world.get('Owner', 'routing')
  expect(html).toContain('Payments of at least 100: asks for a challenge')
  const tried = await world.get('Owner', 'routing?currency=EUR&amount=150&method=CreditCard')
  expect(tried.html).toContain('place 1 of route 1, asks for a challenge')
  expect((await world.get('Owner', 'routing?lang=de')).html).toContain('bittet um eine Abfrage')

  const again = await world.get('Owner', 'routing/route?place=0')
  expect(again.html).toMatch(/<option[^>]*value="RequestChallenge"[^>]*selected/)
  const plain = { ...route, threeDSecure: '', place: '0', seen: seenIn(again.html) }
  await world.post('Owner', 'routing/route?place=0', plain, 'routing/route?place=0')
  expect((await stored())[0]).not.toHaveProperty('threeDSecure')
})

it('a rule asks for it, and its simulation counts the payments', async () => {
  for (const amount of [20, 200])
    await world.sandbox.paid({ amount, customerOrder: { customer: { customerId: `c${amount}` } } })
  const made = await world.sandbox.call('POST', 'fraud-policies', { name: 'Asks' })
  const { fraudPolicyId } = good(made)
  const rule = {
    ...{ 'rule.0.measure': 'SingleAmount', 'rule.0.threshold': '100', 'rule.0.action': 'RequireChallenge' },
    ...{ 'rule.0.periodCount': '1', 'rule.0.period': 'Daily', 'rule.0.currency': '', 'rule.0.message': '' },
    ...{ name: 'Asks', version: '1', rules: '1' },
  }
  const path = `fraud/${fraudPolicyId}`
  const simulated = await world.post('Owner', path, { ...rule, act: 'simulate' })
  expect(simulated.html).toContain('It would have asked for 3-D Secure for 1 payment that it does not stop.')
  await world.post('Owner', path, { ...rule, act: 'save' })
  const stored = good(await world.sandbox.call('GET', path.replace('fraud/', 'fraud-policies/')))
  expect(stored.rules).toMatchObject([{ action: 'RequireChallenge', threshold: 100 }])
  expect((await world.get('Owner', path)).html).toContain('require a 3-D Secure challenge')
})

it('the page of a payment shows what was asked and what came of it', async () => {
  const { paymentId } = await world.sandbox.create({ threeDSecure: { requested: 'challenge' } })
  good(await world.sandbox.pay(paymentId, { method: 'CreditCard' }))
  const { html } = await world.get('Owner', `payments/${paymentId}`)
  const shown =
    'challenge asked for · authenticated by a challenge · version 2.2.0 · the bank is liable for fraud'
  expect(html).toContain(shown)
  const plain = await world.sandbox.paid({ customerOrder: { customer: { customerId: 'plain' } } })
  expect((await world.get('Owner', `payments/${plain.paymentId}`)).html).not.toContain('authenticated by')
})

it('a card in a wallet is named with its wallet', async () => {
  good(
    await world.sandbox.call('PATCH', `payment-profiles/${cards}`, { methods: ['CreditCard', 'apple-pay'] }),
  )
  const { paymentId } = await world.sandbox.create({ paymentProfileId: cards })
  good(await world.sandbox.pay(paymentId, { method: 'apple-pay' }))
  const { html } = await world.get('Owner', `payments/${paymentId}`)
  expect(html).toContain('Apple Pay, Visa •••• 4242')
})
