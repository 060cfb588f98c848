import type { ComponentChildren } from 'preact'
import { currencyDigits } from '../../../base/currencies.ts'
import { LIMITS } from '../../../base/limits.ts'
import { decimalText } from '../../../base/money.ts'
import { Field } from '../../kit/html/controls.tsx'
import { Notice } from '../../kit/html/layout.tsx'
import type { Payment } from '../../../payments/payment.ts'
import { Question, OtpField, TextArea } from '../../kit/html/forms.tsx'
import { timeIn } from '../../kit/format/time.tsx'
import { type AskedAction, needsCode, readAmountField, refundableMinor, takesPart } from './actions.ts'
import { amountText, customerName } from './words.ts'
import { useRequest } from '../../kit/screen.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { paidMethodName } from '../../kit/format/names.ts'

/** What was entered, and what is wrong with it. */
export interface Entered {
  readonly amount?: string | undefined
  readonly note?: string | undefined
  readonly problem?: { readonly field: 'form' | 'amount' | 'note' | 'otp'; readonly text: string } | undefined
}

interface AskPageProps {
  readonly payment: Payment
  readonly action: AskedAction
  readonly entered: Entered
  /** Explanations of the rules that hold the payment. */
  readonly heldBy: readonly string[]
  /** What the person may still refund today; undefined for no limit. */
  readonly allowance: bigint | undefined
}

/** The question before an action: what it will do, and the fields that it needs. */
export function AskPage(props: AskPageProps) {
  const request = useRequest()
  const { payment, action, entered } = props
  const { actions } = request.texts
  const home = `${request.base}/payments/${payment.paymentId}`
  const confirm = actions.confirm[action]
  const isPartial = takesPart(request, payment, action)
  const { problem } = entered
  const isKept = isPartial && problem?.field !== 'amount'
  const chosen = isKept ? readAmountField(entered.amount ?? '', payment.currency) : undefined
  const amount = amountText(request, chosen ?? defaultAmount(request, props), payment)
  const follows =
    isPartial && typeof confirm === 'function' ? { 'data-amount-text': confirm('{amount}') } : {}
  const isAbove = problem?.field === 'form' || (problem?.field === 'amount' && !isPartial)
  return (
    <Question
      action={`${home}/${action}`}
      button={typeof confirm === 'function' ? confirm(amount) : confirm}
      buttonData={follows}
      kind={action === 'release' || action === 'capture' ? 'primary' : 'danger'}
      back={home}
      backLabel={actions.keep}
    >
      {isAbove && <Notice kind="bad" title={problem.text} />}
      <Explanation {...props} amount={amount} />
      {isPartial && <AmountField {...props} />}
      <NoteField {...props} />
      {needsCode(request, payment, action) && <CodeField problem={problem} />}
    </Question>
  )
}

interface CodeProps {
  readonly problem: Entered['problem']
}

/** Without a second factor there is no code to enter. */
export function CodeField({ problem }: CodeProps) {
  const request = useRequest()
  const { enrol } = request.texts.actions.errors
  if (!request.person.hasSecondFactor) return problem ? null : <Notice kind="info" title={enrol} />
  return <OtpField error={problem?.field === 'otp' ? problem.text : undefined} />
}

/** What is acted on when the person changes nothing. */
function defaultAmount(request: AppRequest, { payment, action, allowance }: AskPageProps): bigint {
  if (action !== 'refund' && action !== 'mark-refunded') return payment.amountMinor
  const left = refundableMinor(payment)
  const isLess = action === 'refund' && allowance !== undefined && allowance > 0n && allowance < left
  return isLess && takesPart(request, payment, action) ? allowance : left
}

function AmountField(props: AskPageProps) {
  const request = useRequest()
  const { payment, action, entered } = props
  const { actions } = request.texts
  const { currency } = payment
  const most = action === 'refund' ? refundableMinor(payment) : payment.amountMinor
  const hint = (action === 'refund' ? actions.refund.left : actions.capture.most)(
    amountText(request, most, payment),
  )
  return (
    <Field
      id="amount"
      name="amount"
      label={actions.amount}
      hint={hint}
      value={entered.amount ?? decimalText(defaultAmount(request, props), currency)}
      {...(entered.problem?.field === 'amount' ? { error: entered.problem.text } : {})}
      ltr
      required
      maxLength={20}
      numeric="decimal"
      data={{ 'data-amount': currency, 'data-digits': String(currencyDigits(currency)) }}
      beside={<span class="muted">{currency}</span>}
    />
  )
}

