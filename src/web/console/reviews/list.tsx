import { KeyValue } from '../../kit/html/layout.tsx'
import { MoneyText } from '../../kit/format/money.tsx'
import { ENTRY_SHOWN, NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { Payment } from '../../../payments/payment.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { AskButton } from '../../kit/html/forms.tsx'
import { StateBadge } from '../../kit/html/state-badge.tsx'
import { EmptyState, Pager, Table, type TableRow, withQuery } from '../../kit/list.tsx'
import { Time } from '../../kit/format/time.tsx'
import { methodText } from '../payments/names.ts'
import { type HeldPayment, heldFor } from './held.ts'
import { useRequest } from '../../kit/screen.tsx'
import { profileName } from '../../kit/format/names.ts'

interface ReviewsProps {
  readonly held: readonly HeldPayment[]
  readonly selected: HeldPayment | undefined
  readonly next: string | undefined
}

/** The list of held payments, and the facts of the selected one beside it. */
export function Reviews({ held, selected, next }: ReviewsProps) {
  const request = useRequest()
  const { texts, base } = request
  const { reviews } = texts
  if (held.length === 0 && !selected)
    return (
      <EmptyState title={reviews.empty}>
        <p>{reviews.emptyBody}</p>
        {request.can('FraudPolicyRead') && <a href={`${base}/fraud`}>{reviews.emptyLink}</a>}
      </EmptyState>
    )
  return (
    <>
      <p class="muted">{reviews.intro}</p>
      <div class="split">
        <div class="stack">
          <Table
            caption={reviews.title}
            columns={[
              { label: reviews.amount, end: true },
              { label: reviews.customer },
              { label: reviews.rule },
              { label: reviews.score, end: true },
              { label: reviews.since },
            ]}
            rows={held.map((each) =>
              rowOf(request, each, each.payment.paymentId === selected?.payment.paymentId),
            )}
          />
          <Pager next={next} />
        </div>
        {selected && <Selected held={selected} />}
      </div>
    </>
  )
}

function rowOf(request: AppRequest, { payment, reasons, score }: HeldPayment, isSelected: boolean): TableRow {
  const { paymentId, amountMinor, currency, customerId } = payment
  const href = `${withQuery(request.call.path, { payment: String(paymentId), note: undefined })}#selected`
  return {
    href,
    data: { 'data-payment': String(paymentId), ...(isSelected ? { 'data-selected': 'yes' } : {}) },
    cells: [
      <a href={href} aria-current={isSelected ? 'true' : undefined}>
        <MoneyText language={request.language} minor={amountMinor} currency={currency} />
      </a>,
      <bdi>{shortText(customerId, 24)}</bdi>,
      <span class="review-rule">{shortText(ruleText(request, reasons), ENTRY_SHOWN)}</span>,
      score ?? '–',
      heldFor(request, payment),
    ],
  }
}

const ruleText = ({ texts }: AppRequest, reasons: readonly string[]): string =>
  reasons[0] ?? texts.reviews.unknownRule

function Selected({ held }: { readonly held: HeldPayment }) {
  const { texts, base, language } = useRequest()
  const { reviews } = texts
  const { payment, reasons } = held
  const path = `${base}/reviews/${payment.paymentId}`
  return (
    <section class="card selected" id="selected" aria-label={reviews.selected}>
      <div class="card-head">
        <h2>
          <MoneyText language={language} minor={payment.amountMinor} currency={payment.currency} />
        </h2>
        <StateBadge texts={texts} state={payment.state} />
      </div>
      <div class="buttons">
        <AskButton href={`${path}/release`} kind="primary" shortcut="a">
          {reviews.release}
        </AskButton>
        <AskButton href={`${path}/reject`} kind="danger" shortcut="r">
          {reviews.reject}
        </AskButton>
        <a href={`${base}/payments/${payment.paymentId}`}>{reviews.open}</a>
      </div>
      <Why reasons={reasons} />
      <Facts payment={payment} />
    </section>
  )
}

export const Why = ({ reasons }: { readonly reasons: readonly string[] }) => {
  const request = useRequest()
  return (
    <div class="why">
      <p class="why-title">{request.texts.reviews.why}</p>
      <ul>
        {(reasons.length > 0 ? reasons : [request.texts.reviews.unknownRule]).map((reason) => (
          <li>{reason}</li>
        ))}
      </ul>
    </div>
  )
}

function Facts({ payment }: { readonly payment: Payment }) {
  const request = useRequest()
  const { base } = request
  const { facts, customer } = request.texts.reviews
  const { payInfo, details, customerId, authorisedUntil } = payment
  const card = payInfo?.card
  const row = (label: string, text: string | null | undefined) => {
    const shown = shortText(text ?? undefined, NAME_SHOWN)
    return shown ? ([label, <bdi>{shown}</bdi>] as const) : undefined
  }
  const method = { method: payment.method, brand: card?.brand ?? null, last4: card?.last4 ?? null }
  return (
    <KeyValue
      rows={[
        [facts.id, payment.paymentId],
        request.can('CustomerRead')
          ? [
              customer,
              <a href={`${base}/customers/${encodeURIComponent(customerId)}`}>
                <bdi>{shortText(customerId, NAME_SHOWN)}</bdi>
              </a>,
            ]
          : row(customer, customerId),
        row(facts.payer, payInfo?.payer?.fullName),
        row(facts.email, payInfo?.payer?.email),
        row(facts.address, payInfo?.payerIp),
        row(facts.country, payInfo?.payer?.country),
        row(facts.method, methodText(request, method)),
        row(facts.cardCountry, card?.country),
        row(facts.provider, profileName(request, payment.profileId)),
        row(facts.reference, payment.referenceId),
        row(facts.order, details.orderId),
        [facts.created, <Time time={payment.createdTime} />],
        authorisedUntil ? [facts.until, <Time time={authorisedUntil} />] : undefined,
      ]}
    />
  )
}
