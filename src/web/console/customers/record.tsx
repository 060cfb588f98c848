import { LIMITS } from '../../../base/limits.ts'
import { changeCustomer, createCustomer } from '../../../customers/commands.ts'
import { changesOf, newCustomer } from '../../../customers/routes.ts'
import { CustomerInput, CustomerPatch } from '../../../customers/schema.ts'
import { type Eraser, eraseCustomer } from '../../../payments/erasure/erase.ts'
import { Fields, form, text } from '../../kit/form.tsx'
import { question } from '../../kit/question.tsx'
import { seeOther } from '../../kit/request/answer.ts'
import { proof, type ScreenRoute } from '../../kit/route.ts'
import { fieldsRefusal, homeOf, OF_CUSTOMER, ONE } from './page.tsx'

const DETAILS = [
  text('firstName', { id: 'customer-firstName', maxLength: LIMITS.nameLength }),
  text('lastName', { id: 'customer-lastName', maxLength: LIMITS.nameLength }),
  text('email', { id: 'customer-email', maxLength: LIMITS.emailLength }),
  text('mobileNumber', { id: 'customer-mobileNumber', maxLength: LIMITS.phoneLength }),
]
const WITH_ID = [
  text('customerId', { id: 'customer-id', maxLength: LIMITS.customerIdLength, required: true }),
  ...DETAILS,
]
const created = form(CustomerInput, WITH_ID)
const edited = form(CustomerPatch, DETAILS)

/** A new customer, its details and the erasure of its personal data. */
export const recordQuestions = (erasers: readonly Eraser[]): ScreenRoute[] => [
  // With a path of its own: below /customers any name may be the id of a customer.
  ...question('/new-customer', 'CustomerWrite', {
    screen: 'customers',
    back: '/customers',
    formBytes: LIMITS.longFormBytes,
    texts: ({ customers }) => ({ title: customers.newCustomer, button: customers.create }),
    refusal: fieldsRefusal,
    fields: ({ call, texts }, _, errors) => (
      <Fields
        fields={WITH_ID}
        texts={texts.customers.fields}
        values={created.values(call, {})}
        errors={errors}
      />
    ),
    run: async (request) => {
      const { ctx, app, call } = request
      const customer = await createCustomer(ctx, app, newCustomer(created.body(created.posted(call))))
      return seeOther(`${homeOf(request, customer)}?note=created`)
    },
  }),
  ...question(`${ONE}/edit`, 'CustomerWrite', {
    ...OF_CUSTOMER,
    formBytes: LIMITS.longFormBytes,
    texts: ({ customers, frame }) => ({ title: customers.editTitle, button: frame.save }),
    refusal: fieldsRefusal,
    fields: ({ call, texts }, { customer }, errors) => (
      <Fields
        fields={DETAILS}
        texts={texts.customers.fields}
        values={edited.values(call, customer)}
        errors={errors}
      />
    ),
    run: async ({ ctx, app, call }, { customer }) => {
      await changeCustomer(ctx, app, customer.customerId, changesOf(edited.body(edited.posted(call))))
      return 'edited'
    },
  }),
  ...question(`${ONE}/erase`, proof('CustomerErase'), {
    ...OF_CUSTOMER,
    kind: 'danger',
    texts: ({ customers, frame }) => ({
      title: customers.eraseTitle,
      body: [customers.eraseBody, customers.eraseKept, frame.cannotUndo],
      button: customers.eraseButton,
    }),
    refusal: ({ texts }, { code, message, extras }) =>
      code === 'customer_busy'
        ? texts.customers.eraseBusy({ payment: String(extras.members?.paymentId ?? '') })
        : message,
    run: async ({ ctx, app }, { customer }) => {
      await eraseCustomer(ctx, app, customer.customerId, erasers)
      return 'erased'
    },
  }),
]
