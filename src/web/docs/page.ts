import { type FixedContent, fixedContent } from '../../http/content/fixed.ts'
import { type Route, route } from '../../http/route.ts'

/** Security headers of the documentation. Forms are sent to this service only. */
export const DOCS_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
} as const

export const HTML = 'text/html; charset=utf-8'
export const PLAIN = 'text/plain; charset=utf-8'

export const DOCS_COMMON = { method: 'GET', tag: 'Pages', auth: 'none', hidden: true } as const

/** A page that is the same for everybody: made with the first request and kept. */
export function docsRoute(
  path: string,
  summary: string,
  render: () => string | Promise<string>,
  contentType = HTML,
): Route {
  let content: Promise<FixedContent> | undefined
  return route({
    ...DOCS_COMMON,
    path,
    summary,
    status: 200,
    contentType,
    handler: async (_caller, call) => {
      content ??= (async () => fixedContent(await render()))()
      call.reply.headers(DOCS_HEADERS)
      return (await content).answer(call)
    },
  })
}
