import { auditEntries } from '../../../audit/audit.ts'
import type { AuditEntry } from '../../../audit/entry.ts'
import { after } from '../../../base/clock.ts'
import { type DisputeDetails, getDispute } from '../../../disputes/commands.ts'
import { getPayment } from '../../../payments/actions.ts'
import { linkInfoView } from '../../../payments/history/detail-view.ts'
import { type ListedPayer, payersOf } from '../../../payments/search/search.ts'
import { allows } from '../../../payments/view.ts'
import { Money } from '../../kit/format/money.tsx'
import { profileName } from '../../kit/format/names.ts'
import { DESCRIPTION_SHOWN, NAME_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { QuestionButton } from '../../kit/html/forms.tsx'
import { Card, KeyValue } from '../../kit/html/layout.tsx'
import { CustomerLink, PersonName } from '../../kit/html/text.tsx'
import { type FormErrors, NO_ERRORS } from '../../kit/refusal.ts'
import type { PageAnswer } from '../../kit/request/answer.ts'
import { useRequest } from '../../kit/screen.tsx'
import { textNamed } from '../../kit/texts/texts.ts'
import { EvidenceCard } from './evidence.tsx'
import { Deadline, DisputeBadge, ProviderLink, reasonText } from './words.tsx'

interface LoadedDispute extends DisputeDetails {
  /** The payment takes a refund now. */
  readonly canRefund: boolean
  readonly history: readonly AuditEntry[]
  readonly payer: ListedPayer | undefined
}

const HISTORY = 20
/** The page shows it whole; the line of its way has little room. */
const ID_SHOWN = 16

export async function loadDispute({ ctx, app, call }: AppRequest): Promise<LoadedDispute> {
  const details = await getDispute(ctx, app, call.params.disputeId ?? '')
  const { disputeId, paymentId } = details.dispute
  const [payment, payers, history] = await Promise.all([
    getPayment(ctx, app, paymentId),
    payersOf(ctx, app, [{ paymentId }]),
    auditEntries(ctx, app.licenseId, {
      appId: app.appId,
      target: `dispute:${disputeId}`,
      limit: HISTORY,
    }),
  ])
  // Not every provider has an address for one dispute: its page of the payment is the way then.
  const url = details.dispute.url ?? linkInfoView(ctx, app, payment).orderUrl ?? null
  const dispute = { ...details.dispute, url }
  const canRefund = allows(ctx, app, payment, 'refund')
  return { ...details, dispute, canRefund, history, payer: payers.get(paymentId) }
}

/** The page of one dispute. `errors`: why its form was refused. */
export function renderDispute(
  request: AppRequest,
  page: LoadedDispute,
  errors: FormErrors = NO_ERRORS,
): PageAnswer {
  const { texts, base } = request
  const { disputes } = texts
  const { dispute } = page
  return renderScreen(request, {
    name: 'disputes',
    title: disputes.heading({ id: shortText(dispute.disputeId, ID_SHOWN) ?? '' }),
    heading: (
      <span class="payment-head">
        <Money minor={dispute.amountMinor} currency={dispute.currency} />{' '}
        <DisputeBadge state={dispute.state} />
      </span>
    ),
    crumbs: [{ label: disputes.title, href: `${base}/disputes` }],
    status: errors.status,
    ...(errors.size === 0 && errors.message ? { flash: { kind: 'bad', text: errors.message } } : {}),
    children: (
      <>
        <Ways page={page} />
        <div class="dispute-columns">
          <EvidenceCard page={page} errors={errors} />
          <div class="stack">
            <Facts page={page} />
            <History page={page} />
          </div>
        </div>
      </>
    ),
  })
}

interface Props {
  readonly page: LoadedDispute
}

/** Refund, accept, or the provider's own page; and why a refund is not possible. */
function Ways({ page: { dispute, answer, limits, canRefund } }: Props) {
  const { texts, base, can } = useRequest()
  const { disputes } = texts
  if (dispute.state !== 'open') return null
  const isSent = answer !== undefined && answer.state !== 'draft'
  return (
    <section class="stack" aria-label={disputes.title}>
      <div class="buttons">
        {can('PaymentRefund') && (
          <QuestionButton
            href={`${base}/payments/${dispute.paymentId}/refund`}
            disabled={canRefund ? undefined : disputes.cannotRefund}
          >
            {disputes.refund}
          </QuestionButton>
        )}
        {limits && !isSent && can('PaymentWrite') && (
          <QuestionButton
            href={`${base}/disputes/${encodeURIComponent(dispute.disputeId)}/accept`}
            kind="danger"
          >
            {disputes.accept}
          </QuestionButton>
        )}
      </div>
      <p class="muted">{canRefund ? disputes.canRefund : disputes.cannotRefund}</p>
    </section>
  )
}

function Facts({ page: { dispute, payer } }: Props) {
  const request = useRequest()
  const { base, texts } = request
  const { disputes } = texts
  const { reason, decidedTime, customerId, url, paymentId, disputeId } = dispute
  const isMarked = disputeId === `marked-${paymentId}`
  const profile = shortText(profileName(request, dispute.profileId), NAME_SHOWN)
  return (
    <Card title={disputes.facts}>
      <KeyValue
        rows={[
          [disputes.due, <Deadline dispute={dispute} />],
          !!reason && [disputes.reason, <bdi>{reasonText(request, reason)}</bdi>],
          [disputes.payment, <a href={`${base}/payments/${paymentId}`}>{paymentId}</a>],
          [disputes.reference, <bdi>{shortText(dispute.referenceId, DESCRIPTION_SHOWN)}</bdi>],
          [
            disputes.customer,
            <CustomerLink customerId={customerId}>
              <PersonName customerId={customerId} {...payer} />
            </CustomerLink>,
          ],
          !!profile && [disputes.profile, <bdi>{profile}</bdi>],
          [disputes.id, <bdi>{isMarked ? disputes.marked : shortText(disputeId, NAME_SHOWN)}</bdi>],
          [disputes.opened, <Time time={dispute.openedTime} />],
          !!decidedTime && [disputes.decided, <Time time={decidedTime} />],
        ]}
      />
      <ProviderLink url={url} />
    </Card>
  )
}

/** What people and keys did, newest first, in the app's time. */
function History({ page: { history } }: Props) {
  const { app, texts } = useRequest()
  const { disputes } = texts
  return (
    <Card title={disputes.history}>
      {history.length === 0 ? (
        <p class="muted">{disputes.nothingDone}</p>
      ) : (
        <ul class="dispute-history">
          {history.map(({ time, actor, action }) => (
            <li>
              <Time time={after(time, app.clockOffsetMs)} style="short" />{' '}
              <bdi>{shortText(actor.name, NAME_SHOWN)}</bdi> {textNamed(disputes.actions, action) ?? action}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
