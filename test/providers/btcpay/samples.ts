import { createHmac } from 'node:crypto'
import type { HttpReply } from '../../../src/net/http.ts'
import { btcpay } from '../../../src/providers/btcpay/adapter.ts'
import { failure } from '../../../src/providers/btcpay/failures.ts'
import { snapshotOf } from '../../../src/providers/btcpay/outcomes.ts'
import { type BtcpayContext, claimMethodsOf } from '../../../src/providers/btcpay/server.ts'
import { linesOf } from '../../../src/providers/btcpay/settlements.ts'
import { type Invoice, invoiceIn } from '../../../src/providers/btcpay/wire.ts'
import type { Feed } from '../kit/samples.ts'

const SECRET = 'secret-of-the-webhook'
const NOW = new Date('2020-06-16T13:30:00Z')

const replied = (status: number, body: unknown): HttpReply => ({ kind: 'reply', status, headers: {}, body })

/** A server that answers by the end of the path; any other list is empty. */
const context = (replies: Readonly<Record<string, unknown>> = {}): BtcpayContext =>
  ({
    config: {
      ...{ serverUrl: 'https://btcpay.example.com', apiKey: 'key', webhookSecret: SECRET },
      storeId: '9CiNzKoANXxmk5ayZngSXrHTiVvvgCrwrpFQd4m2K776',
    },
    origin: 'https://btcpay.example.com',
    http: {
      async call({ url }: { readonly url: string }) {
        const [, body = []] = Object.entries(replies).find(([end]) => url.endsWith(end)) ?? []
        return replied(200, body)
      },
    },
    now: () => NOW,
  }) as unknown as BtcpayContext

export const feed: Feed = {
  'settled lines'(body) {
    const invoice = invoiceIn(body)
    return invoice && linesOf({ invoice, now: NOW }, [], new Map())
  },
  /** `given`: when it is read, and whether its payments are confirmed. */
  invoice(body, given) {
    const { now, allSettled } = given as { now: string; allSettled?: boolean }
    const invoice = invoiceIn(body)
    const view = { now: new Date(now), ...(allSettled === undefined ? {} : { allSettled }) }
    return invoice && snapshotOf({ ...view, invoice }, [])
  },
  /** The methods of a refund, from the payment methods of its invoice. `given`: the server's version. */
  'refund-methods': (body, given) =>
    claimMethodsOf(context({ '/payment-methods': body, '/server/info': given }), { id: 'i' } as Invoice),
  error(body) {
    const { status, body: error } = body as { status: number; body: unknown }
    return failure(replied(status, error), NOW)
  },
  event(body) {
    const rawBody = Buffer.from(JSON.stringify(body))
    const signature = createHmac('sha256', SECRET).update(rawBody).digest('hex')
    return btcpay.receive(context(), { headers: { 'btcpay-sig': `sha256=${signature}` }, rawBody, url: '' })
  },
  server: (body) => btcpay.check(context({ '/server/info': body })),
}
