import { type ApiError, notFound } from '../../../base/errors.ts'
import { randomText } from '../../../base/ids.ts'
import { LIMITS } from '../../../base/limits.ts'
import type { Customer } from '../../../customers/commands.ts'
import type { CustomerMethod } from '../../../customers/methods.ts'
import { readId } from '../../../http/wire.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { Field, Select } from '../../kit/html/controls.tsx'
import { createAutoPayment } from '../../../payments/create.ts'
import type { Payment } from '../../../payments/payment.ts'
import { readAutoPayment } from '../../../payments/wire/request.ts'
import { AutoPaymentBody } from '../../../payments/wire/schema.ts'
import type { AppVisit } from '../frame/visit.ts'
import { choicesOf } from '../links/choices.ts'
import { amountExample, decimalOf } from '../links/fields.ts'
import { checked } from '../parts/checked.ts'
import { errorsByField } from '../parts/form-errors.ts'
import {
  chargeableMethods,
  customerOf,
  drawAsk,
  homeOf,
  methodName,
  problemText,
  refusalOf,
} from './page.tsx'

const posted = ({ call }: AppVisit, name: string): string => (call.form.get(name) ?? '').trim()

/** A form that is sent twice has the same reference, and makes one payment. */
const newReference = ({ ctx }: AppVisit): string => `manual-${randomText(ctx.random, 16)}`

export async function askCharge(visit: AppVisit, problem?: ApiError): Promise<PageAnswer> {
  const { customers } = visit.texts
  const customer = await customerOf(visit)
  const methods = await chargeableMethods(visit, customer)
  if (methods.length === 0 && !problem) return seeOther(homeOf(visit, customer))
  return drawAsk(visit, customer, {
    title: customers.chargeTitle,
    path: 'charge',
    button: customers.chargeButton,
    problem: problem && { status: problem.status, text: problemText(visit, problem) },
    children: (
      <>
        <p>{customers.chargeBody}</p>
        <ChargeFields visit={visit} methods={methods} problem={problem} />
      </>
    ),
  })
}

interface ChargeProps {
  readonly visit: AppVisit
  readonly methods: readonly CustomerMethod[]
  readonly problem: ApiError | undefined
}

function ChargeFields({ visit, methods, problem }: ChargeProps) {
  const { customers } = visit.texts
  const wrong = errorsByField(problem)
  const { currencies } = choicesOf(visit)
  const usual = methods[0]?.tokens.find(({ registeredIn }) => registeredIn)?.registeredIn?.currency
  const currency = posted(visit, 'currency') || usual || (currencies[0] ?? '')
  return (
    <>
      <Field
        id="charge-amount"
        name="amount"
        label={customers.amount}
        placeholder={amountExample(currency || 'EUR')}
        value={posted(visit, 'amount')}
        maxLength={20}
        numeric="decimal"
        ltr
        required
        {...wrong.at('amount')}
      />
      <Select
        id="charge-currency"
        name="currency"
        label={customers.currency}
        value={currency}
        options={currencies.map((value) => ({ value, label: value }))}
      />
      <Select
        id="charge-method"
        name="method"
        label={customers.method}
        value={posted(visit, 'method')}
        options={methods.map((method) => ({
          value: String(method.paymentMethodId),
          label: methodName(visit, method),
        }))}
      />
      <Field
        id="charge-reference"
        name="reference"
        label={customers.reference}
        hint={customers.referenceHint}
        value={posted(visit, 'reference') || newReference(visit)}
        maxLength={LIMITS.referenceIdLength}
        required
        {...wrong.at('referenceId')}
      />
      <Field
        id="charge-description"
        name="description"
        label={customers.description}
        value={posted(visit, 'description')}
        maxLength={LIMITS.nameLength}
        {...wrong.at('customerOrder.description')}
      />
    </>
  )
}

export async function postCharge(visit: AppVisit): Promise<PageAnswer> {
  const customer = await customerOf(visit)
  try {
    const { paymentId } = await charge(visit, customer)
    return seeOther(`${visit.base}/payments/${paymentId}`)
  } catch (error) {
    return askCharge(visit, refusalOf(error))
  }
}

/** As the API charges: the state of the payment is the result. */
async function charge(visit: AppVisit, customer: Customer): Promise<Payment> {
  const { ctx, app } = visit
  const { customerId, firstName, lastName, email } = customer
  const paymentMethodId = readId(posted(visit, 'method'))
  if (paymentMethodId === undefined) throw notFound('The stored payment method')
  const body = checked(AutoPaymentBody, {
    referenceId: posted(visit, 'reference'),
    amount: decimalOf(posted(visit, 'amount')),
    currency: posted(visit, 'currency'),
    autoCapture: true,
    paymentMethodId,
    customerOrder: {
      customer: { customerId, firstName, lastName, email },
      description: posted(visit, 'description') || null,
    },
  })
  const choice = { referenceId: body.referenceId, customerId, paymentMethodId }
  const read = (currency: string) => readAutoPayment(body, body.currency ?? currency)
  return (await createAutoPayment(ctx, app, choice, read)).payment
}
