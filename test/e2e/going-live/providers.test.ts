import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createProviders } from '../../../src/providers/registry.ts'
import { CONSOLE_LANGUAGES } from '../../../src/web/kit/texts/languages.ts'
import { createStripeSimulator, type StripeSimulator } from '../../providers/stripe/simulator.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { good } from '../../support/tender.ts'

const KEY = 'sk_test_51SimulatorSecretKeyOfTheAccount0001'
const WRONG_KEY = 'sk_test_51WrongKeyThatNoAccountHas0000000001'
const STRIPE = { name: 'Stripe EU', currency: 'EUR', method: 'CreditCard' }
const ADD = 'providers/add/stripe'

let world: TestConsole
let stripe: StripeSimulator
beforeAll(async () => {
  stripe = await createStripeSimulator()
  world = await startTestConsole('e2e_provider_setup', {
    config: { providerOrigins: { stripe: stripe.origin } },
  })
})
afterAll(async () => {
  await world?.stop()
  await stripe?.close()
})

const idIn = (location: string | null): string => /providers\/(\d+)/.exec(location ?? '')?.[1] ?? ''
const add = (fields: Record<string, string>) => world.post('Admin', ADD, { ...STRIPE, ...fields })
const added = async (key = KEY) => idIn((await add({ act: 'next', 'setting.secretKey': key })).location)
const profiles = async () => (await good(await world.sandbox.call('GET', 'payment-profiles'))).length

describe('the form for a provider', () => {
  it('tells where each setting of each provider is found, in every language', () => {
    const all = [...createProviders([]).values()].map(({ manifest }) => manifest)
    for (const { texts } of CONSOLE_LANGUAGES) {
      const where: Record<string, Record<string, string>> = texts.providerSetup.where
      for (const { id, settings } of all)
        expect([id, Object.keys(where[id] ?? {})]).toEqual([id, settings.fields.map(({ name }) => name)])
    }
    for (const { id, setup, settings, ownServer } of all) {
      const pages = setup?.keyPages ?? {}
      // A server of the merchant has no address that is known here.
      expect([id, Object.keys(pages)]).toEqual([id, ownServer ? [] : settings.fields.map(({ name }) => name)])
      for (const url of Object.values(pages).flatMap((page) => [page.sandbox, page.live]))
        expect(new URL(url).protocol).toBe('https:')
    }
    for (const { id, setup } of all) expect([id, setup?.events.length === 0]).toEqual([id, id === 'mollie'])
  })

  it('explains rights and events beside the fields, and links the guide', async () => {
    const { html } = await world.get('Admin', ADD)
    expect(html).toContain('Stripe Dashboard: Developers, API keys.')
    expect(html).toContain('href="https://dashboard.stripe.com/test/apikeys"')
    const live = await world.get('Admin', `/console/${world.live.appId}/${ADD}`)
    expect(live.html).toContain('href="https://dashboard.stripe.com/apikeys"')
    expect(html).toContain('<code>Checkout Sessions: write</code>')
    expect(html).toContain('<code>charge.dispute.created</code>')
    expect(html).toContain('The main currency of the account.')
    const guide = /href="(\/docs\/guides\/[^"]+)"/.exec(html)?.[1] ?? ''
    expect((await fetch(world.origin + guide)).status).toBe(200)
    expect((await world.get('Admin', `${ADD}?lang=de`)).html).toContain('Was der Schlüssel dürfen muss')
  })

  it('tests what was typed, says what was tested, and stores nothing', async () => {
    const before = await profiles()
    const { status, html } = await add({ act: 'test', 'setting.secretKey': KEY })
    expect(status).toBe(200)
    expect(html).toContain('Nothing has been stored.')
    for (const [part, result] of [
      ['Keys', 'accepted'],
      ['Rights', 'enough'],
      ['Account', '<code>acct_'],
      ['Currency', 'not tested: Stripe does not tell'],
      ['Notifications', 'can be tested after saving'],
    ])
      expect(html).toMatch(new RegExp(`<dt>${part}</dt><dd>(?:(?!<dt>).)*${result}`, 's'))
    expect(html).not.toContain(KEY)
    expect(html).toContain('Entered: ****0001')
    expect(await profiles()).toBe(before)

    const entered = /name="entered" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const made = await add({ act: 'next', entered, 'setting.secretKey': '' })
    expect(made.location).toMatch(/\/providers\/\d+\/connect$/)
    const stored = await world.get('Admin', `providers/${idIn(made.location)}/credentials`)
    expect(stored.html).toContain('Stored: ****0001')
    const changed = await add({
      act: 'next',
      entered: `${entered.slice(0, -4)}AAAA`,
      'setting.secretKey': '',
    })
    expect(changed.status).toBe(422)
    const foreign = await world.post('Owner', ADD, { ...STRIPE, act: 'next', entered })
    expect(foreign.status).toBe(422)
  })

  it('tests other keys of a profile without replacing them', async () => {
    const path = `providers/${await added()}/credentials`
    const { html } = await world.post('Admin', path, { act: 'test', 'setting.secretKey': WRONG_KEY })
    expect(html).toContain('The connection to Stripe does not work.')
    expect(html).toContain('Nothing has been stored.')
    expect((await world.get('Admin', path)).html).toContain('Stored: ****0001')
  })
})

