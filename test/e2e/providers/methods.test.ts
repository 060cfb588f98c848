import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MINUTE } from '../../../src/base/clock.ts'
import { silentLog } from '../../../src/base/log.ts'
import { setUpMethod } from '../../../src/customers/method-setup.ts'
import { storeMethod } from '../../../src/customers/register-method.ts'
import { notificationsJob } from '../../../src/inbound/jobs.ts'
import type { App, Profile } from '../../../src/merchants/app.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import type { Hint } from '../../../src/providers/hint.ts'
import type { CardFacts, SetupOutcome, Snapshot, StoredMethod } from '../../../src/providers/outcome.ts'
import type { ProviderAdapter } from '../../../src/providers/port.ts'
import { createFakeClock } from '../../support/clock.ts'
import { createFakeProvider } from '../../support/provider.ts'
import {
  type Answer,
  good,
  hostedPage,
  newReference,
  startTestService,
  type TestService,
} from '../../support/tender.ts'

/** What a scripted provider tells about stored methods, and notifications about them. */
const clock = createFakeClock(new Date('2027-01-04T09:00:00.000Z'))
let tender: TestService
let profile: Answer
let hints: readonly Hint[] = []
let charged: CardFacts = {}
let kept: SetupOutcome
let seen: Partial<Snapshot>
let reads = 0
const unlisted: object[] = []

const card = { brand: 'Visa', last4: '4242', expiryMonth: 1, expiryYear: 2027 }
const stored = (token: string): StoredMethod => ({
  token,
  label: 'Visa •••• 4242',
  method: 'CreditCard',
  card,
})

function scripted(): ProviderAdapter {
  const { adapter } = createFakeProvider({ id: 'scripted' })
  const page = { kind: 'redirect', handles: { lookup: 'page' }, url: 'https://pay.example/1' } as const
  return {
    ...adapter,
    start: async () => page,
    charge: async () => ({ kind: 'approved', handles: { payment: 'p' }, facts: { card: charged } }),
    setUp: async () => page,
    finishSetup: async () => kept,
    async retrieve(_ctx, reference, handles, about) {
      reads++
      const zero = { minor: 0n, currency: about?.currency ?? 'EUR' }
      return {
        ...{ kind: 'snapshot', stage: 'needs-customer', handles, captured: zero, refunded: zero },
        ...{ refunds: [], facts: {}, reference, ...seen },
      }
    },
    receive: async () => ({ kind: 'events', hints }),
  }
}

beforeAll(async () => {
  // No job loops: each test runs its jobs.
  const warn = (event: string, data: object = {}) => {
    if (event === 'provider.unlisted_code') unlisted.push(data)
  }
  tender = await startTestService('e2e_methods', { clock, role: 'web', log: { ...silentLog, warn } })
  const providers = tender.service.ctx.providers as Map<string, ProviderAdapter>
  providers.set('scripted', scripted())
  profile = good(
    await tender.sandbox.call('POST', 'payment-profiles', {
      ...{ provider: 'scripted', name: 'Scripted', currency: 'EUR', settings: { account: 'a' } },
    }),
  )
})
afterAll(() => tender?.stop())
beforeEach(() => {
  charged = {}
  seen = {}
  reads = 0
})

const loaded = async () => (await loadApp(tender.service.ctx, tender.sandbox.appId)) as App
async function newCustomer(): Promise<Answer> {
  return good(await tender.sandbox.call('POST', 'customers', { customerId: newReference() }))
}
async function customerWith(token: string): Promise<string> {
  const { customerId } = await newCustomer()
  const { ctx } = tender.service
  const profileId = profile.paymentProfileId
  await storeMethod(ctx, await loaded(), { customerId, profileId, stored: stored(token), now: clock.now() })
  return customerId
}
const methodsOf = async (customerId: string): Promise<Answer[]> =>
  good(await tender.sandbox.call('GET', `customers/${customerId}/payment-methods`))

let count = 0
async function notify(events: readonly Hint[]): Promise<void> {
  hints = events
  const reply = await fetch(profile.webhookUrl, { method: 'POST', body: `notification ${++count}` })
  expect(reply.status).toBe(200)
  await tender.service.ctx.background.settled()
}
const runJob = async () => {
  clock.advance(10 * MINUTE)
  await notificationsJob(tender.service.ctx).runFor?.(tender.sandbox.appId)
  await tender.service.ctx.background.settled()
}

