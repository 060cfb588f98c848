import { composeServer } from '../../src/app.ts'
import type { TestConsole } from '../support/console.ts'
import type { Seeded } from './console-seed.ts'

/** A page of the console as the owner sees it. */
export interface ConsolePage {
  /** The route, and what is special about the page. */
  readonly name: string
  readonly path: string
}

/** Routes that answer with data, a stream, a redirect, or an e-mail, in which no script may run. */
const NOT_PAGES = new Set([
  '/console',
  '/console/home',
  '/console/oidc/callback',
  '/console/oidc/proof',
  '/console/oidc/start',
  '/console/profile/passkeys/new/options',
  '/console/profile/proof/passkey',
  '/console/sign-in/code/passkey',
  '/console/sign-in/passkey',
  '/console/{appId}/audit/export',
  '/console/{appId}/books/journal',
  '/console/{appId}/developers',
  '/console/{appId}/developers/connect/arrived',
  '/console/{appId}/developers/e-mails/preview',
  '/console/{appId}/dock',
  '/console/{appId}/exports/list',
  '/console/{appId}/exports/{exportId}/file',
  '/console/{appId}/overview/steps',
  '/console/{appId}/payments/by-reference',
  '/console/{appId}/payments/export',
  '/console/{appId}/payments/newer',
  '/console/{appId}/payments/{paymentId}/events',
  '/console/{appId}/payouts/export',
  '/console/{appId}/payouts/{payoutId}/lines',
  '/console/{appId}/providers/{profileId}/arrivals',
])

/** Closed at present: without a second step under way, or for an installation that is set up. */
const CLOSED = new Set(['/console/setup', '/console/sign-in/code'])

/** Pages of live apps: a sandbox app leads elsewhere. */
const LIVE = new Set(['/console/{appId}/going-live'])

/** Routes that show a page of their own for another object or address than the usual one. */
const variantsOf = (seeded: Seeded): Readonly<Record<string, readonly string[]>> => ({
  '/console/profile/passkeys/remove': [`?id=${seeded.passkeyId}`],
  '/console/{appId}/payments': [
    '',
    '?state=Refunded',
    '?q=last4:4242+state:faild&columns=id,fraud,order,country,flow',
  ],
  '/console/{appId}/payments/bulk/{action}': [`?ids=${seeded.authorized}.${seeded.held}`],
  '/console/{appId}/payments/bulk/{action}/result': [
    `?done=${seeded.authorized}&payment_busy=${seeded.held}`,
  ],
  '/console/{appId}/payments/bulk/refund': [`?ids=${seeded.refunded}.${seeded.disputed}.${seeded.held}`],
  '/console/{appId}/payments/bulk/refund/result': [`?done=${seeded.refunded}&forbidden=${seeded.held}`],
  '/console/{appId}/payments/{paymentId}': [
    '',
    `=${seeded.refunded}`,
    `=${seeded.failed}`,
    `=${seeded.disputed}`,
    `=${seeded.held}?show=provider`,
  ],
  '/console/{appId}/payments/{paymentId}/capture': [`=${seeded.authorized}`],
  '/console/{appId}/payments/{paymentId}/cancel': [`=${seeded.authorized}`],
  '/console/{appId}/payments/{paymentId}/release': [`=${seeded.held}`],
  '/console/{appId}/reviews/{paymentId}/release': [`=${seeded.held}`],
  '/console/{appId}/reviews/{paymentId}/reject': [`=${seeded.held}`],
  '/console/{appId}/reviews/{paymentId}/block': [`=${seeded.held}`],
  '/console/{appId}/disputes': ['', '?state=all'],
  '/console/{appId}/links/{paymentId}': [`=${seeded.link}`],
  '/console/{appId}/payouts/exceptions': ['', '?state=closed'],
  '/console/{appId}/exports/new': ['', '?kind=payments&query=state%3DFailed', '?kind=events'],
  '/console/{appId}/developers/connect': ['', '?with=php', '?with=vendure', '?with=medusa'],
  '/console/{appId}/search': ['?q=4242'],
  '/console/{appId}/routing': ['', '?currency=EUR&amount=900&method=CreditCard'],
  '/console/{appId}/routing/payments': ['?place=1'],
  '/console/{appId}/routing/route': ['', '?place=0'],
  '/console/{appId}/routing/remove': ['?place=0'],
  '/console/{appId}/fraud/{policyId}': ['', '?simulate=yes'],
  '/console/{appId}/fraud/new': ['?template=someCountries'],
})

const parametersOf = (seeded: Seeded, appId: string): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(Object.entries(seeded).map(([name, value]) => [name, String(value)])),
  appId,
  action: 'capture',
  provider: 'stripe',
  token: 'A'.repeat(43),
})

/** Every page of the console, from its routes: a new screen is part of it at once. */
export function consoleGallery(world: TestConsole, seeded: Seeded): ConsolePage[] {
  const { sharedLimits: _, ...ctx } = world.tender.service.ctx
  const parameters = parametersOf(seeded, world.sandbox.appId)
  const variants = variantsOf(seeded)
  return composeServer(ctx, undefined)
    .routes()
    .filter(({ method, path }) => method === 'GET' && /^\/console(?:\/|$)/.test(path))
    .filter(({ path }) => !/^\/console\/assets/.test(path) && !NOT_PAGES.has(path) && !CLOSED.has(path))
    .flatMap(({ path }) => {
      const own = LIVE.has(path) ? { ...parameters, appId: world.live.appId } : parameters
      return (variants[path] ?? ['']).map((variant) => pageAt(path, variant, own))
    })
}

function pageAt(path: string, variant: string, parameters: Readonly<Record<string, string>>): ConsolePage {
  const [, object, query = ''] = /^(?:=(\d+))?(.*)$/.exec(variant) ?? []
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    encodeURIComponent((name === 'paymentId' && object) || (parameters[name] ?? whole)),
  )
  const name = `${path}${variant}`.replace('/console/', '').replace('{appId}/', '')
  return { name: name.replaceAll(/\W+/g, '-').replaceAll(/^-|-$/g, ''), path: filled + query }
}
