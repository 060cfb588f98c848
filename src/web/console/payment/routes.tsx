import { ApiError } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import type { Route } from '../../../http/route.ts'
import { readId } from '../../../http/wire.ts'
import { getApiCall } from '../../../logs/api/commands.ts'
import { STREAM_HEADERS, STREAM_TYPE } from '../../kit/request/live-streams.ts'
import { type PageAnswer, seeOther } from '../../kit/request/page-route.tsx'
import { getPaymentByReference, recheckPayment } from '../../../payments/actions.ts'
import { STATES } from '../../../payments/machine.ts'
import { canRecheck } from '../../../payments/view.ts'
import { resend } from '../../../webhooks/commands.ts'
import type { Screens } from '../frame/screens.tsx'
import { drawScreen } from '../frame/shell.tsx'
import type { AppVisit } from '../frame/visit.ts'
import { askRoutes, homeOf } from './ask-routes.tsx'
import { curlOf } from './curl.ts'
import { Actions, Heading, PaymentBody } from './detail.tsx'
import { Exchange } from './exchange.tsx'
import { loadPage, paymentOf } from './load.ts'
import { flashOf } from './notes.ts'

export function paymentScreens(screens: Screens): Route[] {
  return [
    screens.app('GET', '/payments/{paymentId}', show),
    screens.app('GET', '/payments/by-reference', findByReference),
    screens.app('GET', '/payments/{paymentId}/requests/{requestId}', showRequest),
    screens.app('GET', '/payments/{paymentId}/events', (visit) => stream(screens, visit)),
    screens.app('POST', '/payments/{paymentId}/recheck', recheck),
    screens.app('POST', '/payments/{paymentId}/resend', resendWebhook),
    ...askRoutes(screens),
  ]
}

async function show(visit: AppVisit): Promise<PageAnswer> {
  const page = await loadPage(visit)
  const { payment } = page
  const { texts, base } = visit
  const isFinal = STATES[payment.state].kind === 'final'
  return drawScreen(visit, {
    name: 'payments',
    title: `${texts.payment.title} ${payment.paymentId}`,
    heading: <Heading visit={visit} payment={payment} />,
    crumbs: [{ label: texts.payments.title, href: `${base}/payments` }],
    actions: <Actions visit={visit} payment={payment} canRecheck={canRecheck(payment)} />,
    flash: flashOf(visit, page),
    data: {
      'data-object': `payment:${payment.paymentId}`,
      'data-version': String(payment.version),
      ...(isFinal ? {} : { 'data-live': `${base}/payments/${payment.paymentId}/events` }),
    },
    children: <PaymentBody visit={visit} page={page} />,
  })
}

/** For links of shops that know only their own reference. */
async function findByReference(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, base, call } = visit
  const { paymentId } = await getPaymentByReference(ctx, app, call.query.referenceId ?? '')
  return seeOther(`${base}/payments/${paymentId}`)
}

/** One logged request to our API about the payment; opened as a dialog where script runs. */
async function showRequest(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, base, texts, call } = visit
  const payment = await paymentOf(visit)
  const found = await getApiCall(ctx, app, call.params.requestId ?? '')
  const { method, path, requestBody, answerBody, status, ms, requestId } = found
  const headers = {
    authorization: 'Bearer $TENDER_API_KEY',
    ...(requestBody ? { 'content-type': 'application/json' } : {}),
  }
  const { items } = texts.payment
  return drawScreen(visit, {
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
          visit={visit}
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
async function stream({ streams }: Screens, visit: AppVisit): Promise<PageAnswer> {
  const payment = await paymentOf(visit)
  const message = async () => ({ version: (await paymentOf(visit)).version })
  const events = streams.open({ owner: visit.person.personId, payment, message })
  if (!events) throw new ApiError('too_many_requests', 'Too many pages of this person are live.')
  return { file: events, type: STREAM_TYPE, headers: STREAM_HEADERS }
}

async function recheck(visit: AppVisit): Promise<PageAnswer> {
  const payment = await paymentOf(visit)
  await recheckPayment(visit.ctx, visit.app, payment, { waitMs: LIMITS.checkoutWaitMs })
  return seeOther(homeOf(visit, payment, 'recheck'))
}

async function resendWebhook(visit: AppVisit): Promise<PageAnswer> {
  const { ctx, app, call } = visit
  const payment = await paymentOf(visit)
  const chosen = readId(call.form.get('sequence') ?? '')
  const hasAddress = chosen !== undefined || (payment.webhookUrl ?? app.paymentWebhookUrl) !== null
  if (!hasAddress) return seeOther(homeOf(visit, payment, 'no-webhook'))
  try {
    await resend(ctx, app, { paymentId: payment.paymentId, sequence: chosen ?? payment.sequence })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404)
      return seeOther(homeOf(visit, payment, 'no-webhook'))
    throw error
  }
  return seeOther(homeOf(visit, payment, 'resend'))
}
