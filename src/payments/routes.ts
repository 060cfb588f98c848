import Type, { type Static } from 'typebox'
import { ApiError, type ErrorCode, invalid } from '../base/errors.ts'
import { acting, type Context } from '../context.ts'
import { type Call, type Route, type RouteInfo, route } from '../http/route.ts'
import { createCheck } from '../http/validate.ts'
import { readId } from '../http/wire.ts'
import type { App } from '../merchants/app.ts'
import {
  type ActionOptions,
  cancelPayment,
  capturePayment,
  getPayment,
  getPaymentByReference,
  markPayment,
  recheckPayment,
  refundPayment,
  unholdPayment,
} from './actions.ts'
import { type Created, createAutoPayment, createOnProviderPage, createPayment } from './create.ts'
import type { Payment } from './payment.ts'
import { isPayable, paymentJson, paymentLink } from './view.ts'
import { CREATE_EXAMPLES, PAYMENT_EXAMPLE } from './wire/examples.ts'
import { waitMsOf } from './wire/prefer.ts'
import { amountIn, readAutoPayment, readCreation } from './wire/request.ts'
import {
  AmountBody,
  AmountQuery,
  AutoPaymentBody,
  CancelQuery,
  DirectBody,
  HostedPageBody,
  MarkBody,
  MarkQuery,
  PaymentParams,
  PaymentSchema,
  ProviderHostedPageBody,
  RefundQuery,
  type SettlementView,
} from './wire/schema.ts'

const BASE = '/api/apps/{appId}/payments'
const AppParams = Type.Object({ appId: Type.String() })
const SELECTOR_PREFIX = 'referenceId:'

const answers = {
  tag: 'Payments',
  auth: 'app',
  response: PaymentSchema,
  examples: { response: PAYMENT_EXAMPLE },
} as const

/** What other features know about a payment. */
export interface PaymentParts {
  /** Called for apps with `hasSettlements` only. Null: nothing was captured. */
  readonly settlementOf: (app: App, payment: Payment) => Promise<SettlementView | null>
}

export function paymentRoutes(ctx: Context, parts: PaymentParts): Route[] {
  return [...creationRoutes(ctx), ...readingRoutes(ctx, parts), ...actionRoutes(ctx), ...markRoutes(ctx)]
}

function created(ctx: Context, app: App, { payment, replayed }: Created, { reply }: Call): string {
  if (replayed) reply.header('idempotent-replayed', 'true')
  return paymentJson(ctx, app, payment)
}

const CREATION_ERRORS: readonly ErrorCode[] = [
  'invalid_request',
  'reference_id_reused',
  'no_profile_for_currency',
  'profile_not_usable',
  'customer_blocked',
  'unknown_fraud_policy',
  'not_possible',
  'card_number_not_allowed',
]

function creation(path: keyof typeof CREATE_EXAMPLES, summary: string, description: string): RouteInfo {
  const examples = { ...answers.examples, body: CREATE_EXAMPLES[path] }
  return {
    ...answers,
    method: 'POST',
    path: `${BASE}${path}`,
    status: 201,
    summary,
    description,
    examples,
    errors: CREATION_ERRORS,
  }
}

function creationRoutes(ctx: Context): Route[] {
  return [
    route({
      ...creation(
        '/hosted-page',
        'Create a payment on the hosted checkout',
        'Send the customer to `redirectUrl`.',
      ),
      params: AppParams,
      body: HostedPageBody,
      handler: async (app: App, call) =>
        created(ctx, app, await createPayment(ctx, app, readCreation('HostedPage', call.body)), call),
    }),
    route({
      ...creation(
        '',
        'Create a payment',
        'Without a page of its own; ask for a payment link when one is needed.',
      ),
      params: AppParams,
      body: DirectBody,
      handler: async (app: App, call) =>
        created(ctx, app, await createPayment(ctx, app, readCreation('Direct', call.body)), call),
    }),
    route({
      ...creation(
        '/provider-hosted-page',
        "Create a payment on a provider's own page",
        "`redirectUrl` is the provider's page.",
      ),
      errors: [...CREATION_ERRORS, 'payment_busy'],
      params: AppParams,
      body: ProviderHostedPageBody,
      handler: async (app: App, call) => {
        const wanted = readCreation('ProviderHostedPage', call.body)
        const profileId = readId(call.body.paymentProfileId) ?? -1
        return created(ctx, app, await createOnProviderPage(ctx, app, wanted, profileId), call)
      },
    }),
    autoPaymentRoute(ctx),
  ]
}

