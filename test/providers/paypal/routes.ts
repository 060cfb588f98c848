import type { TSchema } from 'typebox'
import type { ApiOperation } from '../kit/simulator.ts'
import { acceptClaim, provideEvidence } from './evidence.ts'
import { authorizeOrder, captureOrder, createOrder, readOrder } from './orders.ts'
import {
  captureAuthorization,
  readAuthorization,
  readCapture,
  readRefund,
  reauthorize,
  refundCapture,
  voidCall,
} from './payments.ts'
import { listTransactions } from './reporting.ts'
import {
  changeWebhook,
  createWebhook,
  deleteToken,
  deleteWebhook,
  listDisputes,
  listEventTypes,
  listTokens,
  listWebhooks,
  readAccount,
  readDispute,
  readToken,
  readWebhook,
  verifySignature,
} from './resources.ts'
import {
  CaptureRequest,
  NoMembers,
  OrderRequest,
  ProcessRequest,
  ReauthorizeRequest,
  RefundRequest,
  SetupRequest,
  TokenRequest,
  VerifyRequest,
  WebhookPatch,
  WebhookRequest,
} from './schemas.ts'
import { createSetup, createToken, readSetup } from './vault/setup.ts'
import { DAY } from './views.ts'
import type { Call, Reply } from './world.ts'

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: RegExp
  readonly operation?: ApiOperation | ((body: unknown) => ApiOperation)
  readonly schema?: TSchema
  /** How long request ids are kept. Absent: the call takes none. */
  readonly keepsKeysMs?: number
  readonly query?: readonly string[]
  /** The body is a form with files; `input` is its JSON. */
  readonly takesFiles?: true
  /** A function renders the reply, now and for repeated requests. */
  handle(call: Call): Reply | (() => Reply)
}

const ORDERS_MS = 6 * 3_600_000
const PAYMENTS_MS = 45 * DAY
const VAULT_MS = 3 * 3_600_000

const resumeOrCharge = (body: unknown): ApiOperation =>
  (body as ProcessRequest | undefined)?.payment_source ? 'charge' : 'resume'

const ORDER = '/v2/checkout/orders/([A-Z0-9]{1,36})'
const AUTHORIZATION = '/v2/payments/authorizations/([A-Z0-9]+)'
const CAPTURE = '/v2/payments/captures/([A-Z0-9]+)'
const SETUPS = '/v3/vault/setup-tokens'
const WEBHOOKS = '/v1/notifications/webhooks'

const at = (path: string): RegExp => new RegExp(`^${path}$`)

export const ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: at('/v2/checkout/orders'),
    operation: 'start',
    schema: OrderRequest,
    keepsKeysMs: ORDERS_MS,
    handle: createOrder,
  },
  { method: 'GET', path: at(ORDER), operation: 'read', query: ['fields'], handle: readOrder },
  {
    method: 'POST',
    path: at(`${ORDER}/authorize`),
    operation: resumeOrCharge,
    schema: ProcessRequest,
    keepsKeysMs: ORDERS_MS,
    handle: authorizeOrder,
  },
  {
    method: 'POST',
    path: at(`${ORDER}/capture`),
    operation: resumeOrCharge,
    schema: ProcessRequest,
    keepsKeysMs: ORDERS_MS,
    handle: captureOrder,
  },
  { method: 'GET', path: at(AUTHORIZATION), operation: 'read', handle: readAuthorization },
  {
    method: 'POST',
    path: at(`${AUTHORIZATION}/capture`),
    operation: 'capture',
    schema: CaptureRequest,
    keepsKeysMs: PAYMENTS_MS,
    handle: captureAuthorization,
  },
  {
    method: 'POST',
    path: at(`${AUTHORIZATION}/reauthorize`),
    schema: ReauthorizeRequest,
    keepsKeysMs: PAYMENTS_MS,
    handle: reauthorize,
  },
  {
    method: 'POST',
    path: at(`${AUTHORIZATION}/void`),
    operation: 'cancel',
    schema: NoMembers,
    handle: voidCall,
  },
  { method: 'GET', path: at(CAPTURE), operation: 'read', handle: readCapture },
  {
    method: 'POST',
    path: at(`${CAPTURE}/refund`),
    operation: 'refund',
    schema: RefundRequest,
    keepsKeysMs: PAYMENTS_MS,
    handle: refundCapture,
  },
  { method: 'GET', path: at('/v2/payments/refunds/([A-Z0-9]+)'), operation: 'read', handle: readRefund },
  {
    method: 'POST',
    path: at(SETUPS),
    schema: SetupRequest,
    keepsKeysMs: VAULT_MS,
    handle: createSetup,
  },
  { method: 'GET', path: at(`${SETUPS}/([\\w-]{7,36})`), handle: readSetup },
  {
    method: 'POST',
    path: at('/v3/vault/payment-tokens'),
    schema: TokenRequest,
    keepsKeysMs: VAULT_MS,
    handle: createToken,
  },
  { method: 'GET', path: at('/v3/vault/payment-tokens'), query: ['customer_id'], handle: listTokens },
  { method: 'GET', path: at('/v3/vault/payment-tokens/([\\w-]{7,36})'), handle: readToken },
  { method: 'DELETE', path: at('/v3/vault/payment-tokens/([\\w-]{7,36})'), handle: deleteToken },
  { method: 'POST', path: at(WEBHOOKS), schema: WebhookRequest, handle: createWebhook },
  { method: 'GET', path: at(WEBHOOKS), query: ['anchor_type'], handle: listWebhooks },
  { method: 'GET', path: at(`${WEBHOOKS}/(\\w+)`), handle: readWebhook },
  { method: 'PATCH', path: at(`${WEBHOOKS}/(\\w+)`), schema: WebhookPatch, handle: changeWebhook },
  { method: 'DELETE', path: at(`${WEBHOOKS}/(\\w+)`), handle: deleteWebhook },
  {
    method: 'POST',
    path: at('/v1/notifications/verify-webhook-signature'),
    schema: VerifyRequest,
    handle: verifySignature,
  },
  {
    method: 'GET',
    path: at('/v1/customer/disputes'),
    query: ['disputed_transaction_id', 'page_size', 'next_page_token'],
    handle: listDisputes,
  },
  { method: 'GET', path: at('/v1/customer/disputes/([\\w-]+)'), handle: readDispute },
  {
    method: 'POST',
    path: at('/v1/customer/disputes/([\\w-]+)/provide-evidence'),
    takesFiles: true,
    handle: provideEvidence,
  },
  { method: 'POST', path: at('/v1/customer/disputes/([\\w-]+)/accept-claim'), handle: acceptClaim },
  {
    method: 'GET',
    path: at('/v1/reporting/transactions'),
    operation: 'read',
    query: ['start_date', 'end_date', 'fields', 'page_size', 'page'],
    handle: listTransactions,
  },
  { method: 'GET', path: at('/v1/notifications/webhooks-event-types'), handle: listEventTypes },
  { method: 'GET', path: at('/v1/identity/oauth2/userinfo'), query: ['schema'], handle: readAccount },
]
