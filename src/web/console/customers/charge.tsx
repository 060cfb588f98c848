import { type ApiError, notFound } from '../../../base/errors.ts'
import { randomText } from '../../../base/ids.ts'
import { LIMITS } from '../../../base/limits.ts'
import type { Customer } from '../../../customers/commands.ts'
import type { CustomerMethod } from '../../../customers/methods.ts'
import { readId } from '../../../http/wire.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { Field, Select } from '../../kit/html/controls.tsx'
import { createAutoPayment } from '../../../payments/create.ts'
import type { Payment } from '../../../payments/payment.ts'
import { readAutoPayment } from '../../../payments/wire/request.ts'
import { AutoPaymentBody } from '../../../payments/wire/schema.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { choicesOf } from '../links/choices.ts'
import { amountExample, decimalOf } from '../links/fields.ts'
import { checked } from '../../kit/form.tsx'
import { errorsByField } from '../../kit/refusal.ts'
import {
  chargeableMethods,
  customerOf,
  renderAsk,
  homeOf,
  storedMethodName,
  refusalText,
  refusalOf,
} from './page.tsx'
import { useRequest } from '../../kit/screen.tsx'

const posted = ({ call }: AppRequest, name: string): string => (call.form.get(name) ?? '').trim()

/** A form that is sent twice has the same reference, and makes one payment. */
const newReference = ({ ctx }: AppRequest): string => `manual-${randomText(ctx.random, 16)}`

export async function askCharge(request: AppRequest, problem?: ApiError): Promise<PageAnswer> {
  const { customers } = request.texts
  const customer = await customerOf(request)
  const methods = await chargeableMethods(request, customer)
  if (methods.length === 0 && !problem) return seeOther(homeOf(request, customer))
  return renderAsk(request, customer, {
    title: customers.chargeTitle,
    path: 'charge',
    button: customers.chargeButton,
    problem: problem && { status: problem.status, text: refusalText(request, problem) },
    children: (
      <>
        <p>{customers.chargeBody}</p>
        <ChargeFields methods={methods} problem={problem} />
      </>
    ),
  })
}

interface ChargeProps {
  readonly methods: readonly CustomerMethod[]
  readonly problem: ApiError | undefined
}

function ChargeFields({ methods, problem }: ChargeProps) {
  const request = useRequest()
  const { customers } = request.texts
  const wrong = errorsByField(problem)
  const { currencies } = choicesOf(request)
  const usual = methods[0]?.tokens.find(({ registeredIn }) => registeredIn)?.registeredIn?.currency
  const currency = posted(request, 'currency') || usual || (currencies[0] ?? '')
  return (
    <>
      <Field
        id="charge-amount"
        name="amount"
        label={customers.amount}
        placeholder={amountExample(currency || 'EUR')}
        value={posted(request, 'amount')}
        maxLength={20}
        numeric="decimal"
        ltr
        required
        {...wrong.for('amount')}
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
        value={posted(request, 'method')}
        options={methods.map((method) => ({
          value: String(method.paymentMethodId),
          label: storedMethodName(request, method),
        }))}
      />
      <Field
        id="charge-reference"
        name="reference"
        label={customers.reference}
        hint={customers.referenceHint}
        value={posted(request, 'reference') || newReference(request)}
        maxLength={LIMITS.referenceIdLength}
        required
        {...wrong.for('referenceId')}
      />
      <Field
        id="charge-description"
        name="description"
        label={customers.description}
        value={posted(request, 'description')}
        maxLength={LIMITS.nameLength}
        {...wrong.for('customerOrder.description')}
      />
    </>
  )
}

export async function postCharge(request: AppRequest): Promise<PageAnswer> {
  const customer = await customerOf(request)
  try {
    const { paymentId } = await charge(request, customer)
    return seeOther(`${request.base}/payments/${paymentId}`)
  } catch (error) {
    return askCharge(request, refusalOf(error))
  }
}

/** As the API charges: the state of the payment is the result. */
async function charge(request: AppRequest, customer: Customer): Promise<Payment> {
  const { ctx, app } = request
  const { customerId, firstName, lastName, email } = customer
  const paymentMethodId = readId(posted(request, 'method'))
  if (paymentMethodId === undefined) throw notFound('The stored payment method')
  const body = checked(AutoPaymentBody, {
    referenceId: posted(request, 'reference'),
    amount: decimalOf(posted(request, 'amount')),
    currency: posted(request, 'currency'),
    autoCapture: true,
    paymentMethodId,
    customerOrder: {
      customer: { customerId, firstName, lastName, email },
      description: posted(request, 'description') || null,
    },
  })
  const choice = { referenceId: body.referenceId, customerId, paymentMethodId }
  const read = (currency: string) => readAutoPayment(body, body.currency ?? currency)
  return (await createAutoPayment(ctx, app, choice, read)).payment
}
