import { CURRENCIES } from '../../../base/currencies.ts'
import { ApiError, notFound } from '../../../base/errors.ts'
import type { RoutingRule } from '../../../merchants/routing-config.ts'
import { THREE_D_SECURE_ACTIONS } from '../../../providers/methods/three-d-secure.ts'
import { configOf } from '../../../routing/config.ts'
import { RoutingInput, readRouting } from '../../../routing/schema.ts'
import { countries } from '../../kit/countries.tsx'
import {
  checked,
  choice,
  codeOptions,
  decimal,
  Fields,
  type FormField,
  type FormValues,
  form,
  text,
} from '../../kit/form.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { Button, Field, Select } from '../../kit/html/controls.tsx'
import { Form, Question } from '../../kit/html/forms.tsx'
import { Card, Notice } from '../../kit/html/layout.tsx'
import { type FormErrors, retryForm, sentenceErrors } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { useRequest } from '../../kit/screen.tsx'
import { edit, placeIn, seenOf } from './change.ts'
import { conditionText, methodOptions, profileOptions } from './words.ts'

/** The form of one route. */

const OPTIONAL = { optional: true, maxLength: 1_000, empty: null }

const BRANDS: FormField = {
  ...text('brands', OPTIONAL),
  stored: (brands) => ((brands ?? []) as readonly string[]).join(', '),
  body: (value) =>
    String(value)
      .split(/[,;]+/)
      .map((brand) => brand.trim())
      .filter(Boolean),
}

const currencies = ({ texts }: AppRequest) => [
  { value: '', label: texts.routing.anyCurrency },
  ...codeOptions([...CURRENCIES.keys()].sort()),
]

const actions = ({ texts: { routing } }: AppRequest) => [
  { value: '', label: routing.noThreeDSecure },
  ...THREE_D_SECURE_ACTIONS.map((value) => ({ value, label: routing.threeDSecureOptions[value] })),
]

const FIELDS = {
  name: [text('name', OPTIONAL)],
  payment: [
    choice('method', methodOptions, { canFail: true, empty: null }),
    choice('currency', currencies, { canFail: true, empty: null }),
  ],
  amounts: [decimal('minAmount', OPTIONAL), decimal('maxAmount', OPTIONAL)],
  lists: [countries('countries', { empty: null }), BRANDS],
  action: [choice('threeDSecure', actions, { canFail: true, empty: null })],
}
const ALL_FIELDS = Object.values(FIELDS).flat()
const table = form(RoutingInput, ALL_FIELDS)

/** A provider of the route as it was typed. */
interface ProfileRow {
  readonly profileId: string
  readonly weight: string
}

interface RouteDraft {
  readonly values: FormValues
  readonly profiles: readonly ProfileRow[]
}

/** Rows for further providers that a form offers. */
const SPARE_ROWS = 2
const MAX_PROFILES = 100
const MAX_ROUTES = 100

const draftOf = (rule: RoutingRule | undefined): RouteDraft => ({
  values: table.stored(rule ?? {}),
  profiles: (rule?.profiles ?? []).map(({ profileId, weight }) => ({
    profileId: String(profileId),
    weight: String(weight ?? ''),
  })),
})

function readDraft({ call }: AppRequest): RouteDraft {
  const rows = Array.from({ length: MAX_PROFILES + SPARE_ROWS }, (_row, place) => ({
    profileId: call.form.get(`profile.${place}`) ?? '',
    weight: (call.form.get(`weight.${place}`) ?? '').trim(),
  }))
  return { values: table.posted(call), profiles: rows.filter(({ profileId }) => profileId !== '') }
}

/** The rule, validated as the API does. Throws with every invalid field. */
function ruleOf({ app, texts }: AppRequest, { values, profiles }: RouteDraft): RoutingRule {
  const { providerMissing } = texts.routing
  const missing = new ApiError('invalid_request', providerMissing, {
    isTranslated: true,
    errors: [{ field: 'routes[0].profiles', message: providerMissing }],
  })
  if (profiles.length === 0) throw missing
  const route = {
    ...Object.fromEntries(ALL_FIELDS.map(({ name, body }) => [name, body(values[name] ?? '')])),
    profiles: profiles.map(({ profileId, weight }) => ({
      paymentProfileId: profileId,
      ...(weight === '' ? {} : { weight: Number(weight.replace(',', '.')) }),
    })),
  }
  const [rule] = readRouting(app, checked(RoutingInput, { routes: [route] })).routes
  if (!rule) throw missing
  return rule
}

/** The place of the route that the page or the form names; undefined for a new one. */
function requestedPlace({ app, call }: AppRequest): number | undefined {
  const text = call.form.get('place') ?? call.query.place
  if (text === undefined) return undefined
  const place = placeIn(configOf(app).routes, text)
  if (place === undefined) throw notFound('The route')
  return place
}

