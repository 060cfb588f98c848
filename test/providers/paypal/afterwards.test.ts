import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { money } from '../../../src/base/money.ts'
import { operation, purchase } from '../../../src/providers/contract/core.ts'
import type { Handles, Outcome } from '../../../src/providers/outcome.ts'
import { createPaypal } from '../../../src/providers/paypal/adapter.ts'
import type { Operation, Purchase } from '../../../src/providers/port.ts'
import { createPaypalClient, NOTIFY_URL, type PaypalClient } from './client.ts'

/** What happens at PayPal after the money has moved, and what needs the payer or the merchant again. */

const paypal = createPaypal()
let client: PaypalClient

beforeEach(async () => {
  client = await createPaypalClient()
})
afterEach(() => client.close())

const ctx = () => client.context()
const eur = (minor: bigint) => money(minor, 'EUR')
const op = (step: Operation['step'], reference?: string): Operation => operation(step, reference)
const bought = (more: Partial<Purchase> = {}): Purchase => purchase({ method: 'Paypal', sale: true, ...more })

interface Paid {
  readonly reference: string
  readonly handles: Handles
}

async function approved(wanted: Purchase): Promise<Paid & { wanted: Purchase }> {
  const start = op('start')
  const outcome = await paypal.start(ctx(), start, wanted)
  if (outcome.kind !== 'redirect') throw new Error(`not opened: ${JSON.stringify(outcome)}`)
  await client.simulator.payer(outcome.url, { kind: 'pay' })
  return { reference: start.reference, handles: outcome.handles, wanted }
}

async function paid(more: Partial<Purchase> = {}): Promise<Paid> {
  const { reference, handles, wanted } = await approved(bought(more))
  const outcome = await paypal.resume(ctx(), op('resume', reference), wanted, handles)
  if (outcome.kind !== 'approved') throw new Error(`not paid: ${JSON.stringify(outcome)}`)
  return { reference, handles: { ...handles, ...outcome.handles } }
}

async function see({ reference, handles }: Paid) {
  const sight = await paypal.retrieve(ctx(), reference, handles)
  if (sight.kind !== 'snapshot') throw new Error(`not seen: ${JSON.stringify(sight)}`)
  return sight
}

type Act = Parameters<PaypalClient['simulator']['dashboard']>[1]
const act = (one: Paid, wanted: Act) => expect(client.simulator.dashboard(one.reference, wanted)).toBe(true)
const refund = (one: Paid, minor: bigint) =>
  paypal.refund(ctx(), op('refund', one.reference), one.handles, eur(minor))
const posted = (path: RegExp) => client.simulator.requests.filter((one) => path.test(one.path)).at(-1)
const bodyOf = (path: RegExp) => JSON.parse(posted(path)?.body ?? '{}')

