import { describe, expect, it } from 'vitest'
import { money } from '../../base/money.ts'
import { operation, purchase } from '../contract/core.ts'
import type { Json } from '../kit/json.ts'
import { readReply } from '../kit/reply.ts'
import { DECLINE_REASONS } from '../outcome.ts'
import { amountLimits, fromWire, toWire } from './amounts.ts'
import {
  cancelByReference,
  cancelPayment,
  capturePayment,
  chargeStored,
  openLink,
  refundPayment,
} from './calls.ts'
import { declineOf } from './declines.ts'
import { movementOf } from './events.ts'
import type { AdyenContext } from './exchange.ts'
import { RULES } from './exchange.ts'
import { factsIn } from './facts.ts'
import { manifest } from './manifest.ts'
import { chargeOutcome, linkOutcome, linkSnapshot, modificationOutcome } from './outcomes.ts'
import { received, signedText } from './receive.ts'

const NOW = new Date('2027-01-04T09:00:00Z')

describe('amounts', () => {
  it.each([
    ['EUR', 1_050n, 1_050],
    ['JPY', 500n, 500],
    ['KWD', 12_345n, 12_345],
    // Adyen's own decimals.
    ['ISK', 500n, 50_000],
    ['CLP', 500n, 50_000],
    ['IDR', 150_000n, 1_500],
    ['CVE', 2_500n, 25],
  ])('%s %s is %s', (currency, minor, value) => {
    expect(toWire(money(minor, currency))).toEqual({ currency, value })
    expect(fromWire({ currency, value })).toEqual(money(minor, currency))
  })

  it('that Adyen cannot express are refused before they are sent', () => {
    expect(toWire(money(150_050n, 'IDR'))).toBeUndefined()
    expect(amountLimits('IDR', 'CreditCard')).toEqual({ multipleOf: 100n })
    expect(amountLimits('EUR', 'ElectronicCheck')).toEqual({ largest: 0n })
    for (const wrong of [
      { currency: 'ISK', value: 50_001 },
      { currency: 'XXX', value: 1 },
      { currency: 'EUR', value: 1.5 },
    ])
      expect(fromWire(wrong)).toBeUndefined()
  })
})

describe('settings', () => {
  const good = { apiKey: 'AQE1234567890123456789', merchantAccount: 'Shop_ECOM' }
  const parse = (value: unknown, isSandbox = true) => manifest.settings.parse(value, { isSandbox })

  it('name each wrong field', () => {
    expect(parse(good)).toMatchObject({ ok: true, config: { ...good, hmacKeys: [] } })
    const bad = parse({ apiKey: 'short', merchantAccount: 'a b', hmacKey: 'xyz' })
    expect(bad.ok || bad.problems.map(({ field }) => field)).toEqual(['apiKey', 'merchantAccount', 'hmacKey'])
    expect(parse(null).ok).toBe(false)
  })

  it('of a live app have the prefix of its address', () => {
    const bad = parse(good, false)
    expect(bad.ok || bad.problems[0]?.field).toBe('livePrefix')
    const live = parse({ ...good, livePrefix: '1797a841fbb37ca7-Shop' }, false)
    if (!live.ok) throw new Error('refused')
    expect(manifest.origin(live.config, false)).toBe(
      'https://1797a841fbb37ca7-Shop-checkout-live.adyenpayments.com/checkout',
    )
    expect(manifest.origin(live.config, true)).toBe('https://checkout-test.adyen.com')
  })
})

describe('a profile without an HMAC key', () => {
  it('takes no payments until it is connected', () => {
    const bare = { apiKey: 'k', merchantAccount: 'Shop', hmacKeys: [], livePrefix: '' }
    expect(manifest.notReady?.(bare)?.code).toBe('hmac-key-missing')
    expect(manifest.notReady?.({ ...bare, hmacKeys: ['00'] })).toBeUndefined()
  })
})

