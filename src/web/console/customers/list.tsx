import { LIMITS } from '../../../base/limits.ts'
import { type Customer, type CustomerPage, customerPage } from '../../../customers/commands.ts'
import { readId } from '../../../http/wire.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { Button, Field, Select } from '../../kit/html/controls.tsx'
import { ENTRY_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { GetButton } from '../../kit/html/forms.tsx'
import { EmptyState, Pager, Table, type TableRow } from '../../kit/list.tsx'
import { Time } from '../../kit/format/time.tsx'
import { fullName, homeOf, Marks, policiesOf } from './page.tsx'
import { useRequest } from '../../kit/screen.tsx'

const PAGE_SIZE = 50
/** Later pages cost more each: a search leads there. */
const MOST_PAGES = 200

/** The cursor of numbered pages; anything else begins at the first. */
export function pageNumberOf(cursor: string | undefined, most: number): number {
  const page = readId(cursor ?? '') ?? 1
  return page <= most ? page : 1
}

interface Filter {
  readonly search: string | undefined
  readonly isBlocked: boolean | undefined
  readonly fraudPolicyId: number | undefined
}

const BLOCKED: Readonly<Record<string, boolean>> = { yes: true, no: false }

const filterOf = ({ call: { query } }: AppRequest): Filter => ({
  search: query.q?.trim().slice(0, LIMITS.nameLength) || undefined,
  isBlocked: Object.hasOwn(BLOCKED, query.blocked ?? '') ? BLOCKED[query.blocked ?? ''] : undefined,
  fraudPolicyId: readId(query.policy ?? ''),
})

const isFiltered = (filter: Filter): boolean => Object.values(filter).some((value) => value !== undefined)

type PolicyNames = Awaited<ReturnType<typeof policiesOf>>

export async function showList(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = request
  const filter = filterOf(request)
  const pageNumber = pageNumberOf(call.query.cursor, MOST_PAGES)
  const [page, policies] = await Promise.all([
    customerPage(ctx, app, { ...filter, pageNumber, pageSize: PAGE_SIZE }),
    policiesOf(request),
  ])
  const next = page.hasNext && pageNumber < MOST_PAGES ? String(pageNumber + 1) : undefined
  return renderScreen(request, {
    name: 'customers',
    title: texts.customers.title,
    actions: request.can('CustomerWrite') && (
      <GetButton href={`${base}/new-customer`} kind="primary">
        {texts.customers.newCustomer}
      </GetButton>
    ),
    children: (
      <>
        <FilterForm filter={filter} policies={policies} />
        <List filter={filter} policies={policies} page={page} />
        <Pager next={next} />
      </>
    ),
  })
}

interface FilterProps {
  readonly filter: Filter
  readonly policies: PolicyNames
}

function FilterForm({ filter, policies }: FilterProps) {
  const { texts, base } = useRequest()
  const { customers } = texts
  const { isBlocked, fraudPolicyId } = filter
  return (
    <search>
      <form class="filter customers-filter" method="get" action={`${base}/customers`}>
        <Field
          id="customers-q"
          name="q"
          type="search"
          label={customers.search}
          placeholder={customers.searchHint}
          value={filter.search ?? ''}
          maxLength={LIMITS.nameLength}
        />
        <Select
          id="customers-blocked"
          name="blocked"
          label={customers.blockedFilter}
          value={isBlocked === undefined ? '' : isBlocked ? 'yes' : 'no'}
          options={[
            { value: '', label: customers.anyBlocked },
            { value: 'yes', label: customers.onlyBlocked },
            { value: 'no', label: customers.notBlocked },
          ]}
        />
        {policies.length > 0 && (
          <Select
            id="customers-policy"
            name="policy"
            label={customers.policy}
            value={String(fraudPolicyId ?? '')}
            options={[
              { value: '', label: customers.anyPolicy },
              ...policies.map(({ policyId, name }) => ({ value: String(policyId), label: name })),
            ]}
          />
        )}
        <div class="buttons">
          <Button kind="quiet">{customers.filter}</Button>
          {isFiltered(filter) && <a href={`${base}/customers`}>{customers.clear}</a>}
        </div>
      </form>
    </search>
  )
}

function List({ filter, policies, page }: FilterProps & { readonly page: CustomerPage }) {
  const request = useRequest()
  const { customers } = request.texts
  if (page.customers.length === 0)
    return (
      <EmptyState title={isFiltered(filter) ? customers.emptyFiltered : customers.empty}>
        {!isFiltered(filter) && <p>{customers.emptyBody}</p>}
      </EmptyState>
    )
  const names = new Map(policies.map(({ policyId, name }) => [policyId, name]))
  const policyOf = ({ fraudPolicyId }: Customer): string =>
    fraudPolicyId === null ? '' : (names.get(fraudPolicyId) ?? customers.policyNumber(fraudPolicyId))
  return (
    <Table
      caption={customers.title}
      columns={[
        { label: customers.id },
        { label: customers.name },
        { label: customers.email },
        { label: customers.status },
        { label: customers.policy },
        { label: customers.created },
      ]}
      rows={page.customers.map((customer) => rowOf(request, customer, policyOf(customer)))}
    />
  )
}

const ID_SHOWN = 40

function rowOf(request: AppRequest, customer: Customer, policy: string): TableRow {
  const home = homeOf(request, customer)
  return {
    href: home,
    cells: [
      <a href={home}>
        <bdi>{shortText(customer.customerId, ID_SHOWN)}</bdi>
      </a>,
      <bdi>{fullName(customer)}</bdi>,
      <bdi>{shortText(customer.email ?? undefined, ENTRY_SHOWN)}</bdi>,
      <Marks customer={customer} />,
      <bdi>{policy}</bdi>,
      <Time time={customer.createdTime} />,
    ],
  }
}
