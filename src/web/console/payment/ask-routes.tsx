import { ApiError } from '../../../base/errors.ts'
import { decimalText } from '../../../base/money.ts'
import { paymentVerdicts } from '../../../fraud/verdicts/explain.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import type { Payment } from '../../../payments/payment.ts'
import type { Permission } from '../../../people/access/roles.ts'
import { app, type ScreenRoute } from '../../kit/route.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { checkText } from '../fraud/words.ts'
import {
  ASKED,
  type Asked,
  type AskedAction,
  allowanceOf,
  carryOut,
  isPossible,
  readAmountField,
  refundableMinor,
  takesPart,
} from './actions.ts'
import { AskPage, type Entered } from './asks.tsx'
import { paymentOf } from './load.ts'
import { amountText } from './words.ts'

/** A page that asks, and a form that acts, for each action. */
const PERMISSIONS: Readonly<Record<AskedAction, Permission>> = {
  refund: 'PaymentRefund',
  capture: 'PaymentWrite',
  cancel: 'PaymentWrite',
  release: 'PaymentReview',
  'mark-refunded': 'PaymentWrite',
  'mark-disputed': 'PaymentWrite',
}

export const askRoutes = (): ScreenRoute[] =>
  (Object.keys(ASKED) as AskedAction[]).flatMap((action) => [
    app('GET', `/payments/{paymentId}/${action}`, PERMISSIONS[action], (request) => ask(request, action)),
    app('POST', `/payments/{paymentId}/${action}`, PERMISSIONS[action], (request) => act(request, action)),
  ])

export const homeOf = ({ base }: AppRequest, { paymentId }: Payment, note: string): string =>
  `${base}/payments/${paymentId}?note=${note}`

async function ask(request: AppRequest, action: AskedAction): Promise<PageAnswer> {
  const payment = await paymentOf(request)
  if (!isPossible(request, payment, action)) return seeOther(homeOf(request, payment, 'unavailable'))
  return renderAsk(request, payment, { action, entered: {}, status: 200 })
}

async function act(request: AppRequest, action: AskedAction): Promise<PageAnswer> {
  const payment = await paymentOf(request)
  const { form } = request.call
  const entered = {
    amount: form.get('amount'),
    note: form.get(action === 'refund' ? 'reason' : 'note')?.trim() || undefined,
  }
  const asked = readAsked(request, payment, { action, entered })
  if ('problem' in asked)
    return renderAsk(request, payment, { action, entered: { ...entered, ...asked }, status: 400 })
  try {
    await carryOut(request, payment, asked)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    // What refused the action may have changed the payment.
    const current = await paymentOf(request)
    const problem = await problemOf(request, current, error)
    return renderAsk(request, current, { action, entered: { ...entered, problem }, status: error.status })
  }
  return seeOther(homeOf(request, payment, action))
}

interface Form {
  readonly action: AskedAction
  readonly entered: Entered
}

function readAsked(
  request: AppRequest,
  payment: Payment,
  { action, entered }: Form,
): Asked | (Pick<Entered, 'problem'> & { readonly problem: object }) {
  const { errors } = request.texts.actions
  const { amount, note } = entered
  const isMark = action === 'mark-refunded' || action === 'mark-disputed'
  if (isMark && !note) return { problem: { field: 'note', text: errors.note } }
  const otpCode = request.call.form.get('otpCode')?.trim() || undefined
  if (amount === undefined || !takesPart(request, payment, action)) return { action, note, otpCode }
  const amountMinor = readAmountField(amount, payment.currency)
  if (amountMinor === undefined || amountMinor === 0n)
    return { problem: { field: 'amount', text: errors.amount(decimalText(1000n, payment.currency)) } }
  return { action, amountMinor, note, otpCode }
}

/** The refusal of a command, in the language of the page and beside its field. */
export async function problemOf(
  request: AppRequest,
  payment: Payment,
  error: ApiError,
): Promise<NonNullable<Entered['problem']>> {
  const { actions, frame } = request.texts
  const { errors } = actions
  const code: string = error.code
  switch (code) {
    case 'otp_required':
    case 'otp_invalid':
      return { field: 'otp', text: errors.otp }
    case 'otp_not_enrolled':
      return { field: 'form', text: errors.enrol }
    case 'amount_out_of_bounds': {
      const most = payment.capturedMinor > 0n ? refundableMinor(payment) : payment.amountMinor
      return { field: 'amount', text: errors.tooMuch(amountText(request, most, payment)) }
    }
    case 'not_possible':
      return { field: 'amount', text: errors.partial }
    // Only the limit of the person refuses like this after the page was opened.
    case 'forbidden': {
      const allowance = await allowanceOf(request, payment)
      return { field: 'amount', text: errors.limit(amountText(request, allowance ?? 0n, payment)) }
    }
    case 'refund_limit_reached':
      return { field: 'form', text: errors.dailyLimit }
    case 'idempotency_key_reused':
      return { field: 'form', text: errors.repeated }
    case 'payment_busy':
      return { field: 'form', text: errors.busy }
  }
  const isState = error.extras.members?.paymentState !== undefined
  return { field: 'form', text: isState ? errors.state(frame.states[payment.state]) : error.message }
}

interface Asking extends Form {
  readonly status: number
}

async function renderAsk(request: AppRequest, payment: Payment, asking: Asking): Promise<PageAnswer> {
  const { texts, base } = request
  const { action, entered, status } = asking
  const heldBy = action === 'release' ? await heldByOf(request, payment) : []
  const allowance = action === 'refund' ? await allowanceOf(request, payment) : undefined
  return renderScreen(request, {
    name: 'payments',
    title: texts.actions.title[action](payment.paymentId),
    crumbs: [
      { label: texts.payments.title, href: `${base}/payments` },
      { label: String(payment.paymentId), href: `${base}/payments/${payment.paymentId}` },
    ],
    status,
    children: <AskPage {...{ payment, action, entered, heldBy, allowance }} />,
  })
}

/** Explanations of the rules that the present attempt violated. */
async function heldByOf(request: AppRequest, payment: Payment): Promise<string[]> {
  const verdicts = await paymentVerdicts(request.ctx, request.app, payment.paymentId)
  const last = verdicts.findLast(({ attempt }) => attempt === payment.attempt)
  return (last?.checks ?? []).flatMap((check) =>
    check.result === 'Violated' ? [checkText(request, check)] : [],
  )
}
