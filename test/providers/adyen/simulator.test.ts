import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasDescriptions, judgeReply, judgeRequest } from '../kit/descriptions.ts'
import { type AdyenSimulator, createAdyenSimulator } from './simulator.ts'

const REFERENCE = 'A0000000000000000001'
const HOOK = 'https://tender.example/hook'
const amount = { currency: 'EUR', value: 2550 }

let simulator: AdyenSimulator
beforeEach(async () => {
  simulator = await createAdyenSimulator({ webhookUrl: HOOK })
})
afterEach(() => simulator.close())

let keys = 0
async function call(method: string, path: string, json?: object, headers: Record<string, string> = {}) {
  const { apiKey = '', merchantAccount } = simulator.settings
  const body =
    json === undefined
      ? null
      : JSON.stringify(path.startsWith('/v3') || method === 'PATCH' ? json : { merchantAccount, ...json })
  const sent = {
    'x-api-key': apiKey,
    'idempotency-key': `KEY${++keys}`,
    ...(body ? { 'content-type': 'application/json' } : {}),
    ...headers,
  }
  const reply = await fetch(simulator.origin + path, { method, headers: sent, body })
  const text = await reply.text()
  const answer = { status: reply.status, body: text === '' ? undefined : JSON.parse(text) }
  if (hasDescriptions && answer.status < 300) {
    const request = { method, path, headers: sent, body: body ?? '' }
    expect(judgeRequest('adyen', request)).toEqual([])
    expect(judgeReply('adyen', request, answer)).toEqual([])
  }
  return answer
}

const openLink = (more: object = {}) =>
  call('POST', '/v72/paymentLinks', {
    reference: REFERENCE,
    amount,
    manualCapture: true,
    returnUrl: 'https://shop.example/back',
    ...more,
  })

async function paid(more: object = {}): Promise<string> {
  const { body } = await openLink(more)
  await simulator.payer(body.url, { kind: 'pay' })
  return simulator.waiting.at(0)?.pspReference ?? ''
}

const events = () => simulator.waiting.splice(0).map(({ eventCode, success }) => `${eventCode} ${success}`)
const kinds = () => simulator.ledger(REFERENCE).map(({ kind, state }) => `${kind} ${state}`)

describe('a payment link', () => {
  it('is opened, read, paid once and then completed', async () => {
    const { status, body } = await openLink()
    expect([status, body.status]).toEqual([201, 'active'])
    expect((await fetch(body.url)).status).toBe(200)
    expect(await simulator.payer(body.url, { kind: 'decline', code: '12' })).toBeUndefined()
    expect((await call('GET', `/v72/paymentLinks/${body.id}`)).body.status).toBe('active')
    expect(await simulator.payer(body.url, { kind: 'pay' })).toBe('https://shop.example/back')
    expect((await call('GET', `/v72/paymentLinks/${body.id}`)).body.status).toBe('completed')
    await expect(simulator.payer(body.url, { kind: 'pay' })).rejects.toThrow('410')
    expect(events()).toEqual(['AUTHORISATION false', 'AUTHORISATION true'])
    expect(kinds()).toEqual(['authorise done'])
    expect(simulator.violations).toEqual([])
  })

  it('is closed once, or expires', async () => {
    const { body } = await openLink()
    const path = `/v72/paymentLinks/${body.id}`
    expect((await call('PATCH', path, { status: 'expired' })).body.status).toBe('expired')
    expect((await call('PATCH', path, { status: 'expired' })).status).toBe(422)
    const other = await openLink({ reference: 'B0000000000000000001' })
    simulator.advance(86_400_001)
    expect((await call('GET', `/v72/paymentLinks/${other.body.id}`)).body.status).toBe('expired')
    expect((await call('GET', '/v72/paymentLinks/PL0')).status).toBe(404)
  })

  it('stores the method of a shopper, which is charged, listed and removed', async () => {
    const shopperReference = 'shopper_1'
    await paid({
      shopperReference,
      storePaymentMethodMode: 'enabled',
      recurringProcessingModel: 'CardOnFile',
    })
    const { merchantAccount = '' } = simulator.settings
    const query = `?${new URLSearchParams({ shopperReference, merchantAccount })}`
    const { body } = await call('GET', `/v72/storedPaymentMethods${query}`)
    const [{ id }] = body.storedPaymentMethods
    const charge = {
      reference: 'C0000000000000000001',
      amount,
      returnUrl: 'https://shop.example',
      shopperReference,
      additionalData: { manualCapture: 'true' },
      paymentMethod: { type: 'scheme', storedPaymentMethodId: id },
    }
    expect((await call('POST', '/v72/payments', charge)).body.resultCode).toBe('Authorised')
    simulator.arm({ kind: 'decline', operation: 'charge', code: '12' })
    expect((await call('POST', '/v72/payments', charge)).body).toMatchObject({
      resultCode: 'Refused',
      refusalReasonCode: '12',
      refusalReason: 'Not enough balance',
    })
    expect((await call('DELETE', `/v72/storedPaymentMethods/${id}${query}`)).status).toBe(204)
    expect((await call('POST', '/v72/payments', charge)).body.errorCode).toBe('803')
    expect(simulator.violations).toEqual([])
  })
})

