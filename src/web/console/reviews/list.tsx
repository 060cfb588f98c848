import { paymentVerdicts } from '../../../fraud/verdicts/explain.ts'
import { appNow } from '../../../merchants/app.ts'
import { getPayment } from '../../../payments/actions.ts'
import { STATES } from '../../../payments/machine.ts'
import type { Payment } from '../../../payments/payment.ts'
import { Money } from '../../kit/format/money.tsx'
import { paidMethodName, profileName } from '../../kit/format/names.ts'
import { ENTRY_SHOWN, NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { agoIn, Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { QuestionButton } from '../../kit/html/forms.tsx'
import { KeyValue } from '../../kit/html/layout.tsx'
import { StateBadge } from '../../kit/html/state-badge.tsx'
import { CustomerLink } from '../../kit/html/text.tsx'
import { EmptyState, List, withQuery } from '../../kit/list.tsx'
import { ifFound } from '../../kit/refusal.ts'
import { useRequest } from '../../kit/screen.tsx'
import { checkText } from '../fraud/words.ts'

/** A held payment and what its reviewer must know. */
export interface HeldPayment {
  readonly payment: Payment
  /** The checks that hold it, in words. */
  readonly reasons: readonly string[]
  readonly score: string | undefined
}

const SCORES = ['ProviderRiskScore', 'RiskScore']

/** Undefined: there is no such payment, or it is not held any more. */
export async function findHeld(request: AppRequest, paymentId: number): Promise<HeldPayment | undefined> {
  const { ctx, app } = request
  const [payment, verdicts] = await Promise.all([
    ifFound(getPayment(ctx, app, paymentId)),
    paymentVerdicts(ctx, app, paymentId),
  ])
  if (!payment || STATES[payment.state].kind !== 'held') return undefined
  const last = verdicts.at(-1)
  const checks = last?.checks ?? []
  const violated = checks.filter(({ result }) => result === 'Violated')
  const score = checks.find(({ name }) => SCORES.includes(name))?.seen ?? payment.payInfo?.risk?.score
  return {
    payment,
    reasons: violated.map((check) =>
      checkText(request, check, { policyName: last?.fraudPolicyName, currency: payment.currency }),
    ),
    score: score === undefined || score === null ? undefined : String(score),
  }
}

interface ReviewsProps {
  readonly held: readonly HeldPayment[]
  readonly selected: HeldPayment | undefined
  readonly next: string | undefined
}

/** The list of held payments, and the facts of the selected one beside it. */
export function Reviews({ held, selected, next }: ReviewsProps) {
  const { texts, base, can } = useRequest()
  const { reviews } = texts
  if (held.length === 0 && !selected)
    return (
      <EmptyState title={reviews.empty}>
        <p>{reviews.emptyBody}</p>
        {can('FraudPolicyRead') && <a href={`${base}/fraud`}>{reviews.emptyLink}</a>}
      </EmptyState>
    )
  return (
    <>
      <p class="muted">{reviews.intro}</p>
      <div class="split">
        <div class="stack">
          <HeldList held={held} selected={selected} next={next} />
        </div>
        {selected && <Selected held={selected} />}
      </div>
    </>
  )
}

function HeldList({ held, selected, next }: ReviewsProps) {
  const { ctx, app, texts, language, call } = useRequest()
  const { reviews } = texts
  const now = appNow(ctx, app).getTime()
  const isSelected = ({ payment }: HeldPayment) => payment.paymentId === selected?.payment.paymentId
  const href = ({ payment: { paymentId } }: HeldPayment) =>
    `${withQuery(call.path, { payment: String(paymentId), note: undefined })}#selected`
  return (
    <List
      caption={reviews.title}
      items={held}
      href={href}
      data={(each) => ({
        'data-payment': String(each.payment.paymentId),
        ...(isSelected(each) && { 'data-selected': 'yes' }),
      })}
      next={next}
      columns={[
        {
          label: reviews.amount,
          cell: (each) => (
            <a href={href(each)} aria-current={isSelected(each) ? 'true' : undefined}>
              <Money minor={each.payment.amountMinor} currency={each.payment.currency} />
            </a>
          ),
          end: true,
        },
        { label: reviews.customer, cell: ({ payment }) => <bdi>{shortText(payment.customerId, 24)}</bdi> },
        {
          label: reviews.rule,
          cell: ({ reasons: [reason = reviews.unknownRule] }) => (
            <span class="review-rule">{shortText(reason, ENTRY_SHOWN)}</span>
          ),
        },
        { label: reviews.score, cell: ({ score }) => score ?? '–', end: true },
        { label: reviews.since, cell: ({ payment }) => agoIn(language, now - payment.stateTime.getTime()) },
      ]}
    />
  )
}

function Selected({ held: { payment, reasons } }: { readonly held: HeldPayment }) {
  const { texts, base } = useRequest()
  const { reviews } = texts
  const path = `${base}/reviews/${payment.paymentId}`
  return (
    <section class="card selected" id="selected" aria-label={reviews.selected}>
      <div class="card-head">
        <h2>
          <Money minor={payment.amountMinor} currency={payment.currency} />
        </h2>
        <StateBadge texts={texts} state={payment.state} />
      </div>
      <div class="buttons">
        <QuestionButton href={`${path}/release`} kind="primary" shortcut="a">
          {reviews.release}
        </QuestionButton>
        <QuestionButton href={`${path}/reject`} kind="danger" shortcut="r">
          {reviews.reject}
        </QuestionButton>
        <a href={`${base}/payments/${payment.paymentId}`}>{reviews.open}</a>
      </div>
      <Why reasons={reasons} />
      <Facts payment={payment} />
    </section>
  )
}

export function Why({ reasons }: { readonly reasons: readonly string[] }) {
  const { reviews } = useRequest().texts
  return (
    <div class="why">
      <p class="why-title">{reviews.why}</p>
      <ul>
        {(reasons.length > 0 ? reasons : [reviews.unknownRule]).map((reason) => (
          <li>{reason}</li>
        ))}
      </ul>
    </div>
  )
}

function Facts({ payment }: { readonly payment: Payment }) {
  const request = useRequest()
  const { facts, customer } = request.texts.reviews
  const { payInfo, details, customerId, authorisedUntil } = payment
  const card = payInfo?.card
  const row = (label: string, text: string | null | undefined) => {
    const shown = shortText(text ?? undefined, NAME_SHOWN)
    return shown !== undefined && ([label, <bdi>{shown}</bdi>] as const)
  }
  const link = (
    <CustomerLink customerId={customerId}>
      <bdi>{shortText(customerId, NAME_SHOWN)}</bdi>
    </CustomerLink>
  )
  return (
    <KeyValue
      rows={[
        [facts.id, payment.paymentId],
        [customer, link],
        row(facts.payer, payInfo?.payer?.fullName),
        row(facts.email, payInfo?.payer?.email),
        row(facts.address, payInfo?.payerIp),
        row(facts.country, payInfo?.payer?.country),
        row(facts.method, paidMethodName(request, payment)),
        row(facts.cardCountry, card?.country),
        row(facts.provider, profileName(request, payment.profileId)),
        row(facts.reference, payment.referenceId),
        row(facts.order, details.orderId),
        [facts.created, <Time time={payment.createdTime} />],
        !!authorisedUntil && [facts.until, <Time time={authorisedUntil} />],
      ]}
    />
  )
}
