import type { Context } from '../../context.ts'
import { type Route, route } from '../../http/route.ts'
import { isSetupOpen } from '../../people/accounts/setup.ts'

/** The address of the service itself: the console once it is set up, before that the documentation. */
export const startRoute = (ctx: Context): Route =>
  route({
    method: 'GET',
    path: '/',
    summary: 'To the console or the documentation',
    tag: 'Pages',
    auth: 'none',
    hidden: true,
    status: 302,
    handler: async (_caller, { reply }) =>
      void reply.header('location', (await isSetupOpen(ctx)) ? '/docs' : '/console'),
  })
