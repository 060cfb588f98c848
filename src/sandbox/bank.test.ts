import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Merchant,
  merchant,
  purchase,
  type SandboxWorld,
  sandboxWorld,
} from '../../test/support/sandbox.ts'
import { money } from '../base/money.ts'
import { feeOf } from './bank/rules/methods.ts'

let here: SandboxWorld
let there: SandboxWorld
let shop: Merchant
beforeAll(async () => {
  here = await sandboxWorld()
  there = await sandboxWorld(here)
  shop = merchant(here)
})
afterAll(async () => {
  await there.close()
  await here.close()
})

const EUR_10 = money(1_000n, 'EUR')
const nodes = () => Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? here : there).sandbox.adapter)

async function authorised(): Promise<string> {
  const op = shop.operation('start')
  const bought = purchase({ instrument: await shop.token('CreditCard') })
  await here.sandbox.adapter.start(shop.context(), op, bought)
  return op.reference
}

describe('two nodes with one database', () => {
  it('make one payment for parallel requests with one key, and return the same answer', async () => {
    const op = shop.operation('start')
    const bought = purchase({ instrument: await shop.token('CreditCard') })
    const outcomes = await Promise.all(nodes().map((one) => one.start(shop.context(), op, bought)))
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0])
    expect(outcomes[0]?.kind).toBe('approved')
    expect(await shop.control.ledger(op.reference)).toHaveLength(1)
  })

  it('capture once for ten concurrent captures', async () => {
    const reference = await authorised()
    const outcomes = await Promise.all(
      nodes().map((one) => one.capture(shop.context(), shop.operation('capture', reference), {}, EUR_10)),
    )
    expect(outcomes.filter((outcome) => outcome.kind === 'approved')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome.kind === 'not-done')).toHaveLength(9)
    const entries = await shop.control.ledger(reference)
    expect(entries.map((entry) => entry.kind)).toEqual(['authorise', 'capture'])
  })

  it('never refund more than the captured amount', async () => {
    const reference = await authorised()
    await here.sandbox.adapter.capture(shop.context(), shop.operation('capture', reference), {}, EUR_10)
    const part = money(300n, 'EUR')
    const outcomes = await Promise.all(
      nodes().map((one) => one.refund(shop.context(), shop.operation('refund', reference), {}, part)),
    )
    expect(outcomes.filter((outcome) => outcome.kind === 'approved')).toHaveLength(3)
  })

  it('apply a fault once, whichever node armed it', async () => {
    const reference = await authorised()
    await there.sandbox.control(there.http, shop.appId).armFault({ step: 'capture', effect: 'decline' })
    const capture = () =>
      here.sandbox.adapter.capture(shop.context(), shop.operation('capture', reference), {}, EUR_10)
    expect((await capture()).kind).toBe('declined')
    expect((await capture()).kind).toBe('approved')
  })

  it('see an advanced clock immediately', async () => {
    const own = merchant(here)
    const token = await own.token('CreditCard')
    await there.sandbox.control(there.http, own.appId).advanceClock(16 * 60_000)
    const op = own.operation('start')
    const outcome = await here.sandbox.adapter.start(own.context(), op, purchase({ instrument: token }))
    expect(outcome).toMatchObject({ kind: 'not-done', why: 'bad-request' })
  })
})

describe('the bank', () => {
  it('accepts a token once', async () => {
    const bought = purchase({ instrument: await shop.token('CreditCard') })
    const { adapter } = here.sandbox
    expect((await adapter.start(shop.context(), shop.operation('start'), bought)).kind).toBe('approved')
    const again = await adapter.start(shop.context(), shop.operation('start'), bought)
    expect(again).toMatchObject({ kind: 'not-done', why: 'bad-request' })
  })

  it('rejects a token of another account', async () => {
    const bought = purchase({ instrument: await merchant(here).token('CreditCard') })
    const outcome = await here.sandbox.adapter.start(shop.context(), shop.operation('start'), bought)
    expect(outcome).toMatchObject({ kind: 'not-done', why: 'bad-request' })
  })

  it('answers 409 to a key reused with another request, which the adapter maps to unknown', async () => {
    const op = shop.operation('start')
    const { adapter } = here.sandbox
    const bought = purchase({ instrument: await shop.token('CreditCard') })
    await adapter.start(shop.context(), op, bought)
    const other = await adapter.start(shop.context(), op, { ...bought, amount: money(1n, 'EUR') })
    expect(other).toMatchObject({ kind: 'unknown', raw: { status: 409, code: 'key_reused' } })
  })

  it('allows a publishable key to create tokens only', async () => {
    const context = shop.context({ config: { ...shop.settings, apiKey: shop.publishableKey } })
    expect(await here.sandbox.adapter.check(context)).toMatchObject({ ok: false })
  })

  it('hides the stored methods and payments of another account', async () => {
    const reference = await authorised()
    const other = merchant(here)
    const { adapter } = here.sandbox
    expect(await adapter.retrieve(other.context(), reference, {})).toEqual({
      kind: 'absent',
      conclusive: true,
    })
    expect(await other.control.ledger(reference)).toEqual([])
  })

  it.each([
    ['GET', '/', undefined, 404],
    ['GET', '/v1/payments/%E0', undefined, 422],
    ['POST', '/v1/payments', '[]', 422],
    ['POST', '/v1/payments', '{', 422],
    ['POST', '/v1/payments', '{"amount":1e400}', 422],
    ['POST', '/v1/tokens', '{"card":{"number":"4242424242424242\\u0000"}}', 422],
    ['POST', '/v1/payments', `{"a":"${'x'.repeat(70_000)}"}`, 413],
  ] as const)('answers %s %s with a refusal, not an internal error', async (method, path, body, status) => {
    const headers = { authorization: `Bearer ${shop.settings.apiKey}`, 'idempotency-key': 'K' }
    const url = `${here.browser.bankUrl}${path}`
    const reply = await here.http.call({
      method,
      url,
      headers,
      ...(body === undefined ? {} : { text: body }),
    })
    expect(reply).toMatchObject({ kind: 'reply', status })
  })

  it('charges a fee of exactly 2.9 % + 0.30 for a card payment in every currency', () => {
    expect(feeOf('CreditCard', 10_000, 'EUR')).toBe(320)
    expect(feeOf('CreditCard', 1_050, 'EUR')).toBe(60)
    expect(feeOf('CreditCard', 1_000, 'JPY')).toBe(29)
    expect(feeOf('CreditCard', 10_000, 'KWD')).toBe(590)
    expect(feeOf('CreditCard', 1, 'EUR')).toBe(1)
  })
})
