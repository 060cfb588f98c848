import type { Customer } from '../../../customers/commands.ts'
import { type CustomerTotals, totalsOfCustomer } from '../../../payments/history/customer.ts'
import { listPayments, type PaymentPage } from '../../../payments/search/search.ts'
import { MoneyText } from '../../kit/format/money.tsx'
import { ENTRY_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Card, KeyValue } from '../../kit/html/layout.tsx'
import { CopyText } from '../../kit/html/text.tsx'
import { EmptyState, List, Pager } from '../../kit/list.tsx'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { useRequest } from '../../kit/screen.tsx'
import { loadNotes, NotesCard } from '../notes/notes.tsx'
import { USUAL_COLUMNS } from '../payments/address.ts'
import { PaymentTable } from '../payments/list.tsx'
import { customerOf, fullName, homeOf, policiesOf, renderTab } from './page.tsx'

const LAST_SHOWN = 5
const PAGE_SIZE = 50

const paymentsOf = (
  { ctx, app, call, can }: AppRequest,
  customer: Customer,
  pageSize: number,
): Promise<PaymentPage | undefined> =>
  can('PaymentRead')
    ? listPayments(ctx, app, { customer: customer.customerId }, { pageSize, cursor: call.query.cursor })
    : Promise.resolve(undefined)

export async function showOverview(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, texts } = request
  const { customers } = texts
  const customer = await customerOf(request)
  const [payments, totals, policies, noted] = await Promise.all([
    paymentsOf(request, customer, LAST_SHOWN),
    totalsOfCustomer(ctx, app, customer.customerId),
    policiesOf(request),
    loadNotes(request, `customer:${customer.customerId}`, 'CustomerWrite'),
  ])
  const home = homeOf(request, customer)
  return renderTab(request, customer, {
    tab: 'overview',
    children: (
      <>
        <div class="columns">
          <Details customer={customer} />
          <div class="stack">
            <Card title={customers.risk} action={<a href={`${home}/activity`}>{customers.riskLink}</a>}>
              <KeyValue
                rows={[
                  [customers.status, customer.isBlocked ? customers.blocked : customers.active],
                  [customers.policy, <bdi>{policies.nameOf(customer.fraudPolicyId)}</bdi>],
                ]}
              />
            </Card>
            {totals.totals.length > 0 && <Totals {...totals} />}
          </div>
        </div>
        {payments && (
          <Card
            title={customers.lastPayments}
            action={<a href={`${home}/payments`}>{customers.allPayments}</a>}
          >
            <Payments payments={payments} />
          </Card>
        )}
        <NotesCard {...noted} path={home} mayWrite={request.can('CustomerWrite')} />
      </>
    ),
  })
}

function Details({ customer }: { readonly customer: Customer }) {
  const request = useRequest()
  const { customers } = request.texts
  const short = (text: string | null) => <bdi>{shortText(text ?? undefined, ENTRY_SHOWN) ?? '–'}</bdi>
  const { customerId, email, mobileNumber, createdTime, erasedTime } = customer
  return (
    <Card title={customers.details}>
      <KeyValue
        rows={[
          [
            customers.fields.customerId.label,
            <CopyText text={customerId} label={customers.fields.customerId.label}>
              <bdi>{shortText(customerId, ENTRY_SHOWN)}</bdi>
            </CopyText>,
          ],
          [customers.name, <bdi>{fullName(customer) ?? '–'}</bdi>],
          [customers.fields.email.label, short(email)],
          [customers.fields.mobileNumber.label, short(mobileNumber)],
          [customers.created, <Time time={createdTime} />],
          erasedTime ? [customers.erasedTime, <Time time={erasedTime} />] : undefined,
        ]}
      />
    </Card>
  )
}

function Totals({ totals, isPartial, most }: CustomerTotals) {
  const { texts, language } = useRequest()
  const { customers } = texts
  return (
    <Card title={customers.totals}>
      {isPartial && <p class="muted">{customers.totalsPartial({ most })}</p>}
      <List
        caption={customers.totals}
        items={totals}
        columns={[
          { label: customers.currency, cell: ({ currency }) => currency },
          { label: customers.count, end: true, cell: ({ count }) => count },
          {
            label: customers.captured,
            end: true,
            cell: ({ capturedMinor, currency }) => (
              <MoneyText language={language} minor={capturedMinor} currency={currency} />
            ),
          },
          {
            label: customers.refunded,
            end: true,
            cell: ({ refundedMinor, currency }) => (
              <MoneyText language={language} minor={refundedMinor} currency={currency} />
            ),
          },
        ]}
      />
    </Card>
  )
}

function Payments({ payments: { payments } }: { readonly payments: PaymentPage }) {
  const { customers } = useRequest().texts
  if (payments.length > 0) return <PaymentTable columns={USUAL_COLUMNS} payments={payments} isOfCustomer />
  return (
    <EmptyState title={customers.noPayments}>
      <p>{customers.noPaymentsBody}</p>
    </EmptyState>
  )
}

export async function showPayments(request: AppRequest): Promise<PageAnswer> {
  const customer = await customerOf(request)
  const payments = await paymentsOf(request, customer, PAGE_SIZE)
  return renderTab(request, customer, {
    tab: 'payments',
    children: payments && (
      <>
        <Payments payments={payments} />
        <Pager next={payments.next} />
      </>
    ),
  })
}