function NoteField({ action, entered }: AskPageProps) {
  const request = useRequest()
  const { actions, frame } = request.texts
  const { problem, note = '' } = entered
  if (action === 'capture' || action === 'cancel') return null
  const isNeeded = action === 'mark-refunded' || action === 'mark-disputed'
  const [name, label, hint] =
    action === 'refund'
      ? (['reason', actions.reason, actions.refund.reasonHint] as const)
      : (['note', actions.note, actions[action].noteHint] as const)
  return (
    <TextArea
      id={name}
      name={name}
      label={label}
      hint={isNeeded ? hint : `${hint} (${frame.optional})`}
      error={problem?.field === 'note' ? problem.text : undefined}
      value={note}
      required={isNeeded}
      maxLength={LIMITS.messageLength}
      rows={2}
    />
  )
}

/** The sentence that says what the action does. With script it follows the amount. */
function Explanation(props: AskPageProps & { readonly amount: string }) {
  const request = useRequest()
  const { payment, action, heldBy, amount, allowance } = props
  const { actions, frame } = request.texts
  const name = customerName(payment) ?? actions.customer
  const method = paidMethodName(request, payment) ?? actions.theMethod
  switch (action) {
    case 'refund':
      return (
        <>
          <Sentence
            text={(shown) => actions.refund.says(name, shown, method)}
            amount={amount}
            after={frame.cannotUndo}
          />
          {payment.method === 'CreditCard' && <p class="muted">{actions.refund.arrives}</p>}
          {!takesPart(request, payment, action) && <p class="muted">{actions.refund.whole}</p>}
          {allowance !== undefined && (
            <p class="muted">{actions.refund.limit(amountText(request, allowance, payment))}</p>
          )}
        </>
      )
    case 'capture':
      return (
        <>
          <Sentence text={(shown) => actions.capture.says(name, shown, method)} amount={amount} />
          {payment.authorisedUntil && (
            <p class="muted">{actions.capture.ends(timeIn(request, payment.authorisedUntil))}</p>
          )}
          {!takesPart(request, payment, action) && <p class="muted">{actions.capture.whole}</p>}
        </>
      )
    case 'cancel':
      return <p>{cancelText(request, { payment, name, method })}</p>
    case 'release':
      return <ReleaseText payment={payment} heldBy={heldBy} amount={amount} />
    case 'mark-refunded':
      return <p>{`${actions['mark-refunded'].says(amount)} ${frame.cannotUndo}`}</p>
    case 'mark-disputed':
      return <p>{actions['mark-disputed'].says}</p>
  }
}

interface SentenceProps {
  readonly text: (amount: string) => string
  readonly amount: string
  readonly after?: string
}

const Sentence = ({ text, amount, after }: SentenceProps): ComponentChildren => (
  <p>
    <span data-amount-text={text('{amount}')}>{text(amount)}</span> {after}
  </p>
)

interface CancelProps {
  readonly payment: Payment
  readonly name: string
  readonly method: string
}

function cancelText(request: AppRequest, { payment, name, method }: CancelProps): string {
  const { actions, frame } = request.texts
  const { cancel } = actions
  const text =
    payment.capturedMinor > 0n
      ? cancel.taken(name, amountText(request, payment.capturedMinor, payment), method)
      : payment.state === 'Created'
        ? cancel.open
        : cancel.reserved(amountText(request, payment.amountMinor, payment), method)
  return `${text} ${frame.cannotUndo}`
}

interface ReleaseProps {
  readonly payment: Payment
  readonly heldBy: readonly string[]
  readonly amount: string
}

/** Which rules hold the payment, and what the release leads to. */
function ReleaseText({ payment, heldBy, amount }: ReleaseProps) {
  const request = useRequest()
  const { release } = request.texts.actions
  const next =
    payment.state === 'CapturedHold'
      ? release.taken
      : payment.autoCapture
        ? release.captures(amount)
        : release.waits
  return (
    <>
      <p>{heldBy.length === 0 ? release.unknown : release.heldBy}</p>
      {heldBy.length > 0 && (
        <ul class="reasons">
          {heldBy.map((explanation) => (
            <li>{explanation}</li>
          ))}
        </ul>
      )}
      <p>{next}</p>
    </>
  )
}
