import type { Http, HttpReply } from '../../../src/net/http.ts'
import { operation } from '../../../src/providers/contract/core.ts'
import { isListed } from '../../../src/providers/enumerations.ts'
import type { Json } from '../../../src/providers/kit/json.ts'
import { createPaypal } from '../../../src/providers/paypal/adapter.ts'
import type { PaypalSettings } from '../../../src/providers/paypal/manifest.ts'
import { captureOutcome, refundOutcome } from '../../../src/providers/paypal/outcomes.ts'
import { disputeIn } from '../../../src/providers/paypal/read/disputes.ts'
import { refusalOf } from '../../../src/providers/paypal/refusals.ts'
import { LINE_VALUES, pageOf } from '../../../src/providers/paypal/settlements.ts'
import { snapshotOf } from '../../../src/providers/paypal/snapshot.ts'
import { captureIn, orderIn, refundIn } from '../../../src/providers/paypal/wire.ts'
import type { ProviderContext } from '../../../src/providers/port.ts'
import type { Feed } from '../kit/samples.ts'

const NOW = new Date('2027-01-04T09:00:00.000Z')
const ORIGIN = 'https://api-m.sandbox.paypal.com'

/** PayPal says that the notification is its own, and shows a capture of ours. */
const http: Http = {
  async call({ url }): Promise<HttpReply> {
    const reply = (body: unknown): HttpReply => ({ kind: 'reply', status: 200, headers: {}, body })
    if (url.includes('verify-webhook-signature')) return reply({ verification_status: 'SUCCESS' })
    if (url.includes('/captures/')) return reply(CAPTURE)
    return { kind: 'no-answer', why: 'timeout', cause: 'not part of the sample' }
  },
}
const CAPTURE = {
  ...{ id: '3C679366HH908993F', status: 'COMPLETED', custom_id: 'A0000000000000000001' },
  amount: { currency_code: 'USD', value: '3.00' },
}

const context: ProviderContext<PaypalSettings> = {
  ...{ config: { clientId: 'a', clientSecret: 'b', webhookId: 'W1' }, sandbox: true, origin: ORIGIN, http },
  tokens: { get: async () => ({ kind: 'token', token: 'T' }), drop: () => {} },
  ...{ now: () => NOW, signal: new AbortController().signal, notifyUrl: 'https://tender.example/notify' },
}

const HEADERS = {
  ...{
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-transmission-id': 'T1',
    'paypal-transmission-sig': 'c2ln',
  },
  'paypal-transmission-time': '2027-01-04T09:00:00Z',
  'paypal-cert-url': `${ORIGIN}/v1/notifications/certs/CERT-1`,
}

const readable = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('the sample cannot be read')
  return value
}

export const feed: Feed = {
  /** Those that are in no list. */
  'settled groups': (body) =>
    (body as readonly string[]).filter((type) => !isListed(LINE_VALUES.eventGroup, type)),
  'settled lines': (body) => pageOf(body as readonly Json[]),
  event: (body) =>
    createPaypal().receive(context, {
      ...{ headers: HEADERS, rawBody: Buffer.from(JSON.stringify(body)), url: context.notifyUrl },
    }),
  order: (body) => snapshotOf(readable(orderIn(body)), NOW),
  capture: (body) => captureOutcome(readable(captureIn(body)), undefined),
  refund: (body) => refundOutcome(readable(refundIn(body)), operation('refund'), '3C679366HH908993F'),
  dispute(body, given) {
    const order = readable(orderIn(given))
    const captures = order.captures.map(({ id }) => id)
    const { dispute_id: id } = body as { dispute_id: string }
    return disputeIn({ id, captures, body }, order, ORIGIN)
  },
  refusal: (body, status) => refusalOf({ kind: 'reply', status: Number(status), headers: {}, body }),
}
