import { ApiError, notFound } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { folded } from '../../../base/text.ts'
import { readId } from '../../../http/wire.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { Notice } from '../../kit/html/layout.tsx'
import { moneyInText } from '../../kit/format/money.tsx'
import { cancelPayment, unholdPayment } from '../../../payments/actions.ts'
import type { Payment } from '../../../payments/payment.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { Question, TextArea } from '../../kit/html/forms.tsx'
import { needsCode } from '../payment/actions.ts'
import { problemOf } from '../payment/ask-routes.tsx'
import { CodeField, type Entered } from '../payment/asks.tsx'
import { findHeld, type HeldPayment } from './held.ts'
import { Why } from './list.tsx'

/** Release or reject: a page that asks, then the ordinary command with the note for the audit log. */

type Verdict = 'release' | 'reject'

const ASKED_AS = { release: 'release', reject: 'cancel' } as const
const NOTE_LENGTH = 500

export const askRelease = (request: AppRequest): Promise<PageAnswer> => ask(request, 'release')
export const askReject = (request: AppRequest): Promise<PageAnswer> => ask(request, 'reject')
export const release = (request: AppRequest): Promise<PageAnswer> => decide(request, 'release')
export const reject = (request: AppRequest): Promise<PageAnswer> => decide(request, 'reject')

async function heldOf(request: AppRequest): Promise<HeldPayment> {
  const held = await findHeld(request, readId(request.call.params.paymentId ?? '') ?? -1)
  if (!held) throw notFound('The held payment')
  return held
}

async function ask(request: AppRequest, verdict: Verdict): Promise<PageAnswer> {
  return render(request, verdict, { held: await heldOf(request) })
}

async function decide(request: AppRequest, verdict: Verdict): Promise<PageAnswer> {
  const { ctx, app, call, base, texts } = request
  const held = await heldOf(request)
  const note = folded(call.form.get('note') ?? '').slice(0, NOTE_LENGTH)
  if (verdict === 'reject' && note === '')
    return render(request, verdict, { held, noteError: texts.reviews.noteMissing, status: 422 })
  // Captured money goes back to the customer.
  const isRefund = verdict === 'reject' && held.payment.state === 'CapturedHold'
  if (isRefund && !request.can('PaymentRefund'))
    throw new ApiError('forbidden', 'Your role does not allow refunds.')
  try {
    const otpCode = call.form.get('otpCode')?.trim() || undefined
    const options = { waitMs: LIMITS.actionWaitMs, otpCode, ...(note ? { description: note } : {}) }
    if (verdict === 'release') await unholdPayment(ctx, app, held.payment, options)
    else await cancelPayment(ctx, app, held.payment, options)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    const problem = await problemOf(request, held.payment, error)
    return render(request, verdict, { held, note, problem, status: error.status })
  }
  return seeOther(`${base}/reviews?note=${verdict === 'release' ? 'released' : 'rejected'}`)
}

interface Drawn {
  readonly held: HeldPayment
  readonly note?: string
  readonly noteError?: string
  readonly problem?: Entered['problem']
  readonly status?: number
}

function render(request: AppRequest, verdict: Verdict, drawn: Drawn): PageAnswer {
  const { texts, base, language } = request
  const { reviews, frame } = texts
  const { problem } = drawn
  const { payment, reasons } = drawn.held
  const amount = moneyInText(language, payment.amountMinor, payment.currency)
  const isRelease = verdict === 'release'
  const back = `${base}/reviews?payment=${payment.paymentId}`
  return renderScreen(request, {
    name: 'reviews',
    title: isRelease ? reviews.releaseTitle : reviews.rejectTitle,
    crumbs: [{ label: reviews.title, href: back }],
    status: drawn.status ?? 200,
    children: (
      <Question
        action={`${base}/reviews/${payment.paymentId}/${verdict}`}
        button={isRelease ? reviews.confirmRelease(amount) : reviews.confirmReject(amount)}
        kind={isRelease ? 'primary' : 'danger'}
        back={back}
      >
        {problem && problem.field !== 'otp' && <Notice kind="bad" title={problem.text} />}
        <p>{effectText(request, verdict, payment)}</p>
        <Why reasons={reasons} />
        <TextArea
          id="note"
          name="note"
          label={isRelease ? `${frame.note} (${frame.optional})` : frame.note}
          hint={reviews.noteHint}
          error={drawn.noteError}
          value={drawn.note ?? ''}
          maxLength={NOTE_LENGTH}
          rows={3}
          required={!isRelease}
        />
        {needsCode(request, payment, ASKED_AS[verdict]) && <CodeField problem={problem} />}
      </Question>
    ),
  })
}

function effectText({ texts, language }: AppRequest, verdict: Verdict, payment: Payment): string {
  const { reviews } = texts
  const isCaptured = payment.state === 'CapturedHold'
  const amount = moneyInText(
    language,
    isCaptured ? payment.capturedMinor - payment.refundedMinor : payment.amountMinor,
    payment.currency,
  )
  if (verdict === 'reject') return isCaptured ? reviews.willRefund(amount) : reviews.willVoid(amount)
  if (isCaptured) return reviews.willKeep(amount)
  return payment.autoCapture ? reviews.willCapture(amount) : reviews.willAuthorize(amount)
}
