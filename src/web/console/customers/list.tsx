import { LIMITS } from '../../../base/limits.ts'
import { type Customer, customerPage } from '../../../customers/commands.ts'
import { readId } from '../../../http/wire.ts'
import { appNow } from '../../../merchants/app.ts'
import { type LifetimeValue, lifetimeValues } from '../../../payments/history/customer.ts'
import { Money } from '../../kit/format/money.tsx'
import { middleCut } from '../../kit/format/short-text.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { GetButton } from '../../kit/html/forms.tsx'
import { PersonName } from '../../kit/html/text.tsx'
import { Filter, List, type ListColumn, withQuery } from '../../kit/list.tsx'
import { periodFields, periodOf } from '../../kit/period.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { useRequest } from '../../kit/screen.tsx'
import { fullName, homeOf, Marks, type Policies, policiesOf } from './page.tsx'

const ORDERS = ['newest', 'oldest'] as const
type Order = (typeof ORDERS)[number]

const PAGE_SIZE = 50
/** Later pages cost more each: a search leads there. */
const MAX_PAGES = 200
const ID_SHOWN = 18

/** The cursor of numbered pages; anything else begins at the first. */
export function pageNumberOf(cursor: string | undefined, most: number): number {
  const page = readId(cursor ?? '') ?? 1
  return page <= most ? page : 1
}

const BLOCKED: Readonly<Record<string, boolean>> = { yes: true, no: false }

const filterOf = (request: AppRequest) => {
  const { ctx, app, call } = request
  const { query } = call
  return { ...readFilter(query), ...periodOf(request, appNow(ctx, app)) }
}

const readFilter = (query: Readonly<Record<string, string>>) => ({
  search: query.q?.trim().slice(0, LIMITS.nameLength) || undefined,
  isBlocked: Object.hasOwn(BLOCKED, query.blocked ?? '') ? BLOCKED[query.blocked ?? ''] : undefined,
  fraudPolicyId: readId(query.policy ?? ''),
})

export async function showList(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = request
  const { customers } = texts
  const filter = filterOf(request)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const order = ORDERS.find((name) => name === call.query.sort) ?? 'newest'
  const pageNumber = pageNumberOf(call.query.cursor, MAX_PAGES)
  const [page, policies] = await Promise.all([
    customerPage(ctx, app, { ...filter, onlyKnown: true, order, pageNumber, pageSize: PAGE_SIZE }),
    policiesOf(request),
  ])
  const ids = page.customers.map(({ customerId }) => customerId)
  const values = request.can('PaymentRead') ? await lifetimeValues(ctx, app, ids) : new Map()
  return renderScreen(request, {
    name: 'customers',
    title: customers.title,
    actions: request.can('CustomerWrite') && (
      <GetButton href={`${base}/new-customer`} kind="primary">
        {customers.newCustomer}
      </GetButton>
    ),
    children: (
      <>
        <CustomerFilter filter={filter} policies={policies} isFiltered={isFiltered} />
        <List
          caption={customers.title}
          isStacked
          items={page.customers}
          href={(customer) => homeOf(request, customer)}
          columns={columnsOf(request, { policies, values, order })}
          empty={
            isFiltered
              ? { title: customers.emptyFiltered }
              : { title: customers.empty, body: customers.emptyBody }
          }
          next={page.hasNext && pageNumber < MAX_PAGES ? String(pageNumber + 1) : undefined}
        />
      </>
    ),
  })
}

interface FilterProps {
  readonly filter: ReturnType<typeof filterOf>
  readonly policies: Policies
  readonly isFiltered: boolean
}

function CustomerFilter({ filter, policies, isFiltered }: FilterProps) {
  const request = useRequest()
  const { texts, base } = request
  const { customers } = texts
  return (
    <search>
      <Filter
        name="customers"
        class="customers-filter"
        action={`${base}/customers`}
        fields={[
          {
            name: 'q',
            type: 'search',
            label: customers.search,
            placeholder: customers.searchHint,
            value: filter.search ?? '',
            maxLength: LIMITS.nameLength,
          },
          {
            name: 'blocked',
            label: customers.blockedFilter,
            any: customers.anyBlocked,
            options: [
              { value: 'yes', label: customers.onlyBlocked },
              { value: 'no', label: customers.notBlocked },
            ],
          },
          policies.all.length > 0 && {
            name: 'policy',
            label: customers.policy,
            any: customers.anyPolicy,
            options: policies.all.map(({ policyId, name }) => ({ value: String(policyId), label: name })),
          },
          ...periodFields(request),
        ]}
        button={customers.filter}
        clear={isFiltered ? customers.clear : undefined}
      />
    </search>
  )
}

interface Shown {
  readonly policies: Policies
  readonly values: ReadonlyMap<string, LifetimeValue>
  readonly order: Order
}

function columnsOf(request: AppRequest, { policies, values, order }: Shown): ListColumn<Customer>[] {
  const { texts, call } = request
  const { customers } = texts
  const sort = {
    href: withQuery(call.path, {
      sort: order === 'newest' ? 'oldest' : undefined,
      cursor: undefined,
      note: undefined,
    }),
    now: order === 'newest' ? 'descending' : 'ascending',
  } as const
  return [
    {
      label: customers.customer,
      cell: (customer) => (
        <a href={homeOf(request, customer)}>
          <PersonName {...customer} name={fullName(customer) ?? null} />
        </a>
      ),
    },
    {
      label: customers.fields.customerId.label,
      cell: ({ customerId }) => <bdi>{middleCut(customerId, ID_SHOWN)}</bdi>,
    },
    {
      label: customers.lifetimeValue,
      end: true,
      cell: ({ customerId }) => <Value value={values.get(customerId)} />,
    },
    {
      label: customers.lastPayment,
      isTime: true,
      cell: ({ customerId }) => {
        const time = values.get(customerId)?.lastTime
        return time && <Time time={time} style="day" />
      },
    },
    { label: customers.status, cell: (customer) => <Marks customer={customer} /> },
    {
      label: customers.policy,
      cell: ({ fraudPolicyId: id }) => id !== null && <bdi>{policies.nameOf(id)}</bdi>,
    },
    {
      label: customers.created,
      isTime: true,
      sort,
      cell: ({ createdTime }) => <Time time={createdTime} style="day" />,
    },
  ]
}

/** Paid and not given back, by currency. */
function Value({ value }: { readonly value: LifetimeValue | undefined }) {
  const { texts } = useRequest()
  return (
    <>
      {value?.sums.map(({ currency, paidMinor }) => (
        <div>
          {value.isPartial && `${texts.customers.atLeast} `}
          <Money minor={paidMinor} currency={currency} />
        </div>
      ))}
    </>
  )
}
