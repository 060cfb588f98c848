import type { FieldError } from '../../../base/errors.ts'
import { payerIdOf, randomText } from '../../../base/ids.ts'
import { LIMITS } from '../../../base/limits.ts'
import { isMailbox } from '../../../base/mailbox.ts'
import { type Customer, customerPage, findCustomer } from '../../../customers/commands.ts'
import { text } from '../../kit/form.tsx'
import { DESCRIPTION_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import type { FormErrors } from '../../kit/refusal.ts'
import { useRequest } from '../../kit/screen.tsx'
import { fieldsOf, type LinkFields, type OrderedCustomer } from './fields.ts'
import { Radio, Typed } from './parts.tsx'

const KINDS = ['none', 'known', 'new'] as const

const kindOf = (fields: LinkFields) => KINDS.find((kind) => kind === fields.text('customerKind')) ?? 'none'

interface CustomerChoice {
  readonly customer?: OrderedCustomer
  readonly errors: readonly FieldError[]
  /** Set if the search has several results. */
  readonly customers?: readonly Customer[]
}

const MAX_CHOICES = 8

const wrong = (message: string, ...fields: readonly string[]): CustomerChoice => ({
  errors: fields.map((field) => ({ field, message })),
})

/** Every payment has a customer: without one it gets an id of its own. */
export async function chooseCustomer(request: AppRequest): Promise<CustomerChoice> {
  const fields = fieldsOf(request)
  const { errors } = request.texts.links
  const kind = kindOf(fields)
  if (kind === 'known') return knownCustomer(request, fields)
  const part = randomText(request.ctx.random, 24)
  const customerId = `link_${part.slice(0, 20)}`
  // Of a payer who may store a method, something will be known: such a customer is listed.
  const isListed = fields.text('recurring') === 'yes'
  if (kind === 'none')
    return { customer: { customerId: isListed ? customerId : payerIdOf(part) }, errors: [] }
  const email = fields.text('email').slice(0, LIMITS.emailLength)
  if (email !== '' && !isMailbox(email)) return wrong(errors.email, 'email')
  const firstName = fields.text('firstName').slice(0, LIMITS.nameLength)
  const lastName = fields.text('lastName').slice(0, LIMITS.nameLength)
  if (!email && !firstName && !lastName) return wrong(errors.customerMissing, 'customer', 'email')
  return { customer: { customerId, firstName, lastName, email }, errors: [] }
}

/** The customer with this id, else the only one that the search finds. */
async function knownCustomer({ ctx, app, texts }: AppRequest, fields: LinkFields): Promise<CustomerChoice> {
  const { errors, choose } = texts.links
  const search = (fields.text('choice') || fields.text('customer')).slice(0, LIMITS.customerIdLength)
  if (search === '') return wrong(errors.customerMissing, 'customer', 'email')
  const exact = await findCustomer(ctx, app.appId, search)
  const { customers } = exact
    ? { customers: [exact] }
    : await customerPage(ctx, app, { search, pageNumber: 1, pageSize: MAX_CHOICES })
  const [first, second] = customers
  if (!first) return wrong(errors.customer, 'customer')
  if (second) return { ...wrong(choose, 'customer'), customers }
  return { customer: { customerId: first.customerId }, errors: [] }
}

const customerName = ({ customerId, firstName, lastName, email }: Customer): string =>
  [[firstName, lastName].filter(Boolean).join(' '), email, customerId].filter(Boolean).join(' · ')

const KNOWN = [text('customer', { maxLength: 200 })]
const NEW = [
  text('firstName', { maxLength: 200 }),
  text('lastName', { maxLength: 200 }),
  text('email', { maxLength: 254 }),
]

interface CustomerFieldsProps {
  readonly errors: FormErrors
  /** Those that the search found. */
  readonly customers: readonly Customer[]
}

/** None, an existing one by search, or a new one. The fields of the others are hidden by the style. */
export function CustomerFields({ errors, customers }: CustomerFieldsProps) {
  const request = useRequest()
  const fields = fieldsOf(request)
  const { links } = request.texts
  const isNamed = !request.call.isPost && fields.text('customer') !== ''
  const chosen = isNamed ? 'known' : kindOf(fields)
  return (
    <fieldset class="choices">
      <legend>{links.customer}</legend>
      <div class="choice-row">
        {KINDS.filter((kind) => kind !== 'known' || request.can('CustomerRead')).map((kind) => (
          <Radio name="customerKind" value={kind} isChecked={kind === chosen}>
            {links.customerKinds[kind]}
          </Radio>
        ))}
      </div>
      <div class="stack" data-when="known">
        <Typed shown={KNOWN} errors={errors} />
        {customers.map((customer) => (
          <Radio name="choice" value={customer.customerId} isChecked={false}>
            <bdi>{shortText(customerName(customer), DESCRIPTION_SHOWN)}</bdi>
          </Radio>
        ))}
      </div>
      <div class="stack" data-when="new">
        <Typed shown={NEW} errors={errors} />
      </div>
    </fieldset>
  )
}
