import { MedusaError } from '@medusajs/framework/utils'

/** The options of the provider in `medusa-config.ts`. */
export interface TenderProviderOptions {
  /** Where Tender runs, such as `https://pay.example`. */
  readonly url: string
  readonly appId: string
  /** An API key of the app for payments, refunds and customers. */
  readonly apiKey: string
  /** `whsec_…`; a list while a secret is being replaced. */
  readonly webhookSecret: string | readonly string[]
  /** The page of the storefront to which customers come back; it completes the cart. */
  readonly returnUrl: string
  /** Takes the money as soon as it is authorised. Default: true. With false it is captured in Medusa. */
  readonly autoCapture?: boolean
  /** Where Tender sends the webhooks of these payments. Default: the address that the app has in Tender. */
  readonly webhookUrl?: string
  /** Offers signed-in customers to save their method. Default: true. */
  readonly offerToSave?: boolean
  /** Offers these provider profiles of Tender only. */
  readonly paymentProfiles?: readonly number[]
}

const WHERE: Readonly<Record<string, string>> = {
  url: 'the address of Tender, such as https://pay.example',
  appId: "the app's id: console, Developers, Connect a shop",
  apiKey: 'an API key of the app: console, Developers, API keys',
  webhookSecret: 'the secret that signs webhooks (whsec_…): console, Developers, Webhooks',
  returnUrl: 'the page of your storefront that completes the cart, such as https://shop.example/paid',
}

/** Refuses to start with options that cannot work, and says which and where to find them. */
export function checkOptions(options: Record<string, unknown> = {}): void {
  const problems = Object.entries(WHERE).flatMap(([name, where]) =>
    isGiven(options[name]) ? [] : [`${name} is missing: ${where}.`],
  )
  for (const name of ['url', 'returnUrl', 'webhookUrl'])
    if (isGiven(options[name]) && !isAddress(String(options[name])))
      problems.push(`${name} is not an address with http: or https:.`)
  if (options.autoCapture !== undefined && typeof options.autoCapture !== 'boolean')
    problems.push('autoCapture is true or false.')
  if (problems.length > 0)
    throw new MedusaError(
      MedusaError.Types.INVALID_ARGUMENT,
      `The options of @tender-pay/medusa in medusa-config.ts: ${problems.join(' ')}`,
    )
}

const isAddress = (text: string): boolean => /^https?:\/\/[^\s/?#]+/i.test(text)

const isGiven = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.trim() !== ''
    : Array.isArray(value) && value.length > 0 && value.every((one) => isGiven(one))
