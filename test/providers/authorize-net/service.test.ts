import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../../support/tender.ts'
import { good } from '../../support/tender.ts'
import {
  act,
  chargeStored,
  comeBack,
  customerWithMethod,
  deliverNotifications,
  openProviderPage,
  pageOf,
  payThere,
  referencesOf,
  settle,
} from '../faults/flows.ts'
import { startWorld, type World } from '../faults/world.ts'
import { type AuthorizeNetSimulator, createAuthorizeNetSimulator } from './simulator.ts'

/** The whole service with an account of the simulated provider. */

let world: World & { readonly simulator: AuthorizeNetSimulator }
beforeAll(async () => {
  world = await startWorld(
    {
      ...{ provider: 'authorize-net', method: 'CreditCard', authorises: true, stores: true },
      confirmsLater: false,
      simulator: (now) => createAuthorizeNetSimulator({ now }),
    },
    'service',
  )
})
afterAll(() => world?.stop())
afterEach(() => {
  world.simulator.filter(undefined)
  world.simulator.lagLists(false)
  world.proxy.disarm()
  expect(world.simulator.violations).toEqual([])
})

const RESERVED = { autoCapture: false }

async function paid(more: object = {}): Promise<Answer> {
  const payment = await openProviderPage(world, more)
  await payThere(world, payment)
  await comeBack(world, payment)
  return world.app.read(payment.paymentId)
}

async function referenceOf({ paymentId }: Answer): Promise<string> {
  return (await referencesOf(world, paymentId))[0] ?? ''
}

const status = async (payment: Answer) =>
  world.simulator.transactions(await referenceOf(payment)).at(-1)?.status
const entries = async (payment: Answer) =>
  world.simulator.ledger(await referenceOf(payment)).map(({ kind, amountMinor }) => `${kind} ${amountMinor}`)
const dashboard = async (payment: Answer, what: Parameters<AuthorizeNetSimulator['dashboard']>[1]) =>
  expect(world.simulator.dashboard(await referenceOf(payment), what)).toBe(true)
const read = ({ paymentId }: Answer): Promise<Answer> => world.app.read(paymentId)

/** Time passes for the service and for the provider. */
async function later(minutes: number): Promise<void> {
  world.clock.advance(minutes * 60_000)
  await world.app.advance('1ms')
}

describe('the page of the provider', () => {
  it('is opened by a form of ours', async () => {
    const payment = await openProviderPage(world)
    expect(payment.redirectUrl).toMatch(/\/c\/[^/]+\/continue\/1$/)
    const html = await fetch(payment.redirectUrl).then((reply) => reply.text())
    expect(html).toContain(`action="${world.proxy.origin}/payment/payment"`)
    expect(html).toContain('name="token"')
  })

  it('can be tried again after a decline', async () => {
    const payment = await openProviderPage(world)
    await payThere(world, payment, { kind: 'decline', code: '8' })
    await comeBack(world, payment)
    expect(await read(payment)).toMatchObject({
      paymentState: 'Created',
      lastError: 'The card has expired.',
    })
    await payThere(world, payment)
    await comeBack(world, payment)
    expect(await read(payment)).toMatchObject({ paymentState: 'Captured', lastError: null })
  })

  it('was paid after a decline and settled before anything was told', async () => {
    const payment = await openProviderPage(world)
    await payThere(world, payment, { kind: 'decline', code: '8' })
    await payThere(world, payment)
    world.simulator.takeNotifications()
    // Its clock is ahead of ours.
    world.simulator.advance(1_800_000)
    await dashboard(payment, { kind: 'settle' })
    world.simulator.advance(-1_800_000)
    expect(await act(world, payment, 'recheck')).toMatchObject({ paymentState: 'Captured' })
  })

  it('ends by itself: the attempt fails with the reason of the last try', async () => {
    const payment = await openProviderPage(world)
    await payThere(world, payment, { kind: 'decline', code: '44' })
    await later(31)
    const failed = await act(world, payment, 'recheck')
    expect(failed).toMatchObject({ paymentState: 'Failed', failure: { declineCode: 'incorrect-cvc' } })
  })

  it('cannot be closed: money that is paid there after a cancellation is given back', async () => {
    const payment = await openProviderPage(world)
    const page = (await pageOf(world, payment)) ?? ''
    expect((await act(world, payment, 'cancel')).paymentState).toBe('Failed')
    await world.simulator.payer(page, { kind: 'pay' })
    // The notification is lost.
    world.simulator.takeNotifications()
    await later(31)
    expect(await entries(payment)).toEqual(['sale 2550', 'refund 2550'])
    expect((await read(payment)).paymentState).toBe('Failed')
  })

  it('gives back both of two payments after a cancellation, also if they were settled unseen', async () => {
    const payment = await openProviderPage(world)
    const page = (await pageOf(world, payment)) ?? ''
    await act(world, payment, 'cancel')
    for (const kind of ['pay', 'pay-again'] as const) await world.simulator.payer(page, { kind })
    world.simulator.takeNotifications()
    world.simulator.settleAll()
    for (const minutes of [31, 1, 1]) await later(minutes)
    const both = ['sale 2550', 'sale 2550', 'refund 2550', 'refund 2550']
    expect(await entries(payment)).toEqual(both)
    // The refunds are settled too, and no list has them any more.
    for (const minutes of [3 * 24 * 60, 1]) await later(minutes)
    await act(world, payment, 'recheck')
    await later(1)
    expect(await entries(payment)).toEqual(both)
  })

  it('gives back a payment that follows another one, which was given back, on the same page', async () => {
    const payment = await openProviderPage(world)
    const page = (await pageOf(world, payment)) ?? ''
    await act(world, payment, 'cancel')
    await world.simulator.payer(page, { kind: 'pay' })
    await deliverNotifications(world)
    expect(await entries(payment)).toEqual(['sale 2550', 'refund 2550'])
    await world.simulator.payer(page, { kind: 'pay-again' })
    world.simulator.takeNotifications()
    for (const minutes of [31, 1]) await later(minutes)
    expect(await entries(payment)).toEqual(['sale 2550', 'refund 2550', 'sale 2550', 'refund 2550'])
  })
})

