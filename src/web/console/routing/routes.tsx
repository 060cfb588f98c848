import { CURRENCIES, isCurrency } from '../../../base/currencies.ts'
import { ApiError, notFound } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { readId } from '../../../http/wire.ts'
import { findProfile } from '../../../merchants/app.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { configOf } from '../../../routing/config.ts'
import { app, proof, type ScreenRoute } from '../../kit/route.ts'
import { renderScreen, type ScreenProps } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { type FormErrors, NO_ERRORS, readRefusal } from '../../kit/refusal.ts'
import { Question, GetButton } from '../../kit/html/forms.tsx'
import { EmptyState } from '../../kit/list.tsx'
import { edit, moved, placeIn, seenOf, withDefault, withoutRoute, withRoute } from './change.ts'
import { draftOf, type RouteDraft, readDraft, ruleOf } from './draft.ts'
import { changeFailover, FailoverCard } from './failover.tsx'
import { RouteForm } from './form.tsx'
import { Defaults, RouteList } from './list.tsx'
import { TryPayment } from './try.tsx'
import { conditionText } from './words.ts'

export function routingScreens(): ScreenRoute[] {
  return [
    app('GET', '/routing', 'GatewayListRead', (request) => render(request, NO_ERRORS)),
    app('GET', '/routing/route', proof('RoutingWrite'), showRoute),
    app('POST', '/routing/route', proof('RoutingWrite'), saveRoute, { formBytes: LIMITS.longFormBytes }),
    app('POST', '/routing/move', proof('RoutingWrite', '/routing'), move),
    app('GET', '/routing/remove', proof('RoutingWrite'), askRemove),
    app('POST', '/routing/remove', proof('RoutingWrite'), remove),
    app('POST', '/routing/default', proof('RoutingWrite', '/routing'), changeDefault),
    app('POST', '/routing/failover', proof('RoutingWrite', '/routing'), (request) =>
      attempt(request, () => changeFailover(request), 'note=saved'),
    ),
  ]
}

function noteOf({ call, texts }: AppRequest): ScreenProps['flash'] {
  const notes: Readonly<Record<string, string>> = texts.routing.notes
  const text = Object.hasOwn(notes, call.query.note ?? '') ? notes[call.query.note ?? ''] : undefined
  return text === undefined ? undefined : { kind: 'ok', text }
}

function render(request: AppRequest, errors: FormErrors): PageAnswer {
  const { app, texts, base } = request
  const { routing } = texts
  const hasProviders = app.profiles.length > 0
  const currencies = [...CURRENCIES.keys()].sort()
  return renderScreen(request, {
    name: 'routing',
    title: routing.title,
    status: errors.status,
    flash: errors.message === '' ? noteOf(request) : { kind: 'bad', text: errors.message },
    actions: hasProviders && request.can('RoutingWrite') && (
      <GetButton href={`${base}/routing/route?seen=${seenOf(request)}`} kind="primary">
        {routing.addRoute}
      </GetButton>
    ),
    children: hasProviders ? (
      <>
        <p class="muted">{routing.intro}</p>
        <div class="routing">
          <section class="stack" aria-labelledby="routes-title">
            <h2 id="routes-title">{routing.routes}</h2>
            <RouteList />
          </section>
          <div class="stack">
            <TryPayment currencies={currencies} />
            <Defaults currencies={currencies} />
            <FailoverCard />
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

/** Runs the change; a refusal is shown above the routing as it is now. */
async function attempt(request: AppRequest, change: () => Promise<void>, then: string): Promise<PageAnswer> {
  try {
    await change()
  } catch (error) {
    return render(request, readRefusal(request, error))
  }
  return seeOther(`${request.base}/routing?${then}`)
}

function move(request: AppRequest): Promise<PageAnswer> {
  const { form } = request.call
  const [list, from, to] = [form.get('list'), form.get('from'), form.get('to')]
  const target = readId(to ?? '') ?? 0
  // The moved item: where keyboards go on.
  const anchor = list === 'routes' ? target + 1 : `${(readId(list ?? '') ?? 0) + 1}-${target + 1}`
  const change = () => edit(request, (config) => moved(config, { list, from, to }))
  return attempt(request, change, `note=moved#route-${anchor}`)
}

function changeDefault(request: AppRequest): Promise<PageAnswer> {
  const { form } = request.call
  const currency = form.get('currency') ?? ''
  const profileId = readId(form.get('profileId') ?? '')
  const change = async () => {
    if (!isCurrency(currency)) throw new ApiError('invalid_request', 'currency must be an ISO 4217 code.')
    if (profileId !== undefined && !findProfile(request.app, profileId)) throw notFound('The payment profile')
    await edit(request, (config) => withDefault(config, currency, profileId))
  }
  return attempt(request, change, 'note=saved')
}

function requestedPlace({ app, call }: AppRequest): number | undefined {
  const text = call.form.get('place') ?? call.query.place
  if (text === undefined) return undefined
  const place = placeIn(configOf(app).routes, text)
  if (place === undefined) throw notFound('The route')
  return place
}

function showRoute(request: AppRequest): PageAnswer {
  const place = requestedPlace(request)
  const rule = place === undefined ? undefined : configOf(request.app).routes[place]
  return renderRoute(request, draftOf(rule), NO_ERRORS)
}

function renderRoute(request: AppRequest, draft: RouteDraft, errors: FormErrors): PageAnswer {
  const { texts, base, call } = request
  const place = requestedPlace(request)
  return renderScreen(request, {
    name: 'routing',
    title: place === undefined ? texts.routing.addRoute : texts.routing.editOne(place + 1),
    crumbs: [{ label: texts.routing.title, href: `${base}/routing` }],
    status: errors.status,
    children: (
      <RouteForm
        draft={draft}
        errors={errors}
        place={place}
        seen={call.form.get('seen') ?? call.query.seen ?? seenOf(request)}
      />
    ),
  })
}

const MOST_ROUTES = 100

async function saveRoute(request: AppRequest): Promise<PageAnswer> {
  const draft = readDraft(request)
  const place = requestedPlace(request)
  try {
    const rule = ruleOf(request, draft)
    if (place === undefined && configOf(request.app).routes.length >= MOST_ROUTES)
      throw new ApiError('not_possible', request.texts.routing.tooMany)
    await edit(request, (config) => withRoute(config, place, rule))
  } catch (error) {
    return renderRoute(request, draft, readRefusal(request, error))
  }
  return seeOther(`${request.base}/routing?note=saved`)
}

function askRemove(request: AppRequest): PageAnswer {
  const { texts, base, call } = request
  const place = requestedPlace(request)
  const rule = configOf(request.app).routes[place ?? -1]
  if (place === undefined || !rule) throw notFound('The route')
  return renderScreen(request, {
    name: 'routing',
    title: texts.routing.removeTitle(place + 1),
    crumbs: [{ label: texts.routing.title, href: `${base}/routing` }],
    children: (
      <Question
        action={`${base}/routing/remove?place=${place}`}
        button={texts.routing.removeOne(place + 1)}
        kind="danger"
        back={`${base}/routing`}
        hidden={{ place: String(place), seen: call.query.seen ?? seenOf(request) }}
      >
        <p>{conditionText(request, rule)}</p>
        <p>{texts.routing.removeBody}</p>
      </Question>
    ),
  })
}

function remove(request: AppRequest): Promise<PageAnswer> {
  const place = placeIn(configOf(request.app).routes, request.call.form.get('place'))
  const change = () => edit(request, (config) => withoutRoute(config, place))
  return attempt(request, change, 'note=removed')
}