function autoPaymentRoute(ctx: Context): Route {
  return route({
    ...creation(
      '/auto-payment',
      'Charge a stored method',
      'The customer is not present. The state in the answer is the result: 200 does not mean money moved. ' +
        'Without `currency` it is made in the currency of the payment that registered the method.',
    ),
    status: 200,
    errors: [...CREATION_ERRORS, 'no_stored_method', 'not_found'],
    params: AppParams,
    body: AutoPaymentBody,
    handler: async (app: App, call) => {
      const { body } = call
      const choice = {
        referenceId: body.referenceId,
        customerId: body.customerOrder.customer.customerId,
        paymentMethodId: optionalId(body.paymentMethodId),
        tokenId: optionalId(body.paymentMethodProviderProfileId),
      }
      const read = (currency: string) => readAutoPayment(body, body.currency ?? currency)
      return created(ctx, app, await createAutoPayment(ctx, app, choice, read), call)
    },
  })
}

const optionalId = (id: number | string | null | undefined): number | undefined =>
  id === undefined || id === null ? undefined : (readId(id) ?? -1)

/** Webhooks have the payment without its settlement, which changes without an event. */
async function shownPayment(
  ctx: Context,
  app: App,
  payment: Payment,
  { settlementOf }: PaymentParts,
): Promise<string> {
  const text = paymentJson(ctx, app, payment)
  if (!app.hasSettlements) return text
  return `${text.slice(0, -1)},"settlement":${JSON.stringify(await settlementOf(app, payment))}}`
}

function readingRoutes(ctx: Context, parts: PaymentParts): Route[] {
  const reading = { ...answers, method: 'GET', status: 200, errors: ['not_found'] } as const
  return [
    route({
      ...reading,
      path: `${BASE}/{paymentId}`,
      summary: 'Read a payment by its id',
      params: PaymentParams,
      // A client that writes the colon of the path below as %3A arrives here.
      handler: async (app: App, { params }) =>
        shownPayment(ctx, app, await selected(ctx, app, params.paymentId), parts),
    }),
    route({
      ...reading,
      path: `${BASE}/${SELECTOR_PREFIX}{referenceId}`,
      summary: 'Read a payment by its reference',
      description: 'The literal `referenceId:` is followed by your own reference, percent-encoded.',
      params: Type.Object({ appId: Type.String(), referenceId: Type.String() }),
      handler: async (app: App, { params }) =>
        shownPayment(ctx, app, await getPaymentByReference(ctx, app, params.referenceId), parts),
    }),
    route({
      ...reading,
      path: `${BASE}/{paymentId}/payment-link`,
      summary: 'The link on which a payment can be paid',
      params: PaymentParams,
      errors: ['not_found', 'payment_not_payable'],
      response: Type.Object({ url: Type.String() }),
      examples: {},
      handler: async (app: App, { params }) => {
        const payment = await getPayment(ctx, app, readId(params.paymentId))
        if (!isPayable(ctx, app, payment))
          throw new ApiError('payment_not_payable', `A payment that is ${payment.state} has no link.`)
        return { url: paymentLink(ctx, payment) }
      },
    }),
  ]
}

function selected(ctx: Context, app: App, selector: string): Promise<Payment> {
  if (selector.startsWith(SELECTOR_PREFIX))
    return getPaymentByReference(ctx, app, selector.slice(SELECTOR_PREFIX.length))
  return getPayment(ctx, app, readId(selector))
}

/** Where the app demands a second factor. */
const OTP_ERRORS: readonly ErrorCode[] = ['otp_required', 'otp_invalid', 'otp_not_enrolled']

type Act = (ctx: Context, app: App, payment: Payment, options: ActionOptions) => Promise<Payment>

