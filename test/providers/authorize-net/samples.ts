import { createHmac } from 'node:crypto'
import { money } from '../../../src/base/money.ts'
import { authorizeNet } from '../../../src/providers/authorize-net/adapter.ts'
import { type AuthorizeNetContext, answerIn } from '../../../src/providers/authorize-net/exchange.ts'
import { EVENT_TYPES } from '../../../src/providers/authorize-net/manifest.ts'
import { chargeOutcome } from '../../../src/providers/authorize-net/outcomes.ts'
import { batchIn, pageOf } from '../../../src/providers/authorize-net/settlements.ts'
import { STATUSES, snapshotOf, standingOf } from '../../../src/providers/authorize-net/snapshot.ts'
import { detailsIn, listOf, resultIn, summaryIn } from '../../../src/providers/authorize-net/wire.ts'
import { purchase } from '../../../src/providers/contract/core.ts'
import { isListed } from '../../../src/providers/enumerations.ts'
import type { Handles } from '../../../src/providers/outcome.ts'
import type { Feed } from '../kit/samples.ts'

const NOW = new Date('2027-01-04T09:00:00Z')
const SIGNATURE_KEY = 'A1'.repeat(64)

const reply = (body: unknown) => ({ kind: 'reply', status: 200, headers: {}, body }) as const

export const feed: Feed = {
  /** `given`: the batch. */
  'settled lines'(body, given) {
    const batch = batchIn(given)
    return batch && pageOf(body as readonly unknown[], batch, 'USD')
  },
  /** `given`: the handles that are known before. */
  details(body, given) {
    const one = detailsIn(body, 'USD')
    return one && snapshotOf(one, (given ?? {}) as Handles, [])
  },
  list: (body) =>
    listOf(body, 'transactions').flatMap((line) => {
      const one = summaryIn(line)
      return one ? [`${one.id} ${standingOf(one)}`] : []
    }),
  answer: (body) => answerIn(reply(body), undefined, NOW),
  charge(body) {
    const result = resultIn(body)
    const wanted = purchase({ sale: true, method: 'CreditCard', amount: money(4_500n, 'USD') })
    return result && chargeOutcome(result, { reference: 'A0000000000000000001', purchase: wanted })
  },
  /** `given`: the transaction that a read answers. */
  notification(body, given) {
    const text = JSON.stringify(body)
    const signature = createHmac('sha512', SIGNATURE_KEY).update(text).digest('hex').toUpperCase()
    const context = {
      config: { apiLoginId: 'a', transactionKey: 'b', signatureKey: SIGNATURE_KEY },
      ...{ now: () => NOW, http: { call: async () => reply(given) } },
    } as unknown as AuthorizeNetContext
    const headers = { 'x-anet-signature': `sha512=${signature}` }
    return authorizeNet.receive(context, { headers, rawBody: Buffer.from(text), url: '' })
  },
  /** `given`: what the profile is used for. Every read is answered with the sample. */
  check(body, given) {
    const context = {
      config: { apiLoginId: 'a', transactionKey: 'b', signatureKey: SIGNATURE_KEY },
      ...{ now: () => NOW, http: { call: async () => reply(body) }, profile: given },
    }
    return authorizeNet.check(context as unknown as AuthorizeNetContext)
  },
  /** Those that are in no list. */
  statuses: (body) => (body as readonly string[]).filter((status) => !isListed(STATUSES, status)),
  events: (body) => (body as readonly string[]).filter((event) => !isListed(EVENT_TYPES, event)),
}
