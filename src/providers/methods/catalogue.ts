import { DAY, HOUR, MINUTE } from '../../base/clock.ts'
import type { AmountLimits } from '../amounts.ts'
import type { Abilities } from '../port.ts'
import { type AnyMethod, isMethodId, METHOD_IDS, type MethodId } from './method.ts'

const METHOD_ICONS = ['bank', 'card', 'later', 'phone', 'transfer', 'voucher', 'wallet'] as const

/** Everything that the core knows about a method. A new one is an entry here, its names and a sample. */
export interface NamedMethod {
  /** In English. Pages have it in the language of the reader. */
  readonly name: string
  readonly icon: (typeof METHOD_ICONS)[number]
  /** Empty: any. */
  readonly currencies: readonly string[]
  /** Where its payers live. Empty: anywhere. */
  readonly countries: readonly string[]
  /** In minor units, for each currency with a limit. */
  readonly limits?: Readonly<Record<string, AmountLimits>>
  /** Money can be reserved and captured later. False: it is taken in one step. */
  readonly reserves: boolean
  /** The scheme refunds within so many days of the payment. Absent: the provider decides. */
  readonly refundDays?: number
  readonly refundsParts: boolean
  /** It can be charged again without the customer. */
  readonly stores: boolean
  /** How long the result may take after the customer has acted. */
  readonly resultMs: number
  /** For how many days a successful payment can still be returned by the payer's bank. */
  readonly returnDays?: number
  /** The id of the method at each provider that has it. */
  readonly at: Readonly<Partial<Record<'adyen' | 'mollie' | 'sandbox' | 'square' | 'stripe', string>>>
}

const ONE_STEP = { reserves: false, refundsParts: true, stores: false } as const
const BANK = { ...ONE_STEP, icon: 'bank', resultMs: HOUR } as const
const PHONE = { ...ONE_STEP, icon: 'phone', resultMs: 15 * MINUTE } as const
const WALLET = { ...ONE_STEP, icon: 'wallet', resultMs: 15 * MINUTE } as const
/** A card in a wallet: everything that a card can do, and it is stored as a card. */
const CARD_WALLET = { ...WALLET, reserves: true, stores: true, currencies: [], countries: [] } as const

const EURO = ['EUR']
const SEPA = [
  ...['DE', 'FR', 'NL', 'BE', 'AT', 'ES', 'IT', 'IE', 'PT', 'LU', 'FI', 'GR', 'CY', 'EE', 'LV', 'LT', 'MT'],
  ...['SI', 'SK', 'HR', 'BG', 'CZ', 'DK', 'HU', 'PL', 'RO', 'SE', 'NO', 'IS', 'LI', 'CH', 'GB', 'MC', 'SM'],
]

