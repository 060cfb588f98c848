import { CURRENCIES } from '../../../base/currencies.ts'
import type { RouteFigures } from '../../../insights/routing.ts'
import { findProfile } from '../../../merchants/app.ts'
import { FAILOVER_CAUSES, type RoutingRule } from '../../../merchants/routing-config.ts'
import { configOf } from '../../../routing/config.ts'
import { codeOptions } from '../../kit/form.tsx'
import { percentText } from '../../kit/format/numbers.ts'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { CheckGroup } from '../../kit/html/choices.tsx'
import { Button, Hidden, Select } from '../../kit/html/controls.tsx'
import { Form, GetButton, PostButton, QuestionButton } from '../../kit/html/forms.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { EmptyState } from '../../kit/list.tsx'
import { useRequest } from '../../kit/screen.tsx'
import { seenOf } from './change.ts'
import { conditionText, profileOptions, ruleProfileName } from './words.ts'

/** The routes in order, each with its providers in order. */
interface RouteListProps {
  /** Undefined: the person may not see figures. */
  readonly figures: RouteFigures | undefined
}

export function RouteList({ figures }: RouteListProps) {
  const request = useRequest()
  const { routing } = request.texts
  const { routes } = configOf(request.app)
  const mayChange = request.can('RoutingWrite')
  if (routes.length === 0)
    return (
      <EmptyState title={routing.none}>
        <p>{routing.noneBody}</p>
      </EmptyState>
    )
  return (
    <>
      <ol class="routes" data-drag={mayChange ? 'drag-routes' : undefined}>
        {routes.map((rule, place) => (
          <li id={`route-${place + 1}`}>
            <RouteItem rule={rule} place={place} count={routes.length} figures={figures} />
          </li>
        ))}
      </ol>
      {mayChange && <DragForm list="routes" />}
      {mayChange && <p class="muted small script-only">{routing.drag}</p>}
    </>
  )
}

/** Sent by the script when an item is dropped. */
const DragForm = ({ list }: { readonly list: string }) => {
  const request = useRequest()
  return (
    <Form action={`${request.base}/routing/move`} id={`drag-${list}`} class="drag-form">
      <Hidden values={{ seen: seenOf(request), list, from: '', to: '' }} />
    </Form>
  )
}

interface RouteItemProps {
  readonly rule: RoutingRule
  readonly place: number
  readonly count: number
  readonly figures: RouteFigures | undefined
}

/** What the route would take of the newest payments, and the part of it that was approved. */
function Figures({ place, figures }: Pick<RouteItemProps, 'place' | 'figures'>) {
  const request = useRequest()
  const { routing } = request.texts
  const route = figures?.routes[place]
  if (!figures || !route || figures.payments === 0) return null
  const { payments } = figures
  const { taken, approved, approvalRate: rate } = route
  const share = percentText(request, taken.length / payments)
  return (
    <p class="muted small">
      <Opens place={place} count={taken.length}>
        {routing.taken({ taken: taken.length, payments, share })}
      </Opens>{' '}
      {rate !== null && (
        <Opens place={place} count={approved.length} isApproved>
          {routing.approved({ share: percentText(request, rate) })}
        </Opens>
      )}
    </p>
  )
}

interface OpensProps {
  readonly place: number
  readonly count: number
  readonly isApproved?: boolean
  readonly children: string
}

/** A figure that opens the payments that it counts. */
function Opens({ place, count, isApproved = false, children }: OpensProps) {
  const request = useRequest()
  if (count === 0 || !request.can('PaymentRead')) return <>{children}</>
  const query = `place=${place}&seen=${seenOf(request)}${isApproved ? '&approved=yes' : ''}`
  return <a href={`${request.base}/routing/payments?${query}`}>{children}</a>
}

function RouteItem({ rule, place, count, figures }: RouteItemProps) {
  const request = useRequest()
  const { base, texts } = request
  const { routing } = texts
  const title = routing.routeName({ place: place + 1 })
  const name = shortText(rule.name ?? undefined, NAME_SHOWN)
  const query = `place=${place}&seen=${seenOf(request)}`
  return (
    <article class="card route">
      <div class="card-head">
        <div>
          <h3>
            {title}
            {name && (
              <>
                {' · '}
                <bdi>{name}</bdi>
              </>
            )}
          </h3>
          <p>{conditionText(request, rule)}</p>
          <Figures place={place} figures={figures} />
        </div>
        {request.can('RoutingWrite') && (
          <div class="buttons">
            <MoveButtons list="routes" place={place} count={count} name={title} />
            <GetButton href={`${base}/routing/route?${query}`}>
              <span aria-hidden="true">{routing.edit}</span>
              <span class="visually-hidden">{routing.editOne({ place: place + 1 })}</span>
            </GetButton>
            <QuestionButton href={`${base}/routing/remove?${query}`}>
              <span aria-hidden="true">{routing.remove}</span>
              <span class="visually-hidden">{routing.removeOne({ place: place + 1 })}</span>
            </QuestionButton>
          </div>
        )}
      </div>
      <RouteProfiles rule={rule} place={place} />
    </article>
  )
}