describe('a dispute', () => {
  it('holds the capture as pending, and is shown with amount, reason, deadline and page', async () => {
    const one = await paid()
    act(one, { kind: 'dispute', state: 'open' })
    const seen = await see(one)
    expect(seen).toMatchObject({ stage: 'captured', captured: eur(1_050n), refunded: eur(0n) })
    expect(seen.disputes).toEqual([
      {
        id: expect.stringMatching(/^PP-D-/),
        state: 'open',
        amount: eur(1_050n),
        reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
        evidenceDue: expect.any(Date),
        url: expect.stringMatching(/^https:\/\/www\.sandbox\.paypal\.com\/resolutioncenter\/view\/PP-D-/),
      },
    ])
    act(one, { kind: 'dispute', state: 'won' })
    expect(await see(one)).toMatchObject({ captured: eur(1_050n), disputes: [{ state: 'won' }] })
  })

  it('about a part takes that part back when it is lost, and nothing else', async () => {
    const one = await paid()
    act(one, { kind: 'dispute', state: 'open', amountMinor: 200n })
    act(one, { kind: 'dispute', state: 'lost' })
    const seen = await see(one)
    expect(seen).toMatchObject({ captured: eur(1_050n), refunded: eur(0n) })
    expect(seen.disputes).toMatchObject([{ state: 'lost', amount: eur(200n) }])
  })

  it('about everything is not counted a second time as a capture that PayPal took back', async () => {
    const one = await paid()
    act(one, { kind: 'dispute', state: 'lost' })
    expect(await see(one)).toMatchObject({
      refunded: eur(0n),
      disputes: [{ state: 'lost', amount: eur(1_050n) }],
    })
  })

  it('that a refund ended is not counted a second time', async () => {
    const one = await paid()
    act(one, { kind: 'dispute', state: 'open', amountMinor: 200n, isInquiry: true })
    expect((await see(one)).disputes).toMatchObject([{ state: 'open', isRefundable: true }])
    expect((await refund(one, 200n)).kind).toBe('approved')
    act(one, { kind: 'dispute', state: 'lost' })
    expect(await see(one)).toMatchObject({
      refunded: eur(200n),
      disputes: [{ state: 'lost', amount: eur(0n) }],
    })
  })

  it('that is a claim is not refundable', async () => {
    const one = await paid()
    act(one, { kind: 'dispute', state: 'open' })
    expect((await see(one)).disputes?.[0]).not.toHaveProperty('isRefundable')
    expect((await refund(one, 200n)).kind).not.toBe('approved')
  })

  it('is one of several, each by its id, also beyond the first page of the list', async () => {
    const one = await paid()
    for (const which of [1, 2, 3]) act(one, { kind: 'dispute', state: 'open', which, amountMinor: 100n })
    act(one, { kind: 'dispute', state: 'won', which: 1 })
    act(one, { kind: 'dispute', state: 'lost', which: 2 })
    const { disputes = [] } = await see(one)
    expect(disputes.map(({ state }) => state)).toEqual(['won', 'lost', 'open'])
    expect(new Set(disputes.map(({ id }) => id)).size).toBe(3)
  })

  const DISPUTES = /customer\/disputes/
  const DOWN = { kind: 'no-answer', why: 'timeout', cause: 'timeout' } as const
  const FORBIDDEN = { kind: 'reply', status: 403, headers: {}, body: { name: 'NOT_AUTHORIZED' } } as const

  it('that cannot be read now leaves the rest readable, and is read again', async () => {
    const one = await paid()
    await refund(one, 300n)
    client.answer(DISPUTES, DOWN)
    expect(await see(one)).toMatchObject({ stage: 'captured', refunded: eur(300n), isIncomplete: true })
    client.answer(DISPUTES)
    expect(await see(one)).not.toHaveProperty('isIncomplete')
  })

  it('is told by the pending capture alone if disputes cannot be read', async () => {
    const one = await paid()
    act(one, { kind: 'dispute', state: 'open' })
    const open = { id: one.handles.capture, state: 'open', amount: eur(1_050n), reason: 'BUYER_COMPLAINT' }
    client.answer(DISPUTES, DOWN)
    expect(await see(one)).toMatchObject({ isIncomplete: true, captured: eur(1_050n), disputes: [open] })
    client.answer(DISPUTES, FORBIDDEN)
    const seen = await see(one)
    expect(seen.disputes).toEqual([open])
    expect(seen).not.toHaveProperty('isIncomplete')
    act(one, { kind: 'dispute', state: 'won' })
    const later = { ...one, handles: { ...one.handles, ...seen.handles } }
    expect((await see(later)).disputes).toMatchObject([{ id: open.id, state: 'won' }])
    expect(await see(one), 'nothing is invented').not.toHaveProperty('disputes')
  })
})

describe('a pending capture that is denied', () => {
  it('is refused with the key of its operation', async () => {
    const one = await paid({ sale: false })
    client.simulator.arm({ kind: 'pending', operation: 'capture' })
    const by = op('capture', one.reference)
    expect((await paypal.capture(ctx(), by, one.handles, eur(1_050n))).kind).toBe('pending')
    act(one, { kind: 'deny-capture' })
    expect(await see(one)).toMatchObject({
      captured: eur(0n),
      refused: [{ step: 'capture', operationKey: by.key, problem: expect.stringMatching(/declined/) }],
    })
  })
})

describe('an order that PayPal does not show any more', () => {
  it('is read by its capture, with the refund that is known', async () => {
    const one = await paid()
    const outcome = await refund(one, 300n)
    const handles = { ...one.handles, ...('handles' in outcome ? outcome.handles : {}) }
    client.simulator.forgetOrders()
    const seen = await see({ ...one, handles })
    expect(seen).toMatchObject({ stage: 'captured', captured: eur(1_050n), refunded: eur(300n) })
    expect(seen.reference).toBe(one.reference)
    act(one, { kind: 'refund' })
    expect((await see(one)).refunded, 'without the id of a refund').toEqual(eur(1_050n))
  })

  it('is read by its authorisation', async () => {
    const one = await paid({ sale: false })
    client.simulator.forgetOrders()
    expect(await see(one)).toMatchObject({ stage: 'authorised', authorised: eur(1_050n) })
  })
})

