import { KeyValue } from '../../kit/html/layout.tsx'
import { MoneyText } from '../../kit/format/money.tsx'
import { ENTRY_SHOWN, NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import type { Payment } from '../../../payments/payment.ts'
import type { AppVisit } from '../frame/visit.ts'
import { AskButton } from '../parts/forms.tsx'
import { StateBadge } from '../parts/state.tsx'
import { EmptyState, Pager, Table, type TableRow, withQuery } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { methodText, profileName } from '../payments/names.ts'
import { type HeldPayment, heldFor } from './held.ts'

interface ReviewsProps {
  readonly visit: AppVisit
  readonly held: readonly HeldPayment[]
  readonly selected: HeldPayment | undefined
  readonly next: string | undefined
}

/** The list of held payments, and the facts of the selected one beside it. */
export function Reviews({ visit, held, selected, next }: ReviewsProps) {
  const { texts, base } = visit
  const { reviews } = texts
  if (held.length === 0 && !selected)
    return (
      <EmptyState title={reviews.empty}>
        <p>{reviews.emptyBody}</p>
        {visit.can('FraudPolicyRead') && <a href={`${base}/fraud`}>{reviews.emptyLink}</a>}
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
              rowOf(visit, each, each.payment.paymentId === selected?.payment.paymentId),
            )}
          />
          <Pager visit={visit} next={next} />
        </div>
        {selected && <Selected visit={visit} held={selected} />}
      </div>
    </>
  )
}

function rowOf(visit: AppVisit, { payment, reasons, score }: HeldPayment, isSelected: boolean): TableRow {
  const { paymentId, amountMinor, currency, customerId } = payment
  const href = `${withQuery(visit.call.path, { payment: String(paymentId), note: undefined })}#selected`
  return {
    href,
    data: { 'data-payment': String(paymentId), ...(isSelected ? { 'data-selected': 'yes' } : {}) },
    cells: [
      <a href={href} aria-current={isSelected ? 'true' : undefined}>
        <MoneyText language={visit.language} minor={amountMinor} currency={currency} />
      </a>,
      <bdi>{shortText(customerId, 24)}</bdi>,
      <span class="review-rule">{shortText(ruleText(visit, reasons), ENTRY_SHOWN)}</span>,
      score ?? '–',
      heldFor(visit, payment),
    ],
  }
}

const ruleText = ({ texts }: AppVisit, reasons: readonly string[]): string =>
  reasons[0] ?? texts.reviews.unknownRule

function Selected({ visit, held }: { readonly visit: AppVisit; readonly held: HeldPayment }) {
  const { texts, base, language } = visit
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
      <Why visit={visit} reasons={reasons} />
      <Facts visit={visit} payment={payment} />
    </section>
  )
}

export const Why = ({
  visit,
  reasons,
}: {
  readonly visit: AppVisit
  readonly reasons: readonly string[]
}) => (
  <div class="why">
    <p class="why-title">{visit.texts.reviews.why}</p>
    <ul>
      {(reasons.length > 0 ? reasons : [visit.texts.reviews.unknownRule]).map((reason) => (
        <li>{reason}</li>
      ))}
    </ul>
  </div>
)

function Facts({ visit, payment }: { readonly visit: AppVisit; readonly payment: Payment }) {
  const { base } = visit
  const { facts, customer } = visit.texts.reviews
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
        visit.can('CustomerRead')
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
        row(facts.method, methodText(visit, method)),
        row(facts.cardCountry, card?.country),
        row(facts.provider, profileName(visit, payment.profileId)),
        row(facts.reference, payment.referenceId),
        row(facts.order, details.orderId),
        [facts.created, <Time visit={visit} time={payment.createdTime} />],
        authorisedUntil ? [facts.until, <Time visit={visit} time={authorisedUntil} />] : undefined,
      ]}
    />
  )
}
