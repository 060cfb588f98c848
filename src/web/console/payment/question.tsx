import { currencyDigits } from '../../../base/currencies.ts'
import { ApiError } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { decimalText } from '../../../base/money.ts'
import { typedDecimal } from '../../../base/presentation/typed-amount.ts'
import { paymentVerdicts } from '../../../fraud/verdicts/explain.ts'
import type { Payment } from '../../../payments/payment.ts'
import { REFUND_REASONS } from '../../../providers/port.ts'
import { paidMethodName } from '../../kit/format/names.ts'
import { timeIn } from '../../kit/format/time.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Field, Select } from '../../kit/html/controls.tsx'
import { OtpField, TextArea } from '../../kit/html/forms.tsx'
import { Notice } from '../../kit/html/layout.tsx'
import { type QuestionTexts, question } from '../../kit/question.tsx'
import type { FormErrors } from '../../kit/refusal.ts'
import type { ScreenRoute } from '../../kit/route.ts'
import { useRequest } from '../../kit/screen.tsx'
import { checkText } from '../fraud/words.ts'
import {
  ASKED,
  type AskedAction,
  allowanceOf,
  carryOut,
  isPossible,
  needsCode,
  readAmountField,
  refundableMinor,
  takesPart,
} from './actions.ts'
import { crumbsOf, paymentOf } from './load.ts'
import { Reasons } from './timeline.tsx'
import { amountText, customerName } from './words.ts'

/** The action that is asked about, and what the page must know to explain it. */
interface Wanted {
  readonly action: AskedAction
  readonly payment: Payment
  /** Explanations of the rules that hold the payment. */
  readonly heldBy: readonly string[]
  /** What the person may still refund today; undefined for no limit. */
  readonly allowance: bigint | undefined
}

/** A page that asks, and a form that acts, for each action. */
export const questionRoutes = (): ScreenRoute[] =>
  (Object.keys(ASKED) as AskedAction[]).flatMap((action) => {
    const readAsked = async (request: AppRequest): Promise<Wanted> => {
      const payment = await paymentOf(request)
      return {
        action,
        payment,
        heldBy: action === 'release' ? await heldByOf(request, payment) : [],
        allowance: action === 'refund' ? await allowanceOf(request, payment) : undefined,
      }
    }
    return question(`/payments/{paymentId}/${action}`, ASKED[action].permission, {
      screen: 'payments',
      kind: ASKED[action].kind,
      subject: readAsked,
      again: readAsked,
      isPossible: ({ payment }, request) => isPossible(request, payment, action),
      impossible: 'unavailable',
      crumbs: crumbsOf,
      texts: (_texts, asked, request) => textsOf(request, asked),
      obstacle: ({ texts }, { allowance }) =>
        allowance !== undefined && allowance <= 0n ? texts.actions.refund.nothingLeft : undefined,
      fields: fieldsOf,
      run: async (request, asked) => {
        const options = readOptions(request, asked)
        await explained(request, () => carryOut(request, asked.payment, action, options))
        return action
      },
    })
  })

/** Explanations of the rules that the present attempt violated. */
async function heldByOf(request: AppRequest, payment: Payment): Promise<string[]> {
  const verdicts = await paymentVerdicts(request.ctx, request.app, payment.paymentId)
  const last = verdicts.findLast(({ attempt }) => attempt === payment.attempt)
  const violated = last?.checks.filter(({ result }) => result === 'Violated') ?? []
  return violated.map((check) => checkText(request, check, last?.fraudPolicyName))
}

const isMark = (action: AskedAction): boolean => action === 'mark-refunded' || action === 'mark-disputed'

/** The form of a refund asks for a reason, which the customer may see; others for a note. */
const noteName = (action: AskedAction) => (action === 'refund' ? 'reason' : 'note')

function readOptions(request: AppRequest, { action, payment }: Wanted): Parameters<typeof carryOut>[3] {
  const { errors } = request.texts.actions
  const { form } = request.call
  const description = form.get(noteName(action))?.trim() || undefined
  const otpCode = form.get('otpCode')?.trim() || undefined
  const reason = action === 'refund' ? REFUND_REASONS.find((each) => each === form.get('why')) : undefined
  if (isMark(action) && !description) throw fieldProblem('invalid_request', 'note', errors.note)
  const amount = takesPart(request, payment, action) ? form.get('amount') : undefined
  if (amount === undefined) return { description, reason, otpCode }
  const amountMinor = readAmountField(amount, payment.currency, request.language.intl)
  if (!amountMinor) {
    const example = typedDecimal(decimalText(1000n, payment.currency), request.language.intl)
    throw fieldProblem('invalid_request', 'amount', errors.amount({ example }))
  }
  return { amountMinor, description, reason, otpCode }
}