describe('a refund', () => {
  it('of everything before the settlement is a void', async () => {
    const payment = await paid()
    const before = world.simulator.requests.length
    expect(await act(world, payment, 'refund')).toMatchObject({
      paymentState: 'Refunded',
      refundedAmount: 25.5,
    })
    expect(await status(payment)).toBe('voided')
    const sent = world.simulator.requests.slice(before)
    expect(sent.filter(({ body }) => body.includes('refundTransaction'))).toEqual([])
  })

  it('of a part waits in Refunding until the settlement', async () => {
    const payment = await paid()
    expect((await act(world, payment, 'refund?amount=10')).paymentState).toBe('Refunding')
    await later(60)
    await later(60)
    expect((await act(world, payment, 'recheck')).paymentState).toBe('Refunding')
    expect(await status(payment)).toBe('capturedPendingSettlement')
    await dashboard(payment, { kind: 'settle' })
    await later(60)
    expect(await read(payment)).toMatchObject({ paymentState: 'Captured', refundedAmount: 10 })
    // Afterwards the rest goes back at once.
    expect(await act(world, payment, 'refund')).toMatchObject({
      paymentState: 'Refunded',
      refundedAmount: 25.5,
    })
    expect(await entries(payment)).toEqual(['sale 2550', 'refund 1000', 'refund 1550'])
  })

  it('is made once when its answer is lost and no list shows it', async () => {
    const payment = await paid()
    await dashboard(payment, { kind: 'settle' })
    world.simulator.lagLists(true)
    world.proxy.arm({ kind: 'cut-after', match: ({ body }) => body.includes('refundTransaction') })
    expect((await act(world, payment, 'refund?amount=5')).paymentState).toBe('Refunding')
    await settle(world, payment)
    expect(await read(payment)).toMatchObject({ paymentState: 'Captured', refundedAmount: 5 })
    expect(await entries(payment)).toEqual(['sale 2550', 'refund 500'])
  })

  it('made at the provider is told by its notification', async () => {
    const payment = await paid()
    await dashboard(payment, { kind: 'settle' })
    await deliverNotifications(world)
    await dashboard(payment, { kind: 'refund', amountMinor: 700n })
    await deliverNotifications(world)
    expect(await read(payment)).toMatchObject({ paymentState: 'Captured', refundedAmount: 7 })
    // It is voided before it is settled.
    await dashboard(payment, { kind: 'fail-refund' })
    await deliverNotifications(world)
    expect((await read(payment)).lastError).toContain('failed later')
  })
})

