/** The kinds that every client knows. */
export const METHOD_KINDS = ['CreditCard', 'ElectronicCheck', 'Crypto', 'Paypal'] as const
export type MethodKind = (typeof METHOD_KINDS)[number]

/**
 * Methods by name. On the wire each is `ProviderHostedPage`, with its id beside it. Decision 0184; why there
 * are no gift cards is in decision 0188.
 */
export const METHOD_IDS = [
  'ideal',
  'bancontact',
  'sepa-debit',
  'eps',
  'klarna',
  'blik',
  'przelewy24',
  'twint',
  'mb-way',
  'multibanco',
  'swish',
  'vipps',
  'mobilepay',
  'pix',
  'alipay',
  'wechat-pay',
  'cash-app',
  'afterpay',
  'link',
  'bank-transfer',
  'apple-pay',
  'google-pay',
] as const
export type MethodId = (typeof METHOD_IDS)[number]

/** Wallets with the payer's cards. */
export type WalletId = Extract<MethodId, 'apple-pay' | 'google-pay'>

/** One of the four kinds that every client knows, or a method by its name. */
export type AnyMethod = MethodKind | MethodId

const IDS: ReadonlySet<string> = new Set(METHOD_IDS)

export const isMethodId = (method: string | null | undefined): method is MethodId =>
  method !== null && method !== undefined && IDS.has(method)

export const isKind = (method: AnyMethod): method is MethodKind => !IDS.has(method)

/** The method as clients of before know it. */
export const kindOnWire = (method: AnyMethod): MethodKind | 'ProviderHostedPage' =>
  isMethodId(method) ? 'ProviderHostedPage' : method
