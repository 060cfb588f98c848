import { Field } from '../../kit/html/controls.tsx'
import { DESCRIPTION_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Radio } from './controls.tsx'
import { CUSTOMER_KINDS, type CustomerProblem, customerKind, customerName } from './customer.ts'
import type { LinkFields } from './fields.ts'
import { useRequest } from '../../kit/screen.tsx'

interface CustomerFieldsProps {
  readonly fields: LinkFields
  readonly problem: CustomerProblem | undefined
}

/** None, an existing one by search, or a new one. The fields of the others are hidden by the style. */
export function CustomerFields({ fields, problem }: CustomerFieldsProps) {
  const request = useRequest()
  const { links } = request.texts
  const labels = { none: links.customerNone, known: links.customerKnown, new: links.customerNew }
  const isNamed = !request.call.isPost && fields.text('customer') !== ''
  const chosen = isNamed ? 'known' : customerKind(fields)
  return (
    <fieldset class="choices">
      <legend>{links.customer}</legend>
      <div class="choice-row">
        {CUSTOMER_KINDS.filter((kind) => kind !== 'known' || request.can('CustomerRead')).map((kind) => (
          <Radio name="customerKind" value={kind} isChecked={kind === chosen}>
            {labels[kind]}
          </Radio>
        ))}
      </div>
      <div class="stack" data-when="known">
        <Field
          id="customer"
          name="customer"
          label={links.customerSearch}
          value={fields.text('customer')}
          maxLength={200}
          {...errorOf(request, problem, ['customer', 'customerMissing'])}
        />
        {problem?.choices?.map((customer) => (
          <Radio name="choice" value={customer.customerId} isChecked={false}>
            <bdi>{shortText(customerName(customer), DESCRIPTION_SHOWN)}</bdi>
          </Radio>
        ))}
      </div>
      <div class="stack" data-when="new">
        {(['firstName', 'lastName', 'email'] as const).map((name) => (
          <Field
            id={name}
            name={name}
            label={links[name]}
            value={fields.text(name)}
            maxLength={name === 'email' ? 254 : 200}
            {...(name === 'email' ? errorOf(request, problem, ['email', 'customerMissing']) : {})}
          />
        ))}
      </div>
    </fieldset>
  )
}

function errorOf(
  { texts }: AppRequest,
  problem: CustomerFieldsProps['problem'],
  wanted: readonly string[],
): { error?: string } {
  if (!problem || !wanted.includes(problem.problem)) return {}
  return { error: problem.choices ? texts.links.choose : texts.links.errors[problem.problem] }
}
