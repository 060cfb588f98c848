import type { ApiError } from '../../../base/errors.ts'
import { ACTIVITY_TYPES, type Activity, activityOf } from '../../../customers/activity/activity.ts'
import { type Customer, changeCustomer } from '../../../customers/commands.ts'
import { resetCounts } from '../../../fraud/verdicts/customers.ts'
import { readId } from '../../../http/wire.ts'
import { ENTRY_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Button, Select } from '../../kit/html/controls.tsx'
import { Form, QuestionButton } from '../../kit/html/forms.tsx'
import { Card } from '../../kit/html/layout.tsx'
import { Filter, List } from '../../kit/list.tsx'
import { question } from '../../kit/question.tsx'
import { retryForm } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import type { ScreenRoute } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'
import { textNamed } from '../../kit/texts/texts.ts'
import { pageNumberOf } from './list.tsx'
import { customerOf, homeOf, OF_CUSTOMER, ONE, type Policies, policiesOf, renderTab } from './page.tsx'

const PAGE_SIZE = 30
const MAX_PAGES = 100

export async function showActivity(request: AppRequest, problem?: ApiError): Promise<PageAnswer> {
  const { ctx, app, call, texts } = request
  const { customers } = texts
  const customer = await customerOf(request)
  const pageNumber = pageNumberOf(call.query.cursor, MAX_PAGES)
  const type = ACTIVITY_TYPES.find((one) => one === call.query.type)
  const offset = (pageNumber - 1) * PAGE_SIZE
  const [found, policies] = await Promise.all([
    activityOf(ctx, app, { customerId: customer.customerId, type, offset, limit: PAGE_SIZE + 1 }),
    policiesOf(request),
  ])
  const hasNext = found.length > PAGE_SIZE && pageNumber < MAX_PAGES
  return renderTab(request, customer, {
    tab: 'activity',
    problem,
    children: (
      <>
        <RiskCard customer={customer} policies={policies} />
        <Card title={customers.activity}>
          <Filter
            name="activity"
            action={`${homeOf(request, customer)}/activity`}
            fields={[
              {
                name: 'type',
                label: customers.activityType,
                any: customers.allActivity,
                options: ACTIVITY_TYPES.map((value) => ({ value, label: customers.types[value] })),
              },
            ]}
            button={customers.filter}
          />
          <List
            caption={customers.activity}
            items={found.slice(0, PAGE_SIZE)}
            columns={[
              { label: customers.time, cell: ({ time }) => <Time time={time} style="second" /> },
              { label: customers.what, cell: (entry) => customers.types[entry.type] },
              { label: customers.detail, cell: (entry) => detailOf(request, entry, policies) },
              {
                label: customers.who,
                cell: ({ actor }) => <bdi>{shortText(actor?.name, ENTRY_SHOWN) ?? customers.byService}</bdi>,
              },
            ]}
            empty={{ title: customers.noActivity }}
            next={hasNext ? String(pageNumber + 1) : undefined}
          />
        </Card>
      </>
    ),
  })
}

function RiskCard({ customer, policies }: { readonly customer: Customer; readonly policies: Policies }) {
  const request = useRequest()
  const { customers } = request.texts
  const { fraudPolicyId, isBlocked } = customer
  const home = homeOf(request, customer)
  const ids = policies.all.map(({ policyId }) => policyId)
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
            options={choices.map((id) => ({ value: String(id ?? ''), label: policies.nameOf(id) }))}
          />
          <div class="buttons">
            <Button kind="quiet">{customers.policySave}</Button>
          </div>
        </Form>
      ) : (
        <p>
          {`${customers.policy}: `}
          <bdi>{policies.nameOf(fraudPolicyId)}</bdi>
        </p>
      )}
      {canWrite && (
        <div class="buttons">
          {isBlocked ? (
            <QuestionButton href={`${home}/unblock`}>{customers.unblock}</QuestionButton>
          ) : (
            <QuestionButton href={`${home}/block`}>{customers.block}</QuestionButton>
          )}
          <QuestionButton href={`${home}/reset`}>{customers.reset}</QuestionButton>
        </div>
      )}
    </Card>
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

function detailOf({ texts, base }: AppRequest, { type, data }: Activity, { nameOf }: Policies) {
  const { before, after, members, decision, paymentId } = (data ?? {}) as ActivityData
  const { customers, payment } = texts
  if (type === 'PolicyChanged') return <bdi>{`${nameOf(before ?? null)} → ${nameOf(after ?? null)}`}</bdi>
  if (members) return members.map((name) => customers.fields[name]?.label ?? name).join(', ')
  if (paymentId === undefined) return ''
  return (
    <>
      {decision && `${textNamed(payment.items.decisions, decision) ?? decision} `}
      <a href={`${base}/payments/${paymentId}`}>{`${payment.title} ${paymentId}`}</a>
    </>
  )
}

/** No policy has this id. */
const NO_POLICY = -1

/** The policy by which the payments of the customer are judged. */
export async function postPolicy(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call } = request
  const customer = await customerOf(request)
  const chosen = call.form.get('policy') ?? ''
  const fraudPolicyId = chosen === '' ? null : (readId(chosen) ?? NO_POLICY)
  return retryForm(
    async () => {
      await changeCustomer(ctx, app, customer.customerId, { fraudPolicyId })
      return seeOther(`${homeOf(request, customer)}/activity?note=policy`)
    },
    (problem) => showActivity(request, problem),
  )
}

interface RiskQuestion {
  /** Its texts begin with it. */
  readonly name: 'block' | 'unblock' | 'reset'
  readonly note: string
  readonly run: (request: AppRequest, customerId: string) => Promise<unknown>
}

const riskQuestion = ({ name, note, run }: RiskQuestion): ScreenRoute[] =>
  question(`${ONE}/${name}`, 'CustomerWrite', {
    ...OF_CUSTOMER,
    kind: name === 'block' ? 'danger' : 'primary',
    back: `${ONE}/activity`,
    texts: ({ customers }) => ({
      title: customers[`${name}Title`],
      body: customers[`${name}Body`],
      button: customers[`${name}Button`],
    }),
    run: async (request, { customer }) => {
      await run(request, customer.customerId)
      return note
    },
  })

export const riskQuestions: readonly ScreenRoute[] = [
  ...riskQuestion({
    name: 'block',
    note: 'blocked',
    run: ({ ctx, app }, customerId) => changeCustomer(ctx, app, customerId, { isBlocked: true }),
  }),
  ...riskQuestion({
    name: 'unblock',
    note: 'unblocked',
    run: ({ ctx, app }, customerId) => changeCustomer(ctx, app, customerId, { isBlocked: false }),
  }),
  ...riskQuestion({
    name: 'reset',
    note: 'reset',
    run: ({ ctx, app }, customerId) => resetCounts(ctx, app, customerId),
  }),
]
