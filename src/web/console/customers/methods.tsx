import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { MoneyText } from '../../kit/format/money.tsx'
import { notFound } from '../../../base/errors.ts'
import type { Customer } from '../../../customers/commands.ts'
import { type CustomerMethod, customerMethods } from '../../../customers/methods.ts'
import { removeMethod, stopAutoPayment } from '../../../customers/remove-method.ts'
import { readId } from '../../../http/wire.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { lastChargesOf } from '../../../payments/history/customer.ts'
import type { Payment } from '../../../payments/payment.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { AskButton } from '../../kit/html/forms.tsx'
import { EmptyState, Table } from '../../kit/list.tsx'
import { Time } from '../../kit/format/time.tsx'
import { customerOf, renderAsk, renderTab, homeOf, storedMethodName } from './page.tsx'
import { useRequest } from '../../kit/screen.tsx'
import { profileName } from '../../kit/format/names.ts'

const methodsOf = ({ ctx, app }: AppRequest, { customerId }: Customer): Promise<CustomerMethod[]> =>
  customerMethods(ctx, app, customerId, { onlyVerified: false })

export async function showMethods(request: AppRequest): Promise<PageAnswer> {
  const { customers } = request.texts
  const customer = await customerOf(request)
  const methods = await methodsOf(request, customer)
  return renderTab(request, customer, {
    tab: 'methods',
    children:
      methods.length === 0 ? (
        <EmptyState title={customers.noMethods}>
          <p>{customers.noMethodsBody}</p>
        </EmptyState>
      ) : (
        <MethodTable customer={customer} methods={methods} />
      ),
  })
}

interface MethodTableProps {
  readonly customer: Customer
  readonly methods: readonly CustomerMethod[]
}

function MethodTable({ customer, methods }: MethodTableProps) {
  const request = useRequest()
  const { customers, frame } = request.texts
  return (
    <Table
      caption={customers.tabs.methods}
      columns={[
        { label: customers.type },
        { label: customers.number },
        { label: customers.expires },
        { label: customers.isDefault },
        { label: customers.verification },
        { label: customers.profiles },
        { label: customers.stored },
        { label: frame.more, isQuiet: true },
      ]}
      rows={methods.map((method) => ({ cells: methodCells(request, customer, method) }))}
    />
  )
}

const VERIFICATION = { Verified: 'green', Unverified: 'amber', VerificationFailed: 'red' } as const

function methodCells(request: AppRequest, customer: Customer, method: CustomerMethod) {
  const { customers, frame, payments } = request.texts
  const { kind, card, isDefault, verificationState, tokens, createdTime, paymentMethodId } = method
  const { expiryMonth, expiryYear } = card ?? {}
  const profiles = tokens.map(({ profileId }) => profileName(request, profileId) ?? String(profileId))
  return [
    payments.methods[kind],
    <bdi>{storedMethodName(request, method)}</bdi>,
    expiryMonth && expiryYear ? `${String(expiryMonth).padStart(2, '0')}/${expiryYear}` : '',
    isDefault ? frame.yes : '',
    <span class={`pill ${VERIFICATION[verificationState]}`}>
      {customers.verificationStates[verificationState]}
    </span>,
    <bdi>{shortText(profiles.join(', '), NAME_SHOWN)}</bdi>,
    <Time time={createdTime} style="day" />,
    request.can('CustomerWrite') && (
      <AskButton href={`${homeOf(request, customer)}/methods/${paymentMethodId}/remove`}>
        {customers.remove}
      </AskButton>
    ),
  ]
}

async function namedMethod(request: AppRequest, customer: Customer): Promise<CustomerMethod> {
  const id = readId(request.call.params.paymentMethodId ?? '')
  const method = (await methodsOf(request, customer)).find(({ paymentMethodId }) => paymentMethodId === id)
  if (!method) throw notFound('The stored payment method')
  return method
}

export async function askRemove(request: AppRequest): Promise<PageAnswer> {
  const { customers } = request.texts
  const customer = await customerOf(request)
  const method = await namedMethod(request, customer)
  return renderAsk(request, customer, {
    title: customers.removeTitle(storedMethodName(request, method)),
    path: `methods/${method.paymentMethodId}/remove`,
    button: customers.removeButton,
    kind: 'danger',
    tab: 'methods',
    children: <p>{customers.removeBody}</p>,
  })
}

export async function postRemove(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app } = request
  const customer = await customerOf(request)
  const { paymentMethodId } = await namedMethod(request, customer)
  await removeMethod(ctx, app, customer.customerId, paymentMethodId)
  return seeOther(`${homeOf(request, customer)}/methods?note=removed`)
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
    children:
      found.length === 0 ? (
        <EmptyState title={customers.noAutoPayments}>
          <p>{customers.noMethodsBody}</p>
        </EmptyState>
      ) : (
        <Table
          caption={customers.tabs['auto-payments']}
          columns={[
            { label: customers.method },
            { label: customers.profile },
            { label: customers.lastCharge },
            { label: frame.more, isQuiet: true },
          ]}
          rows={found.map(({ method, tokenId, profile }) => ({
            cells: [
              <bdi>{storedMethodName(request, method)}</bdi>,
              <bdi>{profile}</bdi>,
              <LastCharge charge={charges.get(tokenId)} />,
              request.can('CustomerWrite') && (
                <AskButton href={`${homeOf(request, customer)}/auto-payments/${tokenId}/stop`}>
                  {customers.stop}
                </AskButton>
              ),
            ],
          }))}
        />
      ),
  })
}

function LastCharge({ charge }: { readonly charge: Payment | undefined }) {
  const request = useRequest()
  if (!charge) return <>{request.texts.customers.never}</>
  const { paymentId, amountMinor, currency, createdTime } = charge
  return (
    <>
      <a href={`${request.base}/payments/${paymentId}`}>
        <MoneyText language={request.language} minor={amountMinor} currency={currency} />
      </a>{' '}
      <Time time={createdTime} />
    </>
  )
}

async function namedAutoPayment(request: AppRequest, customer: Customer): Promise<AutoPayment> {
  const id = readId(request.call.params.tokenId ?? '')
  const found = (await autoPaymentsOf(request, customer)).find(({ tokenId }) => tokenId === id)
  if (!found) throw notFound('The auto-payment registration')
  return found
}

export async function askStop(request: AppRequest): Promise<PageAnswer> {
  const { customers } = request.texts
  const customer = await customerOf(request)
  const { method, tokenId, profile } = await namedAutoPayment(request, customer)
  return renderAsk(request, customer, {
    title: customers.stopTitle(storedMethodName(request, method), profile),
    path: `auto-payments/${tokenId}/stop`,
    button: customers.stopButton,
    kind: 'danger',
    tab: 'auto-payments',
    children: <p>{customers.stopBody}</p>,
  })
}

export async function postStop(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app } = request
  const customer = await customerOf(request)
  const { tokenId } = await namedAutoPayment(request, customer)
  await stopAutoPayment(ctx, app, customer.customerId, tokenId)
  return seeOther(`${homeOf(request, customer)}/auto-payments?note=stopped`)
}
