import type { ApiError } from '../../../base/errors.ts'
import { ACTIVITY_TYPES, type Activity, activityOf } from '../../../customers/activity/activity.ts'
import { type Customer, changeCustomer } from '../../../customers/commands.ts'
import { resetCounts } from '../../../fraud/verdicts/customers.ts'
import { readId } from '../../../http/wire.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { Button, Select } from '../../kit/html/controls.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { ENTRY_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { AppVisit } from '../frame/visit.ts'
import { AskButton, Form } from '../parts/forms.tsx'
import { EmptyState, Pager, Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { pageNumberOf } from './list.tsx'
import { customerOf, drawAsk, drawTab, homeOf, policiesOf, policyNames, refusalOf } from './page.tsx'

const PAGE_SIZE = 30
const MOST_PAGES = 100

type PolicyName = Awaited<ReturnType<typeof policyNames>>

export async function showActivity(visit: AppVisit, problem?: ApiError): Promise<PageAnswer> {
  const { ctx, app, call } = visit
  const customer = await customerOf(visit)
  const pageNumber = pageNumberOf(call.query.cursor, MOST_PAGES)
  const type = ACTIVITY_TYPES.find((one) => one === call.query.type)
  const offset = (pageNumber - 1) * PAGE_SIZE
  const [found, policyName] = await Promise.all([
    activityOf(ctx, app, { customerId: customer.customerId, type, offset, limit: PAGE_SIZE + 1 }),
    policyNames(visit),
  ])
  const hasNext = found.length > PAGE_SIZE && pageNumber < MOST_PAGES
  return drawTab(visit, customer, {
    tab: 'activity',
    problem,
    children: (
      <>
        {await Risk({ visit, customer, policyName })}
        <Card title={visit.texts.customers.activity}>
          <TypeFilter visit={visit} customer={customer} type={type} />
          <Log visit={visit} entries={found.slice(0, PAGE_SIZE)} policyName={policyName} />
          <Pager visit={visit} next={hasNext ? String(pageNumber + 1) : undefined} />
        </Card>
      </>
    ),
  })
}

interface RiskProps {
  readonly visit: AppVisit
  readonly customer: Customer
  readonly policyName: PolicyName
}

async function Risk({ visit, customer, policyName }: RiskProps) {
  const { customers } = visit.texts
  const { fraudPolicyId, isBlocked } = customer
  const home = homeOf(visit, customer)
  const ids = (await policiesOf(visit)).map(({ policyId }) => policyId)
  const choices = [null, ...new Set([...ids, ...(fraudPolicyId === null ? [] : [fraudPolicyId])])]
  const canWrite = visit.can('CustomerWrite')
  return (
    <Card title={customers.risk}>
      {choices.length > 1 && <p class="muted">{customers.policyHint}</p>}
      {canWrite && choices.length > 1 ? (
        <Form visit={visit} action={`${home}/policy`} class="filter">
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
  readonly visit: AppVisit
  readonly customer: Customer
  readonly type: Activity['type'] | undefined
}

function TypeFilter({ visit, customer, type }: TypeFilterProps) {
  const { customers } = visit.texts
  return (
    <form class="filter" method="get" action={`${homeOf(visit, customer)}/activity`}>
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
  readonly visit: AppVisit
  readonly entries: readonly Activity[]
  readonly policyName: PolicyName
}

function Log({ visit, entries, policyName }: LogProps) {
  const { customers } = visit.texts
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
          <Time visit={visit} time={entry.time} style="second" />,
          customers.types[entry.type],
          detailOf(visit, entry, policyName),
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

function detailOf({ texts, base }: AppVisit, { type, data }: Activity, policyName: PolicyName) {
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

const back = (visit: AppVisit, customer: Customer, note: string): PageAnswer =>
  seeOther(`${homeOf(visit, customer)}/activity?note=${note}`)

/** No policy has this id. */
const NO_POLICY = -1

/** The policy by which the payments of the customer are judged. */
export async function postPolicy(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call } = visit
  const customer = await customerOf(visit)
  const chosen = call.form.get('policy') ?? ''
  const fraudPolicyId = chosen === '' ? null : (readId(chosen) ?? NO_POLICY)
  try {
    await changeCustomer(ctx, app, customer.customerId, { fraudPolicyId })
  } catch (error) {
    return showActivity(visit, refusalOf(error))
  }
  return back(visit, customer, 'policy')
}

type Question = 'block' | 'unblock' | 'reset'

export const askRisk =
  (question: Question) =>
  async (visit: AppVisit): Promise<PageAnswer> => {
    const { customers } = visit.texts
    return drawAsk(visit, await customerOf(visit), {
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
  async (visit: AppVisit): Promise<PageAnswer> => {
    const { ctx, app } = visit
    const customer = await customerOf(visit)
    await changeCustomer(ctx, app, customer.customerId, { isBlocked })
    return back(visit, customer, isBlocked ? 'blocked' : 'unblocked')
  }

export async function postReset(visit: AppVisit): Promise<PageAnswer> {
  const customer = await customerOf(visit)
  await resetCounts(visit.ctx, visit.app, customer.customerId)
  return back(visit, customer, 'reset')
}
