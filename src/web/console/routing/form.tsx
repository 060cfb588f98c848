import { CURRENCIES } from '../../../base/currencies.ts'
import { Button, Field, Select } from '../../kit/html/controls.tsx'
import { Card, Notice } from '../../kit/html/layout.tsx'
import { METHOD_KINDS } from '../../../providers/outcome.ts'
import { fieldError, type FormErrors } from '../../kit/refusal.ts'
import { Form } from '../../kit/html/forms.tsx'
import { type RouteDraft, rowsOf } from './draft.ts'
import { ruleProfileName } from './words.ts'
import { useRequest } from '../../kit/screen.tsx'
import { methodKindName } from '../../kit/format/names.ts'

interface RouteFormProps {
  readonly draft: RouteDraft
  readonly errors: FormErrors
  /** Undefined: a new route. */
  readonly place: number | undefined
  readonly seen: string
}

export function RouteForm({ draft, errors, place, seen }: RouteFormProps) {
  const { base, texts } = useRequest()
  const { frame } = texts
  const hidden = { seen, ...(place === undefined ? {} : { place: String(place) }) }
  return (
    <Card class="form-card">
      <Form action={`${base}/routing/route${place === undefined ? '' : `?place=${place}`}`} hidden={hidden}>
        {errors.message !== '' && <Notice kind="bad" title={errors.message} />}
        <Conditions draft={draft} errors={errors} />
        <ProfileRows draft={draft} errors={errors} />
        <div class="buttons">
          <Button>{frame.save}</Button>
          <a href={`${base}/routing`}>{frame.cancel}</a>
        </div>
      </Form>
    </Card>
  )
}

type PartProps = Omit<RouteFormProps, 'place' | 'seen'>

function Conditions({ draft, errors }: PartProps) {
  const request = useRequest()
  const { routing, frame } = request.texts
  const field = (name: Exclude<keyof RouteDraft, 'profiles'>, label: string, hint?: string) => {
    const error = fieldError(label, errors.of(`routes[0].${name}`))
    const more = { ...(hint ? { hint } : {}), ...(error ? { error } : {}) }
    const title = `${label} (${frame.optional})`
    return <Field id={name} name={name} label={title} value={draft[name]} maxLength={1_000} {...more} />
  }
  const currencies = [...CURRENCIES.keys()].sort().map((code) => ({ value: code, label: code }))
  const methods = METHOD_KINDS.map((kind) => ({ value: kind, label: methodKindName(request, kind) }))
  return (
    <>
      {field('name', routing.name, routing.nameHint)}
      <fieldset class="stack">
        <legend class="section-legend">{routing.conditions}</legend>
        <p class="muted small">{routing.conditionsHint}</p>
        <Select
          id="method"
          name="method"
          label={routing.method}
          options={[{ value: '', label: routing.anyMethod }, ...methods]}
          value={draft.method}
          error={fieldError(routing.method, errors.of('routes[0].method'))}
        />
        <Select
          id="currency"
          name="currency"
          label={routing.currency}
          options={[{ value: '', label: routing.anyCurrency }, ...currencies]}
          value={draft.currency}
          error={fieldError(routing.currency, errors.of('routes[0].currency'))}
        />
        <div class="pair">
          {field('minAmount', routing.minAmount)}
          {field('maxAmount', routing.maxAmount)}
        </div>
        {field('countries', routing.countries, routing.countriesHint)}
        {field('brands', routing.brands, routing.brandsHint)}
      </fieldset>
    </>
  )
}

/** One row for each provider. A row that is left empty is skipped. */
function ProfileRows({ draft, errors }: PartProps) {
  const request = useRequest()
  const { app, texts } = request
  const { routing } = texts
  const options = [
    { value: '', label: routing.noProvider },
    ...app.profiles.map(({ profileId }) => ({
      value: String(profileId),
      label: ruleProfileName(request, profileId),
    })),
  ]
  return (
    <fieldset class="stack">
      <legend class="section-legend">{routing.providersInOrder}</legend>
      <p class="muted small">{routing.weightHint}</p>
      {rowsOf(draft).map(({ profileId, weight }, place) => (
        <div class="pair">
          <Select
            id={`profile-${place}`}
            name={`profile.${place}`}
            label={routing.providerAt(place + 1)}
            options={options}
            value={profileId}
            error={place === 0 ? errors.of('routes[0].profiles') : undefined}
          />
          <Field
            id={`weight-${place}`}
            name={`weight.${place}`}
            label={routing.weightAt(place + 1)}
            value={weight}
            maxLength={10}
          />
        </div>
      ))}
    </fieldset>
  )
}