const crumbsOf = ({ texts, base }: AppRequest) => [{ label: texts.routing.title, href: `${base}/routing` }]

export function showRoute(request: AppRequest): Promise<PageAnswer> {
  const place = requestedPlace(request)
  return renderRoute(request, draftOf(configOf(request.app).routes[place ?? -1]))
}

export function saveRoute(request: AppRequest): Promise<PageAnswer> {
  const draft = readDraft(request)
  const place = requestedPlace(request)
  return retryForm(
    async () => {
      const rule = ruleOf(request, draft)
      await edit(request, ({ routes }) => {
        if (place !== undefined) return { routes: routes.with(place, rule) }
        if (routes.length >= MAX_ROUTES)
          throw new ApiError('not_possible', request.texts.routing.tooMany, { isTranslated: true })
        return { routes: [...routes, rule] }
      })
      return seeOther(`${request.base}/routing?note=saved`)
    },
    (problem) => renderRoute(request, draft, problem),
  )
}

async function renderRoute(request: AppRequest, draft: RouteDraft, problem?: ApiError): Promise<PageAnswer> {
  const { texts, base, call } = request
  const { routing, frame } = texts
  const place = requestedPlace(request)
  const seen = call.form.get('seen') ?? call.query.seen ?? seenOf(request)
  const errors = sentenceErrors(request, problem, 'routes[0].')
  const choices = await table.choices(request, draft.values)
  const fields = (shown: readonly FormField[]) => (
    <Fields fields={shown} texts={routing.fields} values={draft.values} {...{ errors, choices }} />
  )
  return renderScreen(request, {
    name: 'routing',
    title: place === undefined ? routing.addRoute : routing.editOne({ place: place + 1 }),
    crumbs: crumbsOf(request),
    status: errors.status,
    children: (
      <Card class="form-card">
        <Form
          action={`${base}/routing/route${place === undefined ? '' : `?place=${place}`}`}
          hidden={{ seen, ...(place === undefined ? {} : { place: String(place) }) }}
        >
          {errors.message !== '' && <Notice kind="bad" title={errors.message} />}
          {fields(FIELDS.name)}
          <fieldset class="stack">
            <legend class="section-legend">{routing.conditions}</legend>
            <p class="muted small">{routing.conditionsHint}</p>
            {fields(FIELDS.payment)}
            <div class="pair">{fields(FIELDS.amounts)}</div>
            {fields(FIELDS.lists)}
          </fieldset>
          {fields(FIELDS.action)}
          <ProfileRows profiles={draft.profiles} errors={errors} />
          <div class="buttons">
            <Button>{frame.save}</Button>
            <a href={`${base}/routing`}>{frame.cancel}</a>
          </div>
        </Form>
      </Card>
    ),
  })
}

interface ProfileRowsProps {
  readonly profiles: readonly ProfileRow[]
  readonly errors: FormErrors
}

/** One row for each provider. A row that is left empty is skipped. */
function ProfileRows({ profiles, errors }: ProfileRowsProps) {
  const request = useRequest()
  const { routing } = request.texts
  const options = [{ value: '', label: routing.noProvider }, ...profileOptions(request)]
  const rows = [...profiles, ...Array(SPARE_ROWS).fill({ profileId: '', weight: '' })]
  return (
    <fieldset class="stack">
      <legend class="section-legend">{routing.providersInOrder}</legend>
      <p class="muted small">{routing.weightHint}</p>
      {rows.map(({ profileId, weight }, place) => (
        <div class="pair">
          <Select
            id={`profile-${place}`}
            name={`profile.${place}`}
            label={routing.providerAt({ place: place + 1 })}
            options={options}
            value={profileId}
            error={place === 0 ? errors.of('profiles') : undefined}
          />
          <Field
            id={`weight-${place}`}
            name={`weight.${place}`}
            label={routing.weightAt({ place: place + 1 })}
            value={weight}
            maxLength={10}
          />
        </div>
      ))}
    </fieldset>
  )
}

export function showRemove(request: AppRequest): PageAnswer {
  const { app, base, call, texts } = request
  const { routing } = texts
  const place = requestedPlace(request)
  const rule = configOf(app).routes[place ?? -1]
  if (place === undefined || !rule) throw notFound('The route')
  return renderScreen(request, {
    name: 'routing',
    title: routing.removeTitle({ place: place + 1 }),
    crumbs: crumbsOf(request),
    children: (
      <Question
        action={`${base}/routing/remove?place=${place}`}
        button={routing.removeOne({ place: place + 1 })}
        kind="danger"
        back={`${base}/routing`}
        hidden={{ place: String(place), seen: call.query.seen ?? seenOf(request) }}
      >
        <p>{conditionText(request, rule)}</p>
        <p>{routing.removeBody}</p>
      </Question>
    ),
  })
}
