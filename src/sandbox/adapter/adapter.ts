import type { HttpReply } from '../../net/http.ts'
import { type AccountMethods, type Checked, checkProblem } from '../../providers/check.ts'
import type { FieldsForm } from '../../providers/fields.ts'
import { fitPurchase } from '../../providers/fit.ts'
import type { Hint } from '../../providers/hint.ts'
import { valueAt } from '../../providers/kit/json.ts'
import type { AnyMethod } from '../../providers/methods/method.ts'
import type { Handles, ReadOutcome } from '../../providers/outcome.ts'
import type {
  InboundCall,
  Operation,
  ProviderAdapter,
  ProviderContext,
  Purchase,
  Received,
} from '../../providers/port.ts'
import { disputeCalls } from './disputes.ts'
import { manifest, type SandboxSettings } from './manifest.ts'
import {
  authorisationOutcome,
  failure,
  movementOutcome,
  readReply,
  refundOutcome,
  snapshotOf,
} from './outcomes.ts'
import { settledMoney } from './settled.ts'
import { setupCalls } from './setup.ts'
import { isSigned, SIGNATURE_HEADER } from './signature.ts'
import { TEST_BRANDS, testValuesOf } from './test-values.ts'

type Context = ProviderContext<SandboxSettings>

/** Data for form fields on a shop's page that post directly to the bank. */
export interface ShopFields {
  readonly publicUrl: string
  publishableKey(account: string): string
}

const STORED_TOKEN = /^(stored-methods\/)[^/]+/

/** Calls the sandbox bank over HTTP only, like every other provider adapter. */
export function createAdapter(bankUrl: () => string, shop: ShopFields): ProviderAdapter<SandboxSettings> {
  const addressOf = (path: string) => ({
    url: `${bankUrl()}/v1/${path}`,
    ...(STORED_TOKEN.test(path) && { loggedPath: `/v1/${path.replace(STORED_TOKEN, '$1***')}` }),
  })
  const post = (ctx: Context, op: Pick<Operation, 'key'>, path: string, json: object): Promise<HttpReply> =>
    ctx.http.call({
      method: 'POST',
      ...addressOf(path),
      headers: { authorization: `Bearer ${ctx.config.apiKey}`, 'idempotency-key': op.key },
      json,
      signal: ctx.signal,
    })
  const call = (ctx: Context, method: 'GET' | 'DELETE', path: string): Promise<HttpReply> =>
    ctx.http.call({
      method,
      ...addressOf(path),
      headers: { authorization: `Bearer ${ctx.config.apiKey}` },
      signal: ctx.signal,
    })

  return {
    manifest,
    check: async (ctx) => checkedBy(await call(ctx, 'GET', 'account')),
    accountMethods: async (ctx) => failure(await call(ctx, 'GET', 'account')) ?? ALL_METHODS,
    async start(ctx, op, purchase) {
      const { instrument, backUrl, expiresAt: expires } = purchase
      const json = { ...purchaseOf(op, purchase), instrument, expires, notify: ctx.notifyUrl, back: backUrl }
      return authorisationOutcome(await post(ctx, op, 'payments', json))
    },
    resume: async (ctx, op, _purchase, handles) =>
      authorisationOutcome(await post(ctx, op, `payments/${target(op.reference, handles)}/authorise`, {})),
    charge: async (ctx, op, purchase, token) =>
      authorisationOutcome(await post(ctx, op, 'payments', chargeOf(ctx, op, purchase, token))),
    async capture(ctx, op, handles, amount) {
      const json = { amount: Number(amount.minor) }
      return movementOutcome(
        await post(ctx, op, `payments/${target(op.reference, handles)}/captures`, json),
        'captured',
      )
    },
    cancel: async (ctx, op, handles) =>
      movementOutcome(await post(ctx, op, `payments/${target(op.reference, handles)}/void`, {}), 'cancelled'),
    async refund(ctx, op, handles, amount) {
      const json = { amount: Number(amount.minor) }
      return refundOutcome(await post(ctx, op, `payments/${target(op.reference, handles)}/refunds`, json))
    },
    retrieve: async (ctx, reference, handles) =>
      sightOf(await call(ctx, 'GET', `payments/${target(reference, handles)}`)),
    fields: (ctx, method) => fieldsOf(shop, ctx, method),
    codeForm: (ctx) => (ctx.config.asksCode ? codeFormOf(shop, ctx) : undefined),
    ...setupCalls({ post, call }),
    forget: async (ctx, token) =>
      failure(await call(ctx, 'DELETE', `stored-methods/${encodeURIComponent(token)}`)) ?? { kind: 'done' },
    receive: async (ctx, call) => received(ctx, call),
    settlements: settledMoney(call),
    disputes: disputeCalls({ post, call }),
  }
}

