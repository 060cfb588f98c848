import type { ComponentChildren } from 'preact'
import { parseMinor } from '../../../base/money.ts'
import type { DisputeInfo } from '../../../payments/payment.ts'
import { paymentJson } from '../../../payments/view.ts'
import type { CustomerOrder } from '../../../payments/wire/schema.ts'
import type { AnyMethod } from '../../../providers/methods/method.ts'
import { Money } from '../../kit/format/money.tsx'
import { ENTRY_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time } from '../../kit/format/time.tsx'
import { KeyValue, Notice } from '../../kit/html/layout.tsx'
import { JsonView } from '../../kit/html/text.tsx'
import { List, type ListColumn } from '../../kit/list.tsx'
import { useRequest } from '../../kit/screen.tsx'
import { reasonText } from '../disputes/words.tsx'
import type { LoadedPayment } from './load.ts'
import { amountText, orderOf, standingText } from './words.ts'

/** An order may have 500 items. */
const MAX_ITEMS = 50

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

interface SectionProps<Item> {
  readonly title: string
  readonly items: readonly Item[]
  readonly columns: readonly ListColumn<Item>[]
  readonly children?: ComponentChildren
}

function Section<Item>({ title, items, columns, children }: SectionProps<Item>) {
  if (items.length === 0) return null
  return (
    <div class="stack">
      <h2>{title}</h2>
      <List caption={title} items={items} columns={columns} />
      {children}
    </div>
  )
}

/** Text of others in a cell. */
const foreign = (text: string | null | undefined) => <bdi>{shortText(text ?? undefined, ENTRY_SHOWN)}</bdi>

function Items({ page: { payment } }: Props) {
  const { tables } = useRequest().texts.payment
  const order = orderOf(payment)
  const items: NonNullable<CustomerOrder['items']> = order.amount?.items ?? order.items ?? []
  const money = (value: number | string | null | undefined) => {
    const minor = value === null || value === undefined ? undefined : parseMinor(value, payment.currency)
    return minor === undefined ? (value ?? '') : <Money minor={minor} currency={payment.currency} />
  }
  return (
    <Section
      title={tables.items}
      items={items.slice(0, MAX_ITEMS)}
      columns={[
        { label: tables.item, cell: ({ name }) => foreign(name) },
        { label: tables.sku, cell: ({ sku }) => foreign(sku) },
        { label: tables.quantity, cell: ({ quantity }) => quantity ?? '', end: true },
        { label: tables.price, cell: ({ amount }) => money(amount), end: true },
        { label: tables.tax, cell: ({ tax }) => money(tax), end: true },
      ]}
    >
      {items.length > MAX_ITEMS && (
        <p class="muted small">{tables.more({ count: items.length - MAX_ITEMS })}</p>
      )}
    </Section>
  )
}

/** The name of the method that an attempt was made with. */
const attemptMethod = (
  names: Readonly<Record<AnyMethod, string>>,
  { paymentMethodId, paymentMethodType: kind }: LoadedPayment['attempts'][number],
): string => names[paymentMethodId ?? (kind === 'ProviderHostedPage' ? 'CreditCard' : kind)]

/** The timeline shows a single attempt. */
function Attempts({ page: { attempts } }: Props) {
  const request = useRequest()
  const { payment, payments, problems } = request.texts
  const { tables, facts } = payment
  return (
    <Section
      title={tables.attempts}
      items={attempts.length > 1 ? attempts : []}
      columns={[
        { label: tables.attempt, cell: ({ attempt }) => attempt, end: true },
        { label: tables.time, cell: ({ time }) => <Time time={new Date(time)} style="second" /> },
        {
          label: facts.profile,
          cell: (each) => <bdi>{each.paymentProfileName ?? each.paymentProfileId}</bdi>,
        },
        { label: tables.method, cell: (each) => attemptMethod(payments.methods, each) },
        {
          label: tables.result,
          cell: ({ standing, undone }) => (
            <span class="wrap">
              {standingText(request, standing)} {undone && problems.undo[undone.result]}
            </span>
          ),
        },
      ]}
    />
  )
}

function Refunds({ page: { payment, timeline } }: Props) {
  const request = useRequest()
  const { tables, items } = request.texts.payment
  const amount = (minor: bigint) => amountText(request, minor, payment)
  return (
    <Section
      title={tables.refunds}
      items={timeline.items.filter((item) => item.kind === 'refund')}
      columns={[
        { label: tables.time, cell: ({ time }) => <Time time={time} style="second" /> },
        { label: tables.amount, cell: ({ amountMinor }) => amount(amountMinor), end: true },
        { label: tables.state, cell: ({ state }) => items.refundStates[state] },
        {
          label: tables.reason,
          cell: ({ reason, description }) => (
            <>
              {reason && `${request.texts.lists.refundReason.names[reason]} `}
              {foreign(description)}
            </>
          ),
        },
      ]}
    />
  )
}

/** As `GET …/payments/{paymentId}` answers. */
function Raw({ page: { payment } }: Props) {
  const { ctx, app, texts } = useRequest()
  const { raw } = texts.payment.tables
  return (
    <details class="raw" id="raw">
      <summary>{raw}</summary>
      <JsonView label={raw} value={JSON.parse(paymentJson(ctx, app, payment))} />
    </details>
  )
}

/** What is disputed, and until when it can be answered. */
export function Dispute({ page: { payment }, dispute }: Props & { readonly dispute: DisputeInfo }) {
  const request = useRequest()
  const { dispute: labels } = request.texts.payment
  const { id, state, amountMinor, reason, evidenceDue, url } = dispute
  return (
    <Notice kind={state === 'won' ? 'ok' : 'info'} title={`${labels.title}: ${labels.states[state]}`}>
      <KeyValue
        class="dispute"
        rows={[
          amountMinor !== undefined && [labels.amount, amountText(request, BigInt(amountMinor), payment)],
          !!reason && [labels.reason, <bdi>{reasonText(request, reason)}</bdi>],
          !!evidenceDue && [labels.deadline, <Time time={new Date(evidenceDue)} />],
        ]}
      />
      {id && (
        <p>
          <a href={`${request.base}/disputes/${encodeURIComponent(id)}`}>{labels.open}</a>
        </p>
      )}
      {url && /^https:/.test(url) && (
        <a href={url} rel="noreferrer" target="_blank">
          {labels.link} ↗
        </a>
      )}
    </Notice>
  )
}