it('counts each of several refunds made at the provider', async () => {
  const payment = await paid()
  await dashboard(payment, { kind: 'settle' })
  for (const amountMinor of [700n, 800n]) await dashboard(payment, { kind: 'refund', amountMinor })
  await deliverNotifications(world)
  expect(await read(payment)).toMatchObject({ paymentState: 'Captured', refundedAmount: 15 })
  await dashboard(payment, { kind: 'refund', amountMinor: 900n })
  await later(3 * 24 * 60)
  await deliverNotifications(world)
  expect(await read(payment)).toMatchObject({ paymentState: 'Captured', refundedAmount: 24 })
})

it('finds a payment that was settled and refunded in part before anything was told', async () => {
  const payment = await openProviderPage(world)
  await payThere(world, payment)
  await dashboard(payment, { kind: 'settle' })
  await dashboard(payment, { kind: 'refund', amountMinor: 700n })
  world.simulator.takeNotifications()
  expect(await act(world, payment, 'recheck')).toMatchObject({ paymentState: 'Captured', refundedAmount: 7 })
})

it('reads the provider for a told refund until it answers', async () => {
  const payment = await openProviderPage(world)
  await payThere(world, payment)
  await dashboard(payment, { kind: 'settle' })
  world.simulator.takeNotifications()
  await dashboard(payment, { kind: 'refund', amountMinor: 700n })
  // The notification is verified, and the payment that it is about cannot be read.
  for (let times = 0; times < 4; times++)
    world.proxy.arm({
      kind: 'error-before',
      match: ({ body }) => body.includes('getUnsettledTransactionList'),
    })
  await deliverNotifications(world)
  expect(await read(payment)).toMatchObject({ paymentState: 'Created' })
  world.proxy.disarm()
  // The refund is settled, and no list has it any more.
  await later(3 * 24 * 60)
  expect(await settle(world, payment)).toMatchObject({ paymentState: 'Captured', refundedAmount: 7 })
})

it('finds a refund made at the provider that is settled before its notification is processed', async () => {
  const payment = await paid()
  await dashboard(payment, { kind: 'settle' })
  await deliverNotifications(world)
  await dashboard(payment, { kind: 'refund', amountMinor: 700n })
  await later(3 * 24 * 60)
  await deliverNotifications(world)
  expect(await read(payment)).toMatchObject({ paymentState: 'Captured', refundedAmount: 7 })
})

describe('a payment that the provider holds for review', () => {
  describe.each(['authAndHold', 'hold'] as const)('by the action %s', (filter) => {
    it.each([
      [{}, 'Captured', 'capturedPendingSettlement'],
      [RESERVED, 'Authorized', 'authorizedPendingCapture'],
    ])('is approved there by unhold (%o)', async (more, state, there) => {
      world.simulator.filter(filter)
      const payment = await paid(more)
      expect(payment).toMatchObject({ paymentState: 'ProviderAuthorizedHold', capturedAmount: 0 })
      const released = await act(world, payment, 'unhold')
      expect([released.paymentState, await status(payment)]).toEqual([state, there])
      expect((await act(world, payment, 'unhold')).paymentState).toBe(state)
      await deliverNotifications(world)
      expect((await act(world, payment, 'recheck')).paymentState).toBe(state)
    })

    it('is declined there by cancel', async () => {
      world.simulator.filter(filter)
      const payment = await paid(RESERVED)
      expect((await act(world, payment, 'cancel')).paymentState).toBe('Failed')
      expect(await status(payment)).toBe(filter === 'hold' ? 'declined' : 'voided')
    })

    it.each(['cut-before', 'cut-after', 'rate-limited'] as const)(
      'is approved once when the answer is lost (%s)',
      async (kind) => {
        world.simulator.filter(filter)
        const payment = await paid()
        world.proxy.arm({ kind, match: ({ body }) => body.includes('updateHeldTransactionRequest') })
        expect((await act(world, payment, 'unhold')).paymentState).toBe('Authorizing')
        expect(await settle(world, payment)).toMatchObject({ paymentState: 'Captured', capturedAmount: 25.5 })
      },
    )
  })

  it('stays held when the provider refuses the request, and can be released later', async () => {
    world.simulator.filter('authAndHold')
    const payment = await paid()
    world.simulator.arm({ kind: 'error', operation: 'resume', status: 200, code: 'E00007' })
    const refused = await act(world, payment, 'unhold')
    expect(refused).toMatchObject({ paymentState: 'ProviderAuthorizedHold' })
    expect(refused.lastError).toMatch(/^The release was refused/)
    expect((await act(world, payment, 'unhold')).paymentState).toBe('Captured')
  })

  it('fails when the bank declines it after all', async () => {
    world.simulator.filter('hold')
    const payment = await paid()
    world.simulator.arm({ kind: 'decline', operation: 'resume', code: '2' })
    const declined = await act(world, payment, 'unhold')
    expect(declined).toMatchObject({ paymentState: 'Failed', failure: { declineCode: 'do-not-honour' } })
  })

  it('follows a decision that was made at the provider', async () => {
    world.simulator.filter('authAndHold')
    const [approved, declined] = [await paid(), await paid()]
    await dashboard(approved, { kind: 'release' })
    await deliverNotifications(world)
    expect(await read(approved)).toMatchObject({ paymentState: 'Captured', capturedAmount: 25.5 })
    expect(world.simulator.decline(await referenceOf(declined))).toBe(true)
    await deliverNotifications(world)
    expect((await read(declined)).paymentState).toBe('Failed')
  })
})

