import { DAY } from '../../../base/clock.ts'
import type { DisputeState, ListedDispute } from '../../../disputes/dispute.ts'
import { appNow } from '../../../merchants/app.ts'
import { DESCRIPTION_SHOWN, shortText } from '../../kit/format/short-text.ts'
import { Time } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { useRequest } from '../../kit/screen.tsx'

type Reason = keyof AppRequest['texts']['disputes']['reasons']

/** Codes of providers, in lower case, by what they mean to a merchant. */
const REASONS: Readonly<Record<string, Reason>> = Object.fromEntries(
  Object.entries({
    fraudulent: 'fraudulent unauthorised debit_not_authorized emv_liability_shift',
    'not-received': 'not-received not_received product_not_received merchandise_or_service_not_received',
    'not-as-described': 'product_unacceptable not_as_described merchandise_or_service_not_as_described',
    duplicate: 'duplicate duplicate_transaction',
    credit: 'credit_not_processed customer_requests_credit',
    cancelled: 'subscription_canceled canceled_recurring_billing cancelled',
    amount: 'incorrect_amount amount_differs',
    'other-means': 'payment_by_other_means paid_by_other_means',
    unrecognised: 'unrecognized no_knowledge',
    bank:
      'bank_cannot_process check_returned incorrect_account_details insufficient_funds ' +
      'problem_with_remittance',
    general: 'general other customer_initiated noncompliant',
  } satisfies Record<Reason, string>).flatMap(([reason, codes]) =>
    codes.split(' ').map((code) => [code, reason as Reason]),
  ),
)

/** The reason in words; the provider's code where it is not known. */
export function reasonText({ texts }: Pick<AppRequest, 'texts'>, code: string): string {
  const reason = REASONS[code.toLowerCase()]
  return reason ? texts.disputes.reasons[reason] : (shortText(code, DESCRIPTION_SHOWN) ?? '')
}

const TONES: Readonly<Record<DisputeState, string>> = { open: 'red outline', won: 'green', lost: 'grey' }

export const DisputeBadge = ({ state }: { readonly state: DisputeState }) => (
  <span class={`pill ${TONES[state]}`}>{useRequest().texts.disputes.states[state]}</span>
)

/** When evidence is due, and how long that is from now. */
export function Deadline({ dispute: { dueTime, state } }: { readonly dispute: ListedDispute }) {
  const { ctx, app, texts } = useRequest()
  const { disputes } = texts
  if (dueTime === null) return <>{disputes.noDue}</>
  const leftMs = dueTime.getTime() - appNow(ctx, app).getTime()
  const left = leftMs < 0 ? disputes.over : disputes.left({ count: Math.floor(leftMs / DAY) })
  return (
    <>
      <Time time={dueTime} />
      {state === 'open' && <div class={leftMs < 2 * DAY ? 'due-soon' : 'muted'}>{left}</div>}
    </>
  )
}

/** What the merchant did last, and who. */
export function doneText({ texts }: AppRequest, { answer, answeredBy }: ListedDispute): string {
  const { disputes } = texts
  const what = disputes.answers[answer ?? 'none']
  return answer && answeredBy ? disputes.by({ what, name: shortText(answeredBy, 40) ?? '' }) : what
}

/** The provider's page, where it has one. */
export const ProviderLink = ({ url }: { readonly url: string | null }) => {
  const { disputes } = useRequest().texts
  if (!url || !/^https:/.test(url)) return null
  return (
    <a href={url} rel="noreferrer" target="_blank">
      {disputes.atProvider} ↗
    </a>
  )
}
