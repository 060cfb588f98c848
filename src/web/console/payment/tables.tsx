import { parseMinor } from '../../../base/money.ts'
import { Notice } from '../../kit/html/layout.tsx'
import { MoneyText } from '../../kit/format/money.tsx'
import { DESCRIPTION_SHOWN, ENTRY_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { DisputeInfo } from '../../../payments/payment.ts'
import { paymentJson } from '../../../payments/view.ts'
import type { AppVisit } from '../frame/visit.ts'
import { Table } from '../parts/table.tsx'
import { JsonView } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'
import type { LoadedPayment } from './load.ts'
import { amountText, orderOf, standingText } from './words.ts'

/** An order may have 500 items. */
const MOST_ITEMS = 50

interface Props {
  readonly visit: AppVisit
  readonly page: LoadedPayment
}

/** Items, attempts, refunds and the payment as the API returns it. */
export const Tables = (props: Props) => (
  <>
    <Items {...props} />
    <Attempts {...props} />
    <Refunds {...props} />
    <Raw {...props} />
  </>
)

function Items({ visit, page: { payment } }: Props) {
  const { tables } = visit.texts.payment
  const { amount, items: loose } = orderOf(payment)
  const items = amount?.items ?? loose ?? []
  if (items.length === 0) return null
  const money = (value: number | string | null | undefined) => {
    const minor = value === null || value === undefined ? undefined : parseMinor(value, payment.currency)
    if (minor === undefined) return value ?? ''
    return <MoneyText language={visit.language} minor={minor} currency={payment.currency} />
  }
  return (
    <div class="stack">
      <h2>{tables.items}</h2>
      <Table
        caption={tables.items}
        columns={[
          { label: tables.item },
          { label: tables.sku },
          { label: tables.quantity, end: true },
          { label: tables.price, end: true },
          { label: tables.tax, end: true },
        ]}
        rows={items.slice(0, MOST_ITEMS).map((item) => ({
          cells: [
            <bdi>{shortText(item.name ?? undefined, ENTRY_SHOWN)}</bdi>,
            <bdi>{shortText(item.sku ?? undefined, ENTRY_SHOWN)}</bdi>,
            item.quantity ?? '',
            money(item.amount),
            money(item.tax),
          ],
        }))}
      />
      {items.length > MOST_ITEMS && <p class="muted small">{tables.more(items.length - MOST_ITEMS)}</p>}
    </div>
  )
}

/** One attempt is told by the timeline. */
function Attempts({ visit, page: { attempts } }: Props) {
  const { tables, methods } = visit.texts.payment
  if (attempts.length < 2) return null
  return (
    <div class="stack">
      <h2>{tables.attempts}</h2>
      <Table
        caption={tables.attempts}
        columns={[
          { label: tables.attempt, end: true },
          { label: tables.time },
          { label: visit.texts.payment.facts.profile },
          { label: tables.method },
          { label: tables.result },
        ]}
        rows={attempts.map((attempt) => ({
          cells: [
            attempt.attempt,
            <Time visit={visit} time={new Date(attempt.time)} style="second" />,
            <bdi>{attempt.paymentProfileName ?? attempt.paymentProfileId}</bdi>,
            methods[attempt.paymentMethodType],
            <span class="wrap">
              {standingText(visit, attempt.standing)}{' '}
              {attempt.undone && visit.texts.problems.undo[attempt.undone.result]}
            </span>,
          ],
        }))}
      />
    </div>
  )
}

function Refunds({ visit, page: { payment, timeline } }: Props) {
  const { tables, items } = visit.texts.payment
  const refunds = timeline.items.filter((item) => item.kind === 'refund')
  if (refunds.length === 0) return null
  return (
    <div class="stack">
      <h2>{tables.refunds}</h2>
      <Table
        caption={tables.refunds}
        columns={[
          { label: tables.time },
          { label: tables.amount, end: true },
          { label: tables.state },
          { label: tables.reason },
        ]}
        rows={refunds.map((refund) => ({
          cells: [
            <Time visit={visit} time={refund.time} style="second" />,
            amountText(visit, refund.amountMinor, payment),
            items.refundStates[refund.state],
            <bdi>{shortText(refund.description ?? undefined, ENTRY_SHOWN)}</bdi>,
          ],
        }))}
      />
    </div>
  )
}

/** As `GET …/payments/{paymentId}` answers. */
function Raw({ visit, page: { payment } }: Props) {
  const { tables } = visit.texts.payment
  return (
    <details class="raw" id="raw">
      <summary>{tables.raw}</summary>
      <JsonView label={tables.raw} value={JSON.parse(paymentJson(visit.ctx, visit.app, payment))} />
    </details>
  )
}

interface DisputeProps {
  readonly visit: AppVisit
  readonly page: LoadedPayment
  readonly dispute: DisputeInfo
}

/** What is disputed, and until when it can be answered. */
export function Dispute({ visit, page: { payment }, dispute }: DisputeProps) {
  const { dispute: says } = visit.texts.payment
  const { state, amountMinor, reason, evidenceDue, url } = dispute
  return (
    <Notice kind={state === 'won' ? 'ok' : 'info'} title={`${says.title}: ${says.states[state]}`}>
      <dl class="facts dispute">
        {amountMinor !== undefined && (
          <div>
            <dt>{says.amount}</dt>
            <dd>{amountText(visit, BigInt(amountMinor), payment)}</dd>
          </div>
        )}
        {reason && (
          <div>
            <dt>{says.reason}</dt>
            <dd>
              <bdi>{shortText(reason, DESCRIPTION_SHOWN)}</bdi>
            </dd>
          </div>
        )}
        {evidenceDue && (
          <div>
            <dt>{says.deadline}</dt>
            <dd>
              <Time visit={visit} time={new Date(evidenceDue)} />
            </dd>
          </div>
        )}
      </dl>
      {url && /^https:/.test(url) && (
        <a href={url} rel="noreferrer" target="_blank">
          {says.link} ↗
        </a>
      )}
    </Notice>
  )
}
