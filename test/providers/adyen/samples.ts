import { createHmac } from 'node:crypto'
import { adyen } from '../../../src/providers/adyen/adapter.ts'
import { ENUMERATIONS } from '../../../src/providers/adyen/codes.ts'
import type { AdyenContext } from '../../../src/providers/adyen/exchange.ts'
import type { AdyenSettings } from '../../../src/providers/adyen/manifest.ts'
import { chargeOutcome, linkSnapshot, wantsCustomer } from '../../../src/providers/adyen/outcomes.ts'
import { signedText } from '../../../src/providers/adyen/receive.ts'
import { LINE_VALUES } from '../../../src/providers/adyen/settlements.ts'
import { isListed } from '../../../src/providers/enumerations.ts'
import type { Json } from '../../../src/providers/kit/json.ts'
import { snapshotOf } from '../../../src/providers/movements.ts'
import type { MethodKind } from '../../../src/providers/outcome.ts'
import type { Received } from '../../../src/providers/port.ts'
import type { Feed } from '../kit/samples.ts'

interface Notification {
  readonly notificationItems: readonly { readonly NotificationRequestItem: Json }[]
}

const KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'

/** As Adyen sends it: with a signature of each item. */
function received(body: unknown): Promise<Received> {
  const items = (body as Notification).notificationItems.map(({ NotificationRequestItem: item }) => {
    const hmacSignature = createHmac('sha256', Buffer.from(KEY, 'hex'))
      .update(signedText(item))
      .digest('base64')
    return {
      NotificationRequestItem: { ...item, additionalData: { ...(item.additionalData ?? {}), hmacSignature } },
    }
  })
  const config = { hmacKeys: [KEY], merchantAccount: 'YOUR_MERCHANT_ACCOUNT' }
  const rawBody = Buffer.from(JSON.stringify({ live: 'false', notificationItems: items }))
  return adyen.receive({ config } as unknown as AdyenContext, { headers: {}, rawBody, url: '' })
}

/** Every read is answered with the sample. */
const answering = (status: number, body: unknown, methods: readonly MethodKind[]): AdyenContext =>
  ({
    config: { apiKey: 'key', hmacKeys: [KEY], merchantAccount: 'YOUR_MERCHANT_ACCOUNT' },
    ...{ origin: 'https://checkout-test.adyen.com', now: () => new Date(0) },
    http: { call: async () => ({ kind: 'reply', status, headers: {}, body }) },
    profile: { methods, currency: 'USD' },
  }) as unknown as AdyenContext

const checked = (status: number, body: unknown, methods: readonly MethodKind[]) =>
  adyen.check(answering(status, body, methods))

export const feed: Feed = {
  /** Those that are in no list. */
  'settled types': (body) =>
    (body as readonly string[]).filter((type) => !isListed(LINE_VALUES['journal type'], type.toLowerCase())),
  /** The lines of the file. `given`: the merchant account of the profile. */
  'settlement details': (body, given) =>
    adyen.settlements?.parse?.(Buffer.from(`${(body as readonly string[]).join('\n')}\n`), {
      config: { merchantAccount: String(given) } as AdyenSettings,
    }),
  notification: received,
  /** Several notifications of one payment: what they show of it. */
  async history(body) {
    const all = await Promise.all((body as readonly Notification[]).map(received))
    const hints = all.flatMap((each) => (each.kind === 'events' ? each.hints : []))
    return snapshotOf(
      hints.flatMap(({ movement }) => movement ?? []),
      {},
    )
  },
  charge(body) {
    const read = { kind: 'object', object: body as Json } as const
    return { outcome: chargeOutcome(read), wantsCustomer: wantsCustomer(read) }
  },
  link: (body) => linkSnapshot(body as Json, undefined),
  methods: (body, given) => checked(200, body, given as readonly MethodKind[]),
  'refused check': (body, given) => checked(Number(given), body, []),
  'account methods': (body) => adyen.accountMethods?.(answering(200, body, [])),
  /** Those that are in no list. */
  events: (body) => (body as readonly string[]).filter((event) => !isListed(ENUMERATIONS.event, event)),
}
