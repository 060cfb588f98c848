import { ApiError, notFound } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { folded } from '../../../base/text.ts'
import { addBlocks } from '../../../fraud/blocks/commands.ts'
import type { BlockKind } from '../../../fraud/verdict.ts'
import { readId } from '../../../http/wire.ts'
import { appNow } from '../../../merchants/app.ts'
import { cancelPayment, unholdPayment } from '../../../payments/actions.ts'
import { standingOfCustomer } from '../../../payments/history/customer.ts'
import type { Payment } from '../../../payments/payment.ts'
import { heldPayments } from '../../../payments/search/search.ts'
import { moneyInText } from '../../kit/format/money.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { TextArea } from '../../kit/html/forms.tsx'
import { Notice } from '../../kit/html/layout.tsx'
import { periodOf } from '../../kit/period.ts'
import { question } from '../../kit/question.tsx'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { app, type ScreenRoute } from '../../kit/route.ts'
import { BlockChoices, blockablesOf, chosenOf } from '../blocks/choose.tsx'
import { loadNotes } from '../notes/notes.tsx'
import { needsCode, refundableMinor } from '../payment/actions.ts'
import { CodeField, explained, fieldProblem } from '../payment/question.tsx'
import { findHeld, type HeldPayment, Reviews, Why } from './list.tsx'

/** Each row needs the verdict of its payment, so a page is short. */
const PAGE_SIZE = 20

export const reviewsScreens = (): ScreenRoute[] => [
  app('GET', '/reviews', 'PaymentReview', show),
  ...verdictRoutes('release'),
  ...verdictRoutes('reject'),
  ...verdictRoutes('block'),
]

async function show(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call, texts } = request
  const { payments, next } = await heldPayments(ctx, app, {
    cursor: call.query.cursor,
    pageSize: PAGE_SIZE,
    ...periodOf(request, appNow(ctx, app)),
    ...(call.query.assigned === 'me' && { assignedTo: request.person.personId }),
  })
  const found = await Promise.all(payments.map(({ paymentId }) => findHeld(request, paymentId)))
  const held = found.filter((each) => each !== undefined)
  const chosen = await selectedOf(request, held)
  const selected = chosen && {
    ...chosen,
    standing: await standingOfCustomer(ctx, app, chosen.payment.customerId),
  }
  const noted =
    selected && (await loadNotes(request, `payment:${selected.payment.paymentId}`, 'PaymentReview'))
  return renderScreen(request, {
    name: 'reviews',
    title: texts.reviews.title,
    children: <Reviews {...{ held, selected, next, noted }} />,
  })
}

/** The one that the address names, else the oldest. */
async function selectedOf(request: AppRequest, held: readonly HeldPayment[]) {
  const { payment: named } = request.call.query
  if (named === undefined) return held[0]
  const paymentId = readId(named)
  if (paymentId === undefined) throw notFound('The payment')
  return held.find(({ payment }) => payment.paymentId === paymentId) ?? (await findHeld(request, paymentId))
}

/** `block` rejects too. */
type Verdict = 'release' | 'reject' | 'block'

const NOTE_LENGTH = 500

/** What is blocked by one click: a customer may have been robbed of the card. */
const USUAL: readonly BlockKind[] = ['Card', 'Email']

