import type { ComponentChildren } from 'preact'
import type { ApiError } from '../../../base/errors.ts'
import { type Customer, getCustomer } from '../../../customers/commands.ts'
import { type CustomerMethod, customerMethods } from '../../../customers/methods.ts'
import { policyPage } from '../../../fraud/policies/commands.ts'
import { findProfile } from '../../../merchants/app.ts'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { QuestionButton } from '../../kit/html/forms.tsx'
import { refusalText } from '../../kit/refusal.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { useRequest } from '../../kit/screen.tsx'

/** Parts of every page of one customer. */

/** The path of a customer's page. */
export const ONE = '/customers/{customerId}'

export const homeOf = ({ base }: AppRequest, { customerId }: Pick<Customer, 'customerId'>): string =>
  `${base}/customers/${encodeURIComponent(customerId)}`

export const customerOf = ({ ctx, app, call }: AppRequest): Promise<Customer> =>
  getCustomer(ctx, app, call.params.customerId ?? '')

export const fullName = ({ firstName, lastName }: Customer): string | undefined =>
  shortText([firstName, lastName].filter(Boolean).join(' '), NAME_SHOWN)

/** The best known name. */
const nameOf = (customer: Customer): string =>
  fullName(customer) ?? shortText(customer.email || customer.customerId, NAME_SHOWN) ?? ''

/** `Visa •••• 4242`: labels are masked when a method is stored. */
export const storedMethodName = ({ texts }: AppRequest, { kind, label }: CustomerMethod): string =>
  shortText(label, NAME_SHOWN) ?? texts.payments.methods[kind]

/** Methods that can be charged now, the default one first. */
export async function chargeableMethods({ ctx, app }: AppRequest, { customerId }: Customer) {
  const methods = await customerMethods(ctx, app, customerId, { onlyVerified: true })
  const usable = methods.filter(({ tokens }) =>
    tokens.some(({ profileId }) => findProfile(app, profileId)?.isActive),
  )
  return usable.sort((a, b) => Number(b.isDefault) - Number(a.isDefault))
}

export interface Policies {
  readonly all: readonly { readonly policyId: number; readonly name: string }[]
  readonly nameOf: (policyId: number | null) => string
}

/** The policies that a customer may have, for those who may know them. */
export async function policiesOf({ ctx, app, can, texts }: AppRequest): Promise<Policies> {
  const { customers } = texts
  const items = can('FraudPolicyRead') ? (await policyPage(ctx, app, 0)).items : []
  const all = items.map(({ policyId, name }) => ({ policyId, name: shortText(name, NAME_SHOWN) ?? '' }))
  const names = new Map(all.map(({ policyId, name }) => [policyId, name]))
  return {
    all,
    nameOf: (policyId) =>
      policyId === null
        ? customers.defaultPolicy
        : (names.get(policyId) ?? customers.policyNumber({ id: policyId })),
  }
}

const TABS = ['overview', 'methods', 'auto-payments', 'payments', 'activity'] as const

interface TabPage {
  readonly tab: (typeof TABS)[number]
  /** Why the last form was refused. */
  readonly problem?: ApiError | undefined
  readonly children: ComponentChildren
}

/** A page of one customer, below its tabs. */
export async function renderTab(
  request: AppRequest,
  customer: Customer,
  { tab, problem, children }: TabPage,
): Promise<PageAnswer> {
  const { customers } = request.texts
  const home = homeOf(request, customer)
  const tabs = TABS.map((name) => ({
    label: customers.tabs[name],
    href: name === 'overview' ? home : `${home}/${name}`,
    isCurrent: name === tab,
  }))
  const canCharge = request.can('PaymentWrite') && (await chargeableMethods(request, customer)).length > 0
  return renderScreen(request, {
    name: 'customers',
    title: nameOf(customer),
    heading: (
      <span class="customer-head">
        <bdi>{nameOf(customer)}</bdi>
        <Marks customer={customer} />
      </span>
    ),
    crumbs: [{ label: customers.title, href: `${request.base}/customers` }],
    actions: <Actions customer={customer} canCharge={canCharge} />,
    problem,
    tabs,
    children,
  })
}

interface OfCustomer {
  readonly customer: Customer
}

/** Blocked and erased, where they hold. */
export const Marks = ({ customer }: OfCustomer) => {
  const { customers } = useRequest().texts
  return (
    <>
      {customer.isBlocked && <span class="pill red">{customers.blocked}</span>}
      {customer.erasedTime && <span class="pill outline">{customers.erased}</span>}
    </>
  )
}

function Actions({ customer, canCharge }: OfCustomer & { readonly canCharge: boolean }) {
  const request = useRequest()
  const { customers } = request.texts
  const home = homeOf(request, customer)
  const obstacle = customer.isBlocked ? customers.chargeBlocked : canCharge ? undefined : customers.chargeNone
  const canWrite = request.can('CustomerWrite')
  return (
    <>
      {request.can('CustomerErase') && (
        <QuestionButton href={`${home}/erase`}>{customers.erase}</QuestionButton>
      )}
      {request.can('FraudPolicyWrite') && (
        <QuestionButton href={`${home}/block-list`}>{request.texts.blocks.addButton}</QuestionButton>
      )}
      {canWrite && <QuestionButton href={`${home}/edit`}>{customers.edit}</QuestionButton>}
      {canWrite && <QuestionButton href={`${home}/panel-link`}>{customers.panelLink}</QuestionButton>}
      {request.can('PaymentWrite') && (
        <QuestionButton href={`${home}/charge`} kind="primary" disabled={obstacle}>
          {customers.charge}
        </QuestionButton>
      )}
    </>
  )
}

export const customerCrumbs = (request: AppRequest, { customer }: OfCustomer) => [
  { label: request.texts.customers.title, href: `${request.base}/customers` },
  { label: nameOf(customer), href: homeOf(request, customer) },
]

/** Shared by every question about one customer. */
export const OF_CUSTOMER = {
  subject: async (request: AppRequest): Promise<OfCustomer> => ({ customer: await customerOf(request) }),
  crumbs: customerCrumbs,
}

/** Where a form with fields is refused. */
export const fieldsRefusal = (request: AppRequest, problem: ApiError): string =>
  problem.extras.errors?.length ? request.texts.frame.correct : refusalText(request, problem)
