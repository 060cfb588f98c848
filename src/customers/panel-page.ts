import Type from 'typebox'
import type { Context } from '../context.ts'
import { type Route, route } from '../http/route.ts'
import { verifyPanelToken } from './panel.ts'

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '')

const page = (title: string, sentence: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${sentence}</p>
</main>
</body>
</html>
`

/** What a panel link opens: whose it is, and what it is for. */
export function panelPageRoute(ctx: Context): Route {
  return route({
    method: 'GET',
    path: '/p/{token}',
    summary: "A customer's own panel",
    tag: 'Pages',
    auth: 'none',
    status: 200,
    params: Type.Object({ token: Type.String() }),
    contentType: 'text/html; charset=utf-8',
    hidden: true,
    handler: async (_nobody, { params, reply }) => {
      reply.header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      )
      reply.header('referrer-policy', 'no-referrer')
      const verified = await verifyPanelToken(ctx, params.token)
      if (!verified) {
        reply.code(401)
        return page('This link is no longer valid', 'Ask the shop that sent it to you for a new one.')
      }
      const merchant = escaped(verified.app.friendlyName)
      return page('Your payment methods', `This page belongs to your account at ${merchant}.`)
    },
  })
}
