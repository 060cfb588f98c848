import { ApiError } from '../../../base/errors.ts'
import { parseUrl } from '../../../base/text.ts'
import type { Context } from '../../../context.ts'
import { cookieText, readCookie } from '../../../http/client/cookie.ts'
import type { Call } from '../../../http/route.ts'
import { NO_FORM, type PostedForm, readForm } from './form-body.ts'

/** The cookie with the language that the payer chose. */
export const LANGUAGE_COOKIE = 'lang'

/** One request to a page. */
export interface PageCall extends PostedForm {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** The raw body, for pages of a provider: only they may receive card numbers. */
  readonly body: Buffer
  readonly isPost: boolean
  readonly address: string
  /** The client's network, the subject of limits. */
  readonly network: string
  readonly headers: Call['headers']
  readonly requestId: string
  /** Path and query as requested. */
  readonly path: string
  /** Language that the payer chose, on this or an earlier page. */
  readonly lang: string | undefined
  readonly acceptLanguage: string | undefined
  /** About the browser, for statistics. */
  readonly browser: { readonly country: string | undefined; readonly isMobile: boolean }
  /** The request comes from a frame. */
  readonly isFramed: boolean
  /** A script asks for data, not for a page. */
  readonly wantsJson: boolean
  /** A browser navigation, not a scanner, preview or prefetch. */
  readonly isVisit: boolean
  cookie(name: string): string | undefined
  /** The link or session exists: charges its rate limit. Call it before any work; throws 429. */
  admit(link: string): void
}

export interface FormReading {
  readonly isPost: boolean
  readonly readsOwnForm: boolean
  readonly takesFiles: boolean
  readonly isConsole: boolean
}

/**
 * Whether a page of another site posted the form, or another host of this site. Pages are served on
 * the hosts of checkouts too. Old browsers send `null` for our own forms, as our pages send no referrer: that
 * is accepted where forms carry a signed id, not where a session begins. A page of a provider takes forms of
 * its site.
 */
function isForeignForm(
  { config }: Context,
  headers: Call['headers'],
  { readsOwnForm, isConsole }: FormReading,
): boolean {
  const site = headers['sec-fetch-site']
  if (readsOwnForm) return site === 'cross-site'
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin, host } = headers
  if (typeof origin !== 'string' || (origin === 'null' && !isConsole)) return false
  return origin !== new URL(config.publicUrl).origin && parseUrl(origin)?.host !== host
}

export async function readPageCall(
  ctx: Context,
  call: Call,
  reading: FormReading,
): Promise<Omit<PageCall, 'admit'>> {
  const { isPost, readsOwnForm, takesFiles } = reading
  const { query, lang } = readLang(ctx, call)
  // Cross-site request forgery.
  if (isPost && isForeignForm(ctx, call.headers, reading))
    throw new ApiError('forbidden', 'The form was sent from another site.')
  return {
    params: call.params as Record<string, string>,
    query,
    ...(isPost && !readsOwnForm
      ? await readForm(call.body as Buffer, takesFiles ? call.headers['content-type'] : undefined)
      : NO_FORM),
    body: isPost ? (call.body as Buffer) : Buffer.alloc(0),
    isPost,
    address: call.address,
    network: call.network,
    headers: call.headers,
    requestId: call.requestId,
    path: call.reply.request.url,
    lang,
    acceptLanguage: call.headers['accept-language'] as string | undefined,
    browser: readBrowser(ctx, call.headers),
    isFramed: call.headers['sec-fetch-dest'] === 'iframe',
    wantsJson: String(call.headers.accept ?? '').startsWith('application/json'),
    isVisit: call.headers['sec-fetch-dest'] === 'document' && call.headers['sec-purpose'] === undefined,
    cookie: (name) => readCookie(call.headers, name),
  }
}

/** Proxies of content networks tell the country. Without a proxy any client could send the header. */
function readBrowser({ config }: Context, headers: Call['headers']): PageCall['browser'] {
  const country = headers['cf-ipcountry'] ?? headers['cloudfront-viewer-country']
  const hasProxy = (config.trustedProxies ?? []).length > 0
  const isMobile = headers['sec-ch-ua-mobile'] === '?1' || /Mobi/.test(String(headers['user-agent'] ?? ''))
  return { country: hasProxy && typeof country === 'string' ? country : undefined, isMobile }
}

/** The choice is kept in a session cookie for the following pages. */
function readLang(ctx: Context, call: Call) {
  const query = call.query as Record<string, string>
  const requested = /^[A-Za-z-]{2,8}$/.test(query.lang ?? '') ? query.lang : undefined
  if (requested) call.reply.header('set-cookie', cookieText(ctx, { name: LANGUAGE_COOKIE, value: requested }))
  return { query, lang: requested ?? readCookie(call.headers, LANGUAGE_COOKIE) }
}