describe('a wallet that PayPal stores late', () => {
  async function reported(type: string) {
    const calls = client.simulator.takeNotifications().map(({ headers, body }) => ({ headers, body }))
    const call = calls.find(({ body }) => body.includes(type))
    if (!call) throw new Error(`nothing was told of ${type}`)
    return paypal.receive(ctx(), { headers: call.headers, rawBody: Buffer.from(call.body), url: NOTIFY_URL })
  }

  it.each([true, 'hidden'] as const)('is found by its notification (%s)', async (late) => {
    await paypal.connect?.(ctx())
    client.simulator.storesLate = late
    const one = await paid({ storeMethod: true })
    expect((await see(one)).facts).not.toHaveProperty('stored')
    client.simulator.storeWallet(one.reference)
    const received = await reported('VAULT.PAYMENT-TOKEN.CREATED')
    const lookup = one.handles.payment
    expect(received).toEqual({
      kind: 'events',
      hints: [{ lookup, handles: { vaultCustomer: expect.any(String) } }],
    })
    expect(one.handles.lookup).toBe(lookup)
    const handles = received.kind === 'events' ? received.hints[0]?.handles : {}
    const seen = await see({ ...one, handles: { ...one.handles, ...handles } })
    expect(seen.facts.stored).toMatchObject({ method: 'Paypal', token: expect.any(String) })
    expect(JSON.stringify({ handles: seen.handles, hints: handles })).not.toContain(seen.facts.stored?.token)
  })

  it.each([
    [429, 'RATE_LIMIT_REACHED', true],
    [403, 'NOT_AUTHORIZED', true],
    [404, 'RESOURCE_NOT_FOUND', false],
  ])('is looked for again if its record cannot be read now (%i)', async (status, name, isIncomplete) => {
    const one = await paid()
    const { http } = ctx()
    const refusal = { kind: 'reply', status, headers: {}, body: { name } } as const
    const call: typeof http.call = async (request) =>
      request.url.includes('/payment-tokens') ? refusal : http.call(request)
    const handles = { ...one.handles, vaultCustomer: 'UV53YM3YYJ' }
    const seen = await paypal.retrieve({ ...ctx(), http: { call } }, one.reference, handles)
    expect(seen).toMatchObject({ kind: 'snapshot', stage: 'captured' })
    expect('isIncomplete' in seen && seen.isIncomplete).toBe(isIncomplete)
  })

  it('and that the customer removes at PayPal is told', async () => {
    await paypal.connect?.(ctx())
    const one = await paid({ storeMethod: true })
    const token = (await see(one)).facts.stored?.token
    client.simulator.takeNotifications()
    client.simulator.removeWallets()
    expect(await reported('VAULT.PAYMENT-TOKEN.DELETED')).toEqual({
      ...{ kind: 'events', hints: [{ removedToken: token }] },
    })
  })
})

