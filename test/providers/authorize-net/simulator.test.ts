import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AuthorizeNetSimulator, createAuthorizeNetSimulator } from './simulator.ts'

/** The simulated account, driven without the adapter. */

let simulator: AuthorizeNetSimulator
beforeEach(async () => {
  simulator = await createAuthorizeNetSimulator()
})
afterEach(() => simulator.close())

type Members = Readonly<Record<string, unknown>>

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever member they assert
async function ask(name: string, content: Members, keys = simulator.settings): Promise<any> {
  const merchantAuthentication = { name: keys.apiLoginId, transactionKey: keys.transactionKey }
  const reply = await fetch(`${simulator.origin}/xml/v1/request.api`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ [name]: { merchantAuthentication, ...content } }),
  })
  const text = Buffer.from(await reply.arrayBuffer()).toString('utf8')
  expect([reply.status, text.charCodeAt(0)]).toEqual([200, 0xfeff])
  return JSON.parse(text.slice(1))
}

const once = { setting: [{ settingName: 'duplicateWindow', settingValue: '28800' }] }

const openPage = async (more: Members = {}, type = 'authCaptureTransaction') => {
  const { token } = await ask('getHostedPaymentPageRequest', {
    refId: 'R1',
    transactionRequest: {
      ...{ transactionType: type, amount: '25.50', currencyCode: 'USD' },
      ...{ order: { invoiceNumber: 'INVOICE1' }, transactionSettings: once },
    },
    hostedPaymentSettings: {
      setting: [
        {
          settingName: 'hostedPaymentReturnOptions',
          settingValue: '{"url":"https://shop.test/back","cancelUrl":"https://shop.test/left"}',
        },
      ],
    },
    ...more,
  })
  return `${simulator.origin}/payment/payment?token=${token}`
}

const transact = (transactionRequest: Members) => ask('createTransactionRequest', { transactionRequest })
const listed = async () => (await ask('getUnsettledTransactionListRequest', {})).transactions ?? []

const paid = async (type?: string): Promise<string> => {
  await simulator.payer(await openPage({}, type), { kind: 'pay' })
  return (await listed())[0].transId
}

const details = async (transId: string) =>
  (await ask('getTransactionDetailsRequest', { transId })).transaction

