import type { Mail, MailKind } from '../kinds.ts'

const TIME = '2027-03-14T15:09:26.000Z'
const UNTIL = '2027-03-21T15:09:26.000Z'

const PAYMENT = {
  amountMinor: '12840',
  currency: 'EUR',
  description: 'Two books and a map',
  reference: 'A-1001',
  method: 'Visa •••• 4242',
  time: TIME,
}

type Samples = { readonly [Kind in MailKind]: Extract<Mail, { readonly kind: Kind }>['data'] }

/** Made-up content of each kind, for the preview. Links lead to the start page of the installation. */
const samplesOf = (url: string): Samples => ({ ...personSamples(url), ...appSamples(url) })

/** Messages to payers and to people about their own account. */
function personSamples(url: string) {
  return {
    receipt: PAYMENT,
    refund: { ...PAYMENT, refundedMinor: '2840' },
    'payment-pending': { ...PAYMENT, method: 'Multibanco', until: UNTIL },
    'payment-failed': { ...PAYMENT, url },
    'payment-link': {
      amountMinor: '12840',
      currency: 'EUR',
      description: 'Two books and a map',
      reference: 'A-1001',
      message: 'Thank you for your order by phone.',
      until: UNTIL,
      url,
    },
    'method-added': { label: 'Visa •••• 4242', time: TIME },
    'method-removed': { label: 'Visa •••• 4242', time: TIME },
    'card-expiring': { label: 'Visa •••• 4242', month: 4, year: 2027, url },
    invitation: { business: 'Corner Bookshop', role: 'Manager', invitedBy: 'Olga', url, until: UNTIL },
    'password-reset': { url, until: UNTIL },
    'sign-in': { time: TIME, address: '192.0.2.1', device: 'Firefox, Linux', url },
    'access-added': {
      what: 'passkey',
      name: 'Phone',
      business: null,
      by: null,
      time: TIME,
      address: '192.0.2.1',
      url,
    },
  } satisfies Partial<Samples>
}

/** Messages to the team of an app. */
function appSamples(url: string) {
  return {
    'refund-made': { ...PAYMENT, refundedMinor: '2840', url },
    'endpoint-failing': {
      endpoint: 'https://shop.example/webhooks',
      since: TIME,
      error: 'The endpoint answered 500.',
      isDisabled: false,
      url,
    },
    'provider-degraded': {
      profile: 'Cards in Europe',
      diagnosis: { code: 'failed', failed: 12, calls: 20 },
      url,
    },
    'authorisations-ending': {
      count: 2,
      isMore: false,
      payments: [
        { reference: 'A-1001', amountMinor: '12840', currency: 'EUR', until: UNTIL },
        { reference: 'A-1002', amountMinor: '990', currency: 'USD', until: UNTIL },
      ],
      url,
    },
    settlements: {
      opened: [
        { kind: 'missing', count: 3 },
        { kind: 'payout', count: 1 },
      ],
      failing: ['Cards in Europe'],
      exceptionsUrl: url,
      sourcesUrl: url,
    },
    dispute: {
      occasion: 'opened',
      reference: 'A-1001',
      amountMinor: '12840',
      currency: 'EUR',
      reason: 'product_not_received',
      due: UNTIL,
      profile: 'Cards in Europe',
      url,
    },
    'export-ready': {
      what: 'payments',
      rows: 12_840,
      isFailed: false,
      isScheduled: false,
      until: UNTIL,
      url,
    },
  } satisfies Partial<Samples>
}

export const sampleMail = (kind: MailKind, url: string): Mail =>
  ({ kind, data: samplesOf(url)[kind] }) as Mail
