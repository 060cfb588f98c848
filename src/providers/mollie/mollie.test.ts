import { describe, expect, it } from 'vitest'
import { money } from '../../base/money.ts'
import { operation, purchase } from '../contract/core.ts'
import type { Json } from '../kit/json.ts'
import { readReply } from '../kit/reply.ts'
import { DECLINE_REASONS } from '../outcome.ts'
import { amountAt, amountLimits, toWire } from './amounts.ts'
import { chargeMandate, createCustomer, openPayment, refundPayment, uuidOf } from './calls.ts'
import { declineOf } from './declines.ts'
import { RULES } from './exchange.ts'
import { factsOf, parseToken, storedIn } from './facts.ts'
import { manifest, ORIGIN } from './manifest.ts'
import { captureOutcome, paymentOutcome, refundOutcome } from './outcomes.ts'
import { paymentIn } from './payment.ts'
import { received } from './receive.ts'
import { snapshotOf } from './snapshot.ts'

const NOW = new Date('2027-01-04T09:00:00Z')
const amount = { currency: 'EUR', value: '10.50' }
const EUR = (minor: bigint) => money(minor, 'EUR')

describe('amounts', () => {
  it.each([
    ['EUR', 1_050n, '10.50'],
    ['EUR', 5n, '0.05'],
    ['JPY', 500n, '500'],
    ['ISK', 500n, '500'],
    ['HUF', 150_000n, '1500.00'],
  ])('%s %s is %s', (currency, minor, value) => {
    expect(toWire(money(minor, currency))).toEqual({ currency, value })
    expect(amountAt({ amount: { currency, value } }, 'amount')).toEqual(money(minor, currency))
  })

  it('that are not amounts are refused', () => {
    for (const wrong of [
      { currency: 'EUR', value: 10.5 },
      { currency: 'EUR', value: '10.505' },
      { currency: 'XXX', value: '1.00' },
      { currency: 'EUR', value: '-1.00' },
      null,
    ])
      expect(amountAt({ amount: wrong }, 'amount')).toBeUndefined()
  })

  it('by PayPal have fewer currencies and no cents in some', () => {
    expect(amountLimits('ISK', 'Paypal')).toEqual({ largest: 0n })
    expect(amountLimits('HUF', 'Paypal')).toEqual({ smallest: 100n, multipleOf: 100n })
    expect(amountLimits('HUF', 'CreditCard')).toEqual({})
  })
})

describe('settings', () => {
  const parse = (value: unknown, isSandbox = true) => manifest.settings.parse(value, { isSandbox })
  const [test, live] = ['test_dHar4XY7LxsDOtmnkVtjNVWXLSlXsM', 'live_dHar4XY7LxsDOtmnkVtjNVWXLSlXsM']

  it('are a key of the right mode', () => {
    expect(parse({ apiKey: test })).toEqual({ ok: true, config: { apiKey: test } })
    expect(parse({ apiKey: live }, false)).toEqual({ ok: true, config: { apiKey: live } })
    for (const wrong of [parse({ apiKey: live }), parse({ apiKey: test }, false)])
      expect(wrong).toMatchObject({ ok: false, problems: [{ message: expect.stringContaining('needs a') }] })
    for (const wrong of [null, {}, { apiKey: 'sk_test_1' }, { apiKey: `${test}\r\nx: y` }, { apiKey: 7 }])
      expect(parse(wrong)).toMatchObject({ ok: false, problems: [{ field: 'apiKey' }] })
  })
})

