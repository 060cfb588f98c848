import type { Customer } from '../../../customers/commands.ts'
import type { PageAnswer } from '../../kit/request/page-route.tsx'
import { Card, KeyValue } from '../../kit/html/layout.tsx'
import { MoneyText } from '../../kit/format/money.tsx'
import { ENTRY_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { type CustomerTotals, totalsOfCustomer } from '../../../payments/history/customer.ts'
import { listPayments, type PaymentPage } from '../../../payments/search/search.ts'
import type { AppVisit } from '../frame/visit.ts'
import { EmptyState, Pager, Table } from '../parts/table.tsx'
import { CopyText } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'
import { PaymentTable } from '../payments/list.tsx'
import { customerOf, drawTab, fullName, homeOf, policyNames } from './page.tsx'

const LAST_SHOWN = 5
const PAGE_SIZE = 50

const paymentsOf = (
  { ctx, app, call, can }: AppVisit,
  customer: Customer,
  pageSize: number,
): Promise<PaymentPage | undefined> =>
  can('PaymentRead')
    ? listPayments(ctx, app, { customer: customer.customerId }, { pageSize, cursor: call.query.cursor })
    : Promise.resolve(undefined)

export async function showOverview(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, texts } = visit
  const { customers } = texts
  const customer = await customerOf(visit)
  const [payments, totals, policyName] = await Promise.all([
    paymentsOf(visit, customer, LAST_SHOWN),
    totalsOfCustomer(ctx, app, customer.customerId),
    policyNames(visit),
  ])
  const home = homeOf(visit, customer)
  return drawTab(visit, customer, {
    tab: 'overview',
    children: (
      <>
        <div class="columns">
          <Details visit={visit} customer={customer} />
          <div class="stack">
            <Card title={customers.risk} action={<a href={`${home}/activity`}>{customers.riskLink}</a>}>
              <KeyValue
                rows={[
                  [customers.status, customer.isBlocked ? customers.blocked : customers.active],
                  [customers.policy, <bdi>{policyName(customer.fraudPolicyId)}</bdi>],
                ]}
              />
            </Card>
            {totals.totals.length > 0 && <Totals visit={visit} {...totals} />}
          </div>
        </div>
        {payments && (
          <Card
            title={customers.lastPayments}
            action={<a href={`${home}/payments`}>{customers.allPayments}</a>}
          >
            <Payments visit={visit} payments={payments} />
          </Card>
        )}
      </>
    ),
  })
}

function Details({ visit, customer }: { readonly visit: AppVisit; readonly customer: Customer }) {
  const { customers } = visit.texts
  const short = (text: string | null) => <bdi>{shortText(text ?? undefined, ENTRY_SHOWN) ?? '–'}</bdi>
  const { customerId, email, mobileNumber, createdTime, erasedTime } = customer
  return (
    <Card title={customers.details}>
      <KeyValue
        rows={[
          [
            customers.id,
            <CopyText visit={visit} text={customerId} label={customers.id}>
              <bdi>{shortText(customerId, ENTRY_SHOWN)}</bdi>
            </CopyText>,
          ],
          [customers.name, <bdi>{fullName(customer) ?? '–'}</bdi>],
          [customers.email, short(email)],
          [customers.mobileNumber, short(mobileNumber)],
          [customers.created, <Time visit={visit} time={createdTime} />],
          erasedTime ? [customers.erasedTime, <Time visit={visit} time={erasedTime} />] : undefined,
        ]}
      />
    </Card>
  )
}

function Totals({ visit, totals, isPartial, most }: CustomerTotals & { readonly visit: AppVisit }) {
  const { texts, language } = visit
  const { customers } = texts
  return (
    <Card title={customers.totals}>
      {isPartial && <p class="muted">{customers.totalsPartial(most)}</p>}
      <Table
        caption={customers.totals}
        columns={[
          { label: customers.currency },
          { label: customers.count, end: true },
          { label: customers.captured, end: true },
          { label: customers.refunded, end: true },
        ]}
        rows={totals.map(({ currency, count, capturedMinor, refundedMinor }) => ({
          cells: [
            currency,
            count,
            <MoneyText language={language} minor={capturedMinor} currency={currency} />,
            <MoneyText language={language} minor={refundedMinor} currency={currency} />,
          ],
        }))}
      />
    </Card>
  )
}

function Payments({ visit, payments }: { readonly visit: AppVisit; readonly payments: PaymentPage }) {
  const { customers } = visit.texts
  if (payments.payments.length > 0)
    return <PaymentTable visit={visit} columns={[]} payments={payments.payments} isOfCustomer />
  return (
    <EmptyState title={customers.noPayments}>
      <p>{customers.noPaymentsBody}</p>
    </EmptyState>
  )
}

export async function showPayments(visit: AppVisit): Promise<PageAnswer> {
  const customer = await customerOf(visit)
  const payments = await paymentsOf(visit, customer, PAGE_SIZE)
  return drawTab(visit, customer, {
    tab: 'payments',
    children: payments && (
      <>
        <Payments visit={visit} payments={payments} />
        <Pager visit={visit} next={payments.next} />
      </>
    ),
  })
}
