import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { SECOND, systemClock } from '../../src/base/clock.ts'
import { LIMITS } from '../../src/base/limits.ts'
import type { ProviderAdapter } from '../../src/providers/port.ts'
import {
  type Answer,
  good,
  newReference,
  type Reply,
  startTestService,
  type TestService,
} from '../support/tender.ts'

let tender: TestService
let other: TestService
let aheadMs = 0
/** Payments that a request has started to watch. */
const watched: string[] = []
beforeAll(async () => {
  // No jobs: unknown outcomes stay unknown until a request rechecks them.
  const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + aheadMs) }
  tender = await startTestService('e2e_replays', { role: 'web', clock })
  other = await startTestService('e2e_replays', { role: 'web', databaseUrl: tender.databaseUrl })
  tender.service.ctx.db.listen('tender_watched', (name) => void watched.push(name))
})
afterAll(async () => {
  await other?.stop()
  await tender?.stop()
})
afterEach(() => vi.restoreAllMocks())

const adapterOf = ({ service }: TestService): ProviderAdapter => {
  const adapter = service.ctx.providers.get('sandbox')
  if (!adapter) throw new Error('there is no sandbox')
  return adapter
}

const order = (customerId: string) => ({ customerOrder: { customer: { customerId } } })

/** Sends the same request to another node. */
async function callOther(path: string, body: object): Promise<Reply> {
  const { appId, apiKey } = tender.sandbox
  const reply = await fetch(`${other.url}/api/apps/${appId}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: reply.status, headers: reply.headers, body: await reply.json() }
}

/** Blocks the next call of an adapter until `release`; `begun` resolves when the call starts. */
function holdBack(step: 'start' | 'charge') {
  const adapter = adapterOf(tender)
  const gate = { begun: () => {}, release: () => {} }
  const begun = new Promise<void>((resolve) => {
    gate.begun = resolve
  })
  const released = new Promise<void>((resolve) => {
    gate.release = resolve
  })
  const real = adapter[step].bind(adapter) as (...call: unknown[]) => Promise<never>
  vi.spyOn(adapter, step).mockImplementationOnce(async (...call: unknown[]) => {
    gate.begun()
    await released
    return await real(...call)
  })
  return { begun, release: gate.release }
}

/** Number of requests, on any node, that started to wait for a change of this payment. */
async function waitingFor({ referenceId }: { referenceId: string }): Promise<number> {
  const { paymentId } = good(await tender.sandbox.call('GET', `payments/referenceId:${referenceId}`))
  return watched.filter((name) => name === `${tender.sandbox.appId}:${paymentId}`).length
}

const replayed = ({ headers }: Reply) => headers.get('idempotent-replayed')

describe('provider-hosted-page repeated', () => {
  const path = 'payments/provider-hosted-page'
  async function newBody(method = 'CreditCard') {
    const profiles: Answer[] = good(await tender.sandbox.call('GET', 'payment-profiles'))
    const { paymentProfileId } = profiles.find(({ methods }) => methods.includes(method))
    const money = { amount: 12, currency: 'EUR', autoCapture: true }
    return { referenceId: newReference(), ...money, paymentProfileId, ...order('dana') }
  }

  it('waits for the running request and returns its page, also on another node', async () => {
    const body = await newBody()
    const gate = holdBack('start')
    const first = tender.sandbox.call('POST', path, body)
    await gate.begun
    const repeats = [1, 2].flatMap(() => [tender.sandbox.call('POST', path, body), callOther(path, body)])
    await expect.poll(() => waitingFor(body)).toBeGreaterThanOrEqual(repeats.length)
    gate.release()
    const { body: made } = await first
    expect(made.redirectUrl).toContain('/sandbox/pay/')
    for (const reply of await Promise.all(repeats)) {
      expect([reply.status, replayed(reply)]).toEqual([201, 'true'])
      expect(reply.body).toMatchObject({ paymentId: made.paymentId, redirectUrl: made.redirectUrl })
    }
    expect(await tender.sandbox.attempts(made.paymentId)).toBe(1)
  })

  it.each(['CreditCard', 'Paypal'])('opens one page for many concurrent requests (%s)', async (method) => {
    const body = await newBody(method)
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        n % 2 ? tender.sandbox.call('POST', path, body) : callOther(path, body),
      ),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(replies.map((reply) => reply.body.redirectUrl)).size).toBe(1)
    expect(replies.filter((reply) => replayed(reply) === null)).toHaveLength(1)
    expect(await tender.sandbox.attempts(replies[0]?.body.paymentId)).toBe(1)
  })

  it.each(['CreditCard', 'Paypal'])(
    'opens one page for many concurrent requests after an outage (%s)',
    async (method) => {
      const body = await newBody(method)
      await tender.sandbox.fault('any', 'outage')
      const first = good(await tender.sandbox.call('POST', path, body))
      expect(first.redirectUrl).toBeUndefined()
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          n % 2 ? tender.sandbox.call('POST', path, body) : callOther(path, body),
        ),
      )
      const [page, ...others] = new Set(replies.map((reply) => reply.body.redirectUrl))
      expect([page, others]).toEqual([expect.stringContaining('/sandbox/pay/'), []])
      expect(await tender.sandbox.attempts(first.paymentId)).toBe(2)
    },
  )

  it('returns the open page after the reply of the provider was lost', async () => {
    const body = await newBody()
    const adapter = adapterOf(tender)
    const real = adapter.start.bind(adapter)
    vi.spyOn(adapter, 'start').mockImplementationOnce(async (...call) => {
      await real(...call)
      return { kind: 'unknown', why: 'timeout' }
    })
    const first = good(await tender.sandbox.call('POST', path, body))
    expect(first.redirectUrl).toBeUndefined()
    const again = await tender.sandbox.call('POST', path, body)
    expect([again.status, replayed(again), again.body.paymentId]).toEqual([201, 'true', first.paymentId])
    expect(again.body.redirectUrl).toContain('/sandbox/pay/')
    expect(await tender.sandbox.attempts(first.paymentId)).toBe(1)
  })

  it('returns payment_busy if the first request is still running after the limit', async () => {
    const body = await newBody()
    const gate = holdBack('start')
    const first = tender.sandbox.call('POST', path, body)
    await gate.begun
    const repeat = tender.sandbox.call('POST', path, body)
    await expect.poll(() => waitingFor(body)).toBeGreaterThanOrEqual(1)
    aheadMs += LIMITS.replayWaitMs + SECOND
    const { status, headers, body: answer } = await repeat
    expect([status, answer.code, headers.get('retry-after')]).toEqual([409, 'payment_busy', '5'])
    gate.release()
    expect(good(await first).redirectUrl).toContain('/sandbox/pay/')
  })

  it('with another customer is a replay, because guests get a new id on each attempt', async () => {
    const body = await newBody()
    const first = good(await tender.sandbox.call('POST', path, body))
    const again = await tender.sandbox.call('POST', path, { ...body, ...order('guest 2') })
    expect([again.status, again.body.paymentId]).toEqual([201, first.paymentId])
  })
})

describe('auto-payment repeated', () => {
  const path = 'payments/auto-payment'
  const charge = (body: object) => tender.sandbox.call('POST', path, body)
  const newBody = (customerId: string, more: object = {}) => ({
    ...{ referenceId: newReference(), amount: 9.99, autoCapture: true },
    ...order(customerId),
    ...more,
  })
  /** A customer with a stored card for each outcome. */
  async function registered(...outcomes: string[]): Promise<{ customerId: string; methods: Answer[] }> {
    const customerId = newReference()
    const methods: Answer[] = []
    for (const outcome of outcomes) {
      const made = await tender.sandbox.create({ ...order(customerId), registerAutoPayment: true })
      methods.push(good(await tender.sandbox.pay(made.paymentId, { outcome })))
    }
    return { customerId, methods }
  }
  const refused = (reply: Reply, paymentId: number) => {
    expect([reply.status, reply.body.code, reply.body.paymentId]).toEqual([
      409,
      'reference_id_reused',
      paymentId,
    ])
    expect(reply.body.Message).toContain('ProviderReferenceId already used')
  }

  it('refuses another customer and does not return the payment of the first', async () => {
    const one = await registered('approved')
    const two = await registered('approved')
    const body = newBody(one.customerId)
    const { paymentId } = good(await charge(body))
    refused(await charge({ ...body, ...order(two.customerId) }), paymentId)
    refused(await charge({ ...body, ...order('without a method') }), paymentId)
    const parallel = newBody(one.customerId)
    const replies = await Promise.all(
      [one, two, one, two].map(({ customerId }) => charge({ ...parallel, ...order(customerId) })),
    )
    const owners = replies.filter(({ status }) => status === 200).map(({ body }) => body.customerId)
    expect([owners.length, new Set(owners).size]).toEqual([2, 1])
  })

  it('refuses another stored method or registration; without either it is a replay', async () => {
    const { customerId, methods } = await registered('approved', 'stored-charge-declined')
    const [one, two] = methods
    expect(one.paymentMethodId).not.toBe(two.paymentMethodId)
    const unnamed = newBody(customerId)
    const named = { ...unnamed, paymentMethodId: one.paymentMethodId }
    const { paymentId } = good(await charge(named))
    const token = one.paymentMethodProviderProfileId
    const repeats = [
      named,
      unnamed,
      { ...named, paymentMethodId: String(one.paymentMethodId) },
      { ...unnamed, paymentMethodProviderProfileId: token },
      // The registration takes precedence, as in the first request.
      { ...named, paymentMethodId: two.paymentMethodId, paymentMethodProviderProfileId: token },
    ]
    for (const body of repeats) {
      const again = await charge(body)
      expect([again.status, again.body.paymentId, replayed(again)]).toEqual([200, paymentId, 'true'])
    }
    const { paymentMethodId, paymentMethodProviderProfileId } = two
    for (const other of [{ paymentMethodId }, { paymentMethodProviderProfileId }, { paymentMethodId: 999 }])
      refused(await charge({ ...unnamed, ...other }), paymentId)
  })

  it('after a fraud rejection is a replay only with the same method', async () => {
    const { customerId, methods } = await registered('approved', 'stored-charge-declined')
    const [one, two] = methods
    const rules = [{ action: 'RejectPayment', measure: 'SingleAmount', threshold: 5 }]
    const made = good(await tender.sandbox.call('POST', 'fraud-policies', { name: 'Small only', rules }))
    const { fraudPolicyId } = made
    const body = newBody(customerId, { fraudPolicyId, paymentMethodId: one.paymentMethodId })
    const first = good(await charge(body))
    expect(first.failure.code).toBe('fraud_rejected')
    expect((await charge(body)).body).toEqual(first)
    refused(await charge({ ...body, paymentMethodId: two.paymentMethodId }), first.paymentId)
  })

  it('waits for the result of the running request, also on another node', async () => {
    const { customerId } = await registered('approved')
    const body = newBody(customerId)
    const gate = holdBack('charge')
    const first = charge(body)
    await gate.begun
    const repeats = [charge(body), callOther(path, body)]
    await expect.poll(() => waitingFor(body)).toBeGreaterThanOrEqual(repeats.length)
    gate.release()
    const { body: made } = await first
    for (const reply of await Promise.all(repeats)) {
      expect([reply.status, replayed(reply)]).toEqual([200, 'true'])
      expect(reply.body).toMatchObject({ paymentId: made.paymentId, paymentState: 'Captured' })
    }
  })

  it('returns the moving state immediately if the reply was lost', async () => {
    const { customerId } = await registered('approved')
    const body = newBody(customerId)
    const adapter = adapterOf(tender)
    vi.spyOn(adapter, 'charge').mockResolvedValueOnce({ kind: 'unknown', why: 'timeout' })
    vi.spyOn(adapter, 'retrieve').mockResolvedValue({ kind: 'unknown', why: 'timeout' })
    expect(good(await charge(body)).paymentState).toBe('SaleInProgress')
    expect(good(await charge(body)).paymentState).toBe('SaleInProgress')
    expect(await waitingFor(body)).toBe(0)
  })
})
