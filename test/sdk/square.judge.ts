import { SquareClient, SquareError, WebhooksHelper } from 'square'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSquareSimulator, type SquareSimulator } from '../providers/square/simulator.ts'

/** Square's own client against the simulator, and its check of signatures. */

const REFERENCE = 'A0000000000000000001'
const HOOK = 'https://tender.example/hook?profile=1'
const eur = (amount: bigint) => ({ amount, currency: 'EUR' as const })

let simulator: SquareSimulator
let square: SquareClient
let locationId = ''
beforeEach(async () => {
  simulator = await createSquareSimulator({ webhookUrl: HOOK })
  square = clientWith(simulator.settings.accessToken)
  locationId = simulator.settings.locationId ?? ''
})
afterEach(async () => {
  expect(simulator.violations).toEqual([])
  await simulator.close()
})

const clientWith = (token = ''): SquareClient =>
  new SquareClient({ token, baseUrl: simulator.origin, maxRetries: 0 })

let keys = 0
const once = () => ({ idempotencyKey: `KEY${++keys}` })

async function openLink() {
  const { paymentLink } = await square.checkout.paymentLinks.create({
    ...once(),
    order: {
      ...{ locationId, referenceId: REFERENCE },
      lineItems: [{ name: 'Tea', quantity: '1', basePriceMoney: eur(2_550n) }],
    },
    checkoutOptions: { redirectUrl: 'https://tender.example/back/1' },
    paymentNote: REFERENCE,
  })
  if (!paymentLink?.url) throw new Error('no link')
  return { id: paymentLink.id ?? '', url: paymentLink.url, orderId: paymentLink.orderId ?? '' }
}

/** The id of a payment on a page. */
async function paid(): Promise<string> {
  const { url, orderId } = await openLink()
  await simulator.payer(url, { kind: 'pay' })
  const { order } = await square.orders.get({ orderId })
  return order?.tenders?.[0]?.paymentId ?? ''
}

async function storedCard() {
  const { customer } = await square.customers.create({ ...once(), givenName: 'Dana' })
  const customerId = customer?.id ?? ''
  const { card } = await square.cards.create({ ...once(), sourceId: await paid(), card: { customerId } })
  return { customerId, sourceId: card?.id ?? '' }
}

const reserve = (card: Awaited<ReturnType<typeof storedCard>>, key = once()) =>
  square.payments.create({
    ...{ ...key, ...card, amountMoney: eur(2_550n), autocomplete: false },
    ...{ locationId, referenceId: 'CHARGE' },
  })

const kinds = (reference: string) => simulator.ledger(reference).map(({ kind, state }) => `${kind} ${state}`)

describe("Square's client and the simulator", () => {
  it('pay on a page, read and refund', async () => {
    const paymentId = await paid()
    const { payment } = await square.payments.get({ paymentId })
    expect(payment).toMatchObject({ status: 'COMPLETED', amountMoney: eur(2_550n), note: REFERENCE })
    const { refund } = await square.refunds.refundPayment({
      ...{ ...once(), paymentId, amountMoney: eur(500n), reason: 'Sorry' },
    })
    expect(refund).toMatchObject({ status: 'PENDING', amountMoney: eur(500n) })
    simulator.advance(60_000)
    const read = await square.refunds.get({ refundId: refund?.id ?? '' })
    expect(read.refund?.status).toBe('COMPLETED')
    expect(kinds(REFERENCE)).toEqual(['sale done', 'refund done'])
  })

  it('delete a link', async () => {
    const { id, orderId } = await openLink()
    expect(await square.checkout.paymentLinks.delete({ id })).toMatchObject({ cancelledOrderId: orderId })
  })

  it('reserve a stored card, change the amount, complete, and disable the card', async () => {
    const card = await storedCard()
    const { payment } = await reserve(card)
    const paymentId = payment?.id ?? ''
    const changed = await square.payments.update({
      ...{ paymentId, ...once(), payment: { amountMoney: eur(1_000n) } },
    })
    const versionToken = changed.payment?.versionToken ?? ''
    const completed = await square.payments.complete({ paymentId, versionToken })
    expect(completed.payment).toMatchObject({ status: 'COMPLETED', amountMoney: eur(1_000n) })
    const disabled = await square.cards.disable({ cardId: card.sourceId })
    expect(disabled.card?.enabled).toBe(false)
    expect(kinds('CHARGE')).toEqual(['authorise done', 'capture done'])
  })

  it('cancel a payment, by id and by key', async () => {
    const card = await storedCard()
    const { payment } = await reserve(card)
    const cancelled = await square.payments.cancel({ paymentId: payment?.id ?? '' })
    expect(cancelled.payment?.status).toBe('CANCELED')
    const key = once()
    await reserve(card, key)
    await square.payments.cancelByIdempotencyKey(key)
    expect(kinds('CHARGE')).toEqual(['authorise done', 'void done', 'authorise done', 'void done'])
  })

  it('tell declines and wrong tokens', async () => {
    const card = await storedCard()
    simulator.arm({ kind: 'decline', operation: 'charge', code: 'INSUFFICIENT_FUNDS' })
    const codeOf = async (doing: Promise<unknown>) => {
      const error = await doing.catch((problem: unknown) => problem)
      return error instanceof SquareError ? [error.statusCode, error.errors[0]?.code] : error
    }
    expect(await codeOf(reserve(card))).toEqual([402, 'INSUFFICIENT_FUNDS'])
    const other = clientWith('wrong')
    expect(await codeOf(other.payments.get({ paymentId: 'x' }))).toEqual([401, 'UNAUTHORIZED'])
  })
})

it("Square's helper accepts the signatures of the simulator", async () => {
  await paid()
  const sent = simulator.takeNotifications()
  const [{ secret: signatureKey } = { secret: '' }] = simulator.webhookEndpoints
  expect(sent.length).toBeGreaterThan(0)
  for (const { headers, body } of sent) {
    const signatureHeader = headers['x-square-hmacsha256-signature'] ?? ''
    const verify = (requestBody: string) =>
      WebhooksHelper.verifySignature({ requestBody, signatureHeader, signatureKey, notificationUrl: HOOK })
    expect(await verify(body)).toBe(true)
    expect(await verify(`${body} `)).toBe(false)
  }
})
