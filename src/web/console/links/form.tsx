import { Button, Field, Select } from '../../kit/html/controls.tsx'
import { Notice } from '../../kit/html/layout.tsx'
import { moneyInText } from '../../kit/format/money.tsx'
import { Form, GetButton } from '../../kit/html/forms.tsx'
import { EmptyState } from '../../kit/list.tsx'
import type { LinkChoices } from './choices.ts'
import { Radio } from './controls.tsx'
import type { CustomerProblem } from './customer.ts'
import { CustomerFields } from './customer-fields.tsx'
import { amountExample, EXPIRIES, ITEM_ROWS, type LinkFields, type LinkProblem } from './fields.ts'
import { useRequest } from '../../kit/screen.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'

export interface LinkFormProps {
  readonly fields: LinkFields
  readonly choices: LinkChoices
  readonly problems?: readonly LinkProblem[]
  readonly customer?: CustomerProblem
  /** Why the command refused. */
  readonly refusal?: string
}

/** Single choices are shown as text; what is rarely needed is folded. */
export function LinkForm(props: LinkFormProps) {
  const request = useRequest()
  const { choices, customer, refusal } = props
  const { texts, base } = request
  const { links } = texts
  if (choices.currencies.length === 0)
    return (
      <EmptyState title={links.noProfiles}>
        <p>{links.noProfilesBody}</p>
        {request.can('PaymentProfileWrite') && (
          <GetButton href={`${base}/providers`}>{links.addProvider}</GetButton>
        )}
      </EmptyState>
    )
  return (
    <section class="card form-card link-form">
      {refusal && (
        <Notice kind="bad" title={links.errors.refused}>
          <p>{refusal}</p>
        </Notice>
      )}
      <Form action={`${base}/links/new`}>
        <Money {...props} />
        <Field
          id="description"
          name="description"
          label={links.description}
          hint={links.descriptionHint}
          value={props.fields.text('description')}
          maxLength={200}
          {...errorOf(request, props, 'description')}
        />
        <CustomerFields fields={props.fields} problem={customer} />
        <ExpiryFields {...props} />
        <ItemFields {...props} />
        <MoreFields {...props} />
        <div class="buttons">
          <Button>{links.create}</Button>
        </div>
      </Form>
    </section>
  )
}

type Named = 'amount' | 'currency' | 'description' | 'date' | 'returnUrl'

function errorOf(request: AppRequest, { problems = [] }: LinkFormProps, field: Named): { error?: string } {
  const isWrong = problems.some((problem) => problem.field === field)
  return isWrong ? { error: request.texts.links.errors[field] } : {}
}

/** The only currency is text; the first is preselected. */
function Money(props: LinkFormProps) {
  const request = useRequest()
  const { fields, choices } = props
  const { links } = request.texts
  const [first = ''] = choices.currencies
  const isSingle = choices.currencies.length === 1
  return (
    <div class="link-money">
      <Field
        id="amount"
        name="amount"
        label={links.amount}
        value={fields.text('amount')}
        placeholder={amountExample(first)}
        maxLength={20}
        ltr
        required
        {...errorOf(request, props, 'amount')}
        {...(isSingle ? { beside: <span>{first}</span> } : {})}
      />
      {!isSingle && (
        <Select
          id="currency"
          name="currency"
          label={links.currency}
          options={choices.currencies.map((value) => ({ value, label: value }))}
          value={fields.text('currency') || first}
        />
      )}
    </div>
  )
}

function ExpiryFields(props: LinkFormProps) {
  const request = useRequest()
  const { fields } = props
  const { links } = request.texts
  const chosen = fields.text('expiry') || 'week'
  const { error } = errorOf(request, props, 'date')
  return (
    <fieldset class="choices">
      <legend>{links.expiry}</legend>
      <div class="choice-row">
        {EXPIRIES.map((expiry) => (
          <Radio name="expiry" value={expiry} isChecked={expiry === chosen}>
            {links.expiries[expiry]}
          </Radio>
        ))}
      </div>
      <div class="field" data-when="date">
        <label for="date">{links.date}</label>
        <div class="input">
          <input
            id="date"
            name="date"
            type="date"
            value={fields.text('date')}
            aria-describedby="date-error"
            aria-invalid={error ? 'true' : undefined}
          />
        </div>
        <p class="error" id="date-error">
          {error}
        </p>
      </div>
    </fieldset>
  )
}