describe('modifications', () => {
  it('are only received, and a notification tells the result', async () => {
    const id = await paid()
    const capture = await call('POST', `/v72/payments/${id}/captures`, { amount, reference: 'R' })
    expect(capture).toMatchObject({ status: 201, body: { status: 'received', paymentPspReference: id } })
    await call('POST', `/v72/payments/${id}/captures`, { amount })
    await call('POST', `/v72/payments/${id}/cancels`, {})
    await call('POST', `/v72/payments/${id}/refunds`, { amount: { ...amount, value: 2000 } })
    await call('POST', `/v72/payments/${id}/refunds`, { amount: { ...amount, value: 2000 } })
    expect(events()).toEqual([
      'AUTHORISATION true',
      'CAPTURE true',
      'CAPTURE false',
      'CANCELLATION false',
      'REFUND true',
      'REFUND false',
    ])
    expect(kinds()).toEqual(['authorise done', 'capture done', 'refund done'])
  })

  it('cancel by the reference of the payment, also one that does not exist', async () => {
    await paid()
    for (const paymentReference of [REFERENCE, 'UNKNOWN'])
      expect((await call('POST', '/v72/cancels', { paymentReference })).body.status).toBe('received')
    expect(events()).toEqual(['AUTHORISATION true', 'TECHNICAL_CANCEL true'])
    expect(kinds()).toEqual(['authorise done', 'void done'])
  })

  it('with a known key repeat the first answer, for seven days', async () => {
    const id = await paid()
    const repeat = () =>
      call(
        'POST',
        `/v72/payments/${id}/refunds`,
        { amount: { ...amount, value: 100 } },
        { 'idempotency-key': 'SAME' },
      )
    await call('POST', `/v72/payments/${id}/captures`, { amount })
    const first = await repeat()
    expect(await repeat()).toEqual(first)
    simulator.advance(7 * 86_400_000)
    expect((await repeat()).body.pspReference).not.toBe(first.body.pspReference)
    expect(kinds().filter((kind) => kind === 'refund done')).toHaveLength(2)
    expect(simulator.violations).toEqual([])
  })

  it('fail later, and payments are disputed', async () => {
    const id = await paid()
    await call('POST', `/v72/payments/${id}/captures`, { amount })
    await call('POST', `/v72/payments/${id}/refunds`, { amount })
    simulator.dashboard(REFERENCE, { kind: 'fail-refund' })
    simulator.dashboard(REFERENCE, { kind: 'dispute', state: 'won' })
    simulator.dashboard(REFERENCE, { kind: 'dispute', state: 'lost' })
    simulator.dashboard(REFERENCE, { kind: 'fail-capture' })
    expect(events().slice(3)).toEqual([
      'REFUND_FAILED true',
      'NOTIFICATION_OF_CHARGEBACK true',
      'CHARGEBACK true',
      'INFORMATION_SUPPLIED true',
      'CHARGEBACK_REVERSED true',
      'SECOND_CHARGEBACK true',
      'CAPTURE_FAILED true',
    ])
    expect(kinds()).toEqual(['authorise done', 'capture failed', 'refund failed'])
  })
})

describe('wrong requests', () => {
  it.each([
    ['an unknown member', { invented: 1 }],
    ['an unknown member of a member', { amount: { ...amount, invented: 1 } }],
    ['a wrong type', { amount: { currency: 'EUR', value: '2550' } }],
    ['a shopper of two characters', { shopperReference: 'ab' }],
    ['a time without a zone', { expiresAt: '2030-01-01' }],
  ])('%s', async (_what, more) => {
    expect((await openLink(more)).status).toBe(422)
    expect(simulator.violations).toHaveLength(1)
  })

  it('an unknown path, a missing key and another body under a key', async () => {
    expect((await call('POST', '/v72/invented', {})).status).toBe(404)
    await openLink({}).then(() =>
      call('POST', '/v72/paymentLinks', { reference: 'X', amount }, { 'idempotency-key': 'A' }),
    )
    await call('POST', '/v72/paymentLinks', { reference: 'Y', amount }, { 'idempotency-key': 'A' })
    expect(simulator.violations).toEqual([
      'POST /v72/invented does not exist',
      'the key A was used with another request',
    ])
  })

  it('wrong credentials, a key without roles and another account', async () => {
    expect((await call('POST', '/v72/paymentMethods', {}, { 'x-api-key': 'wrong' })).status).toBe(401)
    expect(
      (await call('POST', '/v72/paymentMethods', {}, { 'x-api-key': simulator.powerlessKey })).status,
    ).toBe(403)
    expect((await call('POST', '/v72/paymentMethods', { merchantAccount: 'Other' })).body.errorCode).toBe(
      '901',
    )
  })
})

