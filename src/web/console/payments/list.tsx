import type { ComponentChildren } from 'preact'
import { DAY } from '../../../base/clock.ts'
import { MoneyText } from '../../kit/format/money.tsx'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { ListedPayment } from '../../../payments/search/filter.ts'
import type { PaymentPage } from '../../../payments/search/search.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { GetButton } from '../../kit/html/forms.tsx'
import { StateBadge } from '../../kit/html/state-badge.tsx'
import { type Column, EmptyState, Pager, Table, type TableRow } from '../../kit/list.tsx'
import { Time } from '../../kit/format/time.tsx'
import { isFiltered, type ListAddress, listPath, type OptionalColumn } from './address.ts'
import { BulkBar } from './bulk-bar.tsx'
import { Chips } from './chips.tsx'
import { Columns, FilterForm, type PolicyName } from './filter-form.tsx'
import { methodText } from './names.ts'
import { Views } from './views.tsx'
import type { SavedView } from './views-store.ts'
import { useRequest } from '../../kit/screen.tsx'
import { profileName } from '../../kit/format/names.ts'

export interface ListProps {
  readonly address: ListAddress
  readonly page: PaymentPage
  readonly views: readonly SavedView[]
  readonly policies: readonly PolicyName[]
  /** Asked by the script for the number of newer payments; undefined on later pages. */
  readonly newerPath: string | undefined
}

export function PaymentList(props: ListProps) {
  const request = useRequest()
  const { address, page, views, policies } = props
  const { payments } = request.texts
  const notes = [
    ...(page.notUnderstood.length > 0 ? [payments.notUnderstood(page.notUnderstood.join(' '))] : []),
    ...(page.isPartial ? [payments.partial] : []),
  ]
  return (
    <>
      <Views address={address} views={views} />
      <FilterForm address={address} policies={policies} />
      <div class="list-tools">
        <Chips address={address} />
        <div role="status" class="list-notes">
          {notes.map((note) => (
            <p class="warn-text">
              <bdi>{shortText(note, 300)}</bdi>
            </p>
          ))}
          {props.newerPath && (
            <a
              class="chip newer"
              hidden
              href={listPath(request.base, address)}
              data-newer={props.newerPath}
              data-newer-text={payments.newer}
            >
              {payments.newer}
            </a>
          )}
        </div>
        <Columns address={address} />
      </div>
      {page.payments.length === 0 ? (
        <Empty address={address} />
      ) : (
        <PaymentTable columns={address.columns} payments={page.payments} />
      )}
      <Pager next={page.next} />
    </>
  )
}

function Empty({ address }: Pick<ListProps, 'address'>) {
  const request = useRequest()
  const { texts, base } = request
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
      {request.can('PaymentWrite') && <GetButton href={`${base}/links/new`}>{payments.newLink}</GetButton>}
    </EmptyState>
  )
}

type Cell = (request: AppRequest, payment: ListedPayment) => ComponentChildren

const OPTIONAL: Readonly<Record<OptionalColumn, Cell>> = {
  id: (_request, { paymentId }) => paymentId,
  captured: ({ language }, { capturedMinor, currency }) => (
    <MoneyText language={language} minor={capturedMinor} currency={currency} />
  ),
  fraud: ({ texts }, { fraudStatus }) => texts.payments.fraud[fraudStatus],
  order: (_request, { orderId }) => <Short text={orderId} />,
  country: (_request, { country }) => country,
  flow: ({ texts }, { flow }) => texts.payments.flows[flow],
}

const FIXED = ['amount', 'state', 'method', 'customer', 'reference', 'provider', 'created'] as const

const CELLS: Readonly<Record<(typeof FIXED)[number], Cell>> = {
  amount: ({ language, base }, { paymentId, amountMinor, currency }) => (
    <a href={`${base}/payments/${paymentId}`}>
      <MoneyText language={language} minor={amountMinor} currency={currency} />
    </a>
  ),
  state: ({ texts }, { state }) => <StateBadge texts={texts} state={state} />,
  method: (request, payment) => <Short text={methodText(request, payment)} />,
  customer: (request, { customerId }) =>
    request.can('CustomerRead') ? (
      <a href={`${request.base}/customers/${encodeURIComponent(customerId)}`}>
        <Short text={customerId} />
      </a>
    ) : (
      <Short text={customerId} />
    ),
  reference: (_request, { referenceId }) => <Short text={referenceId} />,
  provider: (request, { profileId }) => <Short text={profileName(request, profileId)} />,
  created: (request, { createdTime }) => (
    <Time time={createdTime} style={isRecent(request, createdTime) ? 'short' : 'minute'} />
  ),
}

/** Of the last months: the year is clear. */
const isRecent = ({ now }: AppRequest, time: Date): boolean => now.getTime() - time.getTime() < 300 * DAY

const SHOWN = 14

/** The whole text is in the title, bounded too. */
const Short = ({ text }: { readonly text: string | null | undefined }) =>
  text ? (
    <bdi title={text.length > SHOWN ? text.slice(0, 200) : undefined}>{shortText(text, SHOWN)}</bdi>
  ) : null

interface PaymentTableProps {
  readonly columns: readonly OptionalColumn[]
  readonly payments: readonly ListedPayment[]
  /** All payments are of one customer, and none can be selected. */
  readonly isOfCustomer?: boolean
}

export function PaymentTable({ columns, payments, isOfCustomer = false }: PaymentTableProps) {
  const request = useRequest()
  const { column, title } = request.texts.payments
  const canAct = !isOfCustomer && request.can('PaymentWrite')
  const fixed = FIXED.filter((name) => !isOfCustomer || name !== 'customer')
  const heads: Column[] = [
    ...(canAct ? [{ label: column.select, isQuiet: true }] : []),
    ...fixed.map((name) => ({ label: column[name], end: name === 'amount' })),
    ...columns.map((name) => ({ label: column[name], end: name === 'captured' })),
  ]
  const rowOf = (payment: ListedPayment): TableRow => ({
    href: `${request.base}/payments/${payment.paymentId}`,
    data: { 'data-payment': String(payment.paymentId) },
    cells: [
      ...(canAct ? [<RowTick payment={payment} />] : []),
      ...fixed.map((name) => CELLS[name](request, payment)),
      ...columns.map((name) => OPTIONAL[name](request, payment)),
    ],
  })
  return (
    <>
      <Table caption={title} columns={heads} rows={payments.map(rowOf)} id="payments" />
      {canAct && <BulkBar />}
    </>
  )
}

/** Belongs to the form of the bulk actions, which stands below the table. */
const RowTick = ({ payment: { paymentId } }: { readonly payment: ListedPayment }) => (
  <label class="pick">
    <span class="visually-hidden">
      {shortText(useRequest().texts.payments.select(String(paymentId)), NAME_SHOWN)}
    </span>
    <input type="checkbox" name="payment" value={String(paymentId)} form="bulk" autocomplete="off" />
  </label>
)
