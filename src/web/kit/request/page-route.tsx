import type { Readable } from 'node:stream'
import Type from 'typebox'
import { ApiError } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { parseUrl } from '../../../base/text.ts'
import type { Context } from '../../../context.ts'
import { cookieText, readCookie } from '../../../http/client/cookie.ts'
import { toApiError } from '../../../http/problem.ts'
import { type Call, type Entering, type Route, route } from '../../../http/route.ts'
import { cookieName } from '../../../people/cookie.ts'
import type { PageAssets } from '../assets/assets.ts'
import { NO_FORM, type PostedForm, readForm } from './form-body.ts'
import { chooseLanguage, type Language } from '../i18n/languages.ts'
import { createAddressLimits, createLinkEntry, type PageClient, type PageEntry } from './limits.ts'
import { locationOf } from './location.ts'
import { pageHeaders } from '../html/headers.ts'
import { Card, Statement } from '../html/layout.tsx'
import { pageHtml } from '../html/page.tsx'

/** An array sets several cookies. */
type PageHeaders = Readonly<Record<string, string | string[]>>

interface DrawnPage {
  readonly html: string
  readonly headers: PageHeaders
  readonly status?: number
}

/** Response of a page: a document, a redirect, which the browser follows by GET, or a file. */
export type PageAnswer =
  | DrawnPage
  | { readonly location: string; readonly headers?: PageHeaders }
  | {
      readonly file: string | Buffer | Readable
      readonly type: string
      readonly headers?: PageHeaders
    }

export const seeOther = (location: string): PageAnswer => ({ location })

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

interface PageSpec {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly summary: string
  /** The handler parses the form itself, as pages of a provider do. */
  readonly readsOwnForm?: true
  /** A form may carry files. */
  readonly takesFiles?: boolean
  /** The most bytes of a form that needs more than others. */
  readonly formBytes?: number
  /** Section whose texts error pages use. */
  readonly area?: 'panel'
  /** Redirects without a read: only the limit for anonymous routes applies. */
  readonly isPlain?: true
  readonly handler: (call: PageCall) => Promise<PageAnswer>
}

export type PageRoutes = (spec: PageSpec) => Route

type Enter = (client: PageClient, credential: string | undefined) => PageEntry

function enterByAddress(ctx: Context, name: string): Enter {
  const take = createAddressLimits(ctx, name)
  return (client) => {
    take(client)
    return ANY_ENTRY
  }
}

const ANY_ENTRY: PageEntry = { admit: () => {}, leave: () => {} }

/** What names the link or session of a request, before it is known to exist. */
const credentialOf = (ctx: Context, { params, headers }: Entering): string | undefined =>
  params.paymentKey ?? params.token ?? readCookie(headers, cookieName(ctx)) ?? readCookie(headers, 'panel')

async function within(entry: PageEntry, work: () => Promise<PageAnswer>): Promise<PageAnswer> {
  const answer = await work().catch((error: unknown) => {
    entry.leave(!(error instanceof ApiError) || error.status >= 500)
    throw error
  })
  entry.leave(false)
  return answer
}

/** Creates routes that answer with pages, errors included. Pages of one name share their rate limits. */
export function createPageRoutes(
  ctx: Context,
  assets: PageAssets,
  name: string,
  by: 'link' | 'address' = 'link',
): PageRoutes {
  const enter = by === 'link' ? createLinkEntry(ctx, name) : enterByAddress(ctx, name)
  return ({ method, path, summary, handler, area, isPlain = false, ...spec }) => {
    const isPost = method === 'POST'
    const { readsOwnForm = false, takesFiles = false, formBytes = LIMITS.formBytes } = spec
    return route({
      method,
      path,
      summary,
      tag: 'Pages',
      auth: 'none',
      status: 200,
      hidden: true,
      ...(isPlain ? {} : { hasOwnLimit: true as const }),
      contentType: 'text/html; charset=utf-8',
      ...(isPost ? { rawBody: true as const, bodyBytes: formBytes } : {}),
      ...(isPlain
        ? {}
        : {
            enter: (entering: Entering) =>
              enter({ network: entering.network, isPost }, credentialOf(ctx, entering)),
          }),
      refused: (error, headers) => errorPage({ assets, call: { headers }, area }, error),
      query: Type.Object({}),
      handler: async (_caller, call: Call) => {
        const entry = (call.reply.request.tender.entered as PageEntry | undefined) ?? ANY_ENTRY
        const reading = { isPost, readsOwnForm, takesFiles, isConsole: name === 'console' }
        const { admit } = entry
        const answer = await answerOrError(ctx, { assets, call, area }, () =>
          within(entry, async () => handler({ ...(await readPageCall(ctx, call, reading)), admit })),
        )
        call.reply.headers(answer.headers ?? {})
        if ('location' in answer) {
          call.reply.code(303).header('location', locationOf(answer.location))
          return ''
        }
        if ('file' in answer) {
          call.reply.type(answer.type)
          return answer.file
        }
        call.reply.code(answer.status ?? 200)
        return answer.html
      },
    })
  }
}

interface PageRequest {
  readonly assets: PageAssets
  readonly call: Pick<Call, 'headers'>
  readonly area: PageSpec['area']
}

async function answerOrError(
  ctx: Context,
  requested: PageRequest & { readonly call: Call },
  work: () => Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await work()
  } catch (error) {
    return errorPage(requested, toApiError(error, ctx.log, requested.call.requestId))
  }
}

const COOKIE = 'lang'

interface FormReading {
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

async function readPageCall(
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
  if (requested) call.reply.header('set-cookie', cookieText(ctx, { name: COOKIE, value: requested }))
  return { query, lang: requested ?? readCookie(call.headers, COOKIE) }
}

const readLanguage = (call: Pick<Call, 'headers'>): Language =>
  chooseLanguage({
    chosen: readCookie(call.headers, COOKIE),
    acceptLanguage: call.headers['accept-language'] as string | undefined,
  })

/** The error page. The log holds the details under the request id. */
function errorPage({ assets, call, area }: PageRequest, error: ApiError): DrawnPage {
  const language = readLanguage(call)
  const { errors, panel } = language.texts
  const texts = {
    404: area === 'panel' ? [panel.unknown, panel.unknownBody] : [errors.unknown, errors.unknownBody],
    413: [panel.refused, panel.refusedBody],
    422: [panel.refused, panel.refusedBody],
    403: [errors.elsewhere, errors.elsewhereBody],
    429: [errors.busy, errors.busyBody],
    503: [errors.away, errors.awayBody],
  } as const
  const [title, body] = texts[error.status as keyof typeof texts] ?? [errors.broken, errors.brokenBody]
  const html = pageHtml({
    language,
    brand: undefined,
    title,
    page: 'error',
    style: assets.style.path,
    children: (
      <div class="narrow">
        <Card>
          <Statement icon={error.status === 404 ? 'search' : 'alert'} title={title}>
            <p>{body}</p>
            {area === 'panel' && <a href="/p">{panel.overview}</a>}
          </Statement>
        </Card>
      </div>
    ),
  })
  return { html, status: error.status, headers: { ...pageHeaders({}), ...error.extras.headers } }
}
