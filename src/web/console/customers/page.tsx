import type { ComponentChildren } from 'preact'
import { ApiError } from '../../../base/errors.ts'
import { type Customer, getCustomer } from '../../../customers/commands.ts'
import { type CustomerMethod, customerMethods } from '../../../customers/methods.ts'
import { policyPage } from '../../../fraud/policies/commands.ts'
import { findProfile } from '../../../merchants/app.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { Notice } from '../../kit/html/layout.tsx'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Question, AskButton } from '../../kit/html/forms.tsx'
import { Tabs } from '../../kit/html/text.tsx'
import { useRequest } from '../../kit/screen.tsx'

/** Parts of every page of one customer. */

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

interface PolicyName {
  readonly policyId: number
  readonly name: string
}

/** The policies that a customer may have, for those who may know them. */
export async function policiesOf({ ctx, app, can }: AppRequest): Promise<readonly PolicyName[]> {
  if (!can('FraudPolicyRead')) return []
  const { items } = await policyPage(ctx, app, 0)
  return items.map(({ policyId, name }) => ({ policyId, name: shortText(name, NAME_SHOWN) ?? '' }))
}

export async function policyNames(request: AppRequest): Promise<(policyId: number | null) => string> {
  const names = new Map((await policiesOf(request)).map(({ policyId, name }) => [policyId, name]))
  const { customers } = request.texts
  return (policyId) =>
    policyId === null ? customers.defaultPolicy : (names.get(policyId) ?? customers.policyNumber(policyId))
}

/** Refusals that the person can correct are shown with the form; all others are thrown on. */
export function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError && error.status < 500 && ![401, 403, 404].includes(error.status)) return error
  throw error
}

export const refusalText = ({ texts }: AppRequest, problem: ApiError): string =>
  problem.extras.errors?.length ? texts.frame.correct : problem.message

function flashOf({ call, texts }: AppRequest): { kind: 'ok'; text: string } | undefined {
  const { notes } = texts.customers
  const note = call.query.note ?? ''
  return Object.hasOwn(notes, note) ? { kind: 'ok', text: notes[note as keyof typeof notes] } : undefined
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
  const { texts, base } = request
  const { customers } = texts
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
    heading: <Heading customer={customer} />,
    crumbs: [{ label: customers.title, href: `${base}/customers` }],
    actions: <Actions customer={customer} canCharge={canCharge} />,
    status: problem?.status ?? 200,
    flash: problem ? { kind: 'bad', text: problem.message } : flashOf(request),
    children: (
      <>
        <Tabs tabs={tabs} label={nameOf(customer)} />
        {children}
      </>
    ),
  })
}

interface CustomerProps {
  readonly customer: Customer
}

const Heading = ({ customer }: CustomerProps) => (
  <span class="customer-head">
    <bdi>{nameOf(customer)}</bdi>
    <Marks customer={customer} />
  </span>
)

/** Blocked and erased, where they hold. */
export const Marks = ({ customer }: CustomerProps) => {
  const { texts } = useRequest()
  return (
    <>
      {customer.isBlocked && <span class="pill red">{texts.customers.blocked}</span>}
      {customer.erasedTime && <span class="pill outline">{texts.customers.erased}</span>}
    </>
  )
}

function Actions({ customer, canCharge }: CustomerProps & { readonly canCharge: boolean }) {
  const request = useRequest()
  const { customers } = request.texts
  const home = homeOf(request, customer)
  const obstacle = customer.isBlocked ? customers.chargeBlocked : canCharge ? undefined : customers.chargeNone
  const canWrite = request.can('CustomerWrite')
  return (
    <>
      {request.can('CustomerErase') && <AskButton href={`${home}/erase`}>{customers.erase}</AskButton>}
      {canWrite && <AskButton href={`${home}/edit`}>{customers.edit}</AskButton>}
      {canWrite && <AskButton href={`${home}/panel-link`}>{customers.panelLink}</AskButton>}
      {request.can('PaymentWrite') && (
        <AskButton href={`${home}/charge`} kind="primary" disabled={obstacle}>
          {customers.charge}
        </AskButton>
      )}
    </>
  )
}

interface AskPage {
  readonly title: string
  /** Below the page of the customer. */
  readonly path: string
  readonly button: string
  readonly kind?: 'primary' | 'danger'
  /** The tab to return to. */
  readonly tab?: string
  readonly problem?: { readonly status: number; readonly text: string } | undefined
  readonly children: ComponentChildren
}

/** A page that asks before an action on one customer. */
export function renderAsk(request: AppRequest, customer: Customer, asked: AskPage): PageAnswer {
  const { title, path, button, kind = 'primary', tab, problem, children } = asked
  const home = homeOf(request, customer)
  return renderScreen(request, {
    name: 'customers',
    title,
    crumbs: customerCrumbs(request, customer),
    status: problem?.status ?? 200,
    children: (
      <Question action={`${home}/${path}`} button={button} kind={kind} back={tab ? `${home}/${tab}` : home}>
        {problem && <Notice kind="bad" title={problem.text} />}
        {children}
      </Question>
    ),
  })
}

export const customerCrumbs = (request: AppRequest, customer: Customer) => [
  { label: request.texts.customers.title, href: `${request.base}/customers` },
  { label: nameOf(customer), href: homeOf(request, customer) },
]