export const CATALOGUE: Readonly<Record<MethodId, NamedMethod>> = {
  ideal: {
    ...{ ...BANK, name: 'iDEAL', currencies: EURO, countries: ['NL'] },
    at: { adyen: 'ideal', mollie: 'ideal', sandbox: 'ideal', stripe: 'ideal' },
  },
  bancontact: {
    ...{ ...BANK, name: 'Bancontact', currencies: EURO, countries: ['BE'] },
    at: { adyen: 'bcmc', mollie: 'bancontact', stripe: 'bancontact' },
  },
  'sepa-debit': {
    ...{ ...ONE_STEP, name: 'SEPA Direct Debit', icon: 'bank', currencies: EURO, countries: SEPA },
    ...{ resultMs: 14 * DAY, returnDays: 396 },
    at: { adyen: 'sepadirectdebit', sandbox: 'sepa-debit', stripe: 'sepa_debit' },
  },
  eps: {
    ...{ ...BANK, name: 'EPS', currencies: EURO, countries: ['AT'] },
    at: { adyen: 'eps', mollie: 'eps', stripe: 'eps' },
  },
  klarna: {
    ...{ ...ONE_STEP, name: 'Klarna', icon: 'later', reserves: true, resultMs: HOUR },
    currencies: [
      ...['EUR', 'USD', 'GBP', 'SEK', 'NOK', 'DKK', 'CHF', 'PLN', 'CZK', 'RON', 'AUD', 'NZD', 'CAD'],
    ],
    countries: [
      ...['DE', 'AT', 'NL', 'BE', 'FR', 'ES', 'IT', 'IE', 'PT', 'FI', 'GR', 'SE', 'NO', 'DK', 'CH', 'GB'],
      ...['PL', 'CZ', 'RO', 'US', 'CA', 'AU', 'NZ'],
    ],
    at: { adyen: 'klarna', sandbox: 'klarna', stripe: 'klarna' },
  },
  blik: {
    ...{ ...PHONE, name: 'BLIK', currencies: ['PLN'], countries: ['PL'] },
    at: { adyen: 'blik', mollie: 'blik', stripe: 'blik' },
  },
  przelewy24: {
    ...{ ...BANK, name: 'Przelewy24', currencies: ['PLN', 'EUR'], countries: ['PL'], resultMs: DAY },
    at: { adyen: 'onlineBanking_PL', mollie: 'przelewy24', stripe: 'p24' },
  },
  twint: {
    ...{ ...PHONE, name: 'TWINT', currencies: ['CHF'], countries: ['CH'] },
    limits: { CHF: { largest: 500_000n } },
    at: { adyen: 'twint', mollie: 'twint', stripe: 'twint' },
  },
  'mb-way': {
    ...{ ...PHONE, name: 'MB WAY', currencies: EURO, countries: ['PT'] },
    at: { adyen: 'mbway', mollie: 'mbway', stripe: 'mb_way' },
  },
  multibanco: {
    ...{ ...ONE_STEP, name: 'Multibanco', icon: 'voucher', currencies: EURO, countries: ['PT'] },
    resultMs: 7 * DAY,
    at: { adyen: 'multibanco', mollie: 'multibanco', sandbox: 'multibanco', stripe: 'multibanco' },
  },
  swish: {
    ...{ ...PHONE, name: 'Swish', currencies: ['SEK'], countries: ['SE'] },
    at: { adyen: 'swish', mollie: 'swish', stripe: 'swish' },
  },
  vipps: {
    ...{ ...PHONE, name: 'Vipps', currencies: ['NOK'], countries: ['NO'] },
    at: { adyen: 'vipps', mollie: 'vipps' },
  },
  mobilepay: {
    ...{ ...PHONE, name: 'MobilePay', currencies: ['DKK', 'EUR'], countries: ['FI', 'DK'] },
    at: { adyen: 'mobilepay', mollie: 'mobilepay', stripe: 'mobilepay' },
  },
  pix: {
    ...{ ...PHONE, name: 'Pix', currencies: ['BRL'], countries: ['BR'], refundDays: 90, resultMs: DAY },
    at: { adyen: 'pix', stripe: 'pix' },
  },
  alipay: {
    ...{ ...WALLET, name: 'Alipay', countries: ['CN'] },
    currencies: ['CNY', 'EUR', 'GBP', 'USD', 'AUD', 'CAD', 'HKD', 'JPY', 'SGD', 'MYR', 'NZD'],
    at: { adyen: 'alipay', stripe: 'alipay' },
  },
  'wechat-pay': {
    ...{ ...WALLET, name: 'WeChat Pay', countries: ['CN'] },
    currencies: ['CNY', 'EUR', 'GBP', 'USD', 'AUD', 'CAD', 'HKD', 'JPY', 'SGD', 'DKK', 'NOK', 'SEK', 'CHF'],
    at: { adyen: 'wechatpayWeb', stripe: 'wechat_pay' },
  },
  'cash-app': {
    ...{ ...PHONE, name: 'Cash App Pay', currencies: ['USD'], countries: ['US'] },
    at: { adyen: 'cashapp', square: 'cash_app_pay', stripe: 'cashapp' },
  },
  afterpay: {
    ...{ ...ONE_STEP, name: 'Afterpay', icon: 'later', resultMs: HOUR },
    currencies: ['USD', 'GBP', 'AUD', 'CAD', 'NZD'],
    countries: ['US', 'GB', 'AU', 'CA', 'NZ'],
    at: { adyen: 'afterpaytouch', square: 'afterpay_clearpay', stripe: 'afterpay_clearpay' },
  },
  link: {
    ...{ ...WALLET, name: 'Link', currencies: [], countries: [] },
    at: { stripe: 'link' },
  },
  'bank-transfer': {
    ...{ ...ONE_STEP, name: 'Bank transfer', icon: 'transfer', currencies: EURO, countries: SEPA },
    resultMs: 14 * DAY,
    at: { adyen: 'bankTransfer_IBAN', mollie: 'banktransfer', sandbox: 'bank-transfer' },
  },
  'apple-pay': {
    ...{ ...CARD_WALLET, name: 'Apple Pay' },
    at: { adyen: 'applepay', mollie: 'applepay', sandbox: 'apple-pay' },
  },
  'google-pay': {
    ...{ ...CARD_WALLET, name: 'Google Pay' },
    at: { adyen: 'googlepay', mollie: 'googlepay' },
  },
}

type ProviderWithMethods = keyof NamedMethod['at']

/**
 * What the named methods of a provider can do there: as its cards, as far as the method itself allows it.
 * What is stored of a wallet is a card, and it is charged as one.
 */
export function namedAbilities(
  provider: ProviderWithMethods,
  card: Abilities,
  { storesWallets = false } = {},
): Partial<Record<MethodId, Abilities>> {
  const entries = METHOD_IDS.filter((id) => CATALOGUE[id].at[provider] !== undefined).map((id) => {
    const { reserves, refundsParts, stores } = CATALOGUE[id]
    const oneStep = { authoriseOnly: false, sale: true, partialCapture: false }
    const abilities: Abilities = {
      ...card,
      ...(reserves ? {} : oneStep),
      ...{ approvesFirst: false, fields: false, chargeStored: false, setUpMethod: false },
      storeMethod: stores && storesWallets,
      partialRefund: refundsParts,
    }
    return [id, abilities] as const
  })
  return Object.fromEntries(entries)
}

/** The id of each named method at a provider. */
export const idsAt = (provider: ProviderWithMethods): Readonly<Partial<Record<AnyMethod, string>>> =>
  Object.fromEntries(
    METHOD_IDS.flatMap((id) => (CATALOGUE[id].at[provider] ? [[id, CATALOGUE[id].at[provider]]] : [])),
  )

/** The method with this id at the provider. Undefined: none of those by name. */
export const methodAt = (provider: ProviderWithMethods, id: string | undefined): MethodId | undefined =>
  id === undefined ? undefined : METHOD_IDS.find((one) => CATALOGUE[one].at[provider] === id)

/** Undefined for one of the four kinds. */
export const namedMethod = (method: AnyMethod | string | null | undefined): NamedMethod | undefined =>
  isMethodId(method) ? CATALOGUE[method] : undefined

const SLOW_MS = 2 * HOUR

/** The result comes hours to days after the customer has acted. */
export const isSlow = (method: AnyMethod | null | undefined): boolean =>
  (namedMethod(method)?.resultMs ?? 0) > SLOW_MS
