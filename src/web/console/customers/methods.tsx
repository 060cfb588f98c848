import { notFound } from '../../../base/errors.ts'
import type { Customer } from '../../../customers/commands.ts'
import { type CustomerMethod, customerMethods } from '../../../customers/methods.ts'
import { removeMethod, stopAutoPayment } from '../../../customers/remove-method.ts'
import { readId } from '../../../http/wire.ts'
import { lastChargesOf } from '../../../payments/history/customer.ts'
import type { Payment } from '../../../payments/payment.ts'
import { MoneyText } from '../../kit/format/money.tsx'
import { profileName } from '../../kit/format/names.ts'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { QuestionButton } from '../../kit/html/forms.tsx'
import { List } from '../../kit/list.tsx'
import { question } from '../../kit/question.tsx'
import type { PageAnswer } from '../../kit/request/answer.ts'
import type { ScreenRoute } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'
import { customerCrumbs, customerOf, homeOf, ONE, renderTab, storedMethodName } from './page.tsx'

const methodsOf = ({ ctx, app }: AppRequest, { customerId }: Customer): Promise<CustomerMethod[]> =>
  customerMethods(ctx, app, customerId, { onlyVerified: false })

const VERIFICATION = { Verified: 'green', Unverified: 'amber', VerificationFailed: 'red' } as const

export async function showMethods(request: AppRequest): Promise<PageAnswer> {
  const { customers, frame, payments } = request.texts
  const customer = await customerOf(request)
  return renderTab(request, customer, {
    tab: 'methods',
    children: (
      <List
        caption={customers.tabs.methods}
        items={await methodsOf(request, customer)}
        empty={{ title: customers.noMethods, body: customers.noMethodsBody }}
        columns={[
          { label: customers.type, cell: ({ kind }) => payments.methods[kind] },
          { label: customers.number, cell: (method) => <bdi>{storedMethodName(request, method)}</bdi> },
          { label: customers.expires, cell: expiryOf },
          { label: customers.isDefault, cell: ({ isDefault }) => (isDefault ? frame.yes : '') },
          {
            label: customers.verification,
            cell: ({ verificationState }) => (
              <span class={`pill ${VERIFICATION[verificationState]}`}>
                {customers.verificationStates[verificationState]}
              </span>
            ),
          },
          {
            label: customers.profiles,
            cell: ({ tokens }) => {
              const names = tokens.map(({ profileId: id }) => profileName(request, id) ?? String(id))
              return <bdi>{shortText(names.join(', '), NAME_SHOWN)}</bdi>
            },
          },
          { label: customers.stored, cell: ({ createdTime }) => <Time time={createdTime} style="day" /> },
          {
            label: frame.more,
            isQuiet: true,
            cell: ({ paymentMethodId }) =>
              request.can('CustomerWrite') && (
                <QuestionButton href={`${homeOf(request, customer)}/methods/${paymentMethodId}/remove`}>
                  {customers.remove}
                </QuestionButton>
              ),
          },
        ]}
      />
    ),
  })
}

function expiryOf({ card }: CustomerMethod): string {
  const { expiryMonth, expiryYear } = card ?? {}
  return expiryMonth && expiryYear ? `${String(expiryMonth).padStart(2, '0')}/${expiryYear}` : ''
}

/** A method that can be charged at one provider profile without the customer. */
interface AutoPayment {
  readonly method: CustomerMethod
  readonly tokenId: number
  readonly profile: string
}

async function autoPaymentsOf(request: AppRequest, customer: Customer): Promise<AutoPayment[]> {
  const methods = await methodsOf(request, customer)
  return methods.flatMap((method) =>
    method.tokens.map(({ tokenId, profileId }) => ({
      method,
      tokenId,
      profile: shortText(profileName(request, profileId), NAME_SHOWN) ?? String(profileId),
    })),
  )
}

export async function showAutoPayments(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, texts } = request
  const { customers, frame } = texts
  const customer = await customerOf(request)
  const found = await autoPaymentsOf(request, customer)
  const charges = await lastChargesOf(ctx, app, customer.customerId)
  return renderTab(request, customer, {
    tab: 'auto-payments',
    children: (
      <List
        caption={customers.tabs['auto-payments']}
        items={found}
        empty={{ title: customers.noAutoPayments, body: customers.noMethodsBody }}
        columns={[
          { label: customers.method, cell: ({ method }) => <bdi>{storedMethodName(request, method)}</bdi> },
          { label: customers.profile, cell: ({ profile }) => <bdi>{profile}</bdi> },
          {
            label: customers.lastCharge,
            cell: ({ tokenId }) => <LastCharge charge={charges.get(tokenId)} />,
          },
          {
            label: frame.more,
            isQuiet: true,
            cell: ({ tokenId }) =>
              request.can('CustomerWrite') && (
                <QuestionButton href={`${homeOf(request, customer)}/auto-payments/${tokenId}/stop`}>
                  {customers.stop}
                </QuestionButton>
              ),
          },
        ]}
      />
    ),
  })
}

function LastCharge({ charge }: { readonly charge: Payment | undefined }) {
  const { base, language, texts } = useRequest()
  if (!charge) return <>{texts.customers.never}</>
  const { paymentId, amountMinor, currency, createdTime } = charge
  return (
    <>
      <a href={`${base}/payments/${paymentId}`}>
        <MoneyText language={language} minor={amountMinor} currency={currency} />
      </a>{' '}
      <Time time={createdTime} />
    </>
  )
}

async function namedMethod(request: AppRequest) {
  const customer = await customerOf(request)
  const id = readId(request.call.params.paymentMethodId ?? '')
  const method = (await methodsOf(request, customer)).find(({ paymentMethodId }) => paymentMethodId === id)
  if (!method) throw notFound('The stored payment method')
  return { customer, method }
}

async function namedAutoPayment(request: AppRequest) {
  const customer = await customerOf(request)
  const id = readId(request.call.params.tokenId ?? '')
  const found = (await autoPaymentsOf(request, customer)).find(({ tokenId }) => tokenId === id)
  if (!found) throw notFound('The auto-payment registration')
  return { customer, ...found }
}

export const methodQuestions: readonly ScreenRoute[] = [
  ...question(`${ONE}/methods/{paymentMethodId}/remove`, 'CustomerWrite', {
    kind: 'danger',
    back: `${ONE}/methods`,
    subject: namedMethod,
    crumbs: customerCrumbs,
    texts: ({ customers }, { method }, request) => ({
      title: customers.removeTitle({ method: storedMethodName(request, method) }),
      body: customers.removeBody,
      button: customers.removeButton,
    }),
    run: async ({ ctx, app }, { customer, method }) => {
      await removeMethod(ctx, app, customer.customerId, method.paymentMethodId)
      return 'removed'
    },
  }),
  ...question(`${ONE}/auto-payments/{tokenId}/stop`, 'CustomerWrite', {
    kind: 'danger',
    back: `${ONE}/auto-payments`,
    subject: namedAutoPayment,
    crumbs: customerCrumbs,
    texts: ({ customers }, { method, profile }, request) => ({
      title: customers.stopTitle({ method: storedMethodName(request, method), profile }),
      body: customers.stopBody,
      button: customers.stopButton,
    }),
    run: async ({ ctx, app }, { customer, tokenId }) => {
      await stopAutoPayment(ctx, app, customer.customerId, tokenId)
      return 'stopped'
    },
  }),
]
