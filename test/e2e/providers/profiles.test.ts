import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MINUTE } from '../../../src/base/clock.ts'
import { silentLog } from '../../../src/base/log.ts'
import { storeMethod } from '../../../src/customers/register-method.ts'
import type { App } from '../../../src/merchants/app.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import { directory } from '../../../src/merchants/directory-cache.ts'
import { usualMethods } from '../../../src/merchants/profiles/commands.ts'
import type { Checked } from '../../../src/providers/check.ts'
import type { ProviderAdapter, Received } from '../../../src/providers/port.ts'
import { createFakeClock } from '../../support/clock.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { createFakeProvider } from '../../support/provider.ts'
import { type Answer, good, hostedPage, newReference, type TestApp } from '../../support/tender.ts'

/** Profiles of a scripted provider: `check` tells `account` of the settings; without a key it is unready. */
const SENTENCE = 'Connect the profile first.'
const UNREADY = { code: 'hmac-key-missing', problem: SENTENCE } as const
const clock = createFakeClock(new Date('2027-01-04T09:00:30.000Z'))
const warnings: object[] = []
let console_: TestConsole
let app: TestApp
let checked: Checked | undefined
let received: Received = { kind: 'ignored' }
let checks = 0

const accountIn = (config: unknown) => (config as { account: string }).account

function scripted(): ProviderAdapter {
  const { adapter } = createFakeProvider({
    id: 'scripted',
    notReady: (config) => ((config as { secretKey?: string }).secretKey ? undefined : UNREADY),
  })
  return {
    ...adapter,
    connectHelp: 'Paste it.',
    async check({ config }) {
      checks++
      return checked ?? { ok: true, tested: ['credentials'], account: accountIn(config) }
    },
    receive: async () => received,
  }
}

beforeAll(async () => {
  const warn = (event: string, data: object = {}) => {
    if (event === 'provider.unlisted_code') warnings.push(data)
  }
  console_ = await startTestConsole('e2e_profiles', { clock, role: 'web', log: { ...silentLog, warn } })
  const { tender } = console_
  app = tender.sandbox
  const providers = tender.service.ctx.providers as Map<string, ProviderAdapter>
  providers.set('scripted', scripted())
})
afterAll(() => console_?.stop())
beforeEach(() => {
  checked = undefined
  checks = 0
  warnings.length = 0
})

const KEY = 'secret key'
const create = async (settings: object = { account: 'acct_1', secretKey: KEY }): Promise<Answer> =>
  good(
    await app.call('POST', 'payment-profiles', {
      ...{ provider: 'scripted', name: 'Scripted', currency: 'NOK', currencies: ['NOK'], settings },
    }),
  )
const check = async ({ paymentProfileId }: Answer) =>
  good(await app.call('POST', `payment-profiles/${paymentProfileId}/check`))
const patch = ({ paymentProfileId }: Answer, body: object) =>
  app.call('PATCH', `payment-profiles/${paymentProfileId}`, body)
const german = async (path: string) => {
  const headers = { cookie: `console=${console_.tokens.Admin}`, 'accept-language': 'de' }
  return (await fetch(`${console_.origin}/console/${app.appId}/${path}`, { headers })).text()
}

describe('a profile that is not ready', () => {
  it('takes no payments until it is, and everything says why', async () => {
    const profile = await create({ account: 'acct_1' })
    const { paymentProfileId } = profile
    const order = { amount: 5, currency: 'NOK', paymentProfiles: [paymentProfileId] }
    const pay = () =>
      app.call('POST', 'payments/hosted-page', hostedPage({ referenceId: newReference(), ...order }))
    const explain = async () => good(await app.call('POST', 'routing/explain', { currency: 'NOK' }))

    expect(await check(profile)).toEqual({ ok: false, problem: SENTENCE, code: 'not-ready' })
    const reasons = (await explain()).excluded.map(({ reason }: Answer) => reason)
    expect(reasons).toContain(`not ready to take payments: ${SENTENCE}`)
    expect((await pay()).body.code).toBe('no_profile_for_currency')
    const { html } = await console_.get('Admin', `providers/${paymentProfileId}`)
    expect(html).toContain('data-status="unready"')
    expect(html).toContain('cannot be verified without an HMAC key')
    expect(await german(`providers/${paymentProfileId}`)).toContain('Er kann noch keine Zahlungen annehmen.')

    good(await patch(profile, { settings: { secretKey: KEY } }))
    expect(await check(profile)).toMatchObject({ ok: true, tested: ['credentials', 'account'] })
    expect((await explain()).profiles.map((one: Answer) => one.paymentProfileId)).toContain(paymentProfileId)
    expect((await pay()).status).toBe(201)
    expect((await console_.get('Admin', `providers/${paymentProfileId}`)).html).toContain('data-status="on"')
    good(await patch(profile, { isActive: false }))
  })

  it('says first what is wrong with the credentials', async () => {
    checked = { ok: false, problem: 'The key is wrong.', code: 'credentials' }
    expect(await check(await create({ account: 'acct_1' }))).toEqual(checked)
  })
})

