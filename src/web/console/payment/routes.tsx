import { ApiError } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { readId } from '../../../http/wire.ts'
import { getApiCall } from '../../../logs/api/commands.ts'
import { type LiveStreams, STREAM_HEADERS, STREAM_TYPE } from '../../kit/request/live-streams.ts'
import { type PageAnswer, seeOther } from '../../kit/request/answer.ts'
import { getPaymentByReference, recheckPayment } from '../../../payments/actions.ts'
import { STATES } from '../../../payments/machine.ts'
import { canRecheck } from '../../../payments/view.ts'
import { resend } from '../../../webhooks/commands.ts'
import { app, type ScreenRoute } from '../../kit/route.ts'
import { renderScreen } from '../../kit/frame/shell.tsx'
import type { AppRequest } from '../../kit/frame/request.ts'
import { askRoutes, homeOf } from './ask-routes.tsx'
import { curlOf } from './curl.ts'
import { Actions, Heading, PaymentBody } from './detail.tsx'
import { Exchange } from './exchange.tsx'
import { loadPage, paymentOf } from './load.ts'
import { flashOf } from './notes.ts'

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
    ...askRoutes(),
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
    actions: <Actions payment={payment} canRecheck={canRecheck(payment)} />,
    flash: flashOf(request, page),
    data: {
      'data-object': `payment:${payment.paymentId}`,
      'data-version': String(payment.version),
      ...(isFinal ? {} : { 'data-live': `${base}/payments/${payment.paymentId}/events` }),
    },
    children: <PaymentBody page={page} />,
  })
}

/** For links of shops that know only their own reference. */
async function findByReference(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, base, call } = request
  const { paymentId } = await getPaymentByReference(ctx, app, call.query.referenceId ?? '')
  return seeOther(`${base}/payments/${paymentId}`)
}

/** One logged request to our API about the payment; opened as a dialog where script runs. */
async function showRequest(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, base, texts, call } = request
  const payment = await paymentOf(request)
  const found = await getApiCall(ctx, app, call.params.requestId ?? '')
  const { method, path, requestBody, answerBody, status, ms, requestId } = found
  const headers = {
    authorization: 'Bearer $TENDER_API_KEY',
    ...(requestBody ? { 'content-type': 'application/json' } : {}),
  }
  const { items } = texts.payment
  return renderScreen(request, {
    name: 'payments',
    title: `${items.request} ${requestId}`,
    crumbs: [
      { label: texts.payments.title, href: `${base}/payments` },
      { label: String(payment.paymentId), href: `${base}/payments/${payment.paymentId}` },
    ],
    children: (
      <section class="card" data-dialog-body="yes">
        <p>
          <span class={status < 400 ? 'code good' : 'code bad'}>{status}</span>{' '}
          <span class="muted">{`${items.duration} ${items.ms(ms)}`}</span>
        </p>
        <Exchange
          line={`${method} ${path}`}
          request={requestBody}
          response={answerBody}
          curl={curlOf({ method, url: `${ctx.config.publicUrl}${path}`, headers, body: requestBody })}
        />
        <div class="buttons">
          <a class="button quiet" href={`${base}/payments/${payment.paymentId}`} data-dialog-close="yes">
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

async function recheck(request: AppRequest): Promise<PageAnswer> {
  const payment = await paymentOf(request)
  await recheckPayment(request.ctx, request.app, payment, { waitMs: LIMITS.checkoutWaitMs })
  return seeOther(homeOf(request, payment, 'recheck'))
}

async function resendWebhook(request: AppRequest): Promise<PageAnswer> {
  const { ctx, app, call } = request
  const payment = await paymentOf(request)
  const chosen = readId(call.form.get('sequence') ?? '')
  const hasAddress = chosen !== undefined || (payment.webhookUrl ?? app.paymentWebhookUrl) !== null
  if (!hasAddress) return seeOther(homeOf(request, payment, 'no-webhook'))
  try {
    await resend(ctx, app, { paymentId: payment.paymentId, sequence: chosen ?? payment.sequence })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404)
      return seeOther(homeOf(request, payment, 'no-webhook'))
    throw error
  }
  return seeOther(homeOf(request, payment, 'resend'))
}