describe('the simulated account', () => {
  it('takes a payment on a page that a posted token opens, and returns the payer', async () => {
    const page = await openPage()
    expect(await simulator.payer(page, { kind: 'abandon' })).toBe('https://shop.test/left')
    expect(await simulator.payer(page, { kind: 'decline' })).toBeUndefined()
    expect(await simulator.payer(page, { kind: 'pay' })).toBe('https://shop.test/back')
    await expect(simulator.payer(page, { kind: 'pay' })).rejects.toThrow()
    expect((await listed()).map((one: Members) => one.transactionStatus)).toEqual([
      'declined',
      'capturedPendingSettlement',
    ])
    expect(simulator.ledger('INVOICE1')).toMatchObject([{ kind: 'sale', amountMinor: 2550n, state: 'done' }])
  })

  it('does not open a page after 15 minutes', async () => {
    const page = await openPage()
    simulator.advance(15 * 60_000)
    await expect(simulator.payer(page, { kind: 'pay' })).rejects.toThrow()
  })

  it('captures once, and never more than was authorised', async () => {
    const refTransId = await paid('authOnlyTransaction')
    const request = { transactionType: 'priorAuthCaptureTransaction', refTransId }
    const more = await transact({ transactionType: request.transactionType, amount: '25.51', refTransId })
    expect(more.transactionResponse.errors[0].errorCode).toBe('47')
    expect((await transact(request)).transactionResponse.responseCode).toBe('1')
    expect((await transact(request)).transactionResponse.errors[0].errorCode).toBe('311')
    expect(simulator.ledger('INVOICE1').map(({ kind }) => kind)).toEqual(['authorise', 'capture'])
  })

  it('refunds only what is settled, and voids only what is not', async () => {
    const refTransId = await paid()
    const card = {
      cardNumber: (await details(refTransId)).payment.creditCard.cardNumber,
      expirationDate: 'XXXX',
    }
    const refund = {
      ...{ transactionType: 'refundTransaction', amount: '5.00', payment: { creditCard: card }, refTransId },
      ...{ order: { invoiceNumber: 'REFUND1' }, transactionSettings: once },
    }
    expect((await transact(refund)).transactionResponse.errors[0].errorCode).toBe('54')
    simulator.dashboard('INVOICE1', { kind: 'settle' })
    const first = await transact(refund)
    expect(first.transactionResponse.responseCode).toBe('1')
    const again = await transact(refund)
    expect(again.transactionResponse).toMatchObject({
      errors: [{ errorCode: '11' }],
      refTransID: first.transactionResponse.transId,
    })
    const rest = { ...refund, amount: '20.51', order: { invoiceNumber: 'REFUND2' } }
    expect((await transact(rest)).transactionResponse.errors[0].errorCode).toBe('55')
    const voided = await transact({ transactionType: 'voidTransaction', refTransId })
    expect(voided.transactionResponse.errors[0].errorCode).toBe('16')
    expect(simulator.violations).toEqual([])
  })

  it('holds what its filters catch until it is decided', async () => {
    simulator.filter('authAndHold')
    const refTransId = await paid()
    expect((await details(refTransId)).transactionStatus).toBe('FDSAuthorizedPendingReview')
    await ask('updateHeldTransactionRequest', { heldTransactionRequest: { action: 'approve', refTransId } })
    expect((await details(refTransId)).transactionStatus).toBe('capturedPendingSettlement')
  })

  it('stores the method of a transaction once, and charges it', async () => {
    const transId = await paid()
    const request = { transId, customer: { merchantCustomerId: 'C1' } }
    const name = 'createCustomerProfileFromTransactionRequest'
    const made = await ask(name, request)
    const again = await ask(name, request)
    expect(again.messages.message[0].text).toContain(made.customerProfileId)
    const charge = await transact({
      ...{ transactionType: 'authCaptureTransaction', amount: '10', currencyCode: 'USD' },
      profile: {
        customerProfileId: made.customerProfileId,
        paymentProfile: { paymentProfileId: made.customerPaymentProfileIdList[0] },
      },
      ...{ order: { invoiceNumber: 'INVOICE2' }, transactionSettings: once },
    })
    expect(charge.transactionResponse.responseCode).toBe('1')
  })

  it.each(['text', 'bytes'] as const)('signs notifications with the %s of its key', async (signsWith) => {
    await simulator.close()
    simulator = await createAuthorizeNetSimulator({ signsWith })
    const id = await paid()
    const [reported] = simulator.takeNotifications()
    const { signatureKey = '' } = simulator.settings
    const key = signsWith === 'text' ? signatureKey : Buffer.from(signatureKey, 'hex')
    const signature = createHmac('sha512', key)
      .update(reported?.body ?? '')
      .digest('hex')
      .toUpperCase()
    expect(reported?.headers['x-anet-signature']).toBe(`sha512=${signature}`)
    expect(JSON.parse(reported?.body ?? '')).toMatchObject({
      eventType: 'net.authorize.payment.authcapture.created',
      payload: { entityName: 'transaction', id, invoiceNumber: 'INVOICE1', authAmount: 25.5 },
    })
  })

  it('refuses wrong credentials', async () => {
    const reply = await ask('getUnsettledTransactionListRequest', {}, simulator.wrongSettings)
    expect(reply.messages).toMatchObject({ resultCode: 'Error', message: [{ code: 'E00007' }] })
  })
})

describe('a request that breaks the schema is refused and noted', () => {
  const order = { order: { invoiceNumber: 'I' }, transactionSettings: once }
  it.each([
    ['an unknown element', { transactionType: 'voidTransaction', refTransId: '1', reason: 'x' }, 'reason'],
    ['elements in another order', { amount: '1.00', transactionType: 'voidTransaction' }, 'amount'],
    ['a missing element', { refTransId: '1' }, 'refTransId'],
    [
      'a text that is too long',
      { transactionType: 'voidTransaction', ...order, order: { invoiceNumber: 'I'.repeat(21) } },
      'invoiceNumber',
    ],
    [
      'an amount that is none',
      { transactionType: 'authCaptureTransaction', amount: '1,50', ...order },
      'amount',
    ],
    ['a name that is no value', { transactionType: 'captureTransaction' }, 'transactionType'],
  ])('%s', async (_what, transactionRequest, named) => {
    const reply = await transact(transactionRequest)
    expect(reply.messages.message[0].code).toBe('E00003')
    expect(simulator.violations).toMatchObject([expect.stringContaining(named)])
  })

  it('a transaction without an explicit duplicate window', async () => {
    await ask('getHostedPaymentPageRequest', {
      transactionRequest: { transactionType: 'authCaptureTransaction', amount: '1.00', currencyCode: 'USD' },
    })
    expect(simulator.violations).toEqual(['a transaction without an explicit duplicateWindow'])
  })
})