describe('the account of a profile', () => {
  /** A stored method makes the profile used. */
  async function used(profile: Answer): Promise<Answer> {
    const { ctx } = console_.tender.service
    const customerId = newReference()
    good(await app.call('POST', 'customers', { customerId }))
    await storeMethod(ctx, (await loadApp(ctx, app.appId)) as App, {
      ...{ customerId, profileId: profile.paymentProfileId, now: ctx.clock.now() },
      stored: { token: 't', label: 'Visa', method: 'CreditCard' },
    })
    return profile
  }
  const other = { settings: { account: 'acct_2' } }

  it.each([
    ['after a check', true],
    ['without one', false],
  ])('never changes once the profile is used, %s', async (_when, isChecked) => {
    const profile = await used(await create())
    if (isChecked) await check(profile)
    const { status, body } = await patch(profile, other)
    expect([status, body.code]).toEqual([422, 'other_account'])
    expect(body.detail).toContain('another account at Fake scripted')
    // A new key of the same account is fine, and so is every other change.
    good(await patch(profile, { settings: { secretKey: 'another key' } }))
    good(await patch(profile, { name: 'Renamed' }))
    const path = `providers/${profile.paymentProfileId}/credentials`
    const fields = { 'setting.account': 'acct_2', act: 'save' }
    const refused = await console_.post('Admin', path, fields, path)
    expect([refused.status, refused.html]).toEqual([422, expect.stringContaining('another account')])
  })

  it('may change before that', async () => {
    const profile = await create()
    await check(profile)
    good(await patch(profile, other))
    expect(await check(await used(profile))).toMatchObject({ ok: true, account: 'acct_2' })
    expect((await patch(profile, { settings: { account: 'acct_1' } })).status).toBe(422)
  })

  it('is compared by the next check if the provider gave no answer', async () => {
    const profile = await used(await create())
    await check(profile)
    checked = { ok: false, problem: 'Down.', code: 'unreachable' }
    good(await patch(profile, other))
    checked = undefined
    expect(await check(profile)).toMatchObject({ ok: false, code: 'other-account' })
  })

  it('needs no question to the provider where no setting changes', async () => {
    const profile = await used(await create())
    good(await patch(profile, { settings: { account: 'acct_1' } }))
    good(await patch(profile, { methods: ['CreditCard'] }))
    expect(checks).toBe(0)
  })
})

it('the warnings of a check are shown by the API and in the console', async () => {
  const profile = await create()
  const warnings = ['Bank debits are not switched on.']
  checked = { ok: true, tested: ['credentials'], warnings }
  expect(await check(profile)).toEqual({ ok: true, tested: ['credentials'], warnings })
  const { html } = await console_.get('Admin', `providers/${profile.paymentProfileId}/check`)
  expect(html).toContain('Bank debits are not switched on.')
})

it('the console suggests cards for a new profile, and a request without methods means all', async () => {
  expect((await create()).methods).toContain('ElectronicCheck')
  expect(usualMethods(createFakeProvider({ id: 'cards' }).adapter.manifest)).toEqual(['CreditCard'])
})

describe('the last notification', () => {
  let count = 0
  async function notify({ webhookUrl }: Answer): Promise<number> {
    const { status } = await fetch(webhookUrl, { method: 'POST', body: `notification ${++count}` })
    await console_.tender.service.ctx.background.settled()
    return status
  }
  const timeOf = async ({ paymentProfileId }: Answer) => {
    // Other nodes see it within half a second; here the cache is dropped.
    directory(console_.tender.service.ctx).forget(app.appId)
    return good(await app.call('GET', `payment-profiles/${paymentProfileId}`)).lastNotificationTime
  }
  const at = (minutes: number) => new Date(start + minutes * MINUTE).toISOString()
  let start = 0

  it('is noted once a minute if it is genuine, and shown', async () => {
    const profile = await create()
    const page = `providers/${profile.paymentProfileId}`
    start = clock.now().getTime()
    expect(await timeOf(profile)).toBeNull()
    expect((await console_.get('Admin', page)).html).toContain('none yet')
    expect(await german(page)).toContain('noch keine')

    received = { kind: 'forged' }
    expect(await notify(profile)).toBe(401)
    expect(await timeOf(profile)).toBeNull()

    received = { kind: 'ignored' }
    expect(await notify(profile)).toBe(200)
    expect(await timeOf(profile)).toBe(at(0))
    clock.advance(MINUTE / 2)
    await notify(profile)
    expect(await timeOf(profile)).toBe(at(0))
    clock.advance(MINUTE / 2)
    received = { kind: 'events', hints: [{ reference: 'of another system' }] }
    await notify(profile)
    expect(await timeOf(profile)).toBe(at(1))

    clock.advance(20 * MINUTE)
    expect((await console_.get('Admin', page)).html).toMatch(/20 min\. ago, <time datetime="/)
    expect(await german(page)).toContain('vor 20 Min.')
  })

  it('of an unknown kind is counted and logged', async () => {
    received = { kind: 'ignored', unlisted: 'payment.teleported' }
    const profile = await create()
    await notify(profile)
    await notify(profile)
    const about = { provider: 'scripted', code: 'payment.teleported' }
    expect(warnings).toEqual([
      { ...about, count: 1 },
      { ...about, count: 2 },
    ])
  })
})
