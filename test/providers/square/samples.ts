import { createHmac } from 'node:crypto'
import { money } from '../../../src/base/money.ts'
import type { Http } from '../../../src/net/http.ts'
import { operation } from '../../../src/providers/contract/core.ts'
import { isListed } from '../../../src/providers/enumerations.ts'
import { type Json, listAt, objectAt, textAt } from '../../../src/providers/kit/json.ts'
import { readReply } from '../../../src/providers/kit/reply.ts'
import type { ProviderContext } from '../../../src/providers/port.ts'
import { square } from '../../../src/providers/square/adapter.ts'
import { RULES } from '../../../src/providers/square/exchange.ts'
import type { SquareSettings } from '../../../src/providers/square/manifest.ts'
import { cancelled, linkOutcome, refundOutcome } from '../../../src/providers/square/outcomes.ts'
import { entriesPage, LINE_VALUES, payoutPage } from '../../../src/providers/square/settlements.ts'
import { snapshotOf, tendersIn } from '../../../src/providers/square/snapshot.ts'
import type { Feed } from '../kit/samples.ts'

const NOW = new Date('2027-01-04T09:00:00.000Z')
const URL = 'https://tender.example/notify'
const KEY = 'signature-key-of-the-samples'

function contextOf(answer: unknown, currency: string): ProviderContext<SquareSettings> {
  const http: Http = {
    call: async () => ({ kind: 'reply', status: 200, headers: {}, body: answer }),
  }
  const config = { accessToken: 'EAAA0123456789012345678901', locationId: 'L1', webhookSignatureKey: KEY }
  return {
    ...{ config, sandbox: true, origin: 'https://connect.squareupsandbox.com', http, now: () => NOW },
    tokens: { get: () => Promise.reject(new Error('no tokens')), drop: () => {} },
    ...{ signal: new AbortController().signal, notifyUrl: URL },
    profile: { methods: ['CreditCard'], currency },
  }
}

const seen = { refunds: [], disputes: [], handles: {}, isSandbox: true }

export const feed: Feed = {
  /** Those that are in no list. */
  'settled types': (body) =>
    (body as readonly string[]).filter((type) => !isListed(LINE_VALUES.activityType, type)),
  'settled entries': (body) => entriesPage(body as readonly Json[]),
  'settled payout': (body) => payoutPage(body as Json),
  event(body) {
    const text = JSON.stringify(body)
    const signature = createHmac('sha256', KEY)
      .update(URL + text)
      .digest('base64')
    const headers = { 'x-square-hmacsha256-signature': signature }
    return square.receive(contextOf({}, 'USD'), { headers, rawBody: Buffer.from(text), url: URL })
  },
  payment: (body) => snapshotOf({ ...seen, payment: objectAt(body, 'payment') }),
  'payment with disputes': (body, given) =>
    snapshotOf({ ...seen, payment: objectAt(given), disputes: listAt(body, 'disputes') }),
  'payment with a refund': (body, given) =>
    snapshotOf({ ...seen, payment: objectAt(given, 'payment'), refunds: [objectAt(body, 'refund')] }),
  'cancelled payment': (body) => cancelled(objectAt(body, 'payment')),
  refund(body) {
    const refund = objectAt(body, 'refund')
    const share = { payment: textAt(refund, 'payment_id') ?? '', amount: money(0n, 'USD'), place: 1, of: 1 }
    return refundOutcome({ kind: 'object', object: refund }, operation('refund'), share)
  },
  link: (body) => linkOutcome({ kind: 'object', object: objectAt(body) }),
  order: (body) => tendersIn(objectAt(body, 'order')),
  location: (body, currency) => square.check(contextOf(body, String(currency))),
  'account methods': (body) => square.accountMethods?.(contextOf(body, 'USD')),
  refusal: (body, status) =>
    readReply({ kind: 'reply', status: Number(status), headers: {}, body }, NOW, RULES),
}