function checkedBy(reply: HttpReply): Checked {
  const failed = failure(reply)
  return failed
    ? { ok: false, problem: failed.raw?.message ?? failed.why, code: checkProblem(failed) }
    : { ok: true, tested: ['credentials', 'permissions', 'methods', 'currency'] }
}

const ALL_METHODS: AccountMethods = {
  kind: 'methods',
  methods: Object.keys(manifest.methods) as AnyMethod[],
}

const fieldsOf = (shop: ShopFields, ctx: Context, method: AnyMethod): FieldsForm => ({
  action: `${shop.publicUrl}/sandbox/tokens`,
  hidden: { key: shop.publishableKey(ctx.config.account), method },
  ...(method === 'CreditCard' ? { brands: TEST_BRANDS } : {}),
  testValues: testValuesOf(method, ctx.now()),
})

/** The bank exchanges the code for a one-time token. Works without JavaScript. */
const codeFormOf = (shop: ShopFields, ctx: Context): FieldsForm => ({
  action: `${shop.publicUrl}/sandbox/tokens`,
  hidden: { key: shop.publishableKey(ctx.config.account), method: 'code' },
})

function purchaseOf(op: Operation, purchase: Purchase) {
  const { amount, method, sale, storeMethod, customer, description, threeDSecure } = fitPurchase(
    purchase,
    manifest.texts,
  )
  const { id, firstName, lastName, email } = customer
  const name = [firstName, lastName].filter(Boolean).join(' ')
  return {
    reference: op.reference,
    method,
    amount: Number(amount.minor),
    currency: amount.currency,
    sale,
    store: storeMethod,
    customer: { id, name, email },
    description,
    threeDSecure,
  }
}

/** `code` is the token of the security code, if the customer entered one. */
const chargeOf = (ctx: Context, op: Operation, purchase: Purchase, token: string) => ({
  ...purchaseOf(op, purchase),
  store: false,
  storedMethod: token,
  // The customer comes back from a challenge.
  ...(purchase.threeDSecure ? { back: purchase.backUrl } : {}),
  code: purchase.instrument,
  magicAmounts: ctx.config.magicAmounts,
  notify: ctx.notifyUrl,
})

/** The bank looks up a payment by its id or by our reference. */
const target = (reference: string, { payment }: Handles): string =>
  encodeURIComponent(payment ?? `reference:${reference}`)

function sightOf(reply: HttpReply): ReadOutcome {
  // The bank writes a payment in the same transaction as it acts, so an unknown payment was never made.
  if (reply.kind === 'reply' && reply.status === 404) return { kind: 'absent', conclusive: true }
  const read = readReply(reply)
  return read.kind === 'payment' ? snapshotOf(read.payment) : read
}

const EVENT_STAGES: Readonly<Record<string, Hint['reportedStage']>> = {
  'payment.authorised': 'authorised',
  'payment.captured': 'captured',
}

function received(ctx: Context, { headers, rawBody }: InboundCall): Received {
  const body = Buffer.from(rawBody).toString('utf8')
  if (!isSigned(ctx.config.apiKey, { header: headers[SIGNATURE_HEADER] ?? '', body }))
    return { kind: 'forged' }
  const event: unknown = JSON.parse(body)
  const reference = valueAt(event, 'reference')
  if (valueAt(event, 'account') !== ctx.config.account || typeof reference !== 'string')
    return { kind: 'ignored' }
  const reportedStage = EVENT_STAGES[String(valueAt(event, 'type'))]
  return { kind: 'events', hints: [{ reference, ...(reportedStage ? { reportedStage } : {}) }] }
}