function RouteProfiles({ rule, place }: Omit<RouteItemProps, 'count' | 'figures'>) {
  const request = useRequest()
  const { routing } = request.texts
  const { profiles } = rule
  const mayDrag = request.can('RoutingWrite') && profiles.length > 1
  return (
    <>
      <ol class="ordered numbered" data-drag={mayDrag ? `drag-${place}` : undefined}>
        {profiles.map(({ profileId, weight }, at) => (
          <li id={`route-${place + 1}-${at + 1}`}>
            <span class="ordered-text">
              <bdi>{ruleProfileName(request, profileId)}</bdi>
              {weight !== null && <span class="badge">{routing.weightOf({ weight: String(weight) })}</span>}
              {findProfile(request.app, profileId)?.isActive === false && (
                <span class="badge">{routing.off}</span>
              )}
            </span>
            {mayDrag && (
              <MoveButtons
                list={String(place)}
                place={at}
                count={profiles.length}
                name={ruleProfileName(request, profileId)}
              />
            )}
          </li>
        ))}
      </ol>
      {mayDrag && <DragForm list={String(place)} />}
    </>
  )
}

interface MoveButtonsProps {
  readonly list: string
  readonly place: number
  readonly count: number
  readonly name: string
}

function MoveButtons({ list, place, count, name }: MoveButtonsProps) {
  const request = useRequest()
  const { routing } = request.texts
  const button = (to: number, label: string, sign: string) => (
    <PostButton
      action={`${request.base}/routing/move`}
      hidden={{ seen: seenOf(request), list, from: String(place), to: String(to) }}
      label={label}
    >
      {sign}
    </PostButton>
  )
  return (
    <span class="row-buttons">
      {place > 0 && button(place - 1, routing.up({ name }), '↑')}
      {place < count - 1 && button(place + 1, routing.down({ name }), '↓')}
    </span>
  )
}

/** The first provider of each currency where no route decides. */
export function Defaults() {
  const request = useRequest()
  const { app, base, texts } = request
  const { routing } = texts
  const { defaults } = configOf(app)
  const action = `${base}/routing/default`
  const seen = seenOf(request)
  const mayChange = request.can('RoutingWrite')
  return (
    <Card title={routing.defaults}>
      <p class="muted small">{routing.defaultsHint}</p>
      {defaults.length > 0 && (
        <ul class="ordered">
          {defaults.map(({ currency, profileId }) => (
            <li>
              <span class="ordered-text">
                {routing.defaultOne({ currency, name: ruleProfileName(request, profileId) })}
              </span>
              {mayChange && (
                <span class="row-buttons">
                  <PostButton
                    action={action}
                    hidden={{ seen, currency }}
                    label={routing.clearDefault({ currency })}
                  >
                    ×
                  </PostButton>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayChange && (
        <Form action={action} hidden={{ seen }} class="filter" button={routing.setDefault} buttonKind="quiet">
          <Select
            id="default-currency"
            name="currency"
            label={routing.fields.currency.label}
            options={codeOptions([...CURRENCIES.keys()].sort())}
            value={app.profiles[0]?.currency ?? ''}
          />
          <Select
            id="default-profile"
            name="profileId"
            label={texts.providers.provider}
            options={profileOptions(request)}
            value=""
          />
        </Form>
      )}
    </Card>
  )
}

/** The causes after which another provider is tried, each of which can be switched off. */
export function Failover() {
  const request = useRequest()
  const { app, base, texts } = request
  const { routing } = texts
  const { noFailoverAfter = [] } = configOf(app)
  const mayChange = request.can('RoutingWrite')
  return (
    <Card title={routing.failover}>
      <p class="small">{routing.failoverBody}</p>
      <Form action={`${base}/routing/failover`} hidden={{ seen: seenOf(request) }}>
        <fieldset class="stack" disabled={!mayChange}>
          <CheckGroup
            legend={routing.failoverAfter}
            name="cause"
            choices={FAILOVER_CAUSES.map((cause) => ({
              value: cause,
              label: routing.causes[cause],
              isChecked: !noFailoverAfter.includes(cause),
            }))}
          />
          <p class="muted small">{routing.failoverNever}</p>
          {mayChange && (
            <div class="buttons">
              <Button kind="quiet">{routing.saveFailover}</Button>
            </div>
          )}
        </fieldset>
      </Form>
    </Card>
  )
}
