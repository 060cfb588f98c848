import { sum } from './money.ts'
import { amountOf, type Mandate, type Movement, type Payment, type State } from './state.ts'

/** Resources as Mollie shows them. */

const isoTime = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, '+00:00')

const link = (href: string) => ({ href, type: 'application/hal+json' })

const CARD = {
  ...{ cardNumber: '6787', cardHolder: 'T. TESTHOLDER', cardAudience: 'consumer', cardLabel: 'Mastercard' },
  ...{
    cardCountryCode: 'NL',
    cardFunding: 'credit',
    cardFingerprint: 'fp_simulated',
    cardSecurity: '3dsecure',
  },
}
const WALLET = {
  ...{ consumerName: 'Pat Payer', consumerAccount: 'pat.payer@example.com', paypalPayerId: 'WDJJHEBZ4X2LY' },
}

const DETAILS: Readonly<Record<string, object>> = {
  ...{ creditcard: CARD, paypal: WALLET },
  applepay: { ...CARD, wallet: 'applepay' },
  googlepay: { ...CARD, wallet: 'googlepay' },
  ideal: { consumerName: 'Pat Payer', consumerAccount: 'NL53INGB0618365937', consumerBic: 'INGBNL2A' },
}

/** The first of a list is what the payer chooses. */
export const methodIn = ({ method }: Payment['body']): string | undefined => [method].flat()[0]

export function paymentView(state: State, payment: Payment, embed: readonly string[] = []): object {
  const { id, body, status, createdAt, captures, refunds, chargebacks } = payment
  const { currency } = body.amount
  const base = `${state.origin()}/v2/payments/${id}`
  const isManual = body.captureMode === 'manual'
  const lists = { captures, refunds, chargebacks }
  const present = Object.entries(lists).filter(([, list]) => list.length > 0)
  return {
    ...{ resource: 'payment', id, mode: 'test', createdAt: isoTime(createdAt), amount: body.amount },
    ...{
      description: body.description,
      method: methodIn(body) ?? null,
      metadata: body.metadata ?? null,
      status,
    },
    ...{ profileId: 'pfl_simulated', sequenceType: body.sequenceType ?? 'oneoff' },
    ...optional(body, 'redirectUrl', 'cancelUrl', 'webhookUrl', 'customerId', 'captureMode'),
    ...(body.mandateId || payment.mandateId ? { mandateId: body.mandateId ?? payment.mandateId } : {}),
    ...(status === 'open' ? { isCancelable: !payment.isOpened, expiresAt: isoTime(payment.expiresAt) } : {}),
    ...(payment.authorizedAt ? { authorizedAt: isoTime(payment.authorizedAt) } : {}),
    ...(payment.paidAt ? { paidAt: isoTime(payment.paidAt) } : {}),
    ...(isManual && payment.authorizedAt
      ? { captureBefore: isoTime(captureBefore(payment)), amountCaptured: taken(payment) }
      : {}),
    amountRefunded: amountOf(sum(refunds, 'queued', 'pending', 'processing', 'refunded'), currency),
    ...detailsOf(payment),
    _links: {
      self: link(base),
      dashboard: { href: `https://www.mollie.com/dashboard/payments/${id}`, type: 'text/html' },
      ...(status === 'open' && body.sequenceType !== 'recurring'
        ? { checkout: { href: `${state.origin()}/checkout/${id}`, type: 'text/html' } }
        : {}),
      ...Object.fromEntries(present.map(([name]) => [name, link(`${base}/${name}`)])),
    },
    ...(embed.length > 0
      ? { _embedded: Object.fromEntries(embed.map((name) => [name, listOf(state, payment, name)])) }
      : {}),
  }
}

const WINDOW_MS = 7 * 86_400_000
export const captureBefore = ({ authorizedAt = 0 }: Payment): number => authorizedAt + WINDOW_MS

const taken = ({ captures, body }: Payment) => amountOf(sum(captures, 'succeeded'), body.amount.currency)

const optional = (body: object, ...names: readonly string[]) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)))

function detailsOf({ body, status, failure }: Payment): object {
  if (status === 'open') return {}
  const details = DETAILS[methodIn(body) ?? ''] ?? {}
  const failed = failure ? { failureReason: failure, failureMessage: 'The payment was refused.' } : {}
  return { details: { ...details, ...failed } }
}

export function listOf(state: State, payment: Payment, name: string): object[] {
  if (name === 'captures') return payment.captures.map((one) => movementView(state, payment, one, 'capture'))
  if (name === 'refunds') return payment.refunds.map((one) => movementView(state, payment, one, 'refund'))
  return payment.chargebacks.map(({ id, amountMinor, createdAt, reversedAt }) => ({
    ...{ resource: 'chargeback', id, createdAt: isoTime(createdAt) },
    amount: amountOf(amountMinor, payment.body.amount.currency),
    ...{ paymentId: payment.id, reason: { code: '4853', description: 'Cardholder dispute' } },
    reversedAt: reversedAt === undefined ? null : isoTime(reversedAt),
  }))
}

export const movementView = (
  state: State,
  { id: paymentId }: Payment,
  { id, amount, metadata, description, createdAt, status }: Movement,
  resource: 'capture' | 'refund',
): object => ({
  ...{ resource, id, mode: 'test', amount, status, metadata, paymentId, createdAt: isoTime(createdAt) },
  ...(description === undefined ? {} : { description }),
  _links: { self: link(`${state.origin()}/v2/payments/${paymentId}/${resource}s/${id}`) },
})

export const mandateView = ({ id, method, status, customerId }: Mandate): object => ({
  ...{ resource: 'mandate', id, mode: 'test', status, method, customerId },
  details: method === 'creditcard' ? { ...CARD, cardExpiryDate: '2031-03-31' } : WALLET,
})