const handlerOf =
  (ctx: Context, act: Act, asked: (body: unknown) => Asked = () => ({})) =>
  async (app: App, call: Call<unknown, Asked, { paymentId: string }>) => {
    const payment = await getPayment(ctx, app, readId(call.params.paymentId))
    const query = { ...asked(call.body), ...call.query }
    const options = optionsOf({ ...call, query }, payment)
    return paymentJson(ctx, app, await act(acting(ctx, call.actor), app, payment, options))
  }

function actionRoutes(ctx: Context): Route[] {
  const action = (verb: string, summary: string, errors: readonly ErrorCode[]) =>
    ({
      ...answers,
      method: 'POST',
      path: `${BASE}/{paymentId}/${verb}`,
      status: 200,
      summary,
      description:
        'Waits for the provider up to 10 s, or as `Prefer: wait=N` or `Prefer: respond-async` say.',
      errors: ['not_found', 'payment_busy', ...errors],
      params: PaymentParams,
    }) as const
  return [
    route({
      ...action('capture', 'Capture an authorised payment', [
        'payment_not_capturable',
        'amount_out_of_bounds',
      ]),
      query: AmountQuery,
      handler: handlerOf(ctx, capturePayment, sentAmount),
    }),
    route({
      ...action('cancel', 'Cancel an uncaptured or held payment', [
        'payment_not_cancellable',
        'refund_limit_reached',
        ...OTP_ERRORS,
      ]),
      query: CancelQuery,
      handler: handlerOf(ctx, cancelPayment),
    }),
    route({
      ...action('refund', 'Refund a captured payment', [
        'payment_not_refundable',
        'amount_out_of_bounds',
        'refund_limit_reached',
        ...OTP_ERRORS,
      ]),
      query: RefundQuery,
      handler: handlerOf(ctx, refundPayment, sentAmount),
    }),
    route({
      ...action('unhold', 'Release a payment held by a fraud rule', ['payment_not_held']),
      handler: handlerOf(ctx, unholdPayment),
    }),
    route({
      ...action('recheck', 'Ask the provider for the true state', []),
      handler: async (app: App, { params, headers, actor }) => {
        const payment = await getPayment(ctx, app, readId(params.paymentId))
        const options = { waitMs: waitMsOf(headers.prefer) }
        return paymentJson(ctx, app, await recheckPayment(acting(ctx, actor), app, payment, options))
      },
    }),
  ]
}

function markRoutes(ctx: Context): Route[] {
  const marking = (action: 'mark-as-refund' | 'mark-as-dispute', summary: string, error: ErrorCode) =>
    route({
      ...answers,
      method: 'POST',
      path: `${BASE}/{paymentId}/${action}`,
      status: 200,
      summary,
      description: 'No provider is called.',
      errors: ['not_found', error, ...OTP_ERRORS],
      params: PaymentParams,
      query: MarkQuery,
      body: MarkBody,
      handler: async (app: App, { params, query, body, actor }) => {
        const payment = await getPayment(ctx, app, readId(params.paymentId))
        const reason = query.description ?? body.reason ?? undefined
        return paymentJson(
          ctx,
          app,
          await markPayment(acting(ctx, actor), app, payment, { action, reason, otpCode: query.otpCode }),
        )
      },
    })
  return [
    marking('mark-as-refund', 'Record a refund made elsewhere', 'payment_not_refundable'),
    marking('mark-as-dispute', 'Record a dispute', 'action_not_allowed'),
  ]
}

/** What the query says, of actions that take any of it. */
type Asked = Partial<Static<typeof RefundQuery>>

const checkPart = createCheck(AmountBody)

/**
 * The amount of a JSON body. It belongs into the query, but a client that sends it here means a part: without
 * it all of the money would move. Everything else in the body is ignored.
 */
function sentAmount(body: unknown): Asked {
  const amount = typeof body === 'object' && body !== null && 'amount' in body ? body.amount : null
  if (amount === null) return {}
  const errors = checkPart({ amount })
  if (errors.length > 0) throw invalid(errors)
  return { amount: String(amount) }
}

function optionsOf(
  { headers, query, idempotencyKey: requestKey }: Call<unknown, Asked>,
  { currency }: Payment,
): ActionOptions {
  const { amount, description, reason, otpCode } = query
  const amountMinor = amount === undefined ? undefined : amountIn(currency, amount)
  return { waitMs: waitMsOf(headers.prefer), requestKey, amountMinor, description, reason, otpCode }
}