describe('notifications', () => {
  it.skipIf(!hasDescriptions)('are as the official description has them', async () => {
    const id = await paid({
      shopperReference: 'shopper_1',
      storePaymentMethodMode: 'enabled',
      recurringProcessingModel: 'CardOnFile',
    })
    await call('POST', `/v72/payments/${id}/captures`, { amount })
    await call('POST', `/v72/payments/${id}/refunds`, { amount: { ...amount, value: 100 } })
    simulator.dashboard(REFERENCE, { kind: 'fail-refund' })
    simulator.dashboard(REFERENCE, { kind: 'dispute', state: 'won' })
    simulator.dashboard(REFERENCE, { kind: 'fail-capture' })
    simulator.dashboard(REFERENCE, { kind: 'void' })
    // The schema of stored methods has no place for the signature, although its example has one.
    const undescribed = ['NOTIFICATION_OF_CHARGEBACK', 'INFORMATION_SUPPLIED', 'RECURRING_CONTRACT']
    const sent = simulator.takeNotifications()
    const problems = sent.flatMap(({ headers, body }) => {
      const code = JSON.parse(body).notificationItems[0].NotificationRequestItem.eventCode
      return undescribed.includes(code)
        ? []
        : judgeRequest('adyen', { method: 'POST', path: `/${code}`, headers, body })
    })
    expect(problems).toEqual([])
    expect(sent.length).toBeGreaterThan(8)
  })

  it('of events that a webhook did not ask for are not sent', async () => {
    const path = '/v3/merchants/TenderSimulatorECOM/webhooks'
    const hook = { type: 'standard', url: 'https://other.example', active: true, communicationFormat: 'json' }
    const made = await call('POST', path, hook)
    await call('POST', `${path}/${made.body.id}/generateHmac`)
    const id = await paid()
    await call('POST', `/v72/payments/${id}/captures`, { amount })
    simulator.takeNotifications()
    const reported = (state: 'open' | 'won') => {
      simulator.dashboard(REFERENCE, { kind: 'dispute', state })
      return simulator.takeNotifications().filter(({ url }) => url === hook.url).length
    }
    expect(reported('open')).toBe(0)
    const additionalSettings = {
      includeEventCodes: ['CHARGEBACK_REVERSED'],
      properties: { addAcquirerResult: true },
    }
    await call('PATCH', `${path}/${made.body.id}`, { additionalSettings })
    expect(reported('won')).toBe(1)
  })

  it('about captures that failed and are done again, and refunds too', async () => {
    const id = await paid()
    await call('POST', `/v72/payments/${id}/captures`, { amount })
    await call('POST', `/v72/payments/${id}/refunds`, { amount: { ...amount, value: 100 } })
    events()
    for (const kind of ['fail-capture', 'recapture', 'fail-refund', 'repeat-refund'] as const)
      expect(simulator.dashboard(REFERENCE, { kind })).toBe(true)
    expect(simulator.dashboard(REFERENCE, { kind: 'recapture' })).toBe(false)
    expect(events()).toEqual(['CAPTURE_FAILED true', 'CAPTURE true', 'REFUND_FAILED true', 'REFUND true'])
    expect(kinds()).toEqual(['authorise done', 'capture done', 'refund done'])
  })

  it('are signed for a webhook that the merchant set up', async () => {
    const path = '/v3/merchants/TenderSimulatorECOM/webhooks'
    const made = await call('POST', path, {
      type: 'standard',
      url: 'https://other.example',
      active: true,
      communicationFormat: 'json',
    })
    const { body } = await call('POST', `${path}/${made.body.id}/generateHmac`)
    expect(body.hmacKey).toMatch(/^[0-9A-F]{64}$/)
    expect(simulator.webhookEndpoints).toHaveLength(2)
    await paid()
    expect(simulator.takeNotifications().map(({ url }) => url)).toEqual([HOOK, 'https://other.example'])
  })
})
