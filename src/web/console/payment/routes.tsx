import { ApiError } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { readId } from '../../../http/wire.ts'
import { getApiCall } from '../../../logs/api/commands.ts'
import { getPaymentByReference, recheckPayment } from '../../../payments/actions.ts'
import { STATES } from '../../../payments/machine.ts'
import type { Payment } from '../../../payments/payment.ts'
import { resend } from '../../../webhooks/commands.ts'
import type { AppRequest } from '../../kit/frame/request.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import { ifFound } from '../../kit/refusal.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { type LiveStreams, STREAM_HEADERS, STREAM_TYPE } from '../../kit/request/live-streams.ts'
import { app, type ScreenRoute } from '../../kit/route.ts'
import type { Flash } from '../../kit/screen.tsx'
import { NotesCard, noteScreens } from '../notes/notes.tsx'
import { Actions, Heading, PaymentBody } from './detail.tsx'
import { Exchange, HttpStatus } from './exchange.tsx'
import { crumbsOf, type LoadedPayment, loadPage, paymentOf } from './load.ts'
import { questionRoutes } from './question.tsx'
import { amountText } from './words.ts'

/** What a payment's page needs beside the context. */
export interface PaymentTools {
  readonly streams: LiveStreams
}

export function paymentScreens({ streams }: PaymentTools): ScreenRoute[] {
  return [
    app('GET', '/payments/{paymentId}', 'PaymentRead', show),
    app('GET', '/payments/by-reference', 'PaymentRead', findByReference),
    app('GET', '/payments/{paymentId}/requests/{requestId}', 'DeveloperRead', showRequest),
    app('GET', '/payments/{paymentId}/events', 'PaymentRead', (request) => stream(streams, request)),
    app('POST', '/payments/{paymentId}/recheck', 'PaymentWrite', recheck),
    app('POST', '/payments/{paymentId}/resend', 'DeveloperWrite', resendWebhook),
    ...questionRoutes(),
    ...noteScreens({
      path: '/payments/{paymentId}',
      permission: 'PaymentReview',
      subjectOf: async (request) => `payment:${(await paymentOf(request)).paymentId}`,
    }),
  ]
}

async function show(request: AppRequest): Promise<PageAnswer> {
  const page = await loadPage(request)
  const { payment } = page
  const { texts, base } = request
  const isFinal = STATES[payment.state].kind === 'final'
  return renderScreen(request, {
    name: 'payments',
    title: `${texts.payment.title} ${payment.paymentId}`,
    heading: <Heading payment={payment} />,
    crumbs: [{ label: texts.payments.title, href: `${base}/payments` }],
    actions: <Actions payment={payment} />,
    flash: resultOf(request, page),
    data: {
      'data-object': `payment:${payment.paymentId}`,
      'data-version': String(payment.version),
      ...(isFinal ? {} : { 'data-live': `${base}/payments/${payment.paymentId}/events` }),
    },
    children: (
      <>
        <PaymentBody page={page} />
        <NotesCard
          {...page.noted}
          path={`${base}/payments/${payment.paymentId}`}
          mayWrite={request.can('PaymentReview')}
        />
      </>
    ),
  })
}

/**
 * What came of an action. The address names only the action; the result is read from the payment, so that a
 * reload never shows an old one. Other notes are texts of the screen.
 */
function resultOf(request: AppRequest, { payment, timeline }: LoadedPayment): Flash | undefined {
  const { notes } = request.texts.actions
  const { state, capturedMinor } = payment
  const amount = (minor: bigint) => amountText(request, minor, payment)
  switch (request.call.query.note) {
    case 'refund': {
      if (state === 'Refunding') return { kind: 'info', text: notes.refunding }
      // The newest refund is the one that the form asked for.
      const last = timeline.items.filter((item) => item.kind === 'refund').at(-1)
      if (!last || last.state === 'failed') return { kind: 'bad', text: notes.refundFailed }
      return { kind: 'ok', text: notes.refunded({ amount: amount(last.amountMinor) }) }
    }
    case 'capture':
      if (state === 'Capturing') return { kind: 'info', text: notes.capturing }
      if (capturedMinor === 0n) return { kind: 'bad', text: notes.captureFailed }
      return { kind: 'ok', text: notes.captured({ amount: amount(capturedMinor) }) }
    case 'cancel':
      if (state === 'Cancelling') return { kind: 'info', text: notes.cancelling }
      if (state === 'Failed') return { kind: 'ok', text: notes.cancelled }
      return { kind: 'bad', text: notes.cancelFailed }
    case 'recheck':
      return { kind: 'info', text: notes.rechecked }
  }
  return undefined
}

/** For links of shops that know only their own reference. */
async function findByReference({ ctx, app, base, call }: AppRequest): Promise<PageAnswer> {
  const { paymentId } = await getPaymentByReference(ctx, app, call.query.referenceId ?? '')
  return seeOther(`${base}/payments/${paymentId}`)
}

/** One logged request to our API about the payment; opened as a dialog where script runs. */
async function showRequest(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, base, texts, call } = request
  const { paymentId } = await paymentOf(request)
  const found = await getApiCall(ctx, app, call.params.requestId ?? '')
  const { method, path, requestBody: body, answerBody, status, ms, requestId } = found
  const headers = {
    authorization: 'Bearer $TENDER_API_KEY',
    ...(body ? { 'content-type': 'application/json' } : {}),
  }
  const { items } = texts.payment
  return renderScreen(request, {
    name: 'payments',
    title: `${items.request} ${requestId}`,
    crumbs: crumbsOf(request),
    children: (
      <section class="card" data-dialog-body="yes">
        <p>
          <HttpStatus status={status} /> <span class="muted">{`${items.duration} ${items.ms({ ms })}`}</span>
        </p>
        <Exchange
          address={path}
          request={{ method, url: `${ctx.config.publicUrl}${path}`, headers, body }}
          response={answerBody}
        />
        <div class="buttons">
          <a class="button quiet" href={`${base}/payments/${paymentId}`} data-dialog-close="yes">
            {texts.frame.close}
          </a>
        </div>
      </section>
    ),
  })
}

/** Tells open pages that the payment changed; they read the page again. */
async function stream(streams: LiveStreams, request: AppRequest): Promise<PageAnswer> {
  const payment = await paymentOf(request)
  const message = async () => ({ version: (await paymentOf(request)).version })
  const events = streams.open({ owner: request.person.personId, payment, message })
  if (!events) throw new ApiError('too_many_requests', 'Too many pages of this person are live.')
  return { file: events, type: STREAM_TYPE, headers: STREAM_HEADERS }
}

const backTo = ({ base }: AppRequest, { paymentId }: Payment, note: string): PageAnswer =>
  seeOther(`${base}/payments/${paymentId}?note=${note}`)

async function recheck(request: AppRequest): Promise<PageAnswer> {
  const payment = await paymentOf(request)
  await recheckPayment(request.ctx, request.app, payment, { waitMs: LIMITS.checkoutWaitMs })
  return backTo(request, payment, 'recheck')
}

async function resendWebhook(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call } = request
  const payment = await paymentOf(request)
  const { paymentId, sequence } = payment
  const chosen = readId(call.form.get('sequence') ?? '')
  const hasAddress = chosen !== undefined || (payment.webhookUrl ?? app.paymentWebhookUrl) !== null
  const endpointId = readId(call.form.get('endpoint') ?? '') ?? 0
  const key = { paymentId, sequence: chosen ?? sequence }
  const isSent = hasAddress && (await ifFound(resend(ctx, app, key, endpointId)))
  return backTo(request, payment, isSent ? 'resend' : 'no-webhook')
}