describe('a stored method', () => {
  const methodsOf = async (customerId: string) =>
    good(await world.app.call('GET', `customers/${customerId}/payment-methods`))

  it('is made from the payment by a request of its own, and charged', async () => {
    const customerId = await customerWithMethod(world)
    expect(await methodsOf(customerId)).toMatchObject([{ paymentMethodType: 'CreditCard' }])
    const charged = await chargeStored(world, customerId)
    expect(charged).toMatchObject({ paymentState: 'Captured', capturedAmount: 25.5 })
    const sent = world.simulator.requests.at(-1)?.body ?? ''
    expect(sent).toContain('"isSubsequentAuth":true')
    expect(sent).toContain('"settingName":"duplicateWindow","settingValue":"28800"')
  })

  it('is stored later if the request failed, and the payment is not affected', async () => {
    const before = world.simulator.storedMethods()
    const payment = await openProviderPage(world, { registerAutoPayment: true })
    const match = ({ body }: { body: string }) => body.includes('createCustomerProfileFromTransaction')
    world.proxy.arm({ kind: 'cut-after', match })
    await payThere(world, payment, { kind: 'save' })
    await comeBack(world, payment)
    expect(await read(payment)).toMatchObject({ paymentState: 'Captured' })
    expect(await methodsOf(payment.customerId)).toEqual([])
    await later(1)
    expect(await methodsOf(payment.customerId)).toHaveLength(1)
    expect(world.simulator.storedMethods()).toBe(before + 1)
  })

  it('does not come back after it was removed', async () => {
    const payment = await openProviderPage(world, { registerAutoPayment: true })
    await payThere(world, payment, { kind: 'save' })
    await comeBack(world, payment)
    const { customerId } = payment
    const [{ paymentMethodId }] = await methodsOf(customerId)
    const before = world.simulator.storedMethods()
    const at = `customers/${customerId}/payment-methods/${paymentMethodId}`
    expect((await world.app.call('DELETE', at)).status).toBeLessThan(300)
    await world.tender.service.ctx.background.settled()
    await deliverNotifications(world)
    await act(world, payment, 'recheck')
    await later(10)
    expect(await methodsOf(customerId)).toEqual([])
    expect(world.simulator.storedMethods()).toBe(before - 1)
  })

  it('is charged once when the answer is lost and no list shows the charge', async () => {
    const customerId = await customerWithMethod(world)
    world.simulator.lagLists(true)
    world.proxy.arm({ kind: 'cut-after', match: ({ body }) => body.includes('createTransactionRequest') })
    const payment = await chargeStored(world, customerId)
    expect(payment.paymentState).toBe('SaleInProgress')
    expect(await settle(world, payment)).toMatchObject({ paymentState: 'Captured', capturedAmount: 25.5 })
    expect(await entries(payment)).toEqual(['sale 2550'])
  })

  it('is held for review and released', async () => {
    const customerId = await customerWithMethod(world)
    world.simulator.filter('authAndHold')
    const payment = await chargeStored(world, customerId)
    expect(payment.paymentState).toBe('ProviderAuthorizedHold')
    expect((await act(world, payment, 'unhold')).paymentState).toBe('Captured')
  })
})
