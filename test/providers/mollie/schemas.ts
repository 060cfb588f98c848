import { type Check, object, text, wrong } from '../kit/checks.ts'

/** What each request may contain. Unknown members and wrong types are refused. */

const WHOLE = ['ISK', 'JPY']
const CURRENCIES = [
  ...['AED', 'AUD', 'BGN', 'BRL', 'CAD', 'CHF', 'CZK', 'DKK', 'EUR', 'GBP', 'HKD', 'HUF', 'ILS', 'ISK'],
  ...['JPY', 'MXN', 'MYR', 'NOK', 'NZD', 'PHP', 'PLN', 'RON', 'SEK', 'SGD', 'THB', 'TWD', 'USD', 'ZAR'],
]

/** A decimal text with exactly the decimals of the currency. */
const amount: Check = (value, path) => {
  const problems = object({ required: { currency: text({ of: CURRENCIES }), value: text({ max: 20 }) } })(
    value,
    path,
  )
  if (problems.length > 0) return problems
  const { currency, value: decimal } = value as { currency: string; value: string }
  const form = WHOLE.includes(currency) ? /^\d{1,12}$/ : /^\d{1,12}\.\d{2}$/
  return form.test(decimal) ? [] : wrong(`${path}.value`, 'has other decimals')
}

/** Mollie takes up to about a kilobyte of any JSON. */
const metadata: Check = (value, path) =>
  JSON.stringify(value).length <= 1_024 ? [] : wrong(path, 'is longer than a kilobyte')

const address = text({ pattern: /^https?:\/\/[^\s]+$/ })

/** As the documentation lists them. */
const LOCALES = [
  ...['en_US', 'en_GB', 'nl_NL', 'nl_BE', 'de_DE', 'de_AT', 'de_CH', 'fr_FR', 'fr_BE', 'es_ES', 'ca_ES'],
  ...['pt_PT', 'it_IT', 'nb_NO', 'sv_SE', 'fi_FI', 'da_DK', 'is_IS', 'hu_HU', 'pl_PL', 'lv_LV', 'lt_LT'],
]
const short = text({ max: 100 })
const billingAddress = object({
  required: {
    streetAndNumber: short,
    postalCode: short,
    city: short,
    country: text({ pattern: /^[A-Z]{2}$/ }),
  },
  optional: { givenName: short, familyName: short, streetAdditional: short, region: short },
})

/** Values of `method` in Mollie's own description, as far as its page can be opened with them. */
export const METHOD_IDS = [
  ...['applepay', 'bancontact', 'banktransfer', 'blik', 'creditcard', 'eps', 'googlepay', 'ideal', 'klarna'],
  ...['mbway', 'mobilepay', 'multibanco', 'paypal', 'przelewy24', 'swish', 'twint', 'vipps'],
]
const oneMethod = text({ of: METHOD_IDS })
/** One method, or the list of those that the page offers. */
const method: Check = (value, path) =>
  Array.isArray(value)
    ? value.flatMap((one, place) => oneMethod(one, `${path}[${place}]`))
    : oneMethod(value, path)

const RESERVING = ['creditcard', 'klarna']

const payment = object({
  required: { amount, description: text({ max: 255, pattern: /^[^\r\n]*$/ }) },
  optional: {
    redirectUrl: address,
    cancelUrl: address,
    webhookUrl: address,
    method,
    captureMode: text({ of: ['manual', 'automatic'] }),
    sequenceType: text({ of: ['oneoff', 'first', 'recurring'] }),
    customerId: text({ pattern: /^cst_[A-Za-z0-9]+$/ }),
    mandateId: text({ pattern: /^mdt_[A-Za-z0-9]+$/ }),
    locale: text({ of: LOCALES }),
    billingAddress,
    metadata,
  },
})

/** Which members go together depends on the place in a series. */
export const PAYMENT: Check = (value, path) => {
  const problems = payment(value, path)
  if (problems.length > 0) return problems
  const given = value as Readonly<Record<string, unknown>>
  const { sequenceType = 'oneoff' } = given
  const needs: Readonly<Record<string, readonly string[]>> = {
    oneoff: ['redirectUrl'],
    first: ['redirectUrl', 'customerId'],
    recurring: ['customerId'],
  }
  const excludes: Readonly<Record<string, readonly string[]>> = {
    oneoff: ['mandateId'],
    first: ['mandateId'],
    recurring: ['redirectUrl', 'cancelUrl'],
  }
  const sequence = String(sequenceType)
  return [
    ...(needs[sequence] ?? []).flatMap((name) =>
      name in given ? [] : wrong(`${path}.${name}`, 'is missing'),
    ),
    ...(excludes[sequence] ?? []).flatMap((name) =>
      name in given ? wrong(`${path}.${name}`, `does not go with ${sequence}`) : [],
    ),
    // Without a method the payer chooses among those that can.
    ...(given.captureMode === 'manual' && given.method && !RESERVING.includes(String(given.method))
      ? wrong(`${path}.captureMode`, `is not possible with ${given.method}`)
      : []),
  ]
}

export const CAPTURE = object({ optional: { amount, description: text({ max: 255 }), metadata } })

export const REFUND = object({
  required: { amount },
  optional: { description: text({ max: 255 }), metadata },
})

export const CUSTOMER = object({
  optional: {
    name: text({ max: 255 }),
    email: text({ pattern: /^[^@\s]+@[^@\s]+\.[^@\s]+$/ }),
    locale: text({ pattern: /^[a-z]{2}_[A-Z]{2}$/ }),
    metadata,
  },
})
