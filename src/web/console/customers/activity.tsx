import type { ApiError } from '../../../base/errors.ts'
import { ACTIVITY_TYPES, type Activity, activityOf } from '../../../customers/activity/activity.ts'
import { type Customer, changeCustomer } from '../../../customers/commands.ts'
import { resetCounts } from '../../../fraud/verdicts/customers.ts'
import { readId } from '../../../http/wire.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { Button, Select } from '../../kit/html/controls.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { ENTRY_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { AskButton, Form } from '../../kit/html/forms.tsx'
import { EmptyState, Pager, Table } from '../../kit/list.tsx'
import { Time } from '../../kit/format/time.tsx'
import { pageNumberOf } from './list.tsx'
import { customerOf, renderAsk, renderTab, homeOf, policiesOf, policyNames, refusalOf } from './page.tsx'
import { useRequest } from '../../kit/screen.tsx'

const PAGE_SIZE = 30
const MOST_PAGES = 100

type PolicyName = Awaited<ReturnType<typeof policyNames>>

export async function showActivity(request: AppRequest, problem?: ApiError): Promise<PageAnswer> {
  const { ctx, app, call } = request
  const customer = await customerOf(request)
  const pageNumber = pageNumberOf(call.query.cursor, MOST_PAGES)
  const type = ACTIVITY_TYPES.find((one) => one === call.query.type)
  const offset = (pageNumber - 1) * PAGE_SIZE
  const [found, policyName] = await Promise.all([
    activityOf(ctx, app, { customerId: customer.customerId, type, offset, limit: PAGE_SIZE + 1 }),
    policyNames(request),
  ])
  const hasNext = found.length > PAGE_SIZE && pageNumber < MOST_PAGES
  return renderTab(request, customer, {
    tab: 'activity',
    problem,
    children: (
      <>
        {await riskCard(request, customer, policyName)}
        <Card title={request.texts.customers.activity}>
          <TypeFilter customer={customer} type={type} />
          <Log entries={found.slice(0, PAGE_SIZE)} policyName={policyName} />
          <Pager next={hasNext ? String(pageNumber + 1) : undefined} />
        </Card>
      </>
    ),
  })
}

async function riskCard(request: AppRequest, customer: Customer, policyName: PolicyName) {
  const { customers } = request.texts
  const { fraudPolicyId, isBlocked } = customer
  const home = homeOf(request, customer)
  const ids = (await policiesOf(request)).map(({ policyId }) => policyId)
  const choices = [null, ...new Set([...ids, ...(fraudPolicyId === null ? [] : [fraudPolicyId])])]
  const canWrite = request.can('CustomerWrite')
  return (
    <Card title={customers.risk}>
      {choices.length > 1 && <p class="muted">{customers.policyHint}</p>}
      {canWrite && choices.length > 1 ? (
        <Form action={`${home}/policy`} class="filter">
          <Select
            id="customer-policy"
            name="policy"
            label={customers.policy}
            value={String(fraudPolicyId ?? '')}
            options={choices.map((id) => ({ value: String(id ?? ''), label: policyName(id) }))}
          />
          <div class="buttons">
            <Button kind="quiet">{customers.policySave}</Button>
          </div>
        </Form>
      ) : (
        <p>
          {`${customers.policy}: `}
          <bdi>{policyName(fraudPolicyId)}</bdi>
        </p>
      )}
      {canWrite && (
        <div class="buttons">
          {isBlocked ? (
            <AskButton href={`${home}/unblock`}>{customers.unblock}</AskButton>
          ) : (
            <AskButton href={`${home}/block`}>{customers.block}</AskButton>
          )}
          <AskButton href={`${home}/reset`}>{customers.reset}</AskButton>
        </div>
      )}
    </Card>
  )
}

interface TypeFilterProps {
  readonly customer: Customer
  readonly type: Activity['type'] | undefined
}

function TypeFilter({ customer, type }: TypeFilterProps) {
  const request = useRequest()
  const { customers } = request.texts
  return (
    <form class="filter" method="get" action={`${homeOf(request, customer)}/activity`}>
      <Select
        id="activity-type"
        name="type"
        label={customers.activityType}
        value={type ?? ''}
        options={[
          { value: '', label: customers.allActivity },
          ...ACTIVITY_TYPES.map((value) => ({ value, label: customers.types[value] })),
        ]}
      />
      <div class="buttons">
        <Button kind="quiet">{customers.filter}</Button>
      </div>
    </form>
  )
}

interface LogProps {
  readonly entries: readonly Activity[]
  readonly policyName: PolicyName
}

function Log({ entries, policyName }: LogProps) {
  const request = useRequest()
  const { customers } = request.texts
  if (entries.length === 0) return <EmptyState title={customers.noActivity} />
  return (
    <Table
      caption={customers.activity}
      columns={[
        { label: customers.time },
        { label: customers.what },
        { label: customers.detail },
        { label: customers.who },
      ]}
      rows={entries.map((entry) => ({
        cells: [
          <Time time={entry.time} style="second" />,
          customers.types[entry.type],
          detailOf(request, entry, policyName),
          <bdi>{shortText(entry.actor?.name, ENTRY_SHOWN) ?? customers.byService}</bdi>,
        ],
      }))}
    />
  )
}

/** The members of `data`, whose names are fixed by the type. */
interface ActivityData {
  readonly before?: number | null
  readonly after?: number | null
  readonly members?: readonly ('firstName' | 'lastName' | 'email' | 'mobileNumber')[]
  readonly decision?: string
  readonly paymentId?: number
}

function detailOf({ texts, base }: AppRequest, { type, data }: Activity, policyName: PolicyName) {
  const { before, after, members, decision, paymentId } = (data ?? {}) as ActivityData
  const { customers, payment } = texts
  if (type === 'PolicyChanged')
    return <bdi>{`${policyName(before ?? null)} → ${policyName(after ?? null)}`}</bdi>
  if (members) return members.map((name) => customers[name] ?? name).join(', ')
  if (paymentId === undefined) return ''
  return (
    <>
      {decision && `${payment.items.decisions[decision] ?? decision} `}
      <a href={`${base}/payments/${paymentId}`}>{`${payment.title} ${paymentId}`}</a>
    </>
  )
}

const back = (request: AppRequest, customer: Customer, note: string): PageAnswer =>
  seeOther(`${homeOf(request, customer)}/activity?note=${note}`)

/** No policy has this id. */
const NO_POLICY = -1

/** The policy by which the payments of the customer are judged. */
export async function postPolicy(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call } = request
  const customer = await customerOf(request)
  const chosen = call.form.get('policy') ?? ''
  const fraudPolicyId = chosen === '' ? null : (readId(chosen) ?? NO_POLICY)
  try {
    await changeCustomer(ctx, app, customer.customerId, { fraudPolicyId })
  } catch (error) {
    return showActivity(request, refusalOf(error))
  }
  return back(request, customer, 'policy')
}

type Question = 'block' | 'unblock' | 'reset'

export const askRisk =
  (question: Question) =>
  async (request: AppRequest): Promise<PageAnswer> => {
    const { customers } = request.texts
    return renderAsk(request, await customerOf(request), {
      title: customers[`${question}Title`],
      path: question,
      button: customers[`${question}Button`],
      kind: question === 'block' ? 'danger' : 'primary',
      tab: 'activity',
      children: <p>{customers[`${question}Body`]}</p>,
    })
  }

export const postBlocked =
  (isBlocked: boolean) =>
  async (request: AppRequest): Promise<PageAnswer> => {
    const { ctx, app } = request
    const customer = await customerOf(request)
    await changeCustomer(ctx, app, customer.customerId, { isBlocked })
    return back(request, customer, isBlocked ? 'blocked' : 'unblocked')
  }

export async function postReset(request: AppRequest): Promise<PageAnswer> {
  const customer = await customerOf(request)
  await resetCounts(request.ctx, request.app, customer.customerId)
  return back(request, customer, 'reset')
}