describe('the card of a stored method', () => {
  const charge = async (customerId: string) => {
    const order = { customerOrder: { customer: { customerId } } }
    const amount = { amount: 5, currency: 'EUR', autoCapture: true }
    const { body } = await tender.sandbox.call('POST', 'payments/auto-payment', {
      ...{ referenceId: newReference(), ...amount, ...order },
    })
    await tender.service.ctx.background.settled()
    return body.paymentState
  }

  it('is renewed by what a charge tells', async () => {
    const customerId = await customerWith('renewed')
    charged = { brand: 'Visa', last4: '1881', expiryMonth: 6, expiryYear: 2031 }
    expect(await charge(customerId)).toBe('Captured')
    expect(await methodsOf(customerId)).toMatchObject([
      { paymentMethodNumber: 'Visa •••• 1881', cardExpiryMonth: 6, cardExpiryYear: 2031, cardBrand: 'Visa' },
    ])
  })

  it('keeps what a charge does not tell', async () => {
    const customerId = await customerWith('kept')
    charged = { last4: '4242', expiryYear: 2031 }
    expect(await charge(customerId)).toBe('Captured')
    expect(await methodsOf(customerId)).toMatchObject([
      { paymentMethodNumber: 'Visa •••• 4242', cardExpiryMonth: 1, cardExpiryYear: 2027, cardBrand: 'Visa' },
    ])
  })
})

describe('a notification', () => {
  async function setup() {
    const { ctx } = tender.service
    const app = await loaded()
    const customer = await newCustomer()
    const key = `keeping-${++count}`
    const consent = { text: 'save-1.en', time: clock.now(), ip: null }
    const own = app.profiles.find(({ profileId }) => profileId === profile.paymentProfileId) as Profile
    const request = {
      key,
      profile: own,
      kind: 'CreditCard',
      consent,
      backUrl: 'https://shop.example',
    } as const
    expect((await setUpMethod(ctx, app, customer, request)).kind).toBe('redirect')
    return { key, customerId: customer.customerId as string }
  }

  it('about a method that is kept without a payment stores it, also if no browser returns', async () => {
    const { key, customerId } = await setup()
    kept = { kind: 'stored', stored: stored('kept-1') }
    await notify([{ reference: key }])
    expect(await methodsOf(customerId)).toHaveLength(1)
    await notify([{ reference: key }])
    expect(await methodsOf(customerId)).toHaveLength(1)
  })

  it('about it is followed again while the provider gives no answer', async () => {
    const { key, customerId } = await setup()
    kept = { kind: 'unknown', why: 'timeout' }
    await notify([{ reference: key }])
    kept = { kind: 'stored', stored: stored('kept-2') }
    await runJob()
    expect(await methodsOf(customerId)).toHaveLength(1)
  })

  it('stores nothing that the customer has not agreed to', async () => {
    const { key, customerId } = await setup()
    kept = { kind: 'redirect', handles: {}, url: 'https://pay.example/1' }
    await notify([{ reference: key }])
    kept = { kind: 'stored', stored: stored('kept-3') }
    await runJob()
    expect(await methodsOf(customerId)).toHaveLength(0)
  })

  it('about a method that was deleted at the provider removes it', async () => {
    const [customerId, other] = [await customerWith('deleted'), await customerWith('other')]
    await notify([{ removedToken: 'unknown' }])
    expect(await methodsOf(customerId)).toHaveLength(1)
    await notify([{ removedToken: 'deleted' }])
    expect(await methodsOf(customerId)).toHaveLength(0)
    expect(await methodsOf(other)).toHaveLength(1)
    const [last] = good(await tender.sandbox.call('GET', `customers/${customerId}/activity-logs`))
    expect(last).toMatchObject({ activityLogType: 'MethodRemoved' })
  })

  it('is followed again while a part could not be read, and unknown values are counted', async () => {
    const payment = good(
      await tender.sandbox.call('POST', 'payments/provider-hosted-page', {
        ...hostedPage({ referenceId: newReference() }),
        paymentProfileId: profile.paymentProfileId,
      }),
    )
    const captured = { minor: 2550n, currency: 'EUR' }
    seen = { stage: 'captured', captured, isIncomplete: true, unlisted: ['status teleported'] }
    await notify([{ lookup: 'page' }])
    expect((await tender.sandbox.read(payment.paymentId)).paymentState).toBe('Captured')
    expect(reads).toBe(1)
    expect(unlisted).toEqual([{ provider: 'scripted', code: 'status teleported', count: 1 }])
    seen = { stage: 'captured', captured, refunded: captured }
    await runJob()
    expect(reads).toBe(2)
    expect((await tender.sandbox.read(payment.paymentId)).paymentState).toBe('Refunded')
    await runJob()
    expect(reads).toBe(2)
  })
})