describe('requests', () => {
  const op = operation('start')
  const to = { origin: ORIGIN, notifyUrl: 'https://pay.example.com/api/provider-webhook?profileId=1' }
  const json = (wanted: Parameters<typeof purchase>[0], where = to, customer?: string) =>
    openPayment(op, purchase(wanted), where, customer).json as Record<string, unknown>

  it('have a UUID as their key, always the same one for an operation', () => {
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    const keys = Array.from({ length: 64 }, () => operation('start').key)
    for (const key of keys) expect(uuidOf(key)).toMatch(uuid)
    expect(uuidOf(op.key)).toBe(uuidOf(op.key))
    expect(new Set(keys.map(uuidOf)).size).toBe(keys.length)
    expect(createCustomer(op).key).not.toBe(op.key)
  })

  it('open a page that takes or reserves the money', () => {
    expect(json({ sale: true, description: 'Two\r\nshoes' })).toEqual({
      ...{
        amount,
        description: 'Two shoes',
        method: ['creditcard', 'applepay', 'googlepay'],
        metadata: { reference: op.reference },
      },
      locale: 'de_AT',
      billingAddress: {
        ...{ givenName: 'Ada', familyName: 'Lovelace', streetAdditional: 'Stiege 2', region: 'Wien' },
        ...{ streetAndNumber: 'Hauptstraße 12a', postalCode: '1010', city: 'Wien', country: 'AT' },
      },
      ...{ redirectUrl: 'https://tender.example/back', cancelUrl: 'https://tender.example/back' },
      webhookUrl: to.notifyUrl,
    })
    expect(json({ sale: false })).toMatchObject({ captureMode: 'manual' })
    expect(json({ orderId: 'A-7' }).description).toBe('A-7')
    expect(json({}).description).toBe(op.reference)
    expect(json({ method: 'Paypal' })).toMatchObject({ method: 'paypal' })
  })

  it('name no address for notifications that Mollie would refuse', () => {
    for (const host of ['http://localhost:8080', 'http://127.0.0.1', 'http://[::1]', 'https://tender.local'])
      expect(json({}, { ...to, notifyUrl: `${host}/x` })).not.toHaveProperty('webhookUrl')
    // A proxy or a simulator may be local too.
    const local = { origin: 'http://127.0.0.1:1234', notifyUrl: 'http://127.0.0.1/x' }
    expect(json({}, local)).toMatchObject({ webhookUrl: 'http://127.0.0.1/x' })
  })

  it('store a method for a customer of its own and charge it later', () => {
    expect(createCustomer(op).json).toEqual({ metadata: { reference: op.reference } })
    expect(json({ storeMethod: true }, to, 'cst_1')).toMatchObject({
      ...{ sequenceType: 'first', customerId: 'cst_1' },
    })
    const token = { customer: 'cst_1', mandate: 'mdt_1' }
    const charged = chargeMandate(op, purchase({ sale: false }), to, token).json
    expect(charged).toMatchObject({
      ...{ sequenceType: 'recurring', customerId: 'cst_1', mandateId: 'mdt_1', captureMode: 'manual' },
    })
    expect(charged).not.toHaveProperty('redirectUrl')
    expect(parseToken('cst_1/mdt_1')).toEqual(token)
    for (const wrong of ['', 'cst_1', 'cst_1/../x', 'cst_1/mdt_1/x', 'cst_1/mdt 1'])
      expect(parseToken(wrong)).toBeUndefined()
  })

  it('shorten the text of a refund', () => {
    const description = `a${'b'.repeat(300)}`
    const { json: body } = refundPayment({ ...op, description }, 'tr_1', EUR(1_050n))
    expect((body as { description: string }).description.length).toBe(140)
  })
})

