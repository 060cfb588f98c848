import type { Payment } from '../../../payments/payment.ts'
import { canRecheck } from '../../../payments/view.ts'
import { Money } from '../../kit/format/money.tsx'
import { paidMethodName, profileName } from '../../kit/format/names.ts'
import { DESCRIPTION_SHOWN, NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { PostButton, QuestionButton } from '../../kit/html/forms.tsx'
import { Notice } from '../../kit/html/layout.tsx'
import { StandingBadge } from '../../kit/html/state-badge.tsx'
import { CopyText } from '../../kit/html/text.tsx'
import { useRequest } from '../../kit/screen.tsx'
import { SettlementCard } from '../settlements/elsewhere.tsx'
import { ASKED, type AskedAction, hasNoLimit, isPossible, mayAct, refundableMinor } from './actions.ts'
import { FactsCard } from './facts.tsx'
import type { LoadedPayment } from './load.ts'
import { Dispute, Tables } from './tables.tsx'
import { TimelineCard } from './timeline.tsx'
import { customerName, problemText, retryText } from './words.ts'

interface Props {
  readonly payment: Payment
}

/** Script replaces what is marked `data-live-part` when the payment changes. */
export const Heading = ({ payment }: Props) => (
  <span class="payment-head" data-live-part="state">
    <Money minor={payment.amountMinor} currency={payment.currency} />{' '}
    <StandingBadge texts={useRequest().texts} payment={{ ...payment, reason: reasonOf(payment) }} />
  </span>
)

/** Why it failed, or why the last attempt was declined. */
const reasonOf = ({ failure, payInfo }: Payment): string | null =>
  failure ? (failure.declineCode ?? failure.code) : (payInfo?.declined ?? null)

const SHORTCUTS = { release: 'a', capture: 'c', refund: 'r', cancel: undefined } as const

/** Present actions first; those that are never allowed to the role are left out. */
export function Actions({ payment }: Props) {
  const request = useRequest()
  const { actions, unavailable } = request.texts.payment
  const url = `${request.base}/payments/${payment.paymentId}`
  return (
    <div class="actions" data-live-part="actions">
      {(['release', 'capture', 'refund', 'cancel'] as const).map((action) => {
        const reason = reasonAgainst(request, payment, action)
        // What the payment has left behind, or not reached, is only noise. Refund is always explained.
        if (!mayAct(request, action) || (reason !== undefined && action !== 'refund')) return null
        return (
          <QuestionButton
            href={`${url}/${action}`}
            disabled={reason}
            kind={ASKED[action].kind === 'primary' ? 'primary' : 'quiet'}
            shortcut={SHORTCUTS[action]}
          >
            {actions[action]}
          </QuestionButton>
        )
      })}
      {mayAct(request, 'recheck') &&
        (canRecheck(payment) ? (
          <PostButton action={`${url}/recheck`}>{actions.recheck}</PostButton>
        ) : (
          <QuestionButton href="" disabled={unavailable.recheck}>
            {actions.recheck}
          </QuestionButton>
        ))}
      <More payment={payment} />
    </div>
  )
}

/** Why the action is not possible now. */
function reasonAgainst(request: AppRequest, payment: Payment, action: AskedAction): string | undefined {
  const { unavailable } = request.texts.payment
  if (action === 'refund' && hasNoLimit(request, payment)) return unavailable.refundRole
  if (isPossible(request, payment, action)) return undefined
  if (action !== 'refund') return ''
  if (payment.capturedMinor === 0n) return unavailable.refund
  if (payment.state === 'Captured') return unavailable.refundProvider
  return refundableMinor(payment) === 0n ? unavailable.refundDone : unavailable.refund
}

function More({ payment }: Props) {
  const request = useRequest()
  const { texts, base, ctx } = request
  const { actions } = texts.payment
  const path = `${base}/payments/${payment.paymentId}`
  const marks = (['mark-disputed', 'mark-refunded'] as const).filter(
    (action) => mayAct(request, action) && isPossible(request, payment, action),
  )
  return (
    <details class="more" id="more">
      <summary class="button quiet">{texts.frame.more}</summary>
      <div class="more-menu">
        {marks.map((action) => (
          <QuestionButton href={`${path}/${action}`}>{actions[action]}</QuestionButton>
        ))}
        {request.can('FraudPolicyWrite') && (
          <QuestionButton href={`${path}/block`}>{texts.blocks.addButton}</QuestionButton>
        )}
        {mayAct(request, 'resend') && <PostButton action={`${path}/resend`}>{actions.resend}</PostButton>}
        <button class="button quiet" type="button" data-copy={`${ctx.config.publicUrl}${path}`} hidden>
          {actions.copyLink}
        </button>
      </div>
    </details>
  )
}

/** Everything about the payment, in the order of use. */
export function PaymentBody({ page }: { readonly page: LoadedPayment }) {
  const { payment } = page
  return (
    <div class="payment" data-live-part="body">
      <Summary payment={payment} />
      <Problems payment={payment} />
      {payment.payInfo?.disputes?.map((dispute) => (
        <Dispute page={page} dispute={dispute} />
      ))}
      <div class="payment-columns">
        <TimelineCard page={page} />
        <FactsCard page={page} />
      </div>
      <SettlementCard payment={payment} settlement={page.settlement} />
      <Tables page={page} />
    </div>
  )
}

function Summary({ payment }: Props) {
  const request = useRequest()
  const labels = request.texts.payment
  const facts = [
    customerName(payment),
    paidMethodName(request, payment),
    shortText(profileName(request, payment.profileId), NAME_SHOWN),
  ]
  const order = shortText(payment.details.orderId, NAME_SHOWN)
  return (
    <div class="summary">
      <p class="summary-line">
        {order && <bdi>{labels.order({ id: order })}</bdi>}
        <span>
          <span class="muted">{labels.reference} </span>
          <CopyText text={payment.referenceId} label={labels.reference}>
            <bdi>{shortText(payment.referenceId, NAME_SHOWN)}</bdi>
          </CopyText>
        </span>
        <span>
          <span class="muted">{labels.id} </span>
          <CopyText text={String(payment.paymentId)} label={labels.id} />
        </span>
      </p>
      <p class="summary-line">
        {facts.map((fact) => fact && <bdi>{fact}</bdi>)}
        <Time time={payment.createdTime} style="second" />
      </p>
    </div>
  )
}

/** Why it failed, or the last problem. */
function Problems({ payment: { failure, lastError } }: Props) {
  const request = useRequest()
  const labels = request.texts.payment
  const problem = failure?.problem ?? lastError
  const text = problem && shortText(problemText(request, problem), DESCRIPTION_SHOWN)
  if (!text) return null
  return (
    <Notice kind="info" title={failure ? labels.failure : labels.lastError}>
      <p>
        <bdi>{text}</bdi>
      </p>
      {failure && <p>{retryText(request, failure)}</p>}
    </Notice>
  )
}
