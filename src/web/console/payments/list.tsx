import type { ComponentChildren } from 'preact'
import { DAY } from '../../../base/clock.ts'
import { MoneyText } from '../../kit/format/money.tsx'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { ListedPayment } from '../../../payments/search/filter.ts'
import type { PaymentPage } from '../../../payments/search/search.ts'
import type { AppVisit } from '../frame/visit.ts'
import { GetButton } from '../parts/forms.tsx'
import { StateBadge } from '../parts/state.tsx'
import { type Column, EmptyState, Pager, Table, type TableRow } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { isFiltered, type ListAddress, listPath, type OptionalColumn } from './address.ts'
import { BulkBar } from './bulk-bar.tsx'
import { Chips } from './chips.tsx'
import { Columns, FilterForm, type PolicyName } from './filter-form.tsx'
import { methodText, profileName } from './names.ts'
import { Views } from './views.tsx'
import type { SavedView } from './views-store.ts'

export interface ListProps {
  readonly visit: AppVisit
  readonly address: ListAddress
  readonly page: PaymentPage
  readonly views: readonly SavedView[]
  readonly policies: readonly PolicyName[]
  /** Asked by the script for the number of newer payments; undefined on later pages. */
  readonly newerPath: string | undefined
}

export function PaymentList(props: ListProps) {
  const { visit, address, page, views, policies } = props
  const { payments } = visit.texts
  const notes = [
    ...(page.notUnderstood.length > 0 ? [payments.notUnderstood(page.notUnderstood.join(' '))] : []),
    ...(page.isPartial ? [payments.partial] : []),
  ]
  return (
    <>
      <Views visit={visit} address={address} views={views} />
      <FilterForm visit={visit} address={address} policies={policies} />
      <div class="list-tools">
        <Chips visit={visit} address={address} />
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
              href={listPath(visit.base, address)}
              data-newer={props.newerPath}
              data-newer-text={payments.newer}
            >
              {payments.newer}
            </a>
          )}
        </div>
        <Columns visit={visit} address={address} />
      </div>
      {page.payments.length === 0 ? (
        <Empty visit={visit} address={address} />
      ) : (
        <PaymentTable visit={visit} columns={address.columns} payments={page.payments} />
      )}
      <Pager visit={visit} next={page.next} />
    </>
  )
}

function Empty({ visit, address }: Pick<ListProps, 'visit' | 'address'>) {
  const { texts, base } = visit
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
      {visit.can('PaymentWrite') && <GetButton href={`${base}/links/new`}>{payments.newLink}</GetButton>}
    </EmptyState>
  )
}

type Cell = (visit: AppVisit, payment: ListedPayment) => ComponentChildren

const OPTIONAL: Readonly<Record<OptionalColumn, Cell>> = {
  id: (_visit, { paymentId }) => paymentId,
  captured: ({ language }, { capturedMinor, currency }) => (
    <MoneyText language={language} minor={capturedMinor} currency={currency} />
  ),
  fraud: ({ texts }, { fraudStatus }) => texts.payments.fraud[fraudStatus],
  order: (_visit, { orderId }) => <Short text={orderId} />,
  country: (_visit, { country }) => country,
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
  method: (visit, payment) => <Short text={methodText(visit, payment)} />,
  customer: (visit, { customerId }) =>
    visit.can('CustomerRead') ? (
      <a href={`${visit.base}/customers/${encodeURIComponent(customerId)}`}>
        <Short text={customerId} />
      </a>
    ) : (
      <Short text={customerId} />
    ),
  reference: (_visit, { referenceId }) => <Short text={referenceId} />,
  provider: (visit, { profileId }) => <Short text={profileName(visit, profileId)} />,
  created: (visit, { createdTime }) => (
    <Time visit={visit} time={createdTime} style={isRecent(visit, createdTime) ? 'short' : 'minute'} />
  ),
}

/** Of the last months: the year is clear. */
const isRecent = ({ now }: AppVisit, time: Date): boolean => now.getTime() - time.getTime() < 300 * DAY

const SHOWN = 14

/** The whole text is in the title, bounded too. */
const Short = ({ text }: { readonly text: string | null | undefined }) =>
  text ? (
    <bdi title={text.length > SHOWN ? text.slice(0, 200) : undefined}>{shortText(text, SHOWN)}</bdi>
  ) : null

interface PaymentTableProps {
  readonly visit: AppVisit
  readonly columns: readonly OptionalColumn[]
  readonly payments: readonly ListedPayment[]
  /** All payments are of one customer, and none can be selected. */
  readonly isOfCustomer?: boolean
}

export function PaymentTable({ visit, columns, payments, isOfCustomer = false }: PaymentTableProps) {
  const { column, title, select } = visit.texts.payments
  const canAct = !isOfCustomer && visit.can('PaymentWrite')
  const fixed = FIXED.filter((name) => !isOfCustomer || name !== 'customer')
  const heads: Column[] = [
    ...(canAct ? [{ label: column.select, isQuiet: true }] : []),
    ...fixed.map((name) => ({ label: column[name], end: name === 'amount' })),
    ...columns.map((name) => ({ label: column[name], end: name === 'captured' })),
  ]
  const rowOf = (payment: ListedPayment): TableRow => ({
    href: `${visit.base}/payments/${payment.paymentId}`,
    data: { 'data-payment': String(payment.paymentId) },
    cells: [
      ...(canAct ? [<Pick label={select(String(payment.paymentId))} paymentId={payment.paymentId} />] : []),
      ...fixed.map((name) => CELLS[name](visit, payment)),
      ...columns.map((name) => OPTIONAL[name](visit, payment)),
    ],
  })
  return (
    <>
      <Table caption={title} columns={heads} rows={payments.map(rowOf)} id="payments" />
      {canAct && <BulkBar visit={visit} />}
    </>
  )
}

/** Belongs to the form of the bulk actions, which stands below the table. */
const Pick = ({ label, paymentId }: { readonly label: string; readonly paymentId: number }) => (
  <label class="pick">
    <span class="visually-hidden">{shortText(label, NAME_SHOWN)}</span>
    <input type="checkbox" name="payment" value={String(paymentId)} form="bulk" autocomplete="off" />
  </label>
)