/** Fields that a problem stands beside; `form` is the whole of it. */
type ProblemField = 'form' | 'amount' | 'note' | 'otp'

export const fieldProblem = (code: ApiError['code'], field: ProblemField, message: string): ApiError =>
  new ApiError(code, message, { isTranslated: true, errors: [{ field, message }] })

/** Runs a command on the payment. Its refusal names a field, in the language of the page. */
export async function explained(request: AppRequest, command: () => Promise<unknown>): Promise<void> {
  try {
    await command()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    // What refused the action may have changed the payment.
    const payment = await paymentOf(request)
    throw fieldProblem(error.code, ...(await problemOf(request, payment, error)))
  }
}

/** Refusals whose text needs no values: the field, and the text. */
const PLAIN_PROBLEMS = {
  otp_required: ['otp', 'otp'],
  otp_invalid: ['otp', 'otp'],
  otp_not_enrolled: ['form', 'enrol'],
  not_possible: ['amount', 'partial'],
  refund_limit_reached: ['form', 'dailyLimit'],
  refund_needs_approval: ['form', 'approval'],
  idempotency_key_reused: ['form', 'repeated'],
  payment_busy: ['form', 'busy'],
} as const satisfies Partial<Record<ApiError['code'], readonly [ProblemField, string]>>

async function problemOf(
  request: AppRequest,
  payment: Payment,
  { code, message, extras }: ApiError,
): Promise<[ProblemField, string]> {
  const { errors } = request.texts.actions
  if (Object.hasOwn(PLAIN_PROBLEMS, code)) {
    const [field, text] = PLAIN_PROBLEMS[code as keyof typeof PLAIN_PROBLEMS]
    return [field, errors[text]]
  }
  if (code === 'amount_out_of_bounds') {
    const most = payment.capturedMinor > 0n ? refundableMinor(payment) : payment.amountMinor
    return ['amount', errors.tooMuch({ amount: amountText(request, most, payment) })]
  }
  // Only the limit of the person refuses like this after the page was opened.
  if (code === 'forbidden') {
    const allowance = await allowanceOf(request, payment)
    return ['amount', errors.limit({ amount: amountText(request, allowance ?? 0n, payment) })]
  }
  const isState = extras.members?.paymentState !== undefined
  return ['form', isState ? errors.state({ state: request.texts.frame.states[payment.state] }) : message]
}

function textsOf(request: AppRequest, asked: Wanted): QuestionTexts {
  const { actions } = request.texts
  const { action, payment } = asked
  const confirm = actions.confirm[action]
  const texts = { title: actions.title[action]({ id: payment.paymentId }), back: actions.keep }
  if (typeof confirm === 'string') return { ...texts, button: confirm }
  if (!takesPart(request, payment, action) || !isPart(action))
    return { ...texts, button: confirm({ amount: shownAmount(request, asked) }) }
  // Script adds the amount and follows the field. Without it the button must not promise another one.
  const buttonData = { 'data-amount-text': confirm({ amount: '{amount}' }) }
  return { ...texts, button: actions.confirmPart[action], buttonData }
}

const isPart = (action: AskedAction): action is 'refund' | 'capture' =>
  action === 'refund' || action === 'capture'

/** What is acted on when the person changes nothing. */
function defaultAmount(request: AppRequest, { payment, action, allowance }: Wanted): bigint {
  if (action !== 'refund' && action !== 'mark-refunded') return payment.amountMinor
  const left = refundableMinor(payment)
  const isLess = action === 'refund' && allowance !== undefined && allowance > 0n && allowance < left
  return isLess && takesPart(request, payment, action) ? allowance : left
}

/** The amount in the sentence and on the button: the entered one where it is possible. */
function shownAmount(request: AppRequest, asked: Wanted): string {
  const { action, payment } = asked
  const most = defaultAmount(request, asked)
  const entered = takesPart(request, payment, action) ? request.call.form.get('amount') : undefined
  const chosen = readAmountField(entered ?? '', payment.currency, request.language.intl)
  return amountText(request, chosen && chosen <= most ? chosen : most, payment)
}

/** What the action will do, and the fields that it needs. */
function fieldsOf(request: AppRequest, asked: Wanted, errors: FormErrors) {
  const { action, payment } = asked
  const isPartial = takesPart(request, payment, action)
  const problem = errors.of('form') ?? (isPartial ? undefined : errors.of('amount'))
  return (
    <>
      {problem && <Notice kind="bad" title={problem} />}
      {explanationOf(request, asked)}
      {isPartial && amountField(request, asked, errors)}
      {action === 'refund' && <ReasonField />}
      {action !== 'capture' && action !== 'cancel' && noteField(request, action, errors)}
      {needsCode(request, payment, action) && <CodeField errors={errors} />}
    </>
  )
}

