import type { Http } from '../../../src/net/http.ts'
import { isListed } from '../../../src/providers/enumerations.ts'
import { type Json, objectAt } from '../../../src/providers/kit/json.ts'
import { readReply } from '../../../src/providers/kit/reply.ts'
import { idsAt } from '../../../src/providers/methods/catalogue.ts'
import { mollie } from '../../../src/providers/mollie/adapter.ts'
import { RULES } from '../../../src/providers/mollie/exchange.ts'
import { storedIn } from '../../../src/providers/mollie/facts.ts'
import type { MollieSettings } from '../../../src/providers/mollie/manifest.ts'
import { captureResult, paymentOutcome, refundResult } from '../../../src/providers/mollie/outcomes.ts'
import { movementIn, paymentIn } from '../../../src/providers/mollie/payment.ts'
import { received } from '../../../src/providers/mollie/receive.ts'
import { LINE_VALUES, pageOf } from '../../../src/providers/mollie/settlements.ts'
import { snapshotOf } from '../../../src/providers/mollie/snapshot.ts'
import type { MethodKind } from '../../../src/providers/outcome.ts'
import type { ProviderContext } from '../../../src/providers/port.ts'
import type { Feed } from '../kit/samples.ts'

const NOW = new Date('2024-03-20T10:00:00.000Z')

/** Every read is answered with the sample. */
function contextOf(answer: unknown, methods: readonly MethodKind[]): ProviderContext<MollieSettings> {
  const http: Http = { call: async () => ({ kind: 'reply', status: 200, headers: {}, body: answer }) }
  return {
    ...{ config: { apiKey: 'test_1234567890' }, sandbox: true, origin: 'https://api.mollie.com', http },
    tokens: { get: () => Promise.reject(new Error('no tokens')), drop: () => {} },
    ...{ now: () => NOW, signal: new AbortController().signal, notifyUrl: 'https://tender.example/notify' },
    profile: { methods, currency: 'EUR' },
  }
}

const readable = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('the sample cannot be read')
  return value
}

export const feed: Feed = {
  /** Those that are in no list. */
  'settled types': (body) =>
    (body as readonly string[]).filter((type) => !isListed(LINE_VALUES.balanceTransactionType, type)),
  'settled lines': (body) => pageOf(body as readonly Json[], { from: new Date(0), until: NOW }),
  payment: (body) => snapshotOf(readable(paymentIn(objectAt(body))), NOW),
  'new payment': (body) => paymentOutcome(readable(paymentIn(objectAt(body)))),
  'payment with lists': (body, given) =>
    snapshotOf(readable(paymentIn({ ...objectAt(given), _embedded: objectAt(body, '_embedded') })), NOW),
  capture: (body) => captureResult(readable(movementIn(objectAt(body))), NOW),
  refund: (body) => refundResult(readable(movementIn(objectAt(body)))),
  mandate: (body) => storedIn({ customer: 'cst_1', mandate: String(objectAt(body).id) }, objectAt(body)),
  methods: (body, given) => mollie.check(contextOf(body, given as MethodKind[])),
  'account methods': (body) => mollie.accountMethods?.(contextOf(body, [])),
  /** Those of ours that are not in the list. */
  'method ids': (body) =>
    Object.values(idsAt('mollie')).filter((id) => !(body as readonly string[]).includes(id)),
  refusal: (body, status) =>
    readReply({ kind: 'reply', status: Number(status), headers: {}, body }, NOW, RULES),
  notification: (body) => received(Buffer.from(String(body))),
}
