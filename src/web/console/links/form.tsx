import type { ApiError } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import type { Customer } from '../../../customers/commands.ts'
import { codeOptions, text } from '../../kit/form.tsx'
import { Field, Select } from '../../kit/html/controls.tsx'
import { Form, GetButton } from '../../kit/html/forms.tsx'
import { Notice } from '../../kit/html/layout.tsx'
import { EmptyState } from '../../kit/list.tsx'
import { errorsByField, type FormErrors } from '../../kit/refusal.ts'
import { useRequest } from '../../kit/screen.tsx'
import { choicesOf, type LinkChoices } from './choices.ts'
import { CustomerFields } from './customer.tsx'
import { amountExample, EXPIRIES, fieldsOf, ITEM_ROWS } from './fields.ts'
import { Radio, Typed } from './parts.tsx'

/** Why a form was refused. */
export interface Refused {
  /** The fields that are wrong. */
  readonly wrong?: ApiError
  /** Customers that the search found. */
  readonly customers?: readonly Customer[] | undefined
  /** The sentence of the command. */
  readonly refusal?: string
}

const DESCRIPTION = [
  text('description', { maxLength: 200 }),
  text('reference', { optional: true, maxLength: LIMITS.referenceIdLength, ltr: true }),
]

/** Single choices are shown as text; what is rarely needed is folded. */
export function LinkForm({ wrong, customers = [], refusal }: Refused) {
  const request = useRequest()
  const { base, texts } = request
  const { links } = texts
  const errors = errorsByField(wrong)
  const choices = choicesOf(request)
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
      <Form action={`${base}/links/new`} button={links.create}>
        <Money currencies={choices.currencies} errors={errors} />
        <Typed shown={DESCRIPTION} errors={errors} />
        <CustomerFields errors={errors} customers={customers} />
        <ExpiryFields errors={errors} />
        <ItemFields errors={errors} />
        <MoreFields choices={choices} errors={errors} />
      </Form>
    </section>
  )
}

interface PartProps {
  readonly errors: FormErrors
}

/** The only currency is text; the first is preselected. */
function Money({ currencies, errors }: PartProps & Pick<LinkChoices, 'currencies'>) {
  const request = useRequest()
  const { links } = request.texts
  const fields = fieldsOf(request)
  const [first = ''] = currencies
  const isSingle = currencies.length === 1
  return (
    <div class="link-money">
      <Field
        id="amount"
        name="amount"
        label={links.amount}
        value={fields.text('amount')}
        placeholder={amountExample(request, first)}
        maxLength={20}
        ltr
        required
        {...errors.for('amount')}
        {...(isSingle ? { beside: <span>{first}</span> } : {})}
      />
      {!isSingle && (
        <Select
          id="currency"
          name="currency"
          label={links.currency}
          options={codeOptions(currencies)}
          value={fields.text('currency') || first}
        />
      )}
    </div>
  )
}

function ExpiryFields({ errors }: PartProps) {
  const request = useRequest()
  const { links } = request.texts
  const fields = fieldsOf(request)
  const chosen = fields.text('expiry') || 'week'
  const error = errors.of('date')
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

function ItemFields({ errors }: PartProps) {
  const request = useRequest()
  const { links, frame } = request.texts
  const fields = fieldsOf(request)
  const isUsed = ITEM_ROWS.some((place) => fields.text(`item${place}`) || fields.text(`price${place}`))
  const problem = errors.of('items')
  const field = (name: string, label: string, maxLength: number) => ({
    id: name,
    name,
    label,
    value: fields.text(name),
    maxLength,
  })
  return (
    <details class="fold" open={isUsed}>
      <summary>{`${links.items} (${frame.optional})`}</summary>
      <div class="stack">
        <p class="hint">{links.itemsHint}</p>
        {problem && <p class="error">{problem}</p>}
        {ITEM_ROWS.map((place) => {
          const count = field(`quantity${place}`, links.quantity, 6)
          return (
            <div class="item-row">
              <Field {...field(`item${place}`, links.item({ place }), 200)} />
              <Field {...count} value={count.value || '1'} numeric ltr />
              <Field {...field(`price${place}`, links.price, 20)} ltr />
            </div>
          )
        })}
      </div>
    </details>
  )
}

const RETURN_URL = [text('returnUrl', { maxLength: 2048, ltr: true })]

function MoreFields({ choices, errors }: PartProps & { readonly choices: LinkChoices }) {
  const request = useRequest()
  const { links, payments } = request.texts
  const fields = fieldsOf(request)
  const { profiles, methods } = choices
  return (
    <details class="fold" open={Boolean(fields.text('returnUrl') || fields.text('profile'))}>
      <summary>{links.more}</summary>
      <div class="stack">
        <label class="check">
          <input type="checkbox" name="recurring" value="yes" checked={fields.text('recurring') === 'yes'} />
          <span>{links.recurring}</span>
        </label>
        <Typed shown={RETURN_URL} errors={errors} />
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
