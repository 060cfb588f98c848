import type { Context } from '../../context.ts'
import type { Route } from '../../http/route.ts'
import type { PageAssets } from '../../web/kit/assets/assets.ts'
import { createPageRoutes } from '../../web/kit/request/page-route.ts'
import type { Sandbox } from '../sandbox.ts'
import { answerChallenge, showChallenge } from './challenge-page.tsx'
import type { SandboxPageContext } from './page-context.ts'
import { pressOnPage, showPayPage } from './pay-page.tsx'
import { pressOnKeepPage, showKeepPage } from './setup-page.tsx'
import { exchangeForToken } from './tokens.ts'

/**
 * The pages of the sandbox provider, which stand for pages hosted by another company. They use the bank's
 * HTTP API only, and send the customer's input nowhere else.
 */
export function sandboxPageRoutes(ctx: Context, sandbox: Sandbox, assets: PageAssets): Route[] {
  const page = createPageRoutes(ctx, assets, 'bank', 'address')
  const context: SandboxPageContext = { ctx, sandbox, assets }
  const own = { readsOwnForm: true } as const
  return [
    page({
      ...own,
      method: 'POST',
      path: '/sandbox/tokens',
      summary: 'Card or account fields of a shop, for a one-time token',
      handler: (call) => exchangeForToken(context, call),
    }),
    page({
      method: 'GET',
      path: '/sandbox/pay/{session}',
      summary: 'The page of the sandbox provider',
      handler: (call) => showPayPage(context, call),
    }),
    page({
      ...own,
      method: 'POST',
      path: '/sandbox/pay/{session}',
      summary: 'A button of that page',
      handler: (call) => pressOnPage(context, call),
    }),
    page({
      method: 'GET',
      path: '/sandbox/keep/{session}',
      summary: 'Where a customer lets a shop keep a method',
      handler: (call) => showKeepPage(context, call),
    }),
    page({
      ...own,
      method: 'POST',
      path: '/sandbox/keep/{session}',
      summary: 'A button of that page',
      handler: (call) => pressOnKeepPage(context, call),
    }),
    page({
      method: 'GET',
      path: '/sandbox/3ds/{session}',
      summary: 'The challenge of the sandbox bank',
      handler: (call) => showChallenge(context, call),
    }),
    page({
      ...own,
      method: 'POST',
      path: '/sandbox/3ds/{session}',
      summary: 'The answer to it',
      handler: (call) => answerChallenge(context, call),
    }),
  ]
}
