import Type from 'typebox'
import { ApiError } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import type { Context } from '../../../context.ts'
import { readCookie } from '../../../http/client/cookie.ts'
import { toApiError } from '../../../http/problem.ts'
import { type Call, type Entering, type Route, route } from '../../../http/route.ts'
import { cookieName } from '../../../people/cookie.ts'
import type { PageAssets } from '../assets/assets.ts'
import type { PageAnswer } from './answer.ts'
import { type PageCall, readPageCall } from './call.ts'
import { errorPage, type RefusedPage } from './error-page.tsx'
import { createAddressLimits, createLinkEntry, type PageClient, type PageEntry } from './limits.ts'
import { locationOf } from './location.ts'

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
  /** Who may send a form with more bytes than any other request. */
  readonly largeBody?: Route['largeBody']
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
    const { readsOwnForm = false, takesFiles = false, formBytes = LIMITS.formBytes, largeBody } = spec
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
      ...(largeBody ? { largeBody } : {}),
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

async function answerOrError(
  ctx: Context,
  requested: RefusedPage & { readonly call: Call },
  work: () => Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await work()
  } catch (error) {
    return errorPage(requested, toApiError(error, ctx.log, requested.call.requestId))
  }
}
