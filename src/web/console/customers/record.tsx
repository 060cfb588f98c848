import type { ApiError } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { changeCustomer, createCustomer } from '../../../customers/commands.ts'
import { CustomerInput, CustomerPatch } from '../../../customers/schema.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { Field } from '../../kit/html/controls.tsx'
import { Notice } from '../../kit/html/layout.tsx'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { checked } from '../../kit/form.tsx'
import { errorsByField, type FormErrors } from '../../kit/refusal.ts'
import { Question } from '../../kit/html/forms.tsx'
import { customerOf, renderAsk, homeOf, refusalText, refusalOf } from './page.tsx'
import { useRequest } from '../../kit/screen.tsx'

/** The form of a new customer and of its details. */

const DETAILS = [
  ['firstName', LIMITS.nameLength],
  ['lastName', LIMITS.nameLength],
  ['email', LIMITS.emailLength],
  ['mobileNumber', LIMITS.phoneLength],
] as const
type Detail = (typeof DETAILS)[number][0]
type Details = Readonly<Record<Detail, string>>

const posted = ({ call }: AppRequest, name: string): string => (call.form.get(name) ?? '').trim()

const postedDetails = (request: AppRequest): Details => ({
  firstName: posted(request, 'firstName'),
  lastName: posted(request, 'lastName'),
  email: posted(request, 'email'),
  mobileNumber: posted(request, 'mobileNumber'),
})

/** A field left blank is absent. */
const filled = (details: Details): Record<Detail, string | null> => ({
  firstName: details.firstName || null,
  lastName: details.lastName || null,
  email: details.email || null,
  mobileNumber: details.mobileNumber || null,
})

interface DetailFieldsProps {
  readonly values: Readonly<Record<Detail, string | null>>
  readonly wrong: FormErrors
}

const DetailFields = ({ values, wrong }: DetailFieldsProps) => {
  const request = useRequest()
  return (
    <>
      {DETAILS.map(([name, maxLength]) => (
        <Field
          id={`customer-${name}`}
          name={name}
          label={request.texts.customers[name]}
          value={values[name] ?? ''}
          maxLength={maxLength}
          {...wrong.for(name)}
        />
      ))}
    </>
  )
}

export function askNew(request: AppRequest, problem?: ApiError): PageAnswer {
  const { texts, base } = request
  const { customers } = texts
  const wrong = errorsByField(problem)
  return renderScreen(request, {
    name: 'customers',
    title: customers.newCustomer,
    crumbs: [{ label: customers.title, href: `${base}/customers` }],
    status: problem?.status ?? 200,
    children: (
      <Question action={`${base}/new-customer`} button={customers.create} back={`${base}/customers`}>
        {problem && <Notice kind="bad" title={refusalText(request, problem)} />}
        <Field
          id="customer-id"
          name="customerId"
          label={customers.id}
          hint={customers.idHint}
          value={posted(request, 'customerId')}
          maxLength={LIMITS.customerIdLength}
          required
          {...wrong.for('customerId')}
        />
        <DetailFields values={postedDetails(request)} wrong={wrong} />
      </Question>
    ),
  })
}

export async function postNew(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app } = request
  const details = postedDetails(request)
  try {
    const { customerId } = checked(CustomerInput, { customerId: posted(request, 'customerId'), ...details })
    const customer = await createCustomer(ctx, app, { customerId, ...filled(details), fraudPolicyId: null })
    return seeOther(`${homeOf(request, customer)}?note=created`)
  } catch (error) {
    return askNew(request, refusalOf(error))
  }
}

export async function askEdit(request: AppRequest, problem?: ApiError): Promise<PageAnswer> {
  const { customers } = request.texts
  const customer = await customerOf(request)
  return renderAsk(request, customer, {
    title: customers.editTitle,
    path: 'edit',
    button: request.texts.frame.save,
    problem: problem && { status: problem.status, text: refusalText(request, problem) },
    children: (
      <DetailFields values={problem ? postedDetails(request) : customer} wrong={errorsByField(problem)} />
    ),
  })
}

export async function postEdit(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app } = request
  const customer = await customerOf(request)
  const details = postedDetails(request)
  try {
    checked(CustomerPatch, details)
    await changeCustomer(ctx, app, customer.customerId, filled(details))
  } catch (error) {
    return askEdit(request, refusalOf(error))
  }
  return seeOther(`${homeOf(request, customer)}?note=edited`)
}
