import type { ComponentChildren } from 'preact'
import { DAY } from '../../../base/clock.ts'
import type { ListedPayment } from '../../../payments/search/filter.ts'
import { shownState } from '../../../payments/search/outcome.ts'
import type { PaymentPage } from '../../../payments/search/search.ts'
import { Money } from '../../kit/format/money.tsx'
import { methodName, profileName } from '../../kit/format/names.ts'
import { NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { GetButton } from '../../kit/html/forms.tsx'
import { StandingBadge } from '../../kit/html/state-badge.tsx'
import { CustomerLink } from '../../kit/html/text.tsx'
import { EmptyState, List, Pager } from '../../kit/list.tsx'
import { useRequest } from '../../kit/screen.tsx'
import { reasonText } from '../payment/words.ts'
import { isFiltered, type ListAddress, listPath, type OptionalColumn } from './address.ts'
import { BulkBar } from './bulk.tsx'
import { Chips, Columns, FilterForm, type PolicyName } from './filter.tsx'
import { Views } from './views.tsx'
import type { SavedView } from './views-store.ts'

interface PaymentListProps {
  readonly address: ListAddress
  readonly page: PaymentPage
  readonly views: readonly SavedView[]
  readonly policies: readonly PolicyName[]
  /** Asked by the script for the number of newer payments; undefined on later pages. */
  readonly newerPath: string | undefined
}

export function PaymentList({ address, page, views, policies, newerPath }: PaymentListProps) {
  const { base, texts } = useRequest()
  const { payments } = texts
  const notes = [
    page.notUnderstood.length > 0 && payments.notUnderstood({ terms: page.notUnderstood.join(' ') }),
    page.isPartial && payments.partial,
  ]
  return (
    <>
      <Views address={address} views={views} />
      <FilterForm address={address} policies={policies} />
      <div class="list-tools">
        <Chips address={address} />
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

const FIXED = ['amount', 'state', 'method', 'customer', 'reference', 'provider', 'created'] as const

type ColumnName = (typeof FIXED)[number] | OptionalColumn

const CELLS: Readonly<
  Record<ColumnName, (request: AppRequest, payment: ListedPayment) => ComponentChildren>
> = {
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
  customer: (_request, { customerId }) => (
    <CustomerLink customerId={customerId}>
      <Short text={customerId} />
    </CustomerLink>
  ),
  reference: (_request, { referenceId }) => <Short text={referenceId} />,
  provider: (request, { profileId }) => <Short text={profileName(request, profileId)} />,
  // The year of the last months is clear.
  created: ({ now }, { createdTime: time }) => (
    <Time time={time} style={now.getTime() - time.getTime() < 300 * DAY ? 'short' : 'minute'} />
  ),
  id: (_request, { paymentId }) => paymentId,
  captured: (_request, { capturedMinor, currency }) => <Money minor={capturedMinor} currency={currency} />,
  fraud: ({ texts }, { fraudStatus }) => texts.payments.fraud[fraudStatus],
  order: (_request, { orderId }) => <Short text={orderId} />,
  country: (_request, { country }) => country,
  flow: ({ texts }, { flow }) => texts.payments.flows[flow],
}

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
  const names = [...FIXED.filter((name) => !isOfCustomer || name !== 'customer'), ...columns]
  return (
    <>
      <List
        id="payments"
        caption={title}
        items={payments}
        href={({ paymentId }) => `${request.base}/payments/${paymentId}`}
        data={({ paymentId }) => ({ 'data-payment': String(paymentId) })}
        columns={[
          canAct && { label: column.select, isQuiet: true, cell: (payment) => <RowTick payment={payment} /> },
          ...names.map((name) => ({
            label: column[name],
            end: name === 'amount' || name === 'captured',
            cell: (payment: ListedPayment) => CELLS[name](request, payment),
          })),
        ]}
      />
      {canAct && <BulkBar />}
    </>
  )
}

/** Belongs to the form of the bulk actions, which stands below the table. */
const RowTick = ({ payment: { paymentId } }: { readonly payment: ListedPayment }) => (
  <label class="pick">
    <span class="visually-hidden">
      {shortText(useRequest().texts.payments.select({ payment: String(paymentId) }), NAME_SHOWN)}
    </span>
    <input type="checkbox" name="payment" value={String(paymentId)} form="bulk" autocomplete="off" />
  </label>
)
