/** What `TenderPlugin.init` takes. */
export interface TenderPluginOptions {
  /** Where Tender runs, such as `https://pay.example`. */
  readonly url: string
  readonly appId: string
  /** An API key with the scopes `payments` and `refunds`. */
  readonly apiKey: string
  /** `whsec_…`; a list while it is rotated. */
  readonly webhookSecret: string | readonly string[]
  /** Where this Vendure server is reached from Tender, such as `https://api.shop.example`. */
  readonly serverUrl: string
  /** Where the browser goes after paying. `{code}` becomes the code of the order. */
  readonly returnUrl: string
  /** Signed-in customers may save a method and pay with it later. Default: true. */
  readonly savedMethods?: boolean
  /** Adds the payment method `tender` when the shop has none with this handler. Default: true. */
  readonly addPaymentMethod?: boolean
}

export type TenderSettings = Required<TenderPluginOptions>

export const HANDLER_CODE = 'tender'
export const SETTINGS = Symbol('TenderSettings')
export const WEBHOOK_PATH = 'tender/webhook'

const HELP: Readonly<Record<string, string>> = {
  url: 'the address of Tender, such as https://pay.example',
  appId: 'the id of your app, from the page "Connect a shop" in the console of Tender',
  apiKey: 'an API key of the app, from Developers, API keys in the console of Tender',
  webhookSecret: 'the signing secret (whsec_…), from Developers, Webhooks in the console of Tender',
  serverUrl: 'the address of this Vendure server as Tender reaches it, such as https://api.shop.example',
  returnUrl: 'the page of your storefront after paying, such as https://shop.example/thanks/{code}',
}

/** Fills in the defaults; throws an error that says what is missing and where to find it. */
export function settingsOf(options: TenderPluginOptions): TenderSettings {
  for (const [name, help] of Object.entries(HELP)) {
    const value = options[name as keyof TenderPluginOptions]
    const values = Array.isArray(value) ? value : [value]
    const form = /url$/i.test(name) ? /^https?:\/\/[^/]/ : /./
    if (values.length === 0 || !values.every((one) => typeof one === 'string' && form.test(one)))
      throw new Error(`TenderPlugin.init: ${name} is missing or wrong. It is ${help}.`)
  }
  const { savedMethods = true, addPaymentMethod = true } = options
  return { ...options, savedMethods, addPaymentMethod }
}