describe('replies', () => {
  const reply = (status: number, body: unknown, headers = {}) =>
    readReply({ kind: 'reply', status, headers, body }, NOW, RULES)
  const problem = (status: number, field?: string) =>
    reply(status, { status, title: 'T', detail: 'D', ...(field ? { field } : {}) })

  it.each([
    [401, 'not-done', 'bad-credentials'],
    [403, 'not-done', 'bad-credentials'],
    [404, 'not-done', 'not-found'],
    [410, 'not-done', 'not-found'],
    [422, 'not-done', 'bad-request'],
    [400, 'not-done', 'bad-request'],
    [409, 'unknown', 'server-error'],
    [500, 'unknown', 'server-error'],
    [503, 'unknown', 'server-error'],
    [302, 'unknown', 'unreadable-reply'],
  ])('%s is %s, %s', (status, kind, why) => {
    expect(problem(status)).toMatchObject({ kind, why, raw: { status } })
  })

  it('of something else than Mollie are unknown', () => {
    expect(reply(422, 'nope')).toMatchObject({ kind: 'unknown', why: 'unreadable-reply' })
    expect(reply(404, {})).toMatchObject({ kind: 'unknown' })
    expect(reply(200, '<html>')).toMatchObject({ kind: 'unknown' })
    expect(reply(202, undefined)).toMatchObject({ kind: 'object' })
  })

  it('say when to try again', () => {
    expect(reply(429, {}, { 'retry-after': '7' })).toMatchObject({
      ...{ kind: 'not-done', why: 'rate-limited', retryAfter: new Date('2027-01-04T09:00:07Z') },
    })
  })

  it('that refuse a mandate or a currency are declined', () => {
    expect(problem(422, 'mandateId')).toMatchObject({ kind: 'declined', reason: 'method-removed' })
    expect(problem(422, 'amount.currency')).toMatchObject({ reason: 'currency-not-supported' })
  })
})

describe('declines', () => {
  it.each([
    ['insufficient_funds', 'insufficient-funds', 'later'],
    ['card_expired', 'expired-card', 'never'],
    ['expired_card', 'expired-card', 'never'],
    ['invalid_cvv', 'incorrect-cvc', 'after-customer-acts'],
    ['invalid_card_number', 'incorrect-number', 'after-customer-acts'],
    ['inactive_card', 'lost-card', 'never'],
    ['stolen_card', 'stolen-card', 'never'],
    ['possible_fraud', 'suspected-fraud', 'never'],
    ['authentication_required', 'authentication-required', 'after-customer-acts'],
    ['authentication_abandoned', 'authentication-failed', 'after-customer-acts'],
    ['card_declined', 'do-not-honour', 'after-customer-acts'],
    ['refused_by_issuer', 'do-not-honour', 'after-customer-acts'],
    ['issuer_unavailable', 'issuer-unavailable', 'later'],
    ['closed_account', 'account-closed', 'never'],
  ])('%s is %s, retry %s', (code, reason, retry) => {
    expect(declineOf({ status: 'failed', code })).toEqual({ reason, retry, raw: { code } })
    expect(DECLINE_REASONS).toContain(reason)
  })

  it('without a reason say how the payment ended; others are counted', () => {
    expect(declineOf({ status: 'canceled' })).toMatchObject({ reason: 'customer-cancelled' })
    expect(declineOf({ status: 'expired' })).toMatchObject({ reason: 'expired' })
    expect(declineOf({ status: 'failed' })).toMatchObject({ reason: 'generic' })
    expect(declineOf({ status: 'failed', code: 'something_new' })).toMatchObject({
      ...{ reason: 'generic', isUnlisted: true, raw: { code: 'something_new' } },
    })
  })
})