/** Why the money is given back. */
export function ReasonField() {
  const { texts, call } = useRequest()
  const { label, hint, choose, names } = texts.lists.refundReason
  const options = REFUND_REASONS.map((value) => ({ value, label: names[value] }))
  return (
    <Select
      id="why"
      name="why"
      label={label}
      hint={hint}
      value={call.form.get('why') ?? ''}
      options={[{ value: '', label: choose }, ...options]}
    />
  )
}

/** Without a second factor there is no code to enter. */
export function CodeField({ errors }: { readonly errors: FormErrors }) {
  const { texts, person } = useRequest()
  if (person.hasSecondFactor) return <OtpField {...errors.for('otp')} />
  return errors.size > 0 ? null : <Notice kind="info" title={texts.actions.errors.enrol} />
}

function amountField(request: AppRequest, asked: Wanted, errors: FormErrors) {
  const { actions } = request.texts
  const { action, payment } = asked
  const { currency } = payment
  const hint =
    action === 'refund'
      ? actions.refund.left({ amount: amountText(request, refundableMinor(payment), payment) })
      : actions.capture.most({ amount: amountText(request, payment.amountMinor, payment) })
  const start = decimalText(defaultAmount(request, asked), currency)
  return (
    <Field
      id="amount"
      name="amount"
      label={actions.amount}
      hint={hint}
      value={request.call.form.get('amount') ?? typedDecimal(start, request.language.intl)}
      {...errors.for('amount')}
      ltr
      required
      maxLength={20}
      numeric="decimal"
      data={{ 'data-amount': currency, 'data-digits': String(currencyDigits(currency)) }}
      beside={<span class="muted">{currency}</span>}
    />
  )
}

function noteField(
  { texts, call }: AppRequest,
  action: Exclude<AskedAction, 'capture' | 'cancel'>,
  errors: FormErrors,
) {
  const { actions, frame } = texts
  const name = noteName(action)
  const hint = action === 'refund' ? actions.refund.reasonHint : actions[action].noteHint
  return (
    <TextArea
      id={name}
      name={name}
      label={actions[name]}
      hint={isMark(action) ? hint : `${hint} (${frame.optional})`}
      {...errors.for('note')}
      value={call.form.get(name)?.trim() ?? ''}
      required={isMark(action)}
      maxLength={LIMITS.messageLength}
      rows={2}
    />
  )
}

function explanationOf(request: AppRequest, asked: Wanted) {
  const { actions, frame } = request.texts
  const { action, payment, allowance, heldBy } = asked
  const { refund, capture, cancel, release } = actions
  const money = (minor: bigint) => amountText(request, minor, payment)
  const amount = shownAmount(request, asked)
  const name = customerName(payment) ?? actions.customer
  const method = paidMethodName(request, payment) ?? actions.theMethod
  const isWhole = !takesPart(request, payment, action)
  switch (action) {
    case 'refund':
      return (
        <>
          {following((shown) => refund.effect({ name, amount: shown, method }), amount, frame.cannotUndo)}
          {payment.method === 'CreditCard' && <p class="muted">{refund.arrives}</p>}
          {isWhole && <p class="muted">{refund.whole}</p>}
          {allowance !== undefined && <p class="muted">{refund.limit({ amount: money(allowance) })}</p>}
        </>
      )
    case 'capture':
      return (
        <>
          {following((shown) => capture.effect({ name, amount: shown, method }), amount)}
          {payment.authorisedUntil && (
            <p class="muted">{capture.ends({ time: timeIn(request, payment.authorisedUntil) })}</p>
          )}
          {isWhole && <p class="muted">{capture.whole}</p>}
        </>
      )
    case 'cancel': {
      const open =
        payment.state === 'Created'
          ? cancel.open
          : cancel.reserved({ amount: money(payment.amountMinor), method })
      const isTaken = payment.capturedMinor > 0n
      const text = isTaken ? cancel.taken({ name, amount: money(payment.capturedMinor), method }) : open
      return <p>{`${text} ${frame.cannotUndo}`}</p>
    }
    case 'release': {
      const next = payment.autoCapture ? release.captures({ amount }) : release.waits
      return (
        <>
          <p>{heldBy.length === 0 ? release.unknown : release.heldBy}</p>
          {heldBy.length > 0 && <Reasons reasons={heldBy} />}
          <p>{payment.state === 'CapturedHold' ? release.taken : next}</p>
        </>
      )
    }
    case 'mark-refunded':
      return <p>{`${actions['mark-refunded'].effect({ amount })} ${frame.cannotUndo}`}</p>
    case 'mark-disputed':
      return <p>{actions['mark-disputed'].effect}</p>
  }
}

/** A sentence that follows the amount, where script runs. */
const following = (text: (amount: string) => string, amount: string, after?: string) => (
  <p>
    <span data-amount-text={text('{amount}')}>{text(amount)}</span> {after}
  </p>
)
