import { findProfile } from '../../../merchants/app.ts'
import type { RoutingRule } from '../../../merchants/routing-config.ts'
import { configOf } from '../../../routing/config.ts'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Button, Hidden } from '../../kit/html/controls.tsx'
import { Card } from '../../kit/html/layout.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { Pick } from '../parts/choices.tsx'
import { AskButton, Form, GetButton, PostButton } from '../parts/forms.tsx'
import { EmptyState } from '../parts/table.tsx'
import { seenOf } from './change.ts'
import { conditionText, profileName } from './words.ts'

interface PartProps {
  readonly visit: AppVisit
}

/** The routes in order, each with its providers in order. */
export function RouteList({ visit }: PartProps) {
  const { routing } = visit.texts
  const { routes } = configOf(visit.app)
  const mayChange = visit.can('RoutingWrite')
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
            <RouteItem visit={visit} rule={rule} place={place} count={routes.length} />
          </li>
        ))}
      </ol>
      {mayChange && <DragForm visit={visit} list="routes" />}
      {mayChange && <p class="muted small script-only">{routing.drag}</p>}
    </>
  )
}

/** Sent by the script when an item is dropped. */
const DragForm = ({ visit, list }: PartProps & { readonly list: string }) => (
  <Form visit={visit} action={`${visit.base}/routing/move`} id={`drag-${list}`} class="drag-form">
    <Hidden values={{ seen: seenOf(visit), list, from: '', to: '' }} />
  </Form>
)

interface RouteItemProps extends PartProps {
  readonly rule: RoutingRule
  readonly place: number
  readonly count: number
}

function RouteItem({ visit, rule, place, count }: RouteItemProps) {
  const { base, texts } = visit
  const { routing } = texts
  const mayChange = visit.can('RoutingWrite')
  const title = routing.routeName(place + 1)
  const name = shortText(rule.name ?? undefined, NAME_SHOWN)
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
          <p>{conditionText(visit, rule)}</p>
        </div>
        {mayChange && (
          <div class="buttons">
            <MoveButtons visit={visit} list="routes" place={place} count={count} name={title} />
            <GetButton href={`${base}/routing/route?place=${place}&seen=${seenOf(visit)}`}>
              <span aria-hidden="true">{routing.edit}</span>
              <span class="visually-hidden">{routing.editOne(place + 1)}</span>
            </GetButton>
            <AskButton href={`${base}/routing/remove?place=${place}&seen=${seenOf(visit)}`}>
              <span aria-hidden="true">{routing.remove}</span>
              <span class="visually-hidden">{routing.removeOne(place + 1)}</span>
            </AskButton>
          </div>
        )}
      </div>
      <RouteProfiles visit={visit} rule={rule} place={place} />
    </article>
  )
}

function RouteProfiles({ visit, rule, place }: Omit<RouteItemProps, 'count'>) {
  const { routing } = visit.texts
  const { profiles } = rule
  const mayDrag = visit.can('RoutingWrite') && profiles.length > 1
  return (
    <>
      <ol class="ordered numbered" data-drag={mayDrag ? `drag-${place}` : undefined}>
        {profiles.map(({ profileId, weight }, at) => (
          <li id={`route-${place + 1}-${at + 1}`}>
            <span class="ordered-text">
              <bdi>{profileName(visit, profileId)}</bdi>
              {weight !== null && <span class="badge">{routing.weightOf(String(weight))}</span>}
              {findProfile(visit.app, profileId)?.isActive === false && (
                <span class="badge">{routing.off}</span>
              )}
            </span>
            {mayDrag && (
              <MoveButtons
                visit={visit}
                list={String(place)}
                place={at}
                count={profiles.length}
                name={profileName(visit, profileId)}
              />
            )}
          </li>
        ))}
      </ol>
      {mayDrag && <DragForm visit={visit} list={String(place)} />}
    </>
  )
}

interface MoveButtonsProps extends PartProps {
  readonly list: string
  readonly place: number
  readonly count: number
  readonly name: string
}

function MoveButtons({ visit, list, place, count, name }: MoveButtonsProps) {
  const { routing } = visit.texts
  const button = (to: number, label: string, sign: string) => (
    <PostButton
      visit={visit}
      action={`${visit.base}/routing/move`}
      hidden={{ seen: seenOf(visit), list, from: String(place), to: String(to) }}
      label={label}
    >
      {sign}
    </PostButton>
  )
  return (
    <span class="row-buttons">
      {place > 0 && button(place - 1, routing.up(name), '↑')}
      {place < count - 1 && button(place + 1, routing.down(name), '↓')}
    </span>
  )
}

interface DefaultsProps extends PartProps {
  readonly currencies: readonly string[]
}

/** The first provider of each currency where no route decides. */
export function Defaults({ visit, currencies }: DefaultsProps) {
  const { app, base, texts } = visit
  const { routing } = texts
  const { defaults } = configOf(app)
  const action = `${base}/routing/default`
  const mayChange = visit.can('RoutingWrite')
  return (
    <Card title={routing.defaults}>
      <p class="muted small">{routing.defaultsHint}</p>
      {defaults.length > 0 && (
        <ul class="ordered">
          {defaults.map(({ currency, profileId }) => (
            <li>
              <span class="ordered-text">{routing.defaultOne(currency, profileName(visit, profileId))}</span>
              {mayChange && (
                <span class="row-buttons">
                  <PostButton
                    visit={visit}
                    action={action}
                    hidden={{ seen: seenOf(visit), currency }}
                    label={routing.clearDefault(currency)}
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
        <Form visit={visit} action={action} hidden={{ seen: seenOf(visit) }} class="filter">
          <Pick
            id="default-currency"
            name="currency"
            label={routing.currency}
            options={currencies.map((code) => ({ value: code, label: code }))}
            value={app.profiles[0]?.currency ?? ''}
          />
          <Pick
            id="default-profile"
            name="profileId"
            label={texts.providers.provider}
            options={app.profiles.map(({ profileId }) => ({
              value: String(profileId),
              label: profileName(visit, profileId),
            }))}
            value=""
          />
          <div class="buttons">
            <Button kind="quiet">{routing.setDefault}</Button>
          </div>
        </Form>
      )}
    </Card>
  )
}
