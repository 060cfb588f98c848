import Type from 'typebox'
import { CONSOLE_PAGES } from '../../base/console-pages.ts'
import type { Context } from '../../context.ts'
import { type Route, route } from '../../http/route.ts'
import { readId } from '../../http/wire.ts'
import { isSetupOpen } from '../../people/accounts/setup.ts'

/** The address of the service itself: the console, or its set-up while there are no people. */
export const startRoute = (ctx: Context): Route =>
  route({
    method: 'GET',
    path: '/',
    summary: 'To the console or its set-up',
    tag: 'Pages',
    auth: 'none',
    hidden: true,
    status: 302,
    handler: async (_caller, { reply }) =>
      void reply.header('location', (await isSetupOpen(ctx)) ? CONSOLE_PAGES.setup : CONSOLE_PAGES.home),
  })

/**
 * Addresses that shop plugins open. They lead to the console without a read: the pages there ask for the
 * sign-in and check the access.
 */
export const pluginLinks = (): Route[] => [
  link('/{appId}/gateways', (base) => `${base}/providers`),
  link('/{appId}/payments/detail', (base, { paymentId = '', referenceId }) => {
    const id = readId(paymentId)
    if (id !== undefined) return `${base}/payments/${id}`
    if (!referenceId) return `${base}/payments`
    return `${base}/payments/by-reference?referenceId=${encodeURIComponent(referenceId)}`
  }),
]

type Query = Readonly<Record<string, string>>

const link = (path: string, target: (base: string, query: Query) => string): Route =>
  route({
    method: 'GET',
    path,
    summary: 'A page of the console, for links of shop plugins',
    tag: 'Pages',
    auth: 'none',
    status: 303,
    hidden: true,
    contentType: 'text/html; charset=utf-8',
    params: Type.Object({ appId: Type.String() }),
    query: Type.Object({}),
    handler: (_caller, { params, query, reply }) => {
      reply.header('location', target(`/console/${encodeURIComponent(params.appId)}`, query as Query))
      return ''
    },
  })