describe('payments', () => {
  const json = (more: Json = {}): Json => ({
    ...{ resource: 'payment', id: 'tr_7UhSN1zuXS', status: 'paid', amount, metadata: { reference: 'REF' } },
    ...more,
  })
  const seen = (more: Json) => {
    const payment = paymentIn(json(more))
    if (!payment) throw new Error('unreadable')
    return snapshotOf(payment, NOW)
  }
  const manual = { captureMode: 'manual', authorizedAt: '2027-01-04T08:00:00+00:00' }
  const movement = (id: string, value: string, status: string, key?: string) => ({
    ...{ id, status, amount: { currency: 'EUR', value }, metadata: key ? { key } : null },
  })

  it.each([
    ['open', {}, 'needs-customer'],
    ['open', { sequenceType: 'recurring' }, 'processing'],
    ['pending', {}, 'processing'],
    ['authorized', manual, 'authorised'],
    ['paid', {}, 'captured'],
    ['failed', {}, 'declined'],
    ['expired', {}, 'expired'],
    ['canceled', {}, 'cancelled'],
    ['canceled', { ...manual, captureBefore: '2027-01-04' }, 'expired'],
    ['canceled', { ...manual, captureBefore: '2027-01-11' }, 'cancelled'],
    ['something-new', {}, 'processing'],
  ])('that are %s with %j are %s', (status, more, stage) => {
    expect(seen({ status, ...more }).stage).toBe(stage)
  })

  it('are captured by what succeeded, and wait for what is pending', () => {
    const authorized = { ...manual, status: 'authorized' }
    const with_ = (...captures: object[]) => seen({ ...authorized, _embedded: { captures } })
    expect(with_(movement('cpt_1', '4.00', 'pending', 'KEY'))).toMatchObject({
      ...{ stage: 'processing', captured: EUR(0n), authorised: EUR(1_050n) },
    })
    expect(with_(movement('cpt_1', '4.00', 'succeeded', 'KEY'))).toMatchObject({
      ...{ stage: 'captured', captured: EUR(400n), handles: { capture: 'cpt_1', lookup: 'tr_7UhSN1zuXS' } },
    })
    expect(with_(movement('cpt_1', '4.00', 'failed', 'KEY'))).toMatchObject({
      ...{ stage: 'authorised', captured: EUR(0n) },
      refused: [{ step: 'capture', id: 'cpt_1', operationKey: 'KEY' }],
    })
    const paid = { ...manual, amountCaptured: { currency: 'EUR', value: '4.00' } }
    expect(seen(paid)).toMatchObject({ stage: 'captured', captured: EUR(400n), authorised: EUR(1_050n) })
  })

  it('count refunds that arrived, and name the operation of each', () => {
    const refunds = [
      movement('re_1', '1.00', 'refunded', 'KEY1'),
      movement('re_2', '2.00', 'processing', 'KEY2'),
      movement('re_3', '3.00', 'failed'),
      movement('re_4', '4.00', 'canceled'),
    ]
    const snapshot = seen({ _embedded: { refunds } })
    expect(snapshot.refunded).toEqual(EUR(100n))
    expect(snapshot.refunds.map(({ state, operationKey }) => [state, operationKey])).toEqual([
      ['done', 'KEY1'],
      ['pending', 'KEY2'],
      ['failed', undefined],
      ['failed', undefined],
    ])
  })

  it('have every chargeback by its id, open until it is reversed', () => {
    const chargeback = { id: 'chb_1', amount, reason: { code: '4853' }, reversedAt: null }
    const reversed = { ...chargeback, id: 'chb_2', reversedAt: '2027-01-04T09:00:00+00:00' }
    expect(seen({ _embedded: { chargebacks: [reversed, chargeback] } }).disputes).toEqual([
      { id: 'chb_2', state: 'won', amount: EUR(1_050n), reason: '4853' },
      { id: 'chb_1', state: 'open', amount: EUR(1_050n), reason: '4853' },
    ])
    expect(seen({ _embedded: { chargebacks: [] } })).not.toHaveProperty('disputes')
  })

  it('with metadata as a text keep their reference', () => {
    expect(seen({ metadata: '{"reference":"REF"}' }).reference).toBe('REF')
  })

  it('with a status that is not listed are counted', () => {
    expect(seen({ status: 'brandNew' }).unlisted).toEqual(['paymentStatus brandNew'])
  })

  it('tell the fee only where it is certain', () => {
    const settlementAmount = { currency: 'EUR', value: '10.20' }
    expect(seen({ settlementAmount }).facts.fee).toEqual(EUR(30n))
    expect(seen({ settlementAmount, ...manual }).facts.fee).toBeUndefined()
    expect(seen({ settlementAmount: amount }).facts.fee).toBeUndefined()
    expect(seen({ settlementAmount: { currency: 'USD', value: '9.00' } }).facts.fee).toBeUndefined()
    const details = { paypalFee: { currency: 'EUR', value: '0.45' } }
    expect(seen({ details }).facts.fee).toEqual(EUR(45n))
  })

  it('that cannot be read in full are unknown', () => {
    for (const wrong of [
      { id: 'tr_1/../x' },
      { amount: { currency: 'EUR', value: 'ten' } },
      { status: 7 },
      { _embedded: { refunds: [{ id: 're_1', status: 'refunded' }] } },
    ])
      expect(paymentIn(json(wrong))).toBeUndefined()
  })

  it('are new pages or charges', () => {
    const outcome = (more: Json) => {
      const payment = paymentIn(json(more))
      return payment && paymentOutcome(payment)
    }
    const _links = { checkout: { href: 'https://www.mollie.com/checkout/x' } }
    expect(outcome({ status: 'open', _links, expiresAt: '2027-01-04T09:15:00+00:00' })).toMatchObject({
      ...{ kind: 'redirect', url: 'https://www.mollie.com/checkout/x', echo: { reference: 'REF' } },
      expiresAt: new Date('2027-01-04T09:15:00Z'),
    })
    const script = { checkout: { href: 'javascript:alert(1)' } }
    expect(outcome({ status: 'open', _links: script })?.kind).toBe('unknown')
    expect(outcome({ status: 'open', sequenceType: 'recurring' })?.kind).toBe('pending')
    expect(outcome({ status: 'authorized' })).toMatchObject({ kind: 'approved', stage: 'authorised' })
    expect(outcome({ status: 'pending' })?.kind).toBe('pending')
    const details = { failureReason: 'insufficient_funds' }
    expect(outcome({ status: 'failed', details })).toMatchObject({ reason: 'insufficient-funds' })
    const statusReason = { code: 'do_not_honor', message: 'No' }
    expect(outcome({ status: 'failed', statusReason })).toMatchObject({ reason: 'do-not-honour' })
    expect(outcome({ status: 'something-new' })?.kind).toBe('unknown')
  })
})

