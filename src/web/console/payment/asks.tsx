import type { ComponentChildren } from 'preact'
import { currencyDigits } from '../../../base/currencies.ts'
import { LIMITS } from '../../../base/limits.ts'
import { decimalText } from '../../../base/money.ts'
import { Field } from '../../kit/html/controls.tsx'
import { Notice } from '../../kit/html/layout.tsx'
import type { Payment } from '../../../payments/payment.ts'
import type { AppVisit } from '../frame/visit.ts'
import { Ask, OtpField, TextArea } from '../parts/forms.tsx'
import { timeIn } from '../parts/time.tsx'
import { type AskedAction, needsCode, readAmountField, refundableMinor, takesPart } from './actions.ts'
import { amountText, customerName, methodName } from './words.ts'

/** What was entered, and what is wrong with it. */
export interface Entered {
  readonly amount?: string | undefined
  readonly note?: string | undefined
  readonly problem?: { readonly field: 'form' | 'amount' | 'note' | 'otp'; readonly text: string } | undefined
}

interface AskPageProps {
  readonly visit: AppVisit
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
  const { visit, payment, action, entered } = props
  const { actions } = visit.texts
  const home = `${visit.base}/payments/${payment.paymentId}`
  const confirm = actions.confirm[action]
  const isPartial = takesPart(visit, payment, action)
  const { problem } = entered
  const isKept = isPartial && problem?.field !== 'amount'
  const chosen = isKept ? readAmountField(entered.amount ?? '', payment.currency) : undefined
  const amount = amountText(visit, chosen ?? defaultAmount(props), payment)
  const follows =
    isPartial && typeof confirm === 'function' ? { 'data-amount-text': confirm('{amount}') } : {}
  const isAbove = problem?.field === 'form' || (problem?.field === 'amount' && !isPartial)
  return (
    <Ask
      visit={visit}
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
      {needsCode(visit, payment, action) && <CodeField visit={visit} problem={problem} />}
    </Ask>
  )
}

interface CodeProps {
  readonly visit: AppVisit
  readonly problem: Entered['problem']
}

/** Without a second factor there is no code to enter. */
export function CodeField({ visit, problem }: CodeProps) {
  const { enrol } = visit.texts.actions.errors
  if (!visit.person.hasSecondFactor) return problem ? null : <Notice kind="info" title={enrol} />
  return <OtpField visit={visit} error={problem?.field === 'otp' ? problem.text : undefined} />
}

/** What is acted on when the person changes nothing. */
function defaultAmount({ visit, payment, action, allowance }: AskPageProps): bigint {
  if (action !== 'refund' && action !== 'mark-refunded') return payment.amountMinor
  const left = refundableMinor(payment)
  const isLess = action === 'refund' && allowance !== undefined && allowance > 0n && allowance < left
  return isLess && takesPart(visit, payment, action) ? allowance : left
}

function AmountField(props: AskPageProps) {
  const { visit, payment, action, entered } = props
  const { actions } = visit.texts
  const { currency } = payment
  const most = action === 'refund' ? refundableMinor(payment) : payment.amountMinor
  const hint = (action === 'refund' ? actions.refund.left : actions.capture.most)(
    amountText(visit, most, payment),
  )
  return (
    <Field
      id="amount"
      name="amount"
      label={actions.amount}
      hint={hint}
      value={entered.amount ?? decimalText(defaultAmount(props), currency)}
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

function NoteField({ visit, action, entered }: AskPageProps) {
  const { actions, frame } = visit.texts
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
  const { visit, payment, action, heldBy, amount, allowance } = props
  const { actions, frame } = visit.texts
  const name = customerName(payment) ?? actions.customer
  const method = methodName(visit.texts, payment) ?? actions.theMethod
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
          {!takesPart(visit, payment, action) && <p class="muted">{actions.refund.whole}</p>}
          {allowance !== undefined && (
            <p class="muted">{actions.refund.limit(amountText(visit, allowance, payment))}</p>
          )}
        </>
      )
    case 'capture':
      return (
        <>
          <Sentence text={(shown) => actions.capture.says(name, shown, method)} amount={amount} />
          {payment.authorisedUntil && (
            <p class="muted">{actions.capture.ends(timeIn(visit, payment.authorisedUntil))}</p>
          )}
          {!takesPart(visit, payment, action) && <p class="muted">{actions.capture.whole}</p>}
        </>
      )
    case 'cancel':
      return <p>{cancelText({ visit, payment, name, method })}</p>
    case 'release':
      return <ReleaseText visit={visit} payment={payment} heldBy={heldBy} amount={amount} />
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
  readonly visit: AppVisit
  readonly payment: Payment
  readonly name: string
  readonly method: string
}

function cancelText({ visit, payment, name, method }: CancelProps): string {
  const { actions, frame } = visit.texts
  const { cancel } = actions
  const text =
    payment.capturedMinor > 0n
      ? cancel.taken(name, amountText(visit, payment.capturedMinor, payment), method)
      : payment.state === 'Created'
        ? cancel.open
        : cancel.reserved(amountText(visit, payment.amountMinor, payment), method)
  return `${text} ${frame.cannotUndo}`
}

interface ReleaseProps {
  readonly visit: AppVisit
  readonly payment: Payment
  readonly heldBy: readonly string[]
  readonly amount: string
}

/** Which rules hold the payment, and what the release leads to. */
function ReleaseText({ visit, payment, heldBy, amount }: ReleaseProps) {
  const { release } = visit.texts.actions
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
