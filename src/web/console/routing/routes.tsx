import { CURRENCIES, isCurrency } from '../../../base/currencies.ts'
import { ApiError, notFound } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import type { Route } from '../../../http/route.ts'
import { readId } from '../../../http/wire.ts'
import { findProfile } from '../../../merchants/app.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { configOf } from '../../../routing/config.ts'
import type { Screens } from '../frame/screens.tsx'
import { drawScreen, type ScreenProps } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { type FormErrors, NO_ERRORS, readRefusal } from '../parts/form-errors.ts'
import { Ask, GetButton } from '../parts/forms.tsx'
import { EmptyState } from '../parts/table.tsx'
import { edit, moved, placeIn, seenOf, withDefault, withoutRoute, withRoute } from './change.ts'
import { draftOf, type RouteDraft, readDraft, ruleOf } from './draft.ts'
import { changeFailover, FailoverCard } from './failover.tsx'
import { RouteForm } from './form.tsx'
import { Defaults, RouteList } from './list.tsx'
import { TryPayment } from './try.tsx'
import { conditionText } from './words.ts'

export function routingScreens({ app }: Screens): Route[] {
  return [
    app('GET', '/routing', (visit) => draw(visit, NO_ERRORS)),
    app('GET', '/routing/route', showRoute),
    app('POST', '/routing/route', saveRoute, { formBytes: LIMITS.longFormBytes }),
    app('POST', '/routing/move', move),
    app('GET', '/routing/remove', askRemove),
    app('POST', '/routing/remove', remove),
    app('POST', '/routing/default', changeDefault),
    app('POST', '/routing/failover', (visit) => attempt(visit, () => changeFailover(visit), 'note=saved')),
  ]
}

function noteOf({ call, texts }: AppVisit): ScreenProps['flash'] {
  const notes: Readonly<Record<string, string>> = texts.routing.notes
  const text = Object.hasOwn(notes, call.query.note ?? '') ? notes[call.query.note ?? ''] : undefined
  return text === undefined ? undefined : { kind: 'ok', text }
}

function draw(visit: AppVisit, errors: FormErrors): PageAnswer {
  const { app, texts, base } = visit
  const { routing } = texts
  const hasProviders = app.profiles.length > 0
  const currencies = [...CURRENCIES.keys()].sort()
  return drawScreen(visit, {
    name: 'routing',
    title: routing.title,
    status: errors.status,
    flash: errors.message === '' ? noteOf(visit) : { kind: 'bad', text: errors.message },
    actions: hasProviders && visit.can('RoutingWrite') && (
      <GetButton href={`${base}/routing/route?seen=${seenOf(visit)}`} kind="primary">
        {routing.addRoute}
      </GetButton>
    ),
    children: hasProviders ? (
      <>
        <p class="muted">{routing.intro}</p>
        <div class="routing">
          <section class="stack" aria-labelledby="routes-title">
            <h2 id="routes-title">{routing.routes}</h2>
            <RouteList visit={visit} />
          </section>
          <div class="stack">
            <TryPayment visit={visit} currencies={currencies} />
            <Defaults visit={visit} currencies={currencies} />
            <FailoverCard visit={visit} />
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
async function attempt(visit: AppVisit, change: () => Promise<void>, then: string): Promise<PageAnswer> {
  try {
    await change()
  } catch (error) {
    return draw(visit, readRefusal(visit, error))
  }
  return seeOther(`${visit.base}/routing?${then}`)
}

function move(visit: AppVisit): Promise<PageAnswer> {
  const { form } = visit.call
  const [list, from, to] = [form.get('list'), form.get('from'), form.get('to')]
  const target = readId(to ?? '') ?? 0
  // The moved item: where keyboards go on.
  const anchor = list === 'routes' ? target + 1 : `${(readId(list ?? '') ?? 0) + 1}-${target + 1}`
  const change = () => edit(visit, (config) => moved(config, { list, from, to }))
  return attempt(visit, change, `note=moved#route-${anchor}`)
}

function changeDefault(visit: AppVisit): Promise<PageAnswer> {
  const { form } = visit.call
  const currency = form.get('currency') ?? ''
  const profileId = readId(form.get('profileId') ?? '')
  const change = async () => {
    if (!isCurrency(currency)) throw new ApiError('invalid_request', 'currency must be an ISO 4217 code.')
    if (profileId !== undefined && !findProfile(visit.app, profileId)) throw notFound('The payment profile')
    await edit(visit, (config) => withDefault(config, currency, profileId))
  }
  return attempt(visit, change, 'note=saved')
}

function requestedPlace({ app, call }: AppVisit): number | undefined {
  const text = call.form.get('place') ?? call.query.place
  if (text === undefined) return undefined
  const place = placeIn(configOf(app).routes, text)
  if (place === undefined) throw notFound('The route')
  return place
}

function showRoute(visit: AppVisit): PageAnswer {
  const place = requestedPlace(visit)
  const rule = place === undefined ? undefined : configOf(visit.app).routes[place]
  return drawRoute(visit, draftOf(rule), NO_ERRORS)
}

function drawRoute(visit: AppVisit, draft: RouteDraft, errors: FormErrors): PageAnswer {
  const { texts, base, call } = visit
  const place = requestedPlace(visit)
  return drawScreen(visit, {
    name: 'routing',
    title: place === undefined ? texts.routing.addRoute : texts.routing.editOne(place + 1),
    crumbs: [{ label: texts.routing.title, href: `${base}/routing` }],
    status: errors.status,
    children: (
      <RouteForm
        visit={visit}
        draft={draft}
        errors={errors}
        place={place}
        seen={call.form.get('seen') ?? call.query.seen ?? seenOf(visit)}
      />
    ),
  })
}

const MOST_ROUTES = 100

async function saveRoute(visit: AppVisit): Promise<PageAnswer> {
  const draft = readDraft(visit)
  const place = requestedPlace(visit)
  try {
    const rule = ruleOf(visit, draft)
    if (place === undefined && configOf(visit.app).routes.length >= MOST_ROUTES)
      throw new ApiError('not_possible', visit.texts.routing.tooMany)
    await edit(visit, (config) => withRoute(config, place, rule))
  } catch (error) {
    return drawRoute(visit, draft, readRefusal(visit, error))
  }
  return seeOther(`${visit.base}/routing?note=saved`)
}

function askRemove(visit: AppVisit): PageAnswer {
  const { texts, base, call } = visit
  const place = requestedPlace(visit)
  const rule = configOf(visit.app).routes[place ?? -1]
  if (place === undefined || !rule) throw notFound('The route')
  return drawScreen(visit, {
    name: 'routing',
    title: texts.routing.removeTitle(place + 1),
    crumbs: [{ label: texts.routing.title, href: `${base}/routing` }],
    children: (
      <Ask
        visit={visit}
        action={`${base}/routing/remove?place=${place}`}
        button={texts.routing.removeOne(place + 1)}
        kind="danger"
        back={`${base}/routing`}
        hidden={{ place: String(place), seen: call.query.seen ?? seenOf(visit) }}
      >
        <p>{conditionText(visit, rule)}</p>
        <p>{texts.routing.removeBody}</p>
      </Ask>
    ),
  })
}

function remove(visit: AppVisit): Promise<PageAnswer> {
  const place = placeIn(configOf(visit.app).routes, visit.call.form.get('place'))
  const change = () => edit(visit, (config) => withoutRoute(config, place))
  return attempt(visit, change, 'note=removed')
}