describe('requests', () => {
  const op = { ...operation('start'), createdAt: NOW }
  const json = (wanted: Parameters<typeof purchase>[0]) =>
    openLink('Shop', op, purchase(wanted))?.json as Record<string, unknown>

  it('open a link that is captured by hand and ends with the payment', () => {
    const expiresAt = new Date(NOW.getTime() + 3_600_000)
    expect(json({ expiresAt })).toMatchObject({
      ...{
        reference: op.reference,
        manualCapture: true,
        reusable: false,
        allowedPaymentMethods: ['scheme', 'applepay', 'googlepay'],
      },
      ...{ expiresAt: '2027-01-04T10:00:00Z', amount: { currency: 'EUR', value: 1050 } },
    })
    expect(json({ expiresAt: new Date(NOW.getTime() + 1) }).expiresAt).toBe('2027-01-04T09:05:00Z')
    expect(json({ expiresAt: new Date('2028-01-01') }).expiresAt).toBe('2027-03-14T09:00:00Z')
    expect(json({})).not.toHaveProperty('shopperReference')
  })

  it('offer bank debits to customers of the country that has them, captured as a whole', () => {
    expect(json({ method: 'ElectronicCheck' })).toMatchObject({
      countryCode: 'US',
      allowedPaymentMethods: ['ach'],
    })
    expect(json({ country: 'AT' })).toMatchObject({ countryCode: 'AT' })
    expect(manifest.methods.ElectronicCheck?.partialCapture).toBe(false)
  })

  it('open a page for the shopper of a stored method, with a key of its own', () => {
    const opened = openLink('Shop', op, purchase({ storeMethod: true }), 'shopper_1')
    expect(opened?.key).not.toBe(op.key)
    expect(opened?.json).toMatchObject({ shopperReference: 'shopper_1', reference: op.reference })
    // Another card in a wallet would not be the stored one.
    expect(opened?.json).toMatchObject({ allowedPaymentMethods: ['scheme'] })
    expect(opened?.json).not.toHaveProperty('storePaymentMethodMode')
  })

  it('store a method for a shopper of its own, with more than three characters', () => {
    const customer = { id: 'x' }
    expect(json({ storeMethod: true, customer })).toMatchObject({
      ...{ shopperReference: `shopper_${op.reference}`, storePaymentMethodMode: 'enabled' },
      recurringProcessingModel: 'UnscheduledCardOnFile',
    })
  })

  it('have the lines of an order that is paid later, or one line, and ask for what is missing', () => {
    const [book, pen] = [money(1_000n, 'EUR'), money(25n, 'EUR')]
    const items = [
      { name: 'Book', quantity: 1, unitAmount: book },
      { name: 'Pen', quantity: 2, unitAmount: pen },
    ]
    const nothing = money(0n, 'EUR')
    const breakdown = { items, tax: nothing, shipping: nothing, discount: nothing }
    const customer = { id: 'x', firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' }
    const billing = { line1: 'Hauptstr. 12a', city: 'Wien', postalCode: '1010', country: 'AT' }
    const known = json({ method: 'klarna', breakdown, customer, billing })
    expect(known.lineItems).toEqual([
      { description: 'Book', quantity: 1, amountIncludingTax: 1_000 },
      { description: 'Pen', quantity: 2, amountIncludingTax: 25 },
    ])
    expect(known).not.toHaveProperty('requiredShopperFields')
    const shipped = json({ method: 'klarna', breakdown: { ...breakdown, items: [items[0]] } as never })
    expect(shipped.lineItems).toEqual([{ description: op.reference, quantity: 1, amountIncludingTax: 1_050 }])
    const unknown = { customer: { id: 'x' }, billing: undefined } as object
    expect(json({ method: 'afterpay', ...unknown }).requiredShopperFields).toEqual([
      ...['shopperName', 'shopperEmail', 'billingAddress'],
    ])
    expect(json({ method: 'ideal' })).not.toHaveProperty('requiredShopperFields')
  })

  it('take a method of one step at once, whatever the capture delay of the account is', () => {
    expect(json({ method: 'twint' })).toMatchObject({ manualCapture: false, captureDelayHours: 0 })
    expect(json({ method: 'sepa-debit' })).toMatchObject({ manualCapture: false, captureDelayHours: 0 })
    for (const method of ['CreditCard', 'klarna', 'apple-pay', 'ElectronicCheck'] as const) {
      expect(json({ method })).toMatchObject({ manualCapture: true })
      expect(json({ method })).not.toHaveProperty('captureDelayHours')
    }
  })

  it('name Afterpay and the country as the currency wants them', () => {
    const sent = (currency: string, method: 'afterpay' | 'klarna' | 'mobilepay', country?: string) =>
      json({ method, amount: money(1_000n, currency), ...({ country } as object) })
    expect(sent('GBP', 'afterpay')).toMatchObject({ allowedPaymentMethods: ['clearpay'], countryCode: 'GB' })
    expect(sent('USD', 'afterpay')).toMatchObject({ allowedPaymentMethods: ['afterpaytouch_US'] })
    expect(sent('AUD', 'afterpay')).toMatchObject({
      ...{ allowedPaymentMethods: ['afterpaytouch'], countryCode: 'AU' },
    })
    expect(sent('SEK', 'klarna')).toMatchObject({ countryCode: 'SE' })
    expect(sent('EUR', 'klarna')).toMatchObject({ countryCode: 'DE' })
    expect(sent('EUR', 'klarna', 'FI')).toMatchObject({ countryCode: 'FI' })
    expect(sent('EUR', 'mobilepay')).toMatchObject({ countryCode: 'FI' })
    expect(sent('DKK', 'mobilepay')).toMatchObject({ countryCode: 'DK' })
    for (const name of ['afterpaytouch', 'afterpaytouch_US', 'clearpay'])
      expect(factsIn({}, name).method).toBe('afterpay')
  })

  it('have a line of what is captured or given back of a payment that is paid later', () => {
    const capture = operation('capture')
    const of = { id: 'P1', amount: money(500n, 'EUR') }
    for (const request of [capturePayment, refundPayment]) {
      expect(request('Shop', capture, { ...of, isPaidLater: true }).json).toMatchObject({
        lineItems: [{ description: capture.reference, quantity: 1, amountIncludingTax: 500 }],
      })
      expect(request('Shop', capture, { ...of, isPaidLater: false }).json).not.toHaveProperty('lineItems')
    }
  })

  it('have the first five digits of an American postal code', () => {
    const billing = { line1: '1 Main St', city: 'Boise', state: 'ID', country: 'US' }
    const sent = (postalCode: string) => json({ billing: { ...billing, postalCode } }).billingAddress
    expect(sent('83702-1234')).toMatchObject({ postalCode: '83702', houseNumberOrName: '1' })
    expect(sent('8370')).toBeUndefined()
  })

  it('store cards in wallets as cards, on the page of cards and on that of the wallet', () => {
    expect(json({ storeMethod: true })).toMatchObject({
      allowedPaymentMethods: ['scheme', 'applepay', 'googlepay'],
    })
    expect(json({ storeMethod: true, method: 'apple-pay' })).toMatchObject({
      ...{ allowedPaymentMethods: ['applepay'], storePaymentMethodMode: 'enabled' },
    })
  })

  it('charge a stored method as a merchant, or for a customer who is present', () => {
    const token = { shopper: `shopper_${op.reference}`, id: 'M5N7TQ4TG5PFWR50' }
    const charge = (customerPresent: boolean) =>
      chargeStored('Shop', op, purchase({ customerPresent }), token)?.json
    expect(charge(false)).toMatchObject({
      ...{ shopperInteraction: 'ContAuth', recurringProcessingModel: 'UnscheduledCardOnFile' },
      additionalData: { manualCapture: 'true' },
    })
    expect(charge(true)).toMatchObject({ recurringProcessingModel: 'CardOnFile' })
  })

  it('name the attempt and the operation in the reference of a modification', () => {
    const capture = { ...operation('capture', op.reference), description: 'return' }
    const reference = `${op.reference}-${capture.key}`
    const of = { id: 'P1', amount: money(5n, 'EUR'), isPaidLater: false }
    expect(capturePayment('Shop', capture, of).json).toMatchObject({ reference })
    expect(refundPayment('Shop', capture, of).json).toMatchObject({
      merchantRefundReason: 'RETURN',
    })
    const other = { ...capture, description: 'The customer did not like it' }
    expect(refundPayment('Shop', other, of).json).not.toHaveProperty('merchantRefundReason')
  })

  it('have one key each, although a cancellation is sent by reference first and then by id', () => {
    const cancel = operation('cancel', op.reference)
    const [byReference, byId] = [cancelByReference('Shop', cancel), cancelPayment('Shop', cancel, 'P1')]
    expect(byReference.json).toMatchObject({ paymentReference: op.reference })
    expect(byReference.key).not.toBe(byId.key)
    expect(byReference.key?.length).toBeLessThanOrEqual(64)
  })
})

describe('refusals', () => {
  it.each([
    ['12', 'Not enough balance', 'insufficient-funds', 'later'],
    ['6', 'Expired Card', 'expired-card', 'never'],
    ['24', 'CVC Declined', 'incorrect-cvc', 'after-customer-acts'],
    ['5', 'Blocked Card', 'lost-card', 'never'],
    ['20', 'FRAUD', 'suspected-fraud', 'never'],
    ['38', 'Authentication required', 'authentication-required', 'after-customer-acts'],
    ['4', 'Acquirer Error', 'processing-error', 'later'],
    ['16', 'Shopper Cancelled', 'customer-cancelled', 'after-customer-acts'],
    ['26', 'Revocation Of Auth', 'mandate-revoked', 'never'],
  ])('%s, %s: %s', (code, text, reason, retry) => {
    expect(declineOf({ code, text })).toMatchObject({ reason, retry, raw: { code, message: text } })
    // Notifications have only the text, in other letters.
    expect(declineOf({ text: text.toUpperCase().replaceAll(' ', '_') })).toMatchObject({ reason, retry })
    expect(DECLINE_REASONS).toContain(reason)
  })

  it('that are in no table are generic and counted', () => {
    expect(declineOf({ code: '999', text: 'Something new' })).toMatchObject({
      ...{ reason: 'generic', retry: 'unspecified', isUnlisted: true, raw: { code: '999' } },
    })
  })
})

describe('replies', () => {
  const reply = (status: number, body: unknown, headers = {}) =>
    readReply({ kind: 'reply', status, headers, body }, NOW, RULES)
  const error = (status: number, errorCode: string) =>
    reply(status, { status, errorCode, message: 'No', errorType: 'validation' })

  it.each([
    [error(401, '000'), 'not-done', 'bad-credentials'],
    [error(403, '901'), 'not-done', 'bad-credentials'],
    [error(422, '167'), 'not-done', 'not-found'],
    [error(422, '702'), 'not-done', 'bad-request'],
    [error(422, '704'), 'unknown', 'server-error'],
    [error(500, '905'), 'unknown', 'server-error'],
    [reply(502, '<html>'), 'unknown', 'server-error'],
    [reply(422, '<html>'), 'unknown', 'unreadable-reply'],
    [reply(200, 'ok'), 'unknown', 'unreadable-reply'],
  ])('%o is %s, %s', (read, kind, why) => expect(read).toMatchObject({ kind, why }))

  it('that refuse are declines, and those that ask to wait say how long', () => {
    expect(error(422, '138')).toMatchObject({ kind: 'declined', reason: 'currency-not-supported' })
    expect(error(422, '803')).toMatchObject({ kind: 'declined', reason: 'method-removed' })
    const slow = reply(429, {}, { 'retry-after': '60' })
    expect(slow).toMatchObject({ why: 'rate-limited', retryAfter: new Date(NOW.getTime() + 60_000) })
  })

  const object = (body: Json) => ({ kind: 'object', object: body }) as const
  it.each([
    ['Authorised', 'approved'],
    ['Received', 'pending'],
    ['Pending', 'pending'],
    ['Refused', 'declined'],
    ['Error', 'declined'],
    ['Cancelled', 'declined'],
    ['RedirectShopper', 'declined'],
    ['Invented', 'unknown'],
  ])('with the result %s are %s', (resultCode, kind) => {
    expect(chargeOutcome(object({ resultCode, pspReference: 'P1' })).kind).toBe(kind)
  })

  it('about something else are unknown', () => {
    const op = operation('capture')
    const received = { status: 'received', pspReference: 'C1', paymentPspReference: 'P1' }
    expect(modificationOutcome(object(received), op, 'P1').kind).toBe('pending')
    expect(modificationOutcome(object(received), op, 'P2').kind).toBe('unknown')
    expect(modificationOutcome(object({ ...received, reference: 'X' }), op, 'P1').kind).toBe('unknown')
    expect(linkOutcome(object({ id: 'PL1', url: 'javascript:1' }), op, purchase({})).kind).toBe('unknown')
  })

  it.each([
    ['active', false, 'needs-customer'],
    ['active', true, 'needs-customer'],
    ['expired', false, 'expired'],
    ['expired', true, 'declined'],
    ['completed', true, 'processing'],
    ['paymentPending', false, 'processing'],
  ])('of a link that is %s (refused: %s) are %s', (status, isRefused, stage) => {
    const link = { id: 'PL1', status, reference: 'R', amount: { currency: 'EUR', value: 5 } }
    const decline = isRefused ? declineOf({ code: '2' }) : undefined
    expect(linkSnapshot(link, decline)).toMatchObject({ kind: 'snapshot', stage, reference: 'R' })
  })
})

/** The example of Adyen's own libraries. */
const SIGNED = {
  pspReference: '7914073381342284',
  merchantAccountCode: 'TestMerchant',
  merchantReference: 'TestPayment-1407325143704',
  amount: { currency: 'EUR', value: 1130 },
  eventCode: 'AUTHORISATION',
  success: 'true',
  eventDate: '2019-05-06T17:15:34.121+02:00',
}
const KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'
const SIGNATURE = 'coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0='

describe('the signature of a notification', () => {
  const config = { hmacKeys: ['00'.repeat(32), KEY], merchantAccount: 'TestMerchant' }
  const context = { config, now: () => NOW } as unknown as AdyenContext
  const item = (more: object = {}, hmacSignature = SIGNATURE) => ({
    NotificationRequestItem: { ...SIGNED, ...more, additionalData: { hmacSignature } },
  })
  const verdict = (...notificationItems: object[]) =>
    received(context, {
      ...{ headers: {}, url: '', rawBody: Buffer.from(JSON.stringify({ live: 'false', notificationItems })) },
    }).kind

  it('is over eight members, joined by colons', () => {
    expect(signedText(SIGNED)).toBe(
      '7914073381342284::TestMerchant:TestPayment-1407325143704:1130:EUR:AUTHORISATION:true',
    )
    // Genuine, and about a payment that is not ours.
    expect(verdict(item())).toBe('ignored')
  })

  it.each([
    ['pspReference', { pspReference: '7914073381342285' }],
    ['originalReference', { originalReference: '1' }],
    ['merchantAccountCode', { merchantAccountCode: 'Other' }],
    ['merchantReference', { merchantReference: 'TestPayment-1' }],
    ['value', { amount: { currency: 'EUR', value: 1131 } }],
    ['currency', { amount: { currency: 'USD', value: 1130 } }],
    ['eventCode', { eventCode: 'CAPTURE' }],
    ['success', { success: 'false' }],
  ])('is broken by another %s', (_member, more) => expect(verdict(item(more))).toBe('forged'))

  it('is needed by every item, and nothing else is taken for a notification', () => {
    expect(verdict(item(), item({ success: 'false' }))).toBe('forged')
    expect(verdict(item({}, ''))).toBe('forged')
    expect(verdict()).toBe('forged')
    for (const text of ['', '{', '[]', 'null', '{"notificationItems":7}'])
      expect(received(context, { headers: {}, url: '', rawBody: Buffer.from(text) }).kind).toBe('forged')
    const bare = { ...context, config: { ...config, hmacKeys: [] } } as unknown as AdyenContext
    expect(received(bare, { headers: {}, url: '', rawBody: Buffer.from('{}') }).kind).toBe('forged')
  })
})

describe('events', () => {
  const REFERENCE = 'A0000000000000000001'
  const tell = (eventCode: string, more: object = {}) =>
    movementOf({ ...SIGNED, merchantReference: REFERENCE, originalReference: 'P1', eventCode, ...more })

  it.each([
    ['AUTHORISATION', 'true', 'authorised'],
    ['AUTHORISATION', 'false', 'refused'],
    ['CAPTURE', 'true', 'captured'],
    ['CAPTURE', 'false', 'capture-failed'],
    ['CAPTURE_FAILED', 'true', 'capture-failed'],
    ['CANCELLATION', 'true', 'cancelled'],
    ['CANCELLATION', 'false', 'cancel-failed'],
    ['TECHNICAL_CANCEL', 'true', 'cancelled'],
    ['CANCEL_OR_REFUND', 'true', 'cancelled'],
    ['EXPIRE', 'true', 'expired'],
    ['REFUND', 'true', 'refunded'],
    ['REFUND', 'false', 'refund-failed'],
    ['REFUND_FAILED', 'true', 'refund-failed'],
    ['REFUNDED_REVERSED', 'true', 'refund-failed'],
    ['CHARGEBACK', 'true', 'disputed'],
    ['MANUAL_REVIEW_ACCEPT', 'true', 'reviewed'],
    ['RECURRING_CONTRACT', 'true', 'stored'],
    ['SETTLED_REVERSED', 'true', 'returned'],
    ['OFFER_CLOSED', 'true', undefined],
    ['CHARGEBACK', 'false', undefined],
    ['INVENTED', 'true', undefined],
  ])('%s with success %s tells %s', (code, success, kind) => {
    expect(tell(code, { success })?.kind).toBe(kind)
  })

  it.each([
    ['REQUEST_FOR_INFORMATION', 'open'],
    ['NOTIFICATION_OF_CHARGEBACK', 'open'],
    ['CHARGEBACK', 'open'],
    ['INFORMATION_SUPPLIED', 'same'],
    ['DISPUTE_DEFENSE_PERIOD_ENDED', 'undefended'],
    ['CHARGEBACK_REVERSED', 'won'],
    ['ISSUER_RESPONSE_TIMEFRAME_EXPIRED', 'won'],
    ['SECOND_CHARGEBACK', 'lost'],
    ['PREARBITRATION_OPEN', 'open'],
    ['PREARBITRATION_ACCEPTED', 'lost'],
    ['PREARBITRATION_DECLINED', 'open'],
    ['PREARBITRATION_ISSUER_WITHDRAWN', 'won'],
    ['PREARBITRATION_WON', 'won'],
    ['PREARBITRATION_LOST', 'lost'],
    ['SCHEME_ARBITRATION', 'open'],
    ['SCHEME_ARBITRATION_WON', 'won'],
    ['SCHEME_ARBITRATION_LOST', 'lost'],
  ])('%s is a dispute that is %s', (code, state) => {
    expect(tell(code)?.dispute).toMatchObject({
      ...{ id: SIGNED.pspReference, state, amount: money(1130n, 'EUR') },
    })
  })

  it('of disputes say the state, where Adyen tells it', () => {
    const echo = (code: string, disputeStatus: string) =>
      tell(code, { additionalData: { disputeStatus } })?.dispute
    expect(echo('CHARGEBACK', 'Lost')).toMatchObject({ state: 'lost' })
    expect(echo('PREARBITRATION_DECLINED', 'Won')).toMatchObject({ state: 'won' })
    expect(echo('CHARGEBACK', 'Pending')).toMatchObject({ state: 'open', isRefundable: false })
    expect(echo('REQUEST_FOR_INFORMATION', 'Unresponded')).toMatchObject({
      state: 'open',
      isRefundable: true,
    })
    // An inquiry can end so too, and takes no money.
    expect(echo('DISPUTE_DEFENSE_PERIOD_ENDED', 'Lost')).toMatchObject({ state: 'undefended' })
  })

  it.each(['Transaction Recaptured', 'Transaction Auto-recaptured'])(
    'with the reason %s repeat',
    (reason) => {
      expect(tell('CAPTURE', { reason })).toMatchObject({ kind: 'captured', isAgain: true })
      expect(tell('CAPTURE', { reason: '' })).not.toHaveProperty('isAgain')
      expect(tell('CAPTURE_FAILED', { reason })).not.toHaveProperty('isAgain')
    },
  )

  it('of debits that the bank took back are returns', () => {
    expect(tell('CHARGEBACK', { paymentMethod: 'ach' })?.kind).toBe('returned')
    expect(tell('CHARGEBACK_REVERSED', { paymentMethod: 'ach' })).toBeUndefined()
  })

  it('of a modification name its operation, or only the payment', () => {
    const key = 'B0000000000000000002'
    expect(tell('CAPTURE', { merchantReference: `${REFERENCE}-${key}` })).toMatchObject({
      ...{ id: SIGNED.pspReference, payment: 'P1', operationKey: key },
    })
    expect(tell('CAPTURE')?.operationKey).toBeUndefined()
    const data = { 'modification.action': 'refund' }
    expect(tell('CANCEL_OR_REFUND', { additionalData: data })?.kind).toBe('refunded')
  })

  it('have the facts of the card and of its stored method, if it is of a shopper of ours', () => {
    const data = {
      ...{ cardSummary: '1111', expiryDate: '3/2030', cvcResult: '1 Matches', avsResult: '7 Both match' },
      ...{ totalFraudScore: '12', threeDOffered: 'true', threeDAuthenticated: 'true', alias: 'H1' },
      'recurring.recurringDetailReference': 'M5N7TQ4TG5PFWR50',
    }
    const factsFor = (shopper: string) =>
      tell('AUTHORISATION', {
        ...{ paymentMethod: 'visa', additionalData: { ...data, 'recurring.shopperReference': shopper } },
      })?.facts
    expect(factsFor(`shopper_${REFERENCE}`)).toMatchObject({
      card: { brand: 'Visa', last4: '1111', expiryMonth: 3, expiryYear: 2030 },
      checks: { cvc: 'pass', address: 'pass', postalCode: 'pass', threeDSecure: 'authenticated' },
      risk: { score: 12, level: 'unknown' },
      stored: {
        ...{ label: 'Visa •••• 1111', fingerprint: 'H1' },
        token: `shopper_${REFERENCE}/M5N7TQ4TG5PFWR50`,
      },
    })
    expect(factsFor('payer@example.com')?.stored).toBeUndefined()
  })
})
