import { LIMITS } from '../../../base/limits.ts'
import { type Customer, customerPage } from '../../../customers/commands.ts'
import { readId } from '../../../http/wire.ts'
import { ENTRY_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { GetButton } from '../../kit/html/forms.tsx'
import { Filter, List, type ListColumn } from '../../kit/list.tsx'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { useRequest } from '../../kit/screen.tsx'
import { fullName, homeOf, Marks, type Policies, policiesOf } from './page.tsx'

const PAGE_SIZE = 50
/** Later pages cost more each: a search leads there. */
const MAX_PAGES = 200
const ID_SHOWN = 40

/** The cursor of numbered pages; anything else begins at the first. */
export function pageNumberOf(cursor: string | undefined, most: number): number {
  const page = readId(cursor ?? '') ?? 1
  return page <= most ? page : 1
}

const BLOCKED: Readonly<Record<string, boolean>> = { yes: true, no: false }

const filterOf = ({ call: { query } }: AppRequest) => ({
  search: query.q?.trim().slice(0, LIMITS.nameLength) || undefined,
  isBlocked: Object.hasOwn(BLOCKED, query.blocked ?? '') ? BLOCKED[query.blocked ?? ''] : undefined,
  fraudPolicyId: readId(query.policy ?? ''),
})

export async function showList(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = request
  const { customers } = texts
  const filter = filterOf(request)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const pageNumber = pageNumberOf(call.query.cursor, MAX_PAGES)
  const [page, policies] = await Promise.all([
    customerPage(ctx, app, { ...filter, pageNumber, pageSize: PAGE_SIZE }),
    policiesOf(request),
  ])
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
          items={page.customers}
          href={(customer) => homeOf(request, customer)}
          columns={columnsOf(request, policies)}
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
  const { texts, base } = useRequest()
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
        ]}
        button={customers.filter}
        clear={isFiltered ? customers.clear : undefined}
      />
    </search>
  )
}

function columnsOf(request: AppRequest, policies: Policies): ListColumn<Customer>[] {
  const { customers } = request.texts
  return [
    {
      label: customers.fields.customerId.label,
      cell: (customer) => (
        <a href={homeOf(request, customer)}>
          <bdi>{shortText(customer.customerId, ID_SHOWN)}</bdi>
        </a>
      ),
    },
    { label: customers.name, cell: (customer) => <bdi>{fullName(customer)}</bdi> },
    {
      label: customers.fields.email.label,
      cell: ({ email }) => <bdi>{shortText(email ?? undefined, ENTRY_SHOWN)}</bdi>,
    },
    { label: customers.status, cell: (customer) => <Marks customer={customer} /> },
    {
      label: customers.policy,
      cell: ({ fraudPolicyId: id }) => <bdi>{id === null ? '' : policies.nameOf(id)}</bdi>,
    },
    { label: customers.created, cell: ({ createdTime }) => <Time time={createdTime} /> },
  ]
}
