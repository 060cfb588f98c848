import { createHmac } from 'node:crypto'
import type { HttpReply } from '../../../src/net/http.ts'
import { isListed } from '../../../src/providers/enumerations.ts'
import type { Json } from '../../../src/providers/kit/json.ts'
import { idsAt } from '../../../src/providers/methods/catalogue.ts'
import type { MethodKind } from '../../../src/providers/outcome.ts'
import { stripe } from '../../../src/providers/stripe/adapter.ts'
import { readReply, type StripeContext } from '../../../src/providers/stripe/exchange.ts'
import { intentOutcome } from '../../../src/providers/stripe/outcomes.ts'
import { LINE_VALUES, pageOf, payoutIn } from '../../../src/providers/stripe/settlements.ts'
import { snapshotOf } from '../../../src/providers/stripe/snapshot.ts'
import type { Feed } from '../kit/samples.ts'

const SECRET = 'whsec_0123456789abcdef'
const NOW = new Date('2026-01-01T00:00:00Z')

/** A captured payment, for samples of what happened to one. */
const CAPTURED: Json = {
  object: 'payment_intent',
  id: 'pi_1PgafyB7WZ01zgkWSjxsAJo3',
  amount: 1099,
  amount_received: 1099,
  currency: 'usd',
  status: 'succeeded',
  capture_method: 'automatic',
  latest_charge: { id: 'ch_1PgafuB7WZ01zgkWXYmPNZs8', object: 'charge', status: 'succeeded', disputed: true },
}

const BESIDE = { refunds: [], disputes: [], reviews: [], isSandbox: true, now: NOW } as const

const list = (value: unknown): readonly Json[] => value as readonly Json[]

const context = (call: StripeContext['http']['call'], profile?: StripeContext['profile']): StripeContext =>
  ({
    config: { secretKey: 'sk_test_0123456789', webhookSecrets: [SECRET] },
    ...{ sandbox: true, origin: 'https://api.stripe.com', http: { call }, now: () => NOW },
    ...(profile ? { profile } : {}),
  }) as unknown as StripeContext

const noCall = (): never => {
  throw new Error('no request is sent')
}

const replied = (status: number, body: unknown): HttpReply => ({ kind: 'reply', status, headers: {}, body })

export const feed: Feed = {
  /** Those that are in no list. */
  'settled categories': (body) =>
    (body as readonly string[]).filter((type) => !isListed(LINE_VALUES['reporting category'], type)),
  /** `given`: the payout whose lines are read. */
  'settled lines': (body, given) => pageOf(list(body), (given ?? {}) as { payout?: string }),
  'settled payout': (body) => payoutIn(body as Json),
  disputes: (body) => snapshotOf({ ...BESIDE, intent: CAPTURED, disputes: list(body) }),
  refunds: (body) => snapshotOf({ ...BESIDE, intent: CAPTURED, refunds: list(body) }),
  /** `given`: members that only a session of ours has. */
  page: (body, given) => snapshotOf({ ...BESIDE, session: { ...(body as Json), ...(given as Json) } }),
  /** The reply to a charge that was created at `NOW`. */
  charge: (body) => intentOutcome(body as Json, NOW),
  error(body) {
    const { status, body: error } = body as { status: number; body: unknown }
    return readReply(replied(status, error), 'payment_intent', NOW)
  },
  event(body) {
    const text = JSON.stringify(body)
    const signature = createHmac('sha256', SECRET).update(`1.${text}`).digest('hex')
    const headers = { 'stripe-signature': `t=1,v1=${signature}` }
    return stripe.receive(context(noCall), { headers, rawBody: Buffer.from(text), url: '' })
  },
  /** With the names of ours that it does not have. */
  async configuration(body) {
    const call = async () => replied(200, { object: 'list', data: [body], has_more: false })
    const unnamed = Object.values(idsAt('stripe')).filter((id) => !(id in (body as Json)))
    return { account: await stripe.accountMethods?.(context(call)), unnamed }
  },
  /** `given`: the methods of the profile. */
  account(body, given) {
    const { methods } = given as { methods: readonly MethodKind[] }
    const call = async ({ url }: { readonly url: string }) =>
      replied(200, url.endsWith('/v1/account') ? body : { object: 'list', data: [], has_more: false })
    return stripe.check(context(call, { methods, currency: 'USD' }))
  },
}
