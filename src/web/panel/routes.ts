import type { Context } from '../../context.ts'
import type { Route } from '../../http/route.ts'
import { readId } from '../../http/wire.ts'
import type { PageAssets } from '../kit/assets/assets.ts'
import { type PageAnswer, seeOther } from '../kit/request/answer.ts'
import type { PageCall } from '../kit/request/call.ts'
import { createPageRoutes } from '../kit/request/page-route.ts'
import { createMethodHandlers } from './method-handlers.tsx'
import { createOverviewHandlers } from './overview-handlers.tsx'
import { createRender } from './parts/render.tsx'
import { createPaymentHandlers } from './payment-handlers.tsx'
import { isAllowed, type PanelAction, startUrlOf } from './rules.ts'
import { currentSession, formNonceOf, type PanelVisitor, visitorOf } from './session.ts'
import { openByButton, openLink, refuseAccess, signOut } from './sign-in.tsx'

type PanelHandler = (visitor: PanelVisitor, call: PageCall, id: number) => Promise<PageAnswer> | PageAnswer
type ActionKind = PanelAction['kind']

/**
 * The customer panel. A request without a session is refused. An action outside the grant redirects to the
 * start page of the link, and so does a form without a valid form id of this session.
 */
export function panelRoutes(ctx: Context, assets: PageAssets): Route[] {
  const page = createPageRoutes(ctx, assets, 'panel')
  const withSession = createSessionGuard(ctx, assets)
  const render = createRender(assets)
  const overview = createOverviewHandlers(ctx, render)
  const methods = createMethodHandlers(ctx, render)
  const payments = createPaymentHandlers(ctx, render)
  const at = (method: 'GET' | 'POST') => (path: string, summary: string, handler: Handler) =>
    page({ method, path: `/p${path}`, summary, area: 'panel', handler })
  const [get, post] = [at('GET'), at('POST')]
  const method = '/methods/{id}'
  return [
    get('', 'The customer panel', withSession('overview', overview.show)),
    get('/{token}', 'A signed link to the panel', (call) => openLink(ctx, assets, call)),
    post('/open', 'The same, by a button', (call) => openByButton(ctx, assets, call)),
    post(
      '/leave',
      'The end of a session',
      withSession(undefined, (visitor) => signOut(ctx, assets, visitor)),
    ),
    get('/return', 'Back to the shop', withSession(undefined, returnToShop)),
    get('/done', 'A task is done', withSession(undefined, overview.done)),
    post('/details', 'Name and addresses', withSession('details', overview.saveDetails)),
    get('/methods/new', 'Add a method', withSession('add-method', methods.add)),
    post('/methods/new', 'On to the provider’s page', withSession('add-method', methods.addOnPage)),
    get('/methods/add', 'Back from the provider’s fields', withSession('add-method', methods.addWithToken)),
    get(
      '/methods/back/{key}',
      'Back from the provider',
      withSession('add-method', methods.returnFromProvider),
    ),
    get(`${method}/verify`, 'The two small amounts', withSession('verify-method', methods.verify)),
    post(`${method}/verify`, 'The two small amounts', withSession('verify-method', methods.confirm)),
    post(`${method}/default`, 'Make it the default', withSession('manage', methods.makeDefault)),
    get(`${method}/remove`, 'Ask before removing', withSession('manage', methods.confirmRemove)),
    post(`${method}/remove`, 'Remove', withSession('manage', methods.remove)),
    get('/auto/{id}/stop', 'Ask before stopping', withSession('manage', methods.confirmStop)),
    post('/auto/{id}/stop', 'Stop automatic payments', withSession('manage', methods.stop)),
    get('/payments/{id}', 'A payment', withSession('payment', payments.show)),
    get('/payments/{id}/receipt', 'Its receipt', withSession('payment', payments.receipt)),
    post('/payments/{id}/pay', 'Pay it', withSession('payment', payments.pay)),
  ]
}

type Handler = (call: PageCall) => Promise<PageAnswer>

/** Wraps a handler with the checks for session, grant and form id. Kind undefined: any grant will do. */
function createSessionGuard(ctx: Context, assets: PageAssets) {
  return (kind: ActionKind | undefined, show: PanelHandler): Handler =>
    async (call) => {
      const session = await currentSession(ctx, call)
      if (session?.kind !== 'open') return refuseAccess(assets, call, session)
      // No record has id 0, so an invalid id answers 404.
      const id = readId(call.params.id ?? '') ?? 0
      if (kind && !isAllowed(session.grant, { kind, id } as PanelAction))
        return seeOther(startUrlOf(session.grant))
      const visitor = await visitorOf(ctx, session, call)
      const isForged = call.isPost && formNonceOf(ctx, visitor, call.form.get('form')) === undefined
      return isForged ? seeOther(startUrlOf(session.grant)) : show(visitor, call, id)
    }
}

const returnToShop = ({ grant }: PanelVisitor): PageAnswer => seeOther(grant.returnUrl ?? startUrlOf(grant))
