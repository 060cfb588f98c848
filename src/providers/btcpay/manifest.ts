import { isIP } from 'node:net'
import { DAY } from '../../base/clock.ts'
import { parseUrl } from '../../base/text.ts'
import { forbidden } from '../../net/guard.ts'
import { textSettings } from '../kit/settings.ts'
import type { Manifest } from '../port.ts'
import { ENUMERATIONS, SUBSCRIBED } from './enumerations.ts'

export interface BtcpaySettings {
  /** Without a slash at the end. May have a path, if the server is not at the root of its host. */
  readonly serverUrl: string
  readonly storeId: string
  readonly apiKey: string
  /** Absent until the webhook is registered: no notification can be verified before that. */
  readonly webhookSecret?: string
}

const ADDRESS = 'must be the https address of the BTCPay Server; http is for servers of a private network'

const settings = textSettings(
  {
    serverUrl: {
      ...{ label: 'Address of the server', secret: false, required: true },
      help: 'For example https://btcpay.example.com.',
      ...{ pattern: /^.{1,500}$/s, expected: ADDRESS },
      problem: (text) => (serverAddress(text) === undefined ? ADDRESS : undefined),
    },
    storeId: {
      ...{ label: 'Store ID', secret: false, required: true },
      ...{ pattern: /^[0-9A-Za-z_-]{1,100}$/, expected: 'must be the id of the store, from its settings' },
    },
    apiKey: {
      ...{ label: 'API key', secret: true, required: true },
      ...{ pattern: /^[\x21-\x7e]{1,255}$/, expected: 'must be an API key of the server' },
    },
    webhookSecret: {
      ...{ label: 'Webhook secret', secret: true, required: false },
      help: 'Filled in when the profile is connected.',
      ...{ pattern: /^[\x21-\x7e]{1,255}$/, expected: 'must be the secret of the webhook' },
    },
  },
  ({ serverUrl, webhookSecret, ...texts }) => ({
    ...{ ...texts, serverUrl: serverAddress(serverUrl) ?? '' },
    ...(webhookSecret ? { webhookSecret } : {}),
  }),
)

export const manifest: Manifest<BtcpaySettings> = {
  id: 'btcpay',
  name: 'BTCPay Server',
  docs: 'https://docs.btcpayserver.org',
  mark: { letters: 'BT', hue: 80, shape: 'diamond' },
  setup: {
    rights: [
      'btcpay.store.cancreateinvoice',
      'btcpay.store.canviewinvoices',
      'btcpay.store.canmodifyinvoices',
      'btcpay.store.cancreatenonapprovedpullpayments',
      'btcpay.store.canviewpullpayments',
      'btcpay.store.canarchivepullpayments',
    ],
    optionalRights: ['btcpay.store.webhooks.canmodifywebhooks'],
    events: SUBSCRIBED,
  },
  sandboxOnly: false,
  methods: {
    Crypto: {
      authoriseOnly: false,
      sale: true,
      approvesFirst: false,
      partialCapture: false,
      refund: true,
      partialRefund: true,
      storeMethod: false,
      chargeStored: false,
      fields: false,
    },
  },
  currencies: 'any',
  origin: ({ serverUrl }) => serverUrl,
  ownServer: true,
  pageOrigins: (_config, origin) => [new URL(origin).origin],
  enumerations: ENUMERATIONS,
  texts: { description: 250, name: 100, email: 254, phone: 50, customerId: 64 },
  settings,
  // There are no keys. Every step looks for its own result before it acts, so it may be repeated.
  keyRetentionMs: () => 30 * DAY,
  retrieve: 'by-reference',
  // There are no authorisations.
  authorisationWindowMs: DAY,
  dashboardLink: ({ payment }, { serverUrl }) =>
    payment === undefined
      ? undefined
      : { url: `${serverUrl}/invoices/${encodeURIComponent(payment)}`, field: 'Invoice ID', value: payment },
}

/** The address without a slash at the end. Undefined if it is not one that money may depend on. */
function serverAddress(text: string): string | undefined {
  const url = parseUrl(text)
  if (!url || url.username || url.password || url.search || url.hash || url.pathname.includes('//'))
    return undefined
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && isLocalName(url.hostname))
  return isAllowed ? `${url.origin}${url.pathname}`.replace(/\/$/, '') : undefined
}

/**
 * Names that only exist in a private network, where http is common. Whether private addresses may be called
 * at all is a setting of the service, which the transport checks when it connects.
 */
function isLocalName(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '')
  if (isIP(address) === 0) return /^[a-z0-9-]+$|\.(local|internal|lan|localhost|onion)$/.test(host)
  const isPublic = forbidden(address, { allowPrivate: false }) === undefined
  return !isPublic && forbidden(address, { allowPrivate: true }) === undefined
}
