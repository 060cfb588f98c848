import Type from 'typebox'
import type { Context } from '../../context.ts'
import { Instant } from '../../http/wire.ts'
import type { ProviderCall } from '../../logs/provider/lines.ts'
import { type App, findProfile } from '../../merchants/app.ts'
import { adapterOf, findAdapter, settingsOf } from '../../merchants/profiles/adapter.ts'
import type { Payment } from '../payment.ts'
import { problemText } from '../problems.ts'
import type { StateRecord } from './timeline-store.ts'

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

export const StateLogAnswer = Type.Object(
  {
    paymentStateLogId: Type.Integer({ description: 'The place of the state, from 1.' }),
    paymentState: Type.String(),
    createdTime: Instant,
    lastError: nullable(Type.String()),
  },
  { title: 'PaymentStateLog' },
)

/** Events are deleted after a month; the present state is known for ever. */
export function stateLogView(payment: Payment, states: readonly StateRecord[]) {
  const { sequence, state, stateTime: time, lastError } = payment
  const shown = states.length > 0 ? states : [{ sequence, state, time, lastError }]
  return shown.map((each) => ({
    paymentStateLogId: each.sequence,
    paymentState: each.state,
    createdTime: each.time.toISOString(),
    lastError: each.lastError && problemText(each.lastError),
  }))
}

export const ProviderLogAnswer = Type.Object(
  {
    paymentId: Type.String(),
    method: Type.String({ description: 'What the request was for: a step of the payment, or `read`.' }),
    createdTime: Instant,
    paymentGateway: nullable(Type.String()),
    message: Type.Unknown({ description: 'The request and the reply, masked.' }),
    error: Type.Unknown({ description: 'The reply or what went wrong; null after a success.' }),
  },
  { title: 'PaymentProviderLogData' },
)

/** Headers and bodies are stored as JSON. */
const json = (text: string | null): unknown => (text === null ? null : JSON.parse(text))

export function providerLogView(app: App, { paymentId }: Payment, call: ProviderCall) {
  const reply = json(call.responseBody)
  const isSuccess = call.outcome === 'reply' && call.status !== null && call.status < 400
  return {
    paymentId: String(paymentId),
    method: call.step,
    createdTime: call.startTime.toISOString(),
    paymentGateway: findProfile(app, call.profileId)?.provider ?? null,
    message: {
      attempt: call.attempt,
      request: {
        method: call.method,
        url: call.url,
        headers: json(call.requestHeaders),
        body: json(call.requestBody),
      },
      response: { outcome: call.outcome, status: call.status, body: reply },
      ms: call.ms,
    },
    error: isSuccess ? null : (reply ?? call.outcome),
  }
}

export const RawInfoAnswer = Type.Object(
  {
    providerInfo: nullable(
      Type.String(),
      'JSON text: the newest reply about the payment, masked; null when there is none in the log.',
    ),
  },
  { title: 'PaymentProviderFullInfo' },
)

/** The calls are the newest first. */
export const rawInfoView = (calls: readonly ProviderCall[]) => ({
  providerInfo:
    calls.find(({ status, responseBody }) => status !== null && status < 300 && responseBody !== null)
      ?.responseBody ?? null,
})

export const LinkInfoAnswer = Type.Object(
  {
    orderUrl: nullable(Type.String(), 'The payment in the dashboard of the provider.'),
    orderField: nullable(Type.String(), 'What the provider calls the id.'),
    orderValue: nullable(Type.String()),
  },
  { title: 'PaymentProviderPaymentLinkInfo' },
)

export function linkInfoView(ctx: Pick<Context, 'providers' | 'vault'>, app: App, payment: Payment) {
  const profile = payment.profileId === null ? undefined : findProfile(app, payment.profileId)
  const handles = payment.handles ?? {}
  const { payment: orderValue = null } = handles
  const fallback = { orderUrl: null, orderField: orderValue && 'id', orderValue }
  if (!profile || !findAdapter(ctx, profile)) return fallback
  const { manifest } = adapterOf(ctx, profile)
  const link = manifest.dashboardLink?.(handles, settingsOf(ctx, app, profile), app.isSandbox)
  return link ? { orderUrl: link.url, orderField: link.field, orderValue: link.value } : fallback
}