function ItemFields(props: LinkFormProps) {
  const request = useRequest()
  const { fields, problems = [] } = props
  const { links, frame } = request.texts
  const isUsed = ITEM_ROWS.some((place) => fields.text(`item${place}`) || fields.text(`price${place}`))
  return (
    <details class="fold" open={isUsed}>
      <summary>{`${links.items} (${frame.optional})`}</summary>
      <div class="stack">
        <p class="hint">{links.itemsHint}</p>
        {problems.map((problem) => (
          <ItemProblem problem={problem} />
        ))}
        {ITEM_ROWS.map((place) => (
          <div class="item-row">
            <Field
              id={`item${place}`}
              name={`item${place}`}
              label={links.item(place)}
              value={fields.text(`item${place}`)}
              maxLength={200}
            />
            <Field
              id={`quantity${place}`}
              name={`quantity${place}`}
              label={links.quantity}
              value={fields.text(`quantity${place}`) || '1'}
              maxLength={6}
              numeric
              ltr
            />
            <Field
              id={`price${place}`}
              name={`price${place}`}
              label={links.price}
              value={fields.text(`price${place}`)}
              maxLength={20}
              ltr
            />
          </div>
        ))}
      </div>
    </details>
  )
}

function ItemProblem({ problem }: { readonly problem: LinkProblem }) {
  const request = useRequest()
  const { errors } = request.texts.links
  if (problem.field === 'item') return <p class="error">{errors.item}</p>
  if (problem.field !== 'sum') return null
  const sum = moneyInText(request.language, problem.sumMinor, problem.currency)
  return <p class="error">{errors.sum(sum)}</p>
}

function MoreFields(props: LinkFormProps) {
  const request = useRequest()
  const { fields, choices } = props
  const { links, payments } = request.texts
  const { profiles, methods } = choices
  return (
    <details class="fold" open={Boolean(fields.text('returnUrl') || fields.text('profile'))}>
      <summary>{links.more}</summary>
      <div class="stack">
        <label class="check">
          <input type="checkbox" name="recurring" value="yes" checked={fields.text('recurring') === 'yes'} />
          <span>{links.recurring}</span>
        </label>
        <Field
          id="returnUrl"
          name="returnUrl"
          label={links.returnUrl}
          hint={links.returnUrlHint}
          value={fields.text('returnUrl')}
          maxLength={2048}
          ltr
          {...errorOf(request, props, 'returnUrl')}
        />
        {methods.length > 1 ? (
          <fieldset class="choices">
            <legend>{links.methods}</legend>
            <p class="hint">{links.allMethods}</p>
            <div class="choice-row">
              {methods.map((kind) => (
                <label class="check">
                  <input type="checkbox" name="method" value={kind} checked={fields.methods.includes(kind)} />
                  <span>{payments.methods[kind]}</span>
                </label>
              ))}
            </div>
          </fieldset>
        ) : (
          <p>{`${links.methods}: ${methods.map((kind) => payments.methods[kind]).join('')}`}</p>
        )}
        {profiles.length > 1 ? (
          <Select
            id="profile"
            name="profile"
            label={links.profile}
            options={[
              { value: '', label: links.allProfiles },
              ...profiles.map(({ profileId, name }) => ({ value: String(profileId), label: name })),
            ]}
            value={fields.text('profile')}
          />
        ) : (
          <p>
            {`${links.profile}: `}
            <bdi>{profiles[0]?.name}</bdi>
          </p>
        )}
      </div>
    </details>
  )
}