/** A page that asks, then the ordinary command with the note for the audit log. */
function verdictRoutes(verdict: Verdict): ScreenRoute[] {
  const isRelease = verdict === 'release'
  const permission = verdict === 'block' ? 'FraudPolicyWrite' : 'PaymentReview'
  return question(`/reviews/{paymentId}/${verdict}`, permission, {
    kind: isRelease ? 'primary' : 'danger',
    back: '/reviews?payment={paymentId}',
    subject: heldOf,
    texts: ({ reviews }, { payment }, { language }) => {
      const amount = moneyInText(language, payment.amountMinor, payment.currency)
      return {
        release: { title: reviews.releaseTitle, button: reviews.confirmRelease({ amount }) },
        reject: { title: reviews.rejectTitle, button: reviews.confirmReject({ amount }) },
        block: { title: reviews.blockTitle, button: reviews.confirmBlock({ amount }) },
      }[verdict]
    },
    fields: (request, { payment, reasons }, errors) => {
      const { frame, reviews } = request.texts
      const problem = errors.of('form') ?? errors.of('amount')
      return (
        <>
          {problem && <Notice kind="bad" title={problem} />}
          <p>{effectText(request, verdict, payment)}</p>
          <Why reasons={reasons} />
          {verdict === 'block' && (
            <BlockChoices blockables={blockablesOf(payment)} usual={USUAL} errors={errors} />
          )}
          <TextArea
            id="note"
            name="note"
            label={isRelease ? `${frame.note} (${frame.optional})` : frame.note}
            hint={reviews.noteHint}
            {...errors.for('note')}
            value={noteOf(request)}
            maxLength={NOTE_LENGTH}
            rows={3}
            required={!isRelease}
          />
          {needsCode(request, payment, isRelease ? 'release' : 'cancel') && <CodeField errors={errors} />}
        </>
      )
    },
    run: (request, { payment }) =>
      verdict === 'block' ? rejectAndBlock(request, payment) : decide(request, verdict, payment),
  })
}

async function heldOf(request: AppRequest): Promise<HeldPayment> {
  const held = await findHeld(request, readId(request.call.params.paymentId ?? '') ?? -1)
  if (!held) throw notFound('The held payment')
  return held
}

const noteOf = ({ call }: AppRequest): string => folded(call.form.get('note') ?? '').slice(0, NOTE_LENGTH)

/** Rejects first: a refused rejection blocks nothing, and the form is shown again. */
async function rejectAndBlock(request: AppRequest, payment: Payment): Promise<PageAnswer> {
  const { ctx, app, base } = request
  if (!request.can('PaymentReview')) throw new ApiError('forbidden', 'Your role does not allow reviews.')
  const { paymentId, customerId } = payment
  const chosen = chosenOf(request, blockablesOf(payment)).map((one) => ({ ...one, field: 'block' }))
  await decide(request, 'reject', payment)
  const details = { reason: noteOf(request), source: { paymentId, customerId } }
  const { length } = await addBlocks(ctx, app, chosen, details)
  return seeOther(`${base}/reviews?note=rejectedAndBlocked&count=${length}`)
}

async function decide(request: AppRequest, verdict: Verdict, payment: Payment): Promise<PageAnswer> {
  const { ctx, app, call, base, texts } = request
  const isRelease = verdict === 'release'
  const note = noteOf(request)
  if (!isRelease && note === '') throw fieldProblem('not_possible', 'note', texts.reviews.noteMissing)
  // Captured money goes back to the customer.
  if (!isRelease && payment.state === 'CapturedHold' && !request.can('PaymentRefund'))
    throw new ApiError('forbidden', 'Your role does not allow refunds.')
  const otpCode = call.form.get('otpCode')?.trim() || undefined
  const options = { waitMs: LIMITS.actionWaitMs, otpCode, description: note || undefined }
  const command = isRelease ? unholdPayment : cancelPayment
  await explained(request, () => command(ctx, app, payment, options))
  return seeOther(`${base}/reviews?note=${isRelease ? 'released' : 'rejected'}`)
}

function effectText({ texts, language }: AppRequest, verdict: Verdict, payment: Payment): string {
  const { reviews } = texts
  const isCaptured = payment.state === 'CapturedHold'
  const minor = isCaptured ? refundableMinor(payment) : payment.amountMinor
  const amount = moneyInText(language, minor, payment.currency)
  if (verdict !== 'release') return isCaptured ? reviews.willRefund({ amount }) : reviews.willVoid({ amount })
  if (isCaptured) return reviews.willKeep({ amount })
  return payment.autoCapture ? reviews.willCapture({ amount }) : reviews.willAuthorize({ amount })
}
