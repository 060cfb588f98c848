import { expect, it } from 'vitest'
import { chargeStored as adyenCharge, openLink as adyenLink } from '../adyen/calls.ts'
import { openPage as anetPage } from '../authorize-net/calls.ts'
import { createInvoice } from '../btcpay/calls.ts'
import { operation, purchase } from '../contract/core.ts'
import { openPayment } from '../mollie/calls.ts'
import { startCall } from '../paypal/calls.ts'
import type { Purchase } from '../port.ts'
import { chargeStored as squareCharge, openLink as squareLink } from '../square/calls.ts'
import { chargeStored as stripeCharge, openPage as stripePage } from '../stripe/calls.ts'

const op = operation('start')
const to = { origin: 'https://api.mollie.com', notifyUrl: 'https://shop.example/notify' }

/** Everything that a provider gets to know about the payer and the shop, as it is sent. */
const SENT: Readonly<Record<string, (bought: Purchase) => unknown>> = {
  adyen: (bought) => adyenLink('Shop', op, bought)?.json,
  'authorize-net': (bought) => anetPage(op, bought).content,
  btcpay: (bought) => createInvoice('S1', op, bought).json,
  mollie: (bought) => openPayment(op, bought, to, undefined).json,
  paypal: (bought) => startCall(op, bought)?.json,
  square: (bought) => squareLink('L1', op, bought).json,
  stripe: (bought) => stripePage(op, bought)?.form,
}
const sent = (provider: string, more: Partial<Purchase> = {}) => SENT[provider]?.(purchase(more))

it('language, country, address, brand and statement go with the page of each that takes them', () => {
  expect(sent('adyen')).toMatchObject({
    ...{ shopperLocale: 'de-DE', countryCode: 'AT', shopperStatement: 'Cafe order 1815' },
    billingAddress: {
      ...{ street: 'Hauptstraße', houseNumberOrName: '12a', city: 'Wien', postalCode: '1010', country: 'AT' },
    },
  })
  expect(sent('authorize-net')).toMatchObject({
    transactionRequest: {
      billTo: { firstName: 'Ada', address: 'Hauptstraße 12a', city: 'Wien', zip: '1010', country: 'AT' },
    },
  })
  expect(sent('btcpay')).toMatchObject({ checkout: { defaultLanguage: 'de' } })
  expect(sent('mollie')).toMatchObject({
    locale: 'de_AT',
    billingAddress: {
      ...{ givenName: 'Ada', familyName: 'Lovelace', streetAndNumber: 'Hauptstraße 12a' },
      ...{ streetAdditional: 'Stiege 2', postalCode: '1010', city: 'Wien', region: 'Wien', country: 'AT' },
    },
  })
  expect(sent('paypal')).toMatchObject({
    payment_source: { paypal: { experience_context: { brand_name: 'Müller & Söhne', locale: 'de-AT' } } },
    purchase_units: [
      {
        soft_descriptor: 'Cafe order 1815',
        shipping: { address: { country_code: 'AT', postal_code: '1010' } },
      },
    ],
  })
  expect(sent('square')).toMatchObject({
    pre_populated_data: {
      buyer_address: { address_line_1: 'Hauptstraße 12a', locality: 'Wien', country: 'AT' },
    },
  })
  expect(sent('stripe')).toMatchObject({
    locale: 'de',
    'payment_intent_data[shipping][name]': 'Ada Lovelace',
    'payment_intent_data[shipping][address][postal_code]': '1010',
    'payment_intent_data[statement_descriptor_suffix]': 'Cafe order',
  })
})

it('the statement goes with the charge of a stored method too', () => {
  const bought = purchase({ method: 'CreditCard' })
  const charge = operation('charge')
  expect(adyenCharge('Shop', charge, bought, { shopper: 's', id: 'i' })?.json).toMatchObject({
    shopperStatement: 'Cafe order 1815',
  })
  expect(squareCharge('L1', charge, bought, { customer: 'c', card: 'd' }).json).toMatchObject({
    statement_description_identifier: 'Cafe order 1815',
  })
  expect(stripeCharge(charge, bought, { customer: 'c', method: 'm' })?.form).toMatchObject({
    statement_descriptor_suffix: 'Cafe order',
  })
})

it.each([
  ['12 Main St', '12', 'Main St'],
  ['Main St', 'N/A', 'Main St'],
])('Adyen gets %s in two parts', (line1, houseNumberOrName, street) => {
  const address = { line1, city: 'Reno', state: 'NV', postalCode: '89501', country: 'US' }
  expect(sent('adyen', { billing: address })).toMatchObject({
    billingAddress: { street, houseNumberOrName, stateOrProvince: 'NV' },
  })
})

it.each([
  ['a state by name', { state: 'Nevada' }],
  ['a postal code that is too short', { postalCode: '8950' }],
  ['no postal code', { postalCode: undefined }],
])('Adyen gets no address with %s: it would refuse the payment', (_what, change) => {
  const { postalCode, ...rest } = {
    line1: '1 Main St',
    city: 'Reno',
    state: 'NV',
    postalCode: '89501',
    country: 'US',
    ...change,
  }
  const billing = { ...rest, ...(postalCode ? { postalCode } : {}) }
  expect(sent('adyen', { billing })).not.toHaveProperty('billingAddress')
})

it.each(Object.keys(SENT))('%s gets nothing of a payer that is not known', (provider) => {
  const {
    locale: _l,
    country: _c,
    billing: _b,
    shipping: _s,
    brand: _n,
    statement: _t,
    ...bare
  } = purchase({})
  const text = JSON.stringify(SENT[provider]?.(bare))
  expect(text).not.toMatch(
    /locale|defaultLanguage|countryCode|billingAddress|buyer_address|"address"|brand|descriptor/,
  )
})
