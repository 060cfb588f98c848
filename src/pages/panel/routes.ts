import type { Context } from '../../context.ts'
import type { Route } from '../../http/route.ts'
import { readId } from '../../http/wire.ts'
import type { PageAssets } from '../assets.ts'
import { createPageRoutes, type PageAnswer, type PageCall, seeOther } from '../page-route.tsx'
import { createMethodDesk } from './method-handlers.tsx'
import { createOverviewDesk } from './overview-handlers.tsx'
import { createDraw } from './parts/draw.tsx'
import { createPaymentDesk } from './payment-handlers.tsx'
import { type Deed, homeOf, may } from './rules.ts'
import { formOf, type Guest, guestOf, sessionOf } from './session.ts'
import { openByButton, openLink, signOut, turnAway } from './sign-in.tsx'

type Show = (guest: Guest, call: PageCall, id: number) => Promise<PageAnswer> | PageAnswer
type DeedOf = Deed['kind']

/**
 * The customer's own panel. Who has no session is turned away, what the link does not allow leads back to
 * what it does, and a form that this session was not given does nothing.
 */
export function panelRoutes(ctx: Context, assets: PageAssets): Route[] {
  const page = createPageRoutes(ctx, assets, 'panel')
  const inside = insideOf(ctx, assets)
  const draw = createDraw(assets)
  const overview = createOverviewDesk(ctx, draw)
  const methods = createMethodDesk(ctx, draw)
  const payments = createPaymentDesk(ctx, draw)
  const at = (method: 'GET' | 'POST') => (path: string, summary: string, handler: Handler) =>
    page({ method, path: `/p${path}`, summary, area: 'panel', handler })
  const [get, post] = [at('GET'), at('POST')]
  const method = '/methods/{id}'
  return [
    get('', 'The customer panel', inside('overview', overview.show)),
    get('/{token}', 'A signed link to the panel', (call) => openLink(ctx, assets, call)),
    post('/open', 'The same, by a button', (call) => openByButton(ctx, assets, call)),
    post(
      '/leave',
      'The end of a session',
      inside(undefined, (guest) => signOut(ctx, assets, guest)),
    ),
    get('/return', 'Back to the shop', inside(undefined, returnToShop)),
    get('/done', 'A task is done', inside(undefined, overview.done)),
    post('/details', 'Name and addresses', inside('details', overview.saveDetails)),
    get('/methods/new', 'Add a method', inside('add-method', methods.add)),
    post('/methods/new', 'On to the provider’s page', inside('add-method', methods.addOnPage)),
    get('/methods/add', 'Back from the provider’s fields', inside('add-method', methods.addWithToken)),
    get('/methods/back/{key}', 'Back from the provider', inside('add-method', methods.comeBack)),
    get(`${method}/verify`, 'The two small amounts', inside('verify-method', methods.verify)),
    post(`${method}/verify`, 'The two small amounts', inside('verify-method', methods.confirm)),
    post(`${method}/default`, 'Make it the default', inside('manage', methods.makeDefault)),
    get(`${method}/remove`, 'Ask before removing', inside('manage', methods.askToRemove)),
    post(`${method}/remove`, 'Remove', inside('manage', methods.remove)),
    get('/auto/{id}/stop', 'Ask before stopping', inside('manage', methods.askToStop)),
    post('/auto/{id}/stop', 'Stop automatic payments', inside('manage', methods.stop)),
    get('/payments/{id}', 'A payment', inside('payment', payments.show)),
    get('/payments/{id}/receipt', 'Its receipt', inside('payment', payments.receipt)),
    post('/payments/{id}/pay', 'Pay it', inside('payment', payments.pay)),
  ]
}

type Handler = (call: PageCall) => Promise<PageAnswer>

/** Undefined: whatever the link is for. */
function insideOf(ctx: Context, assets: PageAssets) {
  return (kind: DeedOf | undefined, show: Show): Handler =>
    async (call) => {
      const session = await sessionOf(ctx, call)
      if (session?.kind !== 'open') return turnAway(assets, call, session)
      // What cannot be an id is nobody's: it finds nothing.
      const id = readId(call.params.id ?? '') ?? 0
      if (kind && !may(session.grant, { kind, id } as Deed)) return seeOther(homeOf(session.grant))
      const guest = await guestOf(ctx, session, call)
      const isForged = call.isPost && formOf(ctx, guest, call.form.get('form')) === undefined
      return isForged ? seeOther(homeOf(session.grant)) : show(guest, call, id)
    }
}

const returnToShop = ({ grant }: Guest): PageAnswer => seeOther(grant.returnUrl ?? homeOf(grant))
