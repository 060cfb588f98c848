import type { ApiError } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { LINKS } from '../../../links/limits.ts'
import { readLink } from '../../../links/request.ts'
import { LinkBody } from '../../../links/schema.ts'
import { checked, codeOptions, Fields, type FormField, number, text } from '../../kit/form.tsx'
import { timeZoneOf } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Select } from '../../kit/html/controls.tsx'
import { Form, GetButton } from '../../kit/html/forms.tsx'
import { EmptyState } from '../../kit/list.tsx'
import { errorsByField, type FormErrors } from '../../kit/refusal.ts'
import { useRequest } from '../../kit/screen.tsx'
import { choicesOf } from './choices.ts'
import { decimalOf, endOfDay, fieldsOf } from './fields.ts'
import { Radio } from './parts.tsx'

/** The form of a link for many payers. Its fields have the names of the API. */

const AMOUNT_KINDS = ['fixed', 'chosen'] as const

const amount = (name: string) => text(name, { numeric: 'decimal', maxLength: 20, ltr: true })
const DESCRIPTION = [text('description', { maxLength: LIMITS.nameLength, required: true })]
const FIXED = [amount('amount')]
const CHOSEN = [amount('minimumAmount'), amount('maximumAmount')]
const LIMITED = [
  number('maximumPayments', { optional: true, maxLength: 6, ltr: true }),
  text('expirationTime', { optional: true, type: 'date' }),
]
const MORE = [
  text('referenceId', { optional: true, maxLength: LINKS.referenceLength, ltr: true }),
  text('returnUrl', { optional: true, maxLength: LIMITS.urlLength, ltr: true }),
]

const kindOf = (request: AppRequest): (typeof AMOUNT_KINDS)[number] =>
  fieldsOf(request).text('kind') === 'chosen' ? 'chosen' : 'fixed'

/** What was typed, as a request of the API has it. Throws 400 with the fields. */
export function postedLink(request: AppRequest) {
  const typed = fieldsOf(request).text
  const given = (name: string) => typed(name) || null
  const amountIn = (name: string) => (typed(name) === '' ? null : decimalOf(request, typed(name)))
  const isFixed = kindOf(request) === 'fixed'
  const count = typed('maximumPayments')
  const day = given('expirationTime')
  return readLink(
    checked(LinkBody, {
      isReusable: true,
      currency: typed('currency') || choicesOf(request).currencies[0],
      description: typed('description'),
      ...(isFixed
        ? { amount: amountIn('amount') }
        : { minimumAmount: amountIn('minimumAmount'), maximumAmount: amountIn('maximumAmount') }),
      referenceId: given('referenceId'),
      maximumPayments: /^\d{1,6}$/.test(count) ? Number(count) : count || null,
      // What names no day is refused as an instant.
      expirationTime: day && (endOfDay(day, timeZoneOf(request))?.toISOString() ?? day),
      returnUrl: given('returnUrl'),
    }),
    request.app.friendlyName,
  )
}

export function ReusableForm({ problem }: { readonly problem: ApiError | undefined }) {
  const request = useRequest()
  const { base, texts } = request
  const { currencies } = choicesOf(request)
  const errors = errorsByField(problem)
  if (currencies.length === 0)
    return (
      <EmptyState title={texts.links.noProfiles}>
        <p>{texts.links.noProfilesBody}</p>
        {request.can('PaymentProfileWrite') && (
          <GetButton href={`${base}/providers`}>{texts.links.addProvider}</GetButton>
        )}
      </EmptyState>
    )
  const typed = fieldsOf(request).text
  return (
    <section class="card form-card link-form">
      <Form action={`${base}/links/reusable/new`} button={texts.reusable.create}>
        <Typed fields={DESCRIPTION} errors={errors} />
        <Select
          id="currency"
          name="currency"
          label={texts.reusable.fields.currency.label}
          options={codeOptions(currencies)}
          value={typed('currency') || (currencies[0] ?? '')}
          {...errors.for('currency')}
        />
        <AmountFields errors={errors} />
        <Typed fields={LIMITED} errors={errors} />
        <details class="fold" open={MORE.some(({ name }) => typed(name) !== '' || errors.of(name))}>
          <summary>{texts.links.more}</summary>
          <div class="stack">
            <Typed fields={MORE} errors={errors} />
          </div>
        </details>
      </Form>
    </section>
  )
}

interface TypedProps {
  readonly fields: readonly FormField[]
  readonly errors: FormErrors
}

function Typed({ fields, errors }: TypedProps) {
  const request = useRequest()
  const typed = fieldsOf(request).text
  const values = Object.fromEntries(fields.map(({ name }) => [name, typed(name)]))
  return <Fields fields={fields} texts={request.texts.reusable.fields} values={values} errors={errors} />
}

function AmountFields({ errors }: Pick<TypedProps, 'errors'>) {
  const request = useRequest()
  const { reusable } = request.texts
  const chosen = kindOf(request)
  return (
    <fieldset class="choices">
      <legend>{reusable.amountKind}</legend>
      <div class="choice-row">
        {AMOUNT_KINDS.map((kind) => (
          <Radio name="kind" value={kind} isChecked={kind === chosen}>
            {reusable.amountKinds[kind]}
          </Radio>
        ))}
      </div>
      <div data-when="fixed">
        <Typed fields={FIXED} errors={errors} />
      </div>
      <div class="link-money even" data-when="chosen">
        <Typed fields={CHOSEN} errors={errors} />
      </div>
    </fieldset>
  )
}
