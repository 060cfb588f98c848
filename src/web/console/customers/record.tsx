import type { ApiError } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { changeCustomer, createCustomer } from '../../../customers/commands.ts'
import { CustomerInput, CustomerPatch } from '../../../customers/schema.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { Field } from '../../kit/html/controls.tsx'
import { Notice } from '../../kit/html/layout.tsx'
import { drawScreen } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { checked } from '../parts/checked.ts'
import { errorsByField, type FormErrors } from '../parts/form-errors.ts'
import { Ask } from '../parts/forms.tsx'
import { customerOf, drawAsk, homeOf, problemText, refusalOf } from './page.tsx'

/** The form of a new customer and of its details. */

const DETAILS = [
  ['firstName', LIMITS.nameLength],
  ['lastName', LIMITS.nameLength],
  ['email', LIMITS.emailLength],
  ['mobileNumber', LIMITS.phoneLength],
] as const
type Detail = (typeof DETAILS)[number][0]
type Details = Readonly<Record<Detail, string>>

const posted = ({ call }: AppVisit, name: string): string => (call.form.get(name) ?? '').trim()

const postedDetails = (visit: AppVisit): Details => ({
  firstName: posted(visit, 'firstName'),
  lastName: posted(visit, 'lastName'),
  email: posted(visit, 'email'),
  mobileNumber: posted(visit, 'mobileNumber'),
})

/** A field left blank is absent. */
const filled = (details: Details): Record<Detail, string | null> => ({
  firstName: details.firstName || null,
  lastName: details.lastName || null,
  email: details.email || null,
  mobileNumber: details.mobileNumber || null,
})

interface DetailFieldsProps {
  readonly visit: AppVisit
  readonly values: Readonly<Record<Detail, string | null>>
  readonly wrong: FormErrors
}

const DetailFields = ({ visit, values, wrong }: DetailFieldsProps) => (
  <>
    {DETAILS.map(([name, maxLength]) => (
      <Field
        id={`customer-${name}`}
        name={name}
        label={visit.texts.customers[name]}
        value={values[name] ?? ''}
        maxLength={maxLength}
        {...wrong.at(name)}
      />
    ))}
  </>
)

export function askNew(visit: AppVisit, problem?: ApiError): PageAnswer {
  const { texts, base } = visit
  const { customers } = texts
  const wrong = errorsByField(problem)
  return drawScreen(visit, {
    name: 'customers',
    title: customers.newCustomer,
    crumbs: [{ label: customers.title, href: `${base}/customers` }],
    status: problem?.status ?? 200,
    children: (
      <Ask visit={visit} action={`${base}/new-customer`} button={customers.create} back={`${base}/customers`}>
        {problem && <Notice kind="bad" title={problemText(visit, problem)} />}
        <Field
          id="customer-id"
          name="customerId"
          label={customers.id}
          hint={customers.idHint}
          value={posted(visit, 'customerId')}
          maxLength={LIMITS.customerIdLength}
          required
          {...wrong.at('customerId')}
        />
        <DetailFields visit={visit} values={postedDetails(visit)} wrong={wrong} />
      </Ask>
    ),
  })
}

export async function postNew(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app } = visit
  const details = postedDetails(visit)
  try {
    const { customerId } = checked(CustomerInput, { customerId: posted(visit, 'customerId'), ...details })
    const customer = await createCustomer(ctx, app, { customerId, ...filled(details), fraudPolicyId: null })
    return seeOther(`${homeOf(visit, customer)}?note=created`)
  } catch (error) {
    return askNew(visit, refusalOf(error))
  }
}

export async function askEdit(visit: AppVisit, problem?: ApiError): Promise<PageAnswer> {
  const { customers } = visit.texts
  const customer = await customerOf(visit)
  return drawAsk(visit, customer, {
    title: customers.editTitle,
    path: 'edit',
    button: visit.texts.frame.save,
    problem: problem && { status: problem.status, text: problemText(visit, problem) },
    children: (
      <DetailFields
        visit={visit}
        values={problem ? postedDetails(visit) : customer}
        wrong={errorsByField(problem)}
      />
    ),
  })
}

export async function postEdit(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app } = visit
  const customer = await customerOf(visit)
  const details = postedDetails(visit)
  try {
    checked(CustomerPatch, details)
    await changeCustomer(ctx, app, customer.customerId, filled(details))
  } catch (error) {
    return askEdit(visit, refusalOf(error))
  }
  return seeOther(`${homeOf(visit, customer)}?note=edited`)
}