describe('captures and refunds', () => {
  const op = operation('capture')
  const ASKED = { op, id: 'tr_1' }
  const read = (object: Json) => ({ kind: 'object', object }) as const
  const made = (id: string, status: string) => read({ id, status, amount })

  it('are done, on their way or failed', () => {
    expect(captureOutcome(made('cpt_1', 'succeeded'), ASKED, NOW)).toMatchObject({ kind: 'approved' })
    expect(captureOutcome(made('cpt_1', 'pending'), ASKED, NOW)).toMatchObject({ kind: 'pending' })
    expect(captureOutcome(made('cpt_1', 'failed'), ASKED, NOW)).toMatchObject({ kind: 'declined' })
    expect(captureOutcome(read({ id: 'cpt_1' }), ASKED, NOW)).toMatchObject({ kind: 'unknown' })
    expect(refundOutcome(made('re_1', 'refunded'), ASKED)).toMatchObject({ kind: 'approved' })
    for (const status of ['queued', 'pending', 'processing', 'something-new'])
      expect(refundOutcome(made('re_1', status), ASKED)).toMatchObject({
        kind: 'pending',
        echo: { amount: EUR(1_050n) },
      })
    expect(refundOutcome(made('re_1', 'canceled'), ASKED)).toMatchObject({ kind: 'declined' })
  })

  it('of another payment or operation are unknown', () => {
    const object = { id: 'cpt_1', status: 'succeeded', amount, paymentId: 'tr_1', metadata: { key: op.key } }
    expect(captureOutcome(read(object), ASKED, NOW)).toMatchObject({ kind: 'approved' })
    for (const other of [{ paymentId: 'tr_2' }, { metadata: { key: 'C00000000000000OTHER' } }]) {
      expect(captureOutcome(read({ ...object, ...other }), ASKED, NOW).kind).toBe('unknown')
      expect(refundOutcome(read({ ...object, ...other }), ASKED).kind).toBe('unknown')
    }
  })

  it('that are refused for the state of the payment say so', () => {
    const refused = (code?: string) =>
      ({ kind: 'not-done', why: 'bad-request', raw: { status: 422, ...(code ? { code } : {}) } }) as const
    expect(captureOutcome(refused(), ASKED, NOW)).toMatchObject({ why: 'wrong-state' })
    expect(refundOutcome(refused('amount'), ASKED)).toMatchObject({ why: 'bad-request' })
  })
})