describe('an unproven profile', () => {
  it('asks before it is enabled and says what is not proven', async () => {
    const id = await added(WRONG_KEY)
    const review = (await world.get('Admin', `providers/${id}/review`)).html
    expect(review).toContain('The connection to Stripe does not work.')
    expect(review).toMatch(new RegExp(`<form method="get" action="[^"]*/providers/${id}/enable"`))
    const { html } = await world.get('Admin', `providers/${id}/enable`)
    expect(html).toContain('Enable Stripe EU without proof?')
    expect(html).toContain('Stripe has not accepted the keys yet.')
    expect(html).toContain('No genuine notification has arrived from Stripe yet.')
    expect(html).toContain('Enable anyway')
    const done = await world.post('Admin', `providers/${id}/enable`, {})
    expect(done.location).toContain('note=enabled')
  })

  it('has proven keys once it is connected', async () => {
    const id = await added()
    good(await world.sandbox.call('POST', `payment-profiles/${id}/connect`))
    const { html } = await world.get('Admin', `providers/${id}/enable`)
    expect(html).not.toContain('has not accepted the keys')
    expect(html).toContain('No genuine notification has arrived')
  })
})

describe('a profile that was never used', () => {
  let id: string
  beforeEach(async () => {
    id = await added()
  })
  const remove = () => world.sandbox.call('DELETE', `payment-profiles/${id}`)

  it('is removed after a question, with an entry in the audit log', async () => {
    expect((await world.get('Admin', `providers/${id}`)).html).toContain(`/providers/${id}/remove"`)
    expect((await world.get('Admin', `providers/${id}/remove`)).html).toContain('Remove Stripe EU?')
    const done = await world.post('Admin', `providers/${id}/remove`, {})
    expect(done.location).toContain('/providers?note=removed')
    expect((await world.get('Admin', `providers/${id}`)).status).toBe(404)
    expect((await world.get('Owner', 'audit')).html).toContain(`target=profile%3A${id}`)
    expect((await world.post('Viewer', `providers/${id}/remove`, {})).status).toBe(403)
  })

  it('is kept while it is on, or routing or a policy names it', async () => {
    good(await world.sandbox.call('PATCH', `payment-profiles/${id}`, { isActive: true }))
    expect((await remove()).body.detail).toContain('Turn it off first')
    good(await world.sandbox.call('PATCH', `payment-profiles/${id}`, { isActive: false }))
    const routes = [{ profiles: [{ paymentProfileId: Number(id) }] }]
    good(await world.sandbox.call('PUT', 'routing', { routes }))
    expect((await remove()).body.detail).toContain('The routing names the profile')
    good(await world.sandbox.call('PUT', 'routing', { routes: [] }))
    const rules = [
      { action: 'HoldPayment', measure: 'SingleAmount', threshold: 9, paymentProfiles: [Number(id)] },
    ]
    good(await world.sandbox.call('POST', 'fraud-policies', { name: 'Of one', rules }))
    expect((await remove()).body).toMatchObject({ code: 'not_possible' })
  })

  it('is kept when a payment used it or may', async () => {
    good(await world.sandbox.call('PATCH', `payment-profiles/${id}`, { isActive: true }))
    await world.sandbox.create({ currency: 'EUR', paymentProfiles: [Number(id)] })
    good(await world.sandbox.call('PATCH', `payment-profiles/${id}`, { isActive: false }))
    expect((await remove()).body.detail).toContain('The profile was used')
  })
})
