import { notFound } from '../../../base/errors.ts'
import type { Customer } from '../../../customers/commands.ts'
import { type CustomerMethod, customerMethods } from '../../../customers/methods.ts'
import { removeMethod, stopAutoPayment } from '../../../customers/remove-method.ts'
import { readId } from '../../../http/wire.ts'
import { lastChargesOf } from '../../../payments/history/customer.ts'
import type { Payment } from '../../../payments/payment.ts'
import { MoneyText } from '../../kit/format/money.tsx'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { AskButton } from '../parts/forms.tsx'
import { EmptyState, Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { profileName } from '../payments/names.ts'
import { customerOf, drawAsk, drawTab, homeOf, methodName } from './page.tsx'

const methodsOf = ({ ctx, app }: AppVisit, { customerId }: Customer): Promise<CustomerMethod[]> =>
  customerMethods(ctx, app, customerId, { onlyVerified: false })

export async function showMethods(visit: AppVisit): Promise<PageAnswer> {
  const { customers } = visit.texts
  const customer = await customerOf(visit)
  const methods = await methodsOf(visit, customer)
  return drawTab(visit, customer, {
    tab: 'methods',
    children:
      methods.length === 0 ? (
        <EmptyState title={customers.noMethods}>
          <p>{customers.noMethodsBody}</p>
        </EmptyState>
      ) : (
        <MethodTable visit={visit} customer={customer} methods={methods} />
      ),
  })
}

interface MethodTableProps {
  readonly visit: AppVisit
  readonly customer: Customer
  readonly methods: readonly CustomerMethod[]
}

function MethodTable({ visit, customer, methods }: MethodTableProps) {
  const { customers, frame } = visit.texts
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
      rows={methods.map((method) => ({ cells: methodCells(visit, customer, method) }))}
    />
  )
}

const VERIFICATION = { Verified: 'green', Unverified: 'amber', VerificationFailed: 'red' } as const

function methodCells(visit: AppVisit, customer: Customer, method: CustomerMethod) {
  const { customers, frame, payments } = visit.texts
  const { kind, card, isDefault, verificationState, tokens, createdTime, paymentMethodId } = method
  const { expiryMonth, expiryYear } = card ?? {}
  const profiles = tokens.map(({ profileId }) => profileName(visit, profileId) ?? String(profileId))
  return [
    payments.methods[kind],
    <bdi>{methodName(visit, method)}</bdi>,
    expiryMonth && expiryYear ? `${String(expiryMonth).padStart(2, '0')}/${expiryYear}` : '',
    isDefault ? frame.yes : '',
    <span class={`pill ${VERIFICATION[verificationState]}`}>
      {customers.verificationStates[verificationState]}
    </span>,
    <bdi>{shortText(profiles.join(', '), NAME_SHOWN)}</bdi>,
    <Time visit={visit} time={createdTime} style="day" />,
    visit.can('CustomerWrite') && (
      <AskButton href={`${homeOf(visit, customer)}/methods/${paymentMethodId}/remove`}>
        {customers.remove}
      </AskButton>
    ),
  ]
}

async function namedMethod(visit: AppVisit, customer: Customer): Promise<CustomerMethod> {
  const id = readId(visit.call.params.paymentMethodId ?? '')
  const method = (await methodsOf(visit, customer)).find(({ paymentMethodId }) => paymentMethodId === id)
  if (!method) throw notFound('The stored payment method')
  return method
}

export async function askRemove(visit: AppVisit): Promise<PageAnswer> {
  const { customers } = visit.texts
  const customer = await customerOf(visit)
  const method = await namedMethod(visit, customer)
  return drawAsk(visit, customer, {
    title: customers.removeTitle(methodName(visit, method)),
    path: `methods/${method.paymentMethodId}/remove`,
    button: customers.removeButton,
    kind: 'danger',
    tab: 'methods',
    children: <p>{customers.removeBody}</p>,
  })
}

export async function postRemove(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app } = visit
  const customer = await customerOf(visit)
  const { paymentMethodId } = await namedMethod(visit, customer)
  await removeMethod(ctx, app, customer.customerId, paymentMethodId)
  return seeOther(`${homeOf(visit, customer)}/methods?note=removed`)
}

/** A method that can be charged at one provider profile without the customer. */
interface AutoPayment {
  readonly method: CustomerMethod
  readonly tokenId: number
  readonly profile: string
}

async function autoPaymentsOf(visit: AppVisit, customer: Customer): Promise<AutoPayment[]> {
  const methods = await methodsOf(visit, customer)
  return methods.flatMap((method) =>
    method.tokens.map(({ tokenId, profileId }) => ({
      method,
      tokenId,
      profile: shortText(profileName(visit, profileId), NAME_SHOWN) ?? String(profileId),
    })),
  )
}

export async function showAutoPayments(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, texts } = visit
  const { customers, frame } = texts
  const customer = await customerOf(visit)
  const found = await autoPaymentsOf(visit, customer)
  const charges = await lastChargesOf(ctx, app, customer.customerId)
  return drawTab(visit, customer, {
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
              <bdi>{methodName(visit, method)}</bdi>,
              <bdi>{profile}</bdi>,
              <LastCharge visit={visit} charge={charges.get(tokenId)} />,
              visit.can('CustomerWrite') && (
                <AskButton href={`${homeOf(visit, customer)}/auto-payments/${tokenId}/stop`}>
                  {customers.stop}
                </AskButton>
              ),
            ],
          }))}
        />
      ),
  })
}

function LastCharge({ visit, charge }: { readonly visit: AppVisit; readonly charge: Payment | undefined }) {
  if (!charge) return <>{visit.texts.customers.never}</>
  const { paymentId, amountMinor, currency, createdTime } = charge
  return (
    <>
      <a href={`${visit.base}/payments/${paymentId}`}>
        <MoneyText language={visit.language} minor={amountMinor} currency={currency} />
      </a>{' '}
      <Time visit={visit} time={createdTime} />
    </>
  )
}

async function namedAutoPayment(visit: AppVisit, customer: Customer): Promise<AutoPayment> {
  const id = readId(visit.call.params.tokenId ?? '')
  const found = (await autoPaymentsOf(visit, customer)).find(({ tokenId }) => tokenId === id)
  if (!found) throw notFound('The auto-payment registration')
  return found
}

export async function askStop(visit: AppVisit): Promise<PageAnswer> {
  const { customers } = visit.texts
  const customer = await customerOf(visit)
  const { method, tokenId, profile } = await namedAutoPayment(visit, customer)
  return drawAsk(visit, customer, {
    title: customers.stopTitle(methodName(visit, method), profile),
    path: `auto-payments/${tokenId}/stop`,
    button: customers.stopButton,
    kind: 'danger',
    tab: 'auto-payments',
    children: <p>{customers.stopBody}</p>,
  })
}

export async function postStop(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app } = visit
  const customer = await customerOf(visit)
  const { tokenId } = await namedAutoPayment(visit, customer)
  await stopAutoPayment(ctx, app, customer.customerId, tokenId)
  return seeOther(`${homeOf(visit, customer)}/auto-payments?note=stopped`)
}
