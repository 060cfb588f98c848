import { textAt } from '../../kit/json.ts'
import type { Handles, SetupOutcome } from '../../outcome.ts'
import type { MethodSetup } from '../../port.ts'
import { subKey } from '../../sub-key.ts'
import { callApi, type PaypalCall, type PaypalContext } from '../api.ts'
import { readAs } from '../outcomes.ts'
import { walletOf } from '../snapshot.ts'
import { idAt, linkIn, payerIn } from '../wire.ts'

/**
 * Stores a wallet without a charge: a setup token that the customer approves on PayPal's page becomes a
 * payment token. Request ids are derived from the key, so a repetition stores the wallet once.
 */
export async function setUp(
  ctx: PaypalContext,
  newMethod: MethodSetup,
  backUrl: string,
): Promise<SetupOutcome> {
  if (newMethod.instrument !== undefined || newMethod.method !== 'Paypal')
    return { kind: 'not-done', why: 'unsupported' }
  return proceed(ctx, newMethod, setupCall(newMethod, backUrl))
}

/** Continues after the customer has left PayPal's page. */
export async function finishSetup(
  ctx: PaypalContext,
  newMethod: MethodSetup,
  { setup }: Handles,
): Promise<SetupOutcome> {
  if (setup === undefined) return { kind: 'unknown', why: 'unreadable-reply' }
  const setUp = await proceed(ctx, newMethod, setupRead(setup))
  // The customer came back without agreeing.
  if (setUp.kind === 'redirect') return { ...ENDED, reason: 'customer-cancelled' }
  // PayPal forgets a setup token that was not used.
  return setUp.kind === 'not-done' && setUp.why === 'not-found' ? { ...ENDED, reason: 'expired' } : setUp
}

const ENDED = { kind: 'declined', retry: 'after-customer-acts', raw: {} } as const

async function proceed(ctx: PaypalContext, { key }: MethodSetup, call: PaypalCall): Promise<SetupOutcome> {
  const read = readAs(await callApi(ctx, call), setupIn)
  if (read.kind !== 'read') return read
  const { id, status, approvalUrl } = read.value
  if (status === 'PAYER_ACTION_REQUIRED' && approvalUrl !== undefined)
    return { kind: 'redirect', handles: { setup: id }, url: approvalUrl }
  if (!APPROVED.has(status)) return { kind: 'unknown', why: 'unreadable-reply' }
  const token = readAs(await callApi(ctx, tokenCall(id, key)), storedIn)
  return token.kind === 'read' ? { kind: 'stored', stored: token.value } : token
}

/** The later two: an earlier request has made the payment token. A repetition of that request returns it. */
const APPROVED: ReadonlySet<string> = new Set(['APPROVED', 'VAULTED', 'TOKENIZED'])

/** Every customer gets a token of their own, also when two of them store one PayPal account. */
const setupCall = ({ key }: MethodSetup, backUrl: string): PaypalCall => ({
  method: 'POST',
  path: SETUPS,
  key,
  json: {
    payment_source: {
      paypal: {
        usage_type: 'MERCHANT',
        permit_multiple_payment_tokens: true,
        experience_context: {
          return_url: backUrl,
          cancel_url: backUrl,
          shipping_preference: 'NO_SHIPPING',
        },
      },
    },
  },
})

const SETUPS = '/v3/vault/setup-tokens'
const setupRead = (id: string): PaypalCall => ({
  method: 'GET',
  path: `${SETUPS}/${encodeURIComponent(id)}`,
})

const tokenCall = (setup: string, key: string): PaypalCall => ({
  method: 'POST',
  path: '/v3/vault/payment-tokens',
  key: subKey(key, 'A'),
  json: { payment_source: { token: { id: setup, type: 'SETUP_TOKEN' } } },
})

function setupIn(body: unknown) {
  const id = idAt(body, 'id')
  const status = textAt(body, 'status')
  return id === undefined || status === undefined
    ? undefined
    : { id, status, approvalUrl: linkIn(body, 'approve') }
}

function storedIn(body: unknown) {
  const id = idAt(body, 'id')
  return id === undefined ? undefined : walletOf(id, payerIn(body))
}