describe('a payer who must act once more', () => {
  const arm = (operation: 'resume' | 'charge') =>
    client.simulator.arm({ kind: 'decline', operation, code: 'PAYER_ACTION_REQUIRED' })
  const pageOf = (outcome: Outcome) => {
    if (outcome.kind !== 'redirect') throw new Error(`no page: ${JSON.stringify(outcome)}`)
    return outcome
  }

  it('goes to the page of the same order, and is charged once after that', async () => {
    const { reference, handles, wanted } = await approved(bought())
    arm('resume')
    const by = op('resume', reference)
    const page = pageOf(await paypal.resume(ctx(), by, wanted, handles))
    expect(page.url).toContain(handles.payment)
    await client.simulator.payer(page.url, { kind: 'pay' })
    const after = await paypal.resume(ctx(), { ...by, sending: 2 }, wanted, { ...handles, ...page.handles })
    expect(after).toMatchObject({ kind: 'approved', stage: 'captured' })
    expect(client.simulator.ledger(reference)).toHaveLength(1)
  })

  it('is declined if the merchant charges without the payer', async () => {
    const { reference, handles, wanted } = await approved(bought())
    arm('resume')
    const absent = { ...wanted, customerPresent: false }
    const outcome = await paypal.resume(ctx(), op('resume', reference), absent, handles)
    expect(outcome).toMatchObject({ kind: 'declined', reason: 'authentication-required' })
  })

  it('with a stored wallet goes there too; until then the order waits for the payer', async () => {
    const { facts } = await see(await paid({ storeMethod: true }))
    const token = facts.stored?.token ?? ''
    const by = { ...op('charge'), save: async () => true }
    arm('charge')
    const page = pageOf(await paypal.charge(ctx(), by, bought(), token))
    const waiting = await see({ reference: by.reference, handles: page.handles })
    expect(waiting).toMatchObject({ stage: 'needs-customer', customerUrl: page.url })
    await client.simulator.payer(page.url, { kind: 'pay' })
    expect((await see({ reference: by.reference, handles: page.handles })).stage).toBe('approved')
    const again = { ...by, sending: 2, saved: page.handles }
    expect(await paypal.charge(ctx(), again, bought(), token)).toMatchObject({ kind: 'approved' })
    expect(client.simulator.ledger(by.reference)).toHaveLength(1)
  })
})

describe('an address', () => {
  const shipping = { name: 'Pat Payer', line1: '1 Main St', city: 'San Jose', state: 'CA', country: 'US' }
  const context = () => bodyOf(/orders$/).payment_source.paypal.experience_context

  it('goes with the order, and PayPal asks for none without it', async () => {
    await approved(bought({ shipping: { ...shipping, postalCode: '95131' } }))
    expect(bodyOf(/orders$/).purchase_units[0].shipping).toEqual({
      type: 'SHIPPING',
      name: { full_name: 'Pat Payer' },
      address: {
        ...{ address_line_1: '1 Main St', admin_area_2: 'San Jose', admin_area_1: 'CA' },
        ...{ postal_code: '95131', country_code: 'US' },
      },
    })
    expect(context().shipping_preference).toBe('SET_PROVIDED_ADDRESS')
    const { shipping: _, ...withoutAddress } = bought()
    await approved(withoutAddress)
    expect(bodyOf(/orders$/).purchase_units[0]).not.toHaveProperty('shipping')
    expect(context().shipping_preference).toBe('NO_SHIPPING')
  })

  it('that PayPal refuses is left out', async () => {
    await approved(bought({ shipping: { ...shipping, postalCode: 'bad' } }))
    expect(context().shipping_preference).toBe('NO_SHIPPING')
  })
})

describe('connecting and checking', () => {
  it('asks only for events that PayPal lists', async () => {
    const listed = client.simulator.eventTypes.filter((name) => !name.startsWith('PAYMENT.REFUND.'))
    client.simulator.eventTypes = listed
    expect(await paypal.connect?.(ctx())).toMatchObject({ ok: true })
    const names = bodyOf(/webhooks$/).event_types.map(({ name }: { name: string }) => name)
    expect(names).toContain('VAULT.PAYMENT-TOKEN.CREATED')
    expect(names.filter((name: string) => !listed.includes(name))).toEqual([])
  })

  it('asks for the published events if PayPal does not tell its list', async () => {
    client.answer(/webhooks-event-types/, { kind: 'reply', status: 404, headers: {}, body: {} })
    expect(await paypal.connect?.(ctx())).toMatchObject({ ok: true })
    expect(posted(/webhooks$/)?.body).not.toContain('PAYMENT.REFUND.')
  })

  it('tells the account, and that disputes and transactions cannot be read', async () => {
    const tested = ['credentials', 'permissions']
    const whole = await paypal.check(ctx())
    expect(whole).toMatchObject({ ok: true, account: 'RD465XN5VS364', tested })
    expect(whole).not.toHaveProperty('warnings')
    client.answer(/reporting\/transactions/, { kind: 'reply', status: 403, headers: {}, body: {} })
    client.answer(/customer\/disputes/, { kind: 'reply', status: 403, headers: {}, body: {} })
    client.answer(/userinfo/, { kind: 'reply', status: 403, headers: {}, body: {} })
    expect(await paypal.check(ctx())).toMatchObject({
      ok: true,
      warnings: [expect.stringMatching(/disputes/), expect.stringMatching(/Transaction search/)],
    })
  })
})