describe('a stored method', () => {
  const token = { customer: 'cst_1', mandate: 'mdt_1' }
  const details = {
    cardNumber: '6787',
    cardLabel: 'Mastercard',
    cardExpiryDate: '2031-03-31',
    cardFingerprint: 'f',
  }

  it('is the mandate, while it is valid', () => {
    const mandate = { id: 'mdt_1', status: 'valid', method: 'creditcard', details }
    expect(storedIn(token, mandate)).toEqual({
      ...{ token: 'cst_1/mdt_1', label: 'Mastercard •••• 6787', method: 'CreditCard', fingerprint: 'f' },
      card: { brand: 'Mastercard', last4: '6787', expiryMonth: 3, expiryYear: 2031 },
    })
    expect(storedIn(token, { ...mandate, status: 'invalid' })).toBeUndefined()
    expect(storedIn(token, { ...mandate, method: 'directdebit' })).toBeUndefined()
    const wallet = { ...mandate, method: 'paypal', details: { consumerAccount: 'pat@example.com' } }
    expect(storedIn(token, wallet)).toMatchObject({ label: 'PayPal p•••@example.com', method: 'Paypal' })
  })
})

describe('notifications', () => {
  const of = (text: string) => received(Buffer.from(text))

  it('name a payment and nothing else', () => {
    expect(of('id=tr_7UhSN1zuXS')).toEqual({ kind: 'events', hints: [{ lookup: 'tr_7UhSN1zuXS' }] })
    for (const other of ['id=ord_8wmqcHMN4U', 'id=sub_rVKGtNd6s3', 'testByMollie=1'])
      expect(of(other)).toEqual({ kind: 'ignored' })
    for (const wrong of [
      ...['', '{', 'id=', 'id=tr_%00', 'id=tr_1%2F..%2Fx', 'id=tr_aaaa&id=tr_bbbb'],
      ...['{"id":"tr_7UhSN1zuXS"}', `id=tr_${'a'.repeat(65)}`, `id=tr_aaaa&x=${'a'.repeat(300)}`],
    ])
      expect(of(wrong), wrong).toEqual({ kind: 'forged' })
  })
})

describe('3-D Secure', () => {
  const told = (details: Json) => {
    const payment = paymentIn({
      ...{ id: 'tr_1', resource: 'payment', status: 'failed', method: 'creditcard', amount, metadata: {} },
      details,
    })
    if (!payment) throw new Error('this is no payment')
    const { checks, threeDSecure } = factsOf(payment, EUR(0n))
    return [checks?.threeDSecure, threeDSecure?.result]
  }

  // As in the published example of a card payment whose authentication failed.
  it('has failed when Mollie says so, although the payment has its mark', () => {
    const details = { cardSecurity: '3dsecure', failureReason: 'authentication_failed' }
    expect(told(details)).toEqual(['failed', 'failed'])
    expect(told({ ...details, failureReason: 'authentication_abandoned' })).toEqual([
      undefined,
      'not-authenticated',
    ])
  })

  it('is done otherwise, and not told of cards without the mark', () => {
    expect(told({ cardSecurity: '3dsecure' })).toEqual(['authenticated', 'authenticated'])
    expect(told({ cardSecurity: '3dsecure', failureReason: 'insufficient_funds' })[1]).toBe('authenticated')
    expect(told({ cardSecurity: 'normal' })).toEqual([undefined, undefined])
  })
})
