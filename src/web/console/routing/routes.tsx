import { isCurrency } from '../../../base/currencies.ts'
import { type ApiError, invalid, notFound } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { expected } from '../../../base/mistakes.ts'
import { readId } from '../../../http/wire.ts'
import { routeFigures } from '../../../insights/routing.ts'
import { findProfile } from '../../../merchants/app.ts'
import { FAILOVER_CAUSES, type RoutingConfig } from '../../../merchants/routing-config.ts'
import { configOf } from '../../../routing/config.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { GetButton } from '../../kit/html/forms.tsx'
import { EmptyState } from '../../kit/list.tsx'
import { retryForm } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { app, proof, type ScreenRoute } from '../../kit/route.ts'
import { edit, moved, placeIn, seenOf } from './change.ts'
import { Defaults, Failover, RouteList } from './list.tsx'
import { showPayments } from './payments.tsx'
import { saveRoute, showRemove, showRoute } from './route.tsx'
import { explain, type Tried, TryPayment } from './try.tsx'

export function routingScreens(): ScreenRoute[] {
  const change = proof('RoutingWrite')
  const changeOnPage = proof('RoutingWrite', '/routing')
  return [
    app('GET', '/routing', 'GatewayListRead', show),
    app('GET', '/routing/payments', 'PaymentRead', showPayments),
    app('GET', '/routing/route', change, showRoute),
    app('POST', '/routing/route', change, saveRoute, { formBytes: LIMITS.longFormBytes }),
    app('POST', '/routing/move', changeOnPage, move),
    app('GET', '/routing/remove', change, showRemove),
    app('POST', '/routing/remove', change, remove),
    app('POST', '/routing/default', changeOnPage, changeDefault),
    app('POST', '/routing/failover', changeOnPage, changeFailover),
  ]
}

/** The address may ask about a payment. */
const show = (request: AppRequest): Promise<PageAnswer> =>
  retryForm(
    () => render(request, { tried: explain(request) }),
    (problem) => render(request, { tried: { problem } }),
  )

interface Shown {
  readonly problem?: ApiError
  readonly tried?: Tried
}

async function render(request: AppRequest, { problem, tried = {} }: Shown): Promise<PageAnswer> {
  const { ctx, app, texts, base } = request
  const { routing } = texts
  const hasProviders = app.profiles.length > 0
  const figures = request.can('DashboardRead') && hasRoutes(app) ? await routeFigures(ctx, app) : undefined
  return renderScreen(request, {
    name: 'routing',
    title: routing.title,
    problem,
    actions: hasProviders && request.can('RoutingWrite') && (
      <GetButton href={`${base}/routing/route?seen=${seenOf(request)}`} kind="primary">
        {routing.addRoute}
      </GetButton>
    ),
    children: hasProviders ? (
      <>
        <p class="muted">
          {routing.intro}{' '}
          {request.can('AuditRead') && <a href={`${base}/audit?action=routing.changed`}>{routing.history}</a>}
        </p>
        <div class="routing">
          <section class="stack" aria-labelledby="routes-title">
            <h2 id="routes-title">{routing.routes}</h2>
            <RouteList figures={figures} />
          </section>
          <div class="stack">
            <TryPayment {...tried} />
            <Defaults />
            <Failover />
          </div>
        </div>
      </>
    ) : (
      <EmptyState title={routing.noProviders}>
        <p>{routing.noProvidersBody}</p>
        <a href={`${base}/providers`}>{texts.providers.title}</a>
      </EmptyState>
    ),
  })
}

const hasRoutes = (app: AppRequest['app']): boolean => configOf(app).routes.length > 0

/** Changes the routing; a refusal is shown above the routing as it is now. */
const changing =
  (change: (request: AppRequest, config: RoutingConfig) => Partial<RoutingConfig>, note: Note) =>
  (request: AppRequest): Promise<PageAnswer> =>
    retryForm(
      async () => {
        await edit(request, (config) => change(request, config))
        return seeOther(`${request.base}/routing?note=${typeof note === 'string' ? note : note(request)}`)
      },
      (problem) => render(request, { problem }),
    )

/** The note of the page, with the place where keyboards go on. */
type Note = string | ((request: AppRequest) => string)

/** `list` is `routes`, or the place of the route whose providers are moved. */
const move = changing(
  ({ call: { form } }, { routes }) => {
    const [from, to] = [form.get('from'), form.get('to')]
    if (form.get('list') === 'routes') return { routes: moved(routes, from, to) }
    const place = placeIn(routes, form.get('list'))
    return {
      routes: routes.map((route, at) =>
        at === place ? { ...route, profiles: moved(route.profiles, from, to) } : route,
      ),
    }
  },
  ({ call: { form } }) => {
    const to = (readId(form.get('to') ?? '') ?? 0) + 1
    const list = form.get('list')
    return `moved#route-${list === 'routes' ? to : `${(readId(list ?? '') ?? 0) + 1}-${to}`}`
  },
)

const remove = changing(({ call }, { routes }) => {
  const place = placeIn(routes, call.form.get('place'))
  return { routes: routes.filter((_route, at) => at !== place) }
}, 'removed')

/** Without a profile the currency has no default. */
const changeDefault = changing(({ app, call: { form } }, { defaults }) => {
  const currency = form.get('currency') ?? ''
  const profileId = readId(form.get('profileId') ?? '')
  if (!isCurrency(currency)) throw invalid([expected('currency', 'currency')])
  if (profileId !== undefined && !findProfile(app, profileId)) throw notFound('The payment profile')
  const others = defaults.filter((one) => one.currency !== currency)
  return { defaults: profileId === undefined ? others : [...others, { currency, profileId }] }
}, 'saved')

/** Switches off the causes that are not ticked. */
const changeFailover = changing(({ call }) => {
  const ticked = call.fieldsOf('cause')
  return { noFailoverAfter: FAILOVER_CAUSES.filter((cause) => !ticked.includes(cause)) }
}, 'saved')
