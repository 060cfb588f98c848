import { notFound } from '../../../base/errors.ts'
import { randomText } from '../../../base/ids.ts'
import { LIMITS } from '../../../base/limits.ts'
import type { Customer } from '../../../customers/commands.ts'
import type { CustomerMethod } from '../../../customers/methods.ts'
import { readId } from '../../../http/wire.ts'
import { createAutoPayment } from '../../../payments/create.ts'
import type { Payment } from '../../../payments/payment.ts'
import { readAutoPayment } from '../../../payments/wire/request.ts'
import { AutoPaymentBody } from '../../../payments/wire/schema.ts'
import { checked } from '../../kit/form.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Field, Select } from '../../kit/html/controls.tsx'
import { question } from '../../kit/question.tsx'
import type { FormErrors } from '../../kit/refusal.ts'
import { seeOther } from '../../kit/request/answer.ts'
import { choicesOf } from '../links/choices.ts'
import { amountExample, decimalOf } from '../links/fields.ts'
import {
  chargeableMethods,
  customerCrumbs,
  customerOf,
  fieldsRefusal,
  ONE,
  storedMethodName,
} from './page.tsx'

const posted = ({ call }: AppRequest, name: string): string => (call.form.get(name) ?? '').trim()

/** A form that is sent twice has the same reference, and makes one payment. */
const newReference = ({ ctx }: AppRequest): string => `manual-${randomText(ctx.random, 16)}`

export const chargeRoutes = question(`${ONE}/charge`, 'PaymentWrite', {
  subject: async (request) => {
    const customer = await customerOf(request)
    return { customer, methods: await chargeableMethods(request, customer) }
  },
  crumbs: customerCrumbs,
  isPossible: ({ methods }) => methods.length > 0,
  texts: ({ customers }) => ({
    title: customers.chargeTitle,
    body: customers.chargeBody,
    button: customers.chargeButton,
  }),
  refusal: fieldsRefusal,
  fields: (request, { methods }, errors) => chargeFields(request, methods, errors),
  run: async (request, { customer }) => {
    const { paymentId } = await charge(request, customer)
    return seeOther(`${request.base}/payments/${paymentId}`)
  },
})

function chargeFields(request: AppRequest, methods: readonly CustomerMethod[], errors: FormErrors) {
  const { customers } = request.texts
  const { currencies } = choicesOf(request)
  const usual = methods[0]?.tokens.find(({ registeredIn }) => registeredIn)?.registeredIn?.currency
  const currency = posted(request, 'currency') || usual || (currencies[0] ?? '')
  return (
    <>
      <Field
        id="charge-amount"
        name="amount"
        label={customers.amount}
        placeholder={amountExample(request, currency || 'EUR')}
        value={posted(request, 'amount')}
        maxLength={20}
        numeric="decimal"
        ltr
        required
        {...errors.for('amount')}
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
        {...errors.for('referenceId')}
      />
      <Field
        id="charge-description"
        name="description"
        label={customers.description}
        value={posted(request, 'description')}
        maxLength={LIMITS.nameLength}
        {...errors.for('customerOrder.description')}
      />
    </>
  )
}

/** As the API charges: the state of the payment is the result. */
async function charge(request: AppRequest, customer: Customer): Promise<Payment> {
  const { ctx, app } = request
  const { customerId, firstName, lastName, email } = customer
  const paymentMethodId = readId(posted(request, 'method'))
  if (paymentMethodId === undefined) throw notFound('The stored payment method')
  const body = checked(AutoPaymentBody, {
    referenceId: posted(request, 'reference'),
    amount: decimalOf(request, posted(request, 'amount')),
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
