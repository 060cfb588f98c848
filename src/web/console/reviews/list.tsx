import { paymentVerdicts } from '../../../fraud/verdicts/explain.ts'
import { appNow } from '../../../merchants/app.ts'
import { getPayment } from '../../../payments/actions.ts'
import type { standingOfCustomer } from '../../../payments/history/customer.ts'
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
import { CustomerLink, PersonName } from '../../kit/html/text.tsx'
import { EmptyState, Filter, List, withQuery } from '../../kit/list.tsx'
import { hasPeriod, periodFields } from '../../kit/period.ts'
import { ifFound } from '../../kit/refusal.ts'
import { useRequest } from '../../kit/screen.tsx'
import { checkText } from '../fraud/words.ts'
import { type LoadedNotes, NotesCard } from '../notes/notes.tsx'
import { payerEmail, payerName } from '../payment/words.ts'

/** A held payment and what its reviewer must know. */
export interface HeldPayment {
  readonly payment: Payment
  /** The checks that hold it, in words. */
  readonly reasons: readonly string[]
  readonly score: string | undefined
}

/** The selected one, with what is read for it alone. */
interface SelectedPayment extends HeldPayment {
  readonly standing: Awaited<ReturnType<typeof standingOfCustomer>>
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
    reasons: violated.map((check) => checkText(request, check, last?.fraudPolicyName)),
    score: score === undefined || score === null ? undefined : String(score),
  }
}

interface ReviewsProps {
  readonly held: readonly HeldPayment[]
  readonly selected: SelectedPayment | undefined
  readonly next: string | undefined
  /** Of the selected one. */
  readonly noted: LoadedNotes | undefined
}

/** The list of held payments, and the facts of the selected one beside it. */
export function Reviews({ held, selected, next, noted }: ReviewsProps) {
  const request = useRequest()
  const { texts, base, can } = request
  const { reviews } = texts
  if (held.length === 0 && !selected && !isFiltered(request))
    return (
      <EmptyState title={reviews.empty}>
        <p>{reviews.emptyBody}</p>
        {can('FraudPolicyRead') && <a href={`${base}/fraud`}>{reviews.emptyLink}</a>}
      </EmptyState>
    )
  return (
    <>
      <p class="muted">{reviews.intro}</p>
      <ReviewFilter />
      <div class="split">
        <div class="stack">
          <HeldList held={held} selected={selected} next={next} />
        </div>
        {selected && <Selected held={selected} noted={noted} />}
      </div>
    </>
  )
}

const isFiltered = (request: AppRequest): boolean => hasPeriod(request) || 'assigned' in request.call.query

/** By when they were created, and by who takes care of them. */
function ReviewFilter() {
  const request = useRequest()
  const { texts, base } = request
  const { assignee } = texts.lists
  return (
    <Filter
      name="reviews"
      action={`${base}/reviews`}
      fields={[
        ...periodFields(request),
        {
          name: 'assigned',
          label: assignee.title,
          any: assignee.all,
          options: [{ value: 'me', label: assignee.mine }],
        },
      ]}
      button={texts.payments.apply}
      clear={isFiltered(request) ? texts.payments.clear : undefined}
    />
  )
}

function HeldList({ held, selected, next }: Omit<ReviewsProps, 'noted'>) {
  const { ctx, app, texts, language, call } = useRequest()
  const { reviews } = texts
  const now = appNow(ctx, app).getTime()
  const isSelected = ({ payment }: HeldPayment) => payment.paymentId === selected?.payment.paymentId
  const href = ({ payment: { paymentId } }: HeldPayment) =>
    `${withQuery(call.path, { payment: String(paymentId), note: undefined })}#selected`
  return (
    <List
      caption={reviews.title}
      isStacked
      items={held}
      href={href}
      data={(each) => ({
        'data-payment': String(each.payment.paymentId),
        ...(isSelected(each) && { 'data-selected': 'yes' }),
      })}
      next={next}
      empty={{ title: reviews.emptyFiltered }}
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
        {
          label: reviews.customer,
          cell: ({ payment }) => (
            <PersonName
              customerId={payment.customerId}
              name={payerName(payment)}
              email={payerEmail(payment)}
            />
          ),
        },
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

interface SelectedProps extends Pick<ReviewsProps, 'noted'> {
  readonly held: SelectedPayment
}

function Selected({ held: { payment, reasons, standing }, noted }: SelectedProps) {
  const { texts, base, can } = useRequest()
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
        {can('FraudPolicyWrite') && (
          <QuestionButton href={`${path}/block`} kind="danger" shortcut="b">
            {reviews.rejectAndBlock}
          </QuestionButton>
        )}
        <a href={`${base}/payments/${payment.paymentId}`}>{reviews.open}</a>
      </div>
      <Why reasons={reasons} />
      <Facts payment={payment} standing={standing} />
      {noted && (
        <NotesCard {...noted} path={`${base}/payments/${payment.paymentId}`} mayWrite back="reviews" />
      )}
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

function Facts({ payment, standing }: Pick<SelectedPayment, 'payment' | 'standing'>) {
  const request = useRequest()
  const { facts, customer, history: historyText } = request.texts.reviews
  const { payInfo, details, customerId, authorisedUntil } = payment
  const card = payInfo?.card
  const row = (label: string, text: string | null | undefined) => {
    const shown = shortText(text ?? undefined, NAME_SHOWN)
    return shown !== undefined && ([label, <bdi>{shown}</bdi>] as const)
  }
  const link = (
    <CustomerLink customerId={customerId}>
      <PersonName customerId={customerId} name={payerName(payment)} email={payerEmail(payment)} />
    </CustomerLink>
  )
  return (
    <KeyValue
      rows={[
        [facts.id, payment.paymentId],
        [customer, link],
        [facts.history, historyText(standing)],
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
