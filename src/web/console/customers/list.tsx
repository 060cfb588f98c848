import { LIMITS } from '../../../base/limits.ts'
import { type Customer, type CustomerPage, customerPage } from '../../../customers/commands.ts'
import { readId } from '../../../http/wire.ts'
import type { PageAnswer } from '../../kit/request/page-route.tsx'
import { Button, Field, Select } from '../../kit/html/controls.tsx'
import { ENTRY_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { drawScreen } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { GetButton } from '../parts/forms.tsx'
import { EmptyState, Pager, Table, type TableRow } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { fullName, homeOf, Marks, policiesOf } from './page.tsx'

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

const filterOf = ({ call: { query } }: AppVisit): Filter => ({
  search: query.q?.trim().slice(0, LIMITS.nameLength) || undefined,
  isBlocked: Object.hasOwn(BLOCKED, query.blocked ?? '') ? BLOCKED[query.blocked ?? ''] : undefined,
  fraudPolicyId: readId(query.policy ?? ''),
})

const isFiltered = (filter: Filter): boolean => Object.values(filter).some((value) => value !== undefined)

type PolicyNames = Awaited<ReturnType<typeof policiesOf>>

export async function showList(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call, texts, base } = visit
  const filter = filterOf(visit)
  const pageNumber = pageNumberOf(call.query.cursor, MOST_PAGES)
  const [page, policies] = await Promise.all([
    customerPage(ctx, app, { ...filter, pageNumber, pageSize: PAGE_SIZE }),
    policiesOf(visit),
  ])
  const next = page.hasNext && pageNumber < MOST_PAGES ? String(pageNumber + 1) : undefined
  return drawScreen(visit, {
    name: 'customers',
    title: texts.customers.title,
    actions: visit.can('CustomerWrite') && (
      <GetButton href={`${base}/new-customer`} kind="primary">
        {texts.customers.newCustomer}
      </GetButton>
    ),
    children: (
      <>
        <FilterForm visit={visit} filter={filter} policies={policies} />
        <List visit={visit} filter={filter} policies={policies} page={page} />
        <Pager visit={visit} next={next} />
      </>
    ),
  })
}

interface FilterProps {
  readonly visit: AppVisit
  readonly filter: Filter
  readonly policies: PolicyNames
}

function FilterForm({ visit, filter, policies }: FilterProps) {
  const { texts, base } = visit
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

function List({ visit, filter, policies, page }: FilterProps & { readonly page: CustomerPage }) {
  const { customers } = visit.texts
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
      rows={page.customers.map((customer) => rowOf(visit, customer, policyOf(customer)))}
    />
  )
}

const ID_SHOWN = 40

function rowOf(visit: AppVisit, customer: Customer, policy: string): TableRow {
  const home = homeOf(visit, customer)
  return {
    href: home,
    cells: [
      <a href={home}>
        <bdi>{shortText(customer.customerId, ID_SHOWN)}</bdi>
      </a>,
      <bdi>{fullName(customer)}</bdi>,
      <bdi>{shortText(customer.email ?? undefined, ENTRY_SHOWN)}</bdi>,
      <Marks visit={visit} customer={customer} />,
      <bdi>{policy}</bdi>,
      <Time visit={visit} time={customer.createdTime} />,
    ],
  }
}
