import { ApiError } from '../../../base/errors.ts'
import { decimalText } from '../../../base/money.ts'
import { paymentVerdicts } from '../../../fraud/verdicts/explain.ts'
import type { Route } from '../../../http/route.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import type { Payment } from '../../../payments/payment.ts'
import type { Screens } from '../frame/screens.tsx'
import { drawScreen } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
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
export const askRoutes = (screens: Screens): Route[] =>
  (Object.keys(ASKED) as AskedAction[]).flatMap((action) => [
    screens.app('GET', `/payments/{paymentId}/${action}`, (visit) => ask(visit, action)),
    screens.app('POST', `/payments/{paymentId}/${action}`, (visit) => act(visit, action)),
  ])

export const homeOf = ({ base }: AppVisit, { paymentId }: Payment, note: string): string =>
  `${base}/payments/${paymentId}?note=${note}`

async function ask(visit: AppVisit, action: AskedAction): Promise<PageAnswer> {
  const payment = await paymentOf(visit)
  if (!isPossible(visit, payment, action)) return seeOther(homeOf(visit, payment, 'unavailable'))
  return drawAsk(visit, payment, { action, entered: {}, status: 200 })
}

async function act(visit: AppVisit, action: AskedAction): Promise<PageAnswer> {
  const payment = await paymentOf(visit)
  const { form } = visit.call
  const entered = {
    amount: form.get('amount'),
    note: form.get(action === 'refund' ? 'reason' : 'note')?.trim() || undefined,
  }
  const asked = readAsked(visit, payment, { action, entered })
  if ('problem' in asked)
    return drawAsk(visit, payment, { action, entered: { ...entered, ...asked }, status: 400 })
  try {
    await carryOut(visit, payment, asked)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    // What refused the action may have changed the payment.
    const current = await paymentOf(visit)
    const problem = await problemOf(visit, current, error)
    return drawAsk(visit, current, { action, entered: { ...entered, problem }, status: error.status })
  }
  return seeOther(homeOf(visit, payment, action))
}

interface Form {
  readonly action: AskedAction
  readonly entered: Entered
}

function readAsked(
  visit: AppVisit,
  payment: Payment,
  { action, entered }: Form,
): Asked | (Pick<Entered, 'problem'> & { readonly problem: object }) {
  const { errors } = visit.texts.actions
  const { amount, note } = entered
  const isMark = action === 'mark-refunded' || action === 'mark-disputed'
  if (isMark && !note) return { problem: { field: 'note', text: errors.note } }
  const otpCode = visit.call.form.get('otpCode')?.trim() || undefined
  if (amount === undefined || !takesPart(visit, payment, action)) return { action, note, otpCode }
  const amountMinor = readAmountField(amount, payment.currency)
  if (amountMinor === undefined || amountMinor === 0n)
    return { problem: { field: 'amount', text: errors.amount(decimalText(1000n, payment.currency)) } }
  return { action, amountMinor, note, otpCode }
}

/** The refusal of a command, in the language of the page and beside its field. */
export async function problemOf(
  visit: AppVisit,
  payment: Payment,
  error: ApiError,
): Promise<NonNullable<Entered['problem']>> {
  const { actions, frame } = visit.texts
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
      return { field: 'amount', text: errors.tooMuch(amountText(visit, most, payment)) }
    }
    case 'not_possible':
      return { field: 'amount', text: errors.partial }
    // Only the limit of the person refuses like this after the page was opened.
    case 'forbidden': {
      const allowance = await allowanceOf(visit, payment)
      return { field: 'amount', text: errors.limit(amountText(visit, allowance ?? 0n, payment)) }
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

async function drawAsk(visit: AppVisit, payment: Payment, asking: Asking): Promise<PageAnswer> {
  const { texts, base } = visit
  const { action, entered, status } = asking
  const heldBy = action === 'release' ? await heldByOf(visit, payment) : []
  const allowance = action === 'refund' ? await allowanceOf(visit, payment) : undefined
  return drawScreen(visit, {
    name: 'payments',
    title: texts.actions.title[action](payment.paymentId),
    crumbs: [
      { label: texts.payments.title, href: `${base}/payments` },
      { label: String(payment.paymentId), href: `${base}/payments/${payment.paymentId}` },
    ],
    status,
    children: <AskPage {...{ visit, payment, action, entered, heldBy, allowance }} />,
  })
}

/** Explanations of the rules that the present attempt violated. */
async function heldByOf(visit: AppVisit, payment: Payment): Promise<string[]> {
  const verdicts = await paymentVerdicts(visit.ctx, visit.app, payment.paymentId)
  const last = verdicts.findLast(({ attempt }) => attempt === payment.attempt)
  return (last?.checks ?? []).flatMap((check) =>
    check.result === 'Violated' ? [checkText(visit, check)] : [],
  )
}
