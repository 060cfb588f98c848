import type { ComponentChildren } from 'preact'
import { DAY } from '../../../base/clock.ts'
import { decimalText } from '../../../base/money.ts'
import type { ListedPayment } from '../../../payments/search/filter.ts'
import { shownState } from '../../../payments/search/outcome.ts'
import type { ListedPayer, PaymentPage } from '../../../payments/search/search.ts'
import { Money } from '../../kit/format/money.tsx'
import { methodName, profileName } from '../../kit/format/names.ts'
import { middleCut, NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { GetButton } from '../../kit/html/forms.tsx'
import { StandingBadge } from '../../kit/html/state-badge.tsx'
import { CustomerLink, PersonName } from '../../kit/html/text.tsx'
import { EmptyState, List, Pager } from '../../kit/list.tsx'
import { useRequest } from '../../kit/screen.tsx'
import { reasonText } from '../payment/words.ts'
import { isFiltered, type ListAddress, type ListColumnId, listPath } from './address.ts'
import { BulkBar } from './bulk.tsx'
import { columnsPath } from './columns.tsx'
import { Chips, FilterForm, type PolicyName } from './filter.tsx'
import { QuickTabs, type TabCounts, Totals } from './tabs.tsx'
import { Views } from './views.tsx'
import type { SavedView } from './views-store.ts'

interface PaymentListProps {
  readonly address: ListAddress
  readonly page: PaymentPage
  readonly views: readonly SavedView[]
  readonly policies: readonly PolicyName[]
  readonly columns: readonly ListColumnId[]
  readonly counts: TabCounts
  readonly payers: Payers
  /** Asked by the script for the number of newer payments; undefined on later pages. */
  readonly newerPath: string | undefined
}

export function PaymentList(props: PaymentListProps) {
  const { address, page, views, policies, newerPath } = props
  const { base, texts } = useRequest()
  const { payments } = texts
  const notes = [
    page.notUnderstood.length > 0 && payments.notUnderstood({ terms: page.notUnderstood.join(' ') }),
    page.isPartial && payments.partial,
  ]
  return (
    <>
      <QuickTabs address={address} counts={props.counts} />
      <Views address={address} views={views} />
      <FilterForm address={address} policies={policies} />
      <div class="list-tools">
        <Chips address={address} />
        {page.totals && <Totals totals={page.totals} />}
        <div role="status" class="list-notes">
          {notes.map(
            (note) =>
              note && (
                <p class="warn-text">
                  <bdi>{shortText(note, 300)}</bdi>
                </p>
              ),
          )}
          {newerPath && (
            <a
              class="chip newer"
              hidden
              href={listPath(base, address)}
              data-newer={newerPath}
              data-newer-text={payments.newer}
            >
              {payments.newer}
            </a>
          )}
        </div>
        <a class="columns-link" href={columnsPath(base, address)}>
          {payments.columns}
        </a>
      </div>
      {page.payments.length === 0 ? (
        <Empty address={address} />
      ) : (
        <PaymentTable
          columns={props.columns}
          payments={page.payments}
          payers={props.payers}
          sorted={address}
        />
      )}
      <Pager next={page.next} />
    </>
  )
}

function Empty({ address }: Pick<PaymentListProps, 'address'>) {
  const { texts, base, can } = useRequest()
  const { payments } = texts
  if (isFiltered(address))
    return (
      <EmptyState title={payments.emptyFiltered}>
        <a href={`${base}/payments`}>{payments.clear}</a>
      </EmptyState>
    )
  return (
    <EmptyState title={payments.empty}>
      <p>{payments.emptyBody}</p>
      {can('PaymentWrite') && <GetButton href={`${base}/links/new`}>{payments.newLink}</GetButton>}
    </EmptyState>
  )
}

type Payers = ReadonlyMap<number, ListedPayer>
type Cell = (request: AppRequest, payment: ListedPayment, payers: Payers) => ComponentChildren

const CELLS: Readonly<Record<ListColumnId, Cell>> = {
  amount: ({ base }, { paymentId, amountMinor, currency }) => (
    <a href={`${base}/payments/${paymentId}`}>
      <Money minor={amountMinor} currency={currency} />
    </a>
  ),
  state: ({ texts }, payment) => (
    <>
      <StandingBadge texts={texts} payment={payment} />
      {shownState(payment) === 'declined' && payment.reason !== null && (
        <small class="muted"> {reasonText(texts, payment.reason)}</small>
      )}
    </>
  ),
  method: (request, payment) => <Short text={methodName(request, payment)} />,
  customer: (_request, { customerId, paymentId }, payers) => (
    <CustomerLink customerId={customerId}>
      <PersonName customerId={customerId} {...payers.get(paymentId)} />
    </CustomerLink>
  ),
  reference: (_request, { referenceId }) => <Reference text={referenceId} />,
  provider: (request, { profileId }) => <Short text={profileName(request, profileId)} />,
  // The year of the last months is clear.
  created: ({ now }, { createdTime: time }) => (
    <Time time={time} style={now.getTime() - time.getTime() < 300 * DAY ? 'short' : 'minute'} />
  ),
  id: (_request, { paymentId }) => paymentId,
  captured: (_request, { capturedMinor, currency }) => <Money minor={capturedMinor} currency={currency} />,
  refunded: (_request, { refundedMinor, currency }) => <Money minor={refundedMinor} currency={currency} />,
  fraud: ({ texts }, { fraudStatus }) => texts.payments.fraud[fraudStatus],
  order: (_request, { orderId }) => <Reference text={orderId} />,
  country: (_request, { country }) => country,
  flow: ({ texts }, { flow }) => texts.payments.flows[flow],
}

const SHOWN = 14

/** The whole text is in the title, bounded too. */
const Short = ({ text }: { readonly text: string | null | undefined }) =>
  text ? (
    <bdi title={text.length > SHOWN ? text.slice(0, 200) : undefined}>{shortText(text, SHOWN)}</bdi>
  ) : null

/** Its end tells most. */
const Reference = ({ text }: { readonly text: string | null }) =>
  text === null ? null : (
    <bdi title={text.length > SHOWN ? text.slice(0, 200) : undefined}>{middleCut(text, SHOWN)}</bdi>
  )

interface PaymentTableProps {
  readonly columns: readonly ListColumnId[]
  readonly payments: readonly ListedPayment[]
  readonly payers?: Payers
  /** Headings lead to other orders of this list. */
  readonly sorted?: ListAddress
  /** All payments are of one customer, and none can be selected. */
  readonly isOfCustomer?: boolean
}

const NO_PAYERS: Payers = new Map()
const NUMBERS: readonly ListColumnId[] = ['amount', 'captured', 'refunded']

/** The orders of a column: first the one that a click leads to. */
const ORDERS_OF: Partial<Record<ListColumnId, readonly [ListAddress['sort'], ListAddress['sort']]>> = {
  amount: ['largest', 'smallest'],
  created: [undefined, 'oldest'],
  state: ['statesBack', 'states'],
}

/** Undefined: the list cannot be sorted by the column. */
function sortOf(base: string, column: ListColumnId, sorted: ListAddress | undefined) {
  const orders = ORDERS_OF[column]
  if (!orders || !sorted) return undefined
  const [down, up] = orders
  const now = sorted.sort === down ? 'descending' : sorted.sort === up ? 'ascending' : undefined
  const sort = now === 'descending' ? up : down
  return { href: listPath(base, { ...sorted, sort }), now } as const
}

export function PaymentTable(props: PaymentTableProps) {
  const { columns, payments, payers = NO_PAYERS, isOfCustomer = false, sorted } = props
  const request = useRequest()
  const { base, texts } = request
  const { column, title } = texts.payments
  const canAct = !isOfCustomer && (request.can('PaymentWrite') || request.can('PaymentRefund'))
  const names = columns.filter((name) => !isOfCustomer || name !== 'customer')
  return (
    <>
      <List
        id="payments"
        caption={title}
        items={payments}
        href={({ paymentId }) => `${base}/payments/${paymentId}`}
        data={({ paymentId }) => ({ 'data-payment': String(paymentId) })}
        columns={[
          canAct && { label: column.select, isQuiet: true, cell: (payment) => <RowTick payment={payment} /> },
          ...names.map((name) => ({
            label: column[name],
            isTime: name === 'created',
            end: NUMBERS.includes(name),
            sort: sortOf(base, name, sorted),
            cell: (payment: ListedPayment) => CELLS[name](request, payment, payers),
          })),
        ]}
      />
      {canAct && <BulkBar />}
    </>
  )
}

/** Belongs to the form of the bulk actions, which stands below the table. */
const RowTick = ({ payment: { paymentId, amountMinor, currency } }: { readonly payment: ListedPayment }) => (
  <label class="pick">
    <span class="visually-hidden">
      {shortText(useRequest().texts.payments.select({ payment: String(paymentId) }), NAME_SHOWN)}
    </span>
    <input
      type="checkbox"
      name="payment"
      value={String(paymentId)}
      form="bulk"
      autocomplete="off"
      data-sum={decimalText(amountMinor, currency)}
      data-currency={currency}
    />
  </label>
)
