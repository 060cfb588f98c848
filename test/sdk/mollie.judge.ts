import { randomUUID } from 'node:crypto'
import { Agent } from 'node:https'
import { connect } from 'node:net'
import { CaptureMethod, createMollieClient, type MollieClient, SequenceType } from '@mollie/api-client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createMollieSimulator, type MollieSimulator } from '../providers/mollie/simulator.ts'

/** Mollie's own client against the simulator, which takes only UUIDs as keys: the adapter sends such. */

const REFERENCE = 'A0000000000000000001'
const eur = (value: string) => ({ currency: 'EUR', value })

let simulator: MollieSimulator
let mollie: MollieClient
beforeEach(async () => {
  simulator = await createMollieSimulator()
  mollie = clientWith(simulator.settings.apiKey)
})
afterEach(async () => {
  expect(simulator.violations).toEqual([])
  await simulator.close()
  vi.restoreAllMocks()
})

/** The client speaks only https, so its connections are led to the simulator. */
function clientWith(apiKey = ''): MollieClient {
  const { hostname, port, host } = new URL(simulator.origin)
  vi.spyOn(Agent.prototype, 'createConnection').mockImplementation(() => connect(Number(port), hostname))
  return createMollieClient({ apiKey, apiEndpoint: `https://${host}/v2/` })
}

const once = () => ({ idempotencyKey: randomUUID() })

type Wanted = Parameters<MollieClient['payments']['create']>[0]

const open = (more: Partial<Wanted> = {}) =>
  mollie.payments.create({
    ...{ amount: eur('25.50'), description: 'Tea', redirectUrl: 'https://tender.example/back/1' },
    ...{ webhookUrl: 'https://tender.example/hook', metadata: { reference: REFERENCE }, ...once(), ...more },
  })

async function paid(more: Partial<Wanted> = {}): Promise<string> {
  const payment = await open(more)
  await simulator.payer(payment.getCheckoutUrl() ?? '', { kind: 'pay' })
  return payment.id
}

const kinds = () => simulator.allEntries().map(({ kind, state }) => `${kind} ${state}`)

describe("Mollie's client and the simulator", () => {
  it('pay, read and refund', async () => {
    const id = await paid()
    expect(await mollie.payments.get(id)).toMatchObject({
      status: 'paid',
      metadata: { reference: REFERENCE },
    })
    const refund = await mollie.paymentRefunds.create({
      ...once(),
      paymentId: id,
      amount: eur('5.00'),
      description: 'Sorry',
    })
    expect(refund).toMatchObject({ status: 'pending', amount: eur('5.00') })
    simulator.advance(61_000)
    const refunds = await mollie.paymentRefunds.page({ paymentId: id })
    expect(refunds.map(({ status }) => status)).toEqual(['refunded'])
    expect(kinds()).toEqual(['sale done', 'refund done'])
  })

  it('reserve, capture in part, release the rest, and cancel a page', async () => {
    const id = await paid({ captureMode: CaptureMethod.manual })
    const capture = await mollie.paymentCaptures.create({ ...once(), paymentId: id, amount: eur('20.00') })
    expect(capture).toMatchObject({ status: 'succeeded', amount: eur('20.00') })
    await mollie.payments.releaseAuthorization(id, once() as object)
    expect(await mollie.payments.get(id)).toMatchObject({ status: 'paid', amountCaptured: eur('20.00') })
    const { id: unpaid } = await open()
    expect((await mollie.payments.cancel(unpaid)).status).toBe('canceled')
    expect(kinds()).toEqual(['authorise done', 'capture done', 'void done'])
  })
})

describe("Mollie's client, mandates and errors", () => {
  it('store a mandate, charge it and revoke it', async () => {
    const { id: customerId } = await mollie.customers.create({
      ...once(),
      metadata: { reference: REFERENCE },
    })
    const first = await mollie.payments.get(await paid({ customerId, sequenceType: SequenceType.first }))
    const mandateId = first.mandateId ?? ''
    expect((await mollie.customerMandates.get(mandateId, { customerId })).status).toBe('valid')
    const charged = await mollie.payments.create({
      ...{ ...once(), amount: eur('9.99'), description: 'Again', customerId, mandateId },
      sequenceType: SequenceType.recurring,
    })
    expect(charged.status).toBe('paid')
    await mollie.customerMandates.revoke(mandateId, { customerId })
    expect((await mollie.customerMandates.get(mandateId, { customerId })).status).toBe('invalid')
  })

  it('tell refusals and wrong keys', async () => {
    const id = await paid()
    const much = mollie.paymentRefunds.create({
      ...once(),
      paymentId: id,
      amount: eur('99.00'),
      description: 'All',
    })
    await expect(much).rejects.toMatchObject({ statusCode: 422, field: 'amount' })
    const other = clientWith(simulator.wrongSettings.apiKey)
    await expect(other.payments.get(id)).rejects.toMatchObject({ statusCode: 401 })
    await expect(mollie.payments.get('tr_unknown0000')).rejects.toMatchObject({ statusCode: 404 })
  })
})
