import { parseMinor } from '../../../base/money.ts'
import { Notice } from '../../kit/html/layout.tsx'
import { MoneyText } from '../../kit/format/money.tsx'
import { DESCRIPTION_SHOWN, ENTRY_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { DisputeInfo } from '../../../payments/payment.ts'
import { paymentJson } from '../../../payments/view.ts'
import { Table } from '../../kit/list.tsx'
import { JsonView } from '../../kit/html/text.tsx'
import { Time } from '../../kit/format/time.tsx'
import type { LoadedPayment } from './load.ts'
import { amountText, orderOf, standingText } from './words.ts'
import { useRequest } from '../../kit/screen.tsx'

/** An order may have 500 items. */
const MOST_ITEMS = 50

interface Props {
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

function Items({ page: { payment } }: Props) {
  const request = useRequest()
  const { tables } = request.texts.payment
  const { amount, items: loose } = orderOf(payment)
  const items = amount?.items ?? loose ?? []
  if (items.length === 0) return null
  const money = (value: number | string | null | undefined) => {
    const minor = value === null || value === undefined ? undefined : parseMinor(value, payment.currency)
    if (minor === undefined) return value ?? ''
    return <MoneyText language={request.language} minor={minor} currency={payment.currency} />
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

/** The timeline shows a single attempt. */
function Attempts({ page: { attempts } }: Props) {
  const request = useRequest()
  const { tables, methods } = request.texts.payment
  if (attempts.length < 2) return null
  return (
    <div class="stack">
      <h2>{tables.attempts}</h2>
      <Table
        caption={tables.attempts}
        columns={[
          { label: tables.attempt, end: true },
          { label: tables.time },
          { label: request.texts.payment.facts.profile },
          { label: tables.method },
          { label: tables.result },
        ]}
        rows={attempts.map((attempt) => ({
          cells: [
            attempt.attempt,
            <Time time={new Date(attempt.time)} style="second" />,
            <bdi>{attempt.paymentProfileName ?? attempt.paymentProfileId}</bdi>,
            methods[attempt.paymentMethodType],
            <span class="wrap">
              {standingText(request, attempt.standing)}{' '}
              {attempt.undone && request.texts.problems.undo[attempt.undone.result]}
            </span>,
          ],
        }))}
      />
    </div>
  )
}

function Refunds({ page: { payment, timeline } }: Props) {
  const request = useRequest()
  const { tables, items } = request.texts.payment
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
            <Time time={refund.time} style="second" />,
            amountText(request, refund.amountMinor, payment),
            items.refundStates[refund.state],
            <bdi>{shortText(refund.description ?? undefined, ENTRY_SHOWN)}</bdi>,
          ],
        }))}
      />
    </div>
  )
}

/** As `GET …/payments/{paymentId}` answers. */
function Raw({ page: { payment } }: Props) {
  const request = useRequest()
  const { tables } = request.texts.payment
  return (
    <details class="raw" id="raw">
      <summary>{tables.raw}</summary>
      <JsonView label={tables.raw} value={JSON.parse(paymentJson(request.ctx, request.app, payment))} />
    </details>
  )
}

interface DisputeProps {
  readonly page: LoadedPayment
  readonly dispute: DisputeInfo
}

/** What is disputed, and until when it can be answered. */
export function Dispute({ page: { payment }, dispute }: DisputeProps) {
  const request = useRequest()
  const { dispute: says } = request.texts.payment
  const { state, amountMinor, reason, evidenceDue, url } = dispute
  return (
    <Notice kind={state === 'won' ? 'ok' : 'info'} title={`${says.title}: ${says.states[state]}`}>
      <dl class="facts dispute">
        {amountMinor !== undefined && (
          <div>
            <dt>{says.amount}</dt>
            <dd>{amountText(request, BigInt(amountMinor), payment)}</dd>
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
              <Time time={new Date(evidenceDue)} />
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
