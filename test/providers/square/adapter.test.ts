import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Money, money } from '../../../src/base/money.ts'
import { operation, purchase } from '../../../src/providers/contract/core.ts'
import { listAt } from '../../../src/providers/kit/json.ts'
import type { Handles, Snapshot } from '../../../src/providers/outcome.ts'
import { square } from '../../../src/providers/square/adapter.ts'
import { manifest } from '../../../src/providers/square/manifest.ts'
import { parseSettings } from '../kit/account.ts'
import { openAccount, type SquareAccount } from './account.ts'

let account: SquareAccount
let token = ''
beforeAll(async () => {
  account = await openAccount()
  token = (await account.stored()).token
})
afterAll(() => account?.close())

const AMOUNT = money(1_050n, 'EUR')
const part = (minor: bigint): Money => money(minor, 'EUR')
const kinds = (reference: string) =>
  account.simulator.ledger(reference).map(({ kind, amountMinor }) => `${kind} ${amountMinor}`)
const sent = (path: RegExp) => account.simulator.requests.filter((request) => path.test(request.path))

/** A stored card that is reserved. */
async function reserved() {
  const op = operation('charge')
  const outcome = await square.charge(account.context(), op, purchase({ amount: AMOUNT, sale: false }), token)
  if (outcome.kind !== 'approved') throw new Error(`expected approved, not ${JSON.stringify(outcome)}`)
  return { reference: op.reference, handles: outcome.handles }
}

async function see({ reference, handles }: { reference: string; handles: Handles }): Promise<Snapshot> {
  const sight = await account.see(reference, handles)
  if (sight.kind !== 'snapshot') throw new Error(`expected a snapshot, not ${JSON.stringify(sight)}`)
  return sight
}

const step = (name: 'capture' | 'cancel' | 'refund', reference: string) => operation(name, reference)

describe('a stored card', () => {
  it('is reserved for seven days and completed once', async () => {
    const paid = await reserved()
    const seen = await see(paid)
    expect(seen).toMatchObject({ stage: 'authorised', authorised: AMOUNT, captured: part(0n) })
    const days = ((seen.facts.authorisedUntil?.getTime() ?? 0) - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(7)
    const op = step('capture', paid.reference)
    const first = await square.capture(account.context(), op, paid.handles, AMOUNT)
    expect(first).toMatchObject({ kind: 'approved', echo: { amount: AMOUNT } })
    expect(await square.capture(account.context(), op, paid.handles, AMOUNT)).toEqual(first)
    expect(kinds(paid.reference)).toEqual(['authorise 1050', 'capture 1050'])
  })

  it('is completed in part: the amount is changed before, and the reservation stays known', async () => {
    const paid = await reserved()
    const op = step('capture', paid.reference)
    account.loseNextReply('capture')
    expect((await square.capture(account.context(), op, paid.handles, part(400n))).kind).toBe('unknown')
    expect(await see(paid)).toMatchObject({ stage: 'captured', authorised: AMOUNT, captured: part(400n) })
    const again = await square.capture(account.context(), op, paid.handles, part(400n))
    expect(again).toMatchObject({ kind: 'approved', echo: { amount: part(400n) } })
    expect(kinds(paid.reference)).toEqual(['authorise 1050', 'capture 400'])
  })

  it('is completed as a whole after a part was refused', async () => {
    const paid = await reserved()
    account.simulator.arm({ kind: 'error', operation: 'capture', status: 400, code: 'BAD_REQUEST' })
    const refused = await square.capture(
      account.context(),
      step('capture', paid.reference),
      paid.handles,
      part(400n),
    )
    expect(refused).toMatchObject({ kind: 'not-done', why: 'bad-request' })
    expect(await see(paid)).toMatchObject({ stage: 'authorised', authorised: AMOUNT })
    const op = step('capture', paid.reference)
    expect((await square.capture(account.context(), op, paid.handles, AMOUNT)).kind).toBe('approved')
    expect(kinds(paid.reference)).toEqual(['authorise 1050', 'capture 1050'])
  })

  it('is not completed when its amount is changed at the same time', async () => {
    const paid = await reserved()
    const { http, config, origin } = account.context()
    const headers = { authorization: `Bearer ${config.accessToken}`, 'square-version': '2025-08-20' }
    const json = { idempotency_key: 'OTHER', payment: { amount_money: { amount: 5, currency: 'EUR' } } }
    const changing: typeof http = {
      async call(request) {
        const reply = await http.call(request)
        const url = `${origin}/v2/payments/${paid.handles.payment}`
        if (request.url === url) await http.call({ method: 'PUT', url, headers, json })
        return reply
      },
    }
    const op = step('capture', paid.reference)
    const outcome = await square.capture(account.context({ http: changing }), op, paid.handles, AMOUNT)
    expect(outcome.kind).toBe('unknown')
    expect(kinds(paid.reference)).toEqual(['authorise 1050'])
    expect((await square.capture(account.context(), op, paid.handles, AMOUNT)).kind).toBe('approved')
    expect(kinds(paid.reference)).toEqual(['authorise 1050', 'capture 1050'])
  })

  it('is not completed with more than was reserved, or after it was cancelled', async () => {
    const paid = await reserved()
    const capture = (amount: Money) =>
      square.capture(account.context(), step('capture', paid.reference), paid.handles, amount)
    expect(await capture(part(1_051n))).toMatchObject({ kind: 'declined', reason: 'limit-exceeded' })
    const cancel = () => square.cancel(account.context(), step('cancel', paid.reference), paid.handles)
    expect(await cancel()).toMatchObject({ kind: 'approved' })
    expect(await cancel()).toMatchObject({ kind: 'approved' })
    expect(await capture(AMOUNT)).toMatchObject({ kind: 'not-done', why: 'wrong-state' })
    expect((await see(paid)).stage).toBe('cancelled')
    expect(kinds(paid.reference)).toEqual(['authorise 1050', 'void 1050'])
  })

  it('is not cancelled after it was completed', async () => {
    const paid = await reserved()
    await square.capture(account.context(), step('capture', paid.reference), paid.handles, AMOUNT)
    const late = await square.cancel(account.context(), step('cancel', paid.reference), paid.handles)
    expect(late).toMatchObject({ kind: 'not-done', why: 'wrong-state' })
  })

  it('is charged once when the answer is lost, or cancelled by its key without an id', async () => {
    const charge = (op: ReturnType<typeof operation>) =>
      square.charge(account.context(), op, purchase({ amount: AMOUNT, sale: false }), token)
    const repeated = operation('charge')
    account.loseNextReply('charge')
    expect((await charge(repeated)).kind).toBe('unknown')
    expect(await account.see(repeated.reference, {})).toEqual({ kind: 'unreadable' })
    expect((await charge(repeated)).kind).toBe('approved')
    expect(kinds(repeated.reference)).toEqual(['authorise 1050'])
    const forgotten = operation('charge')
    account.loseNextReply('charge')
    await charge(forgotten)
    const cancel = () => square.cancel(account.context(), step('cancel', forgotten.reference), {})
    expect(await cancel()).toEqual({ kind: 'approved', handles: {}, facts: {} })
    expect(sent(/\/payments\/cancel$/).at(-1)?.body).toBe(`{"idempotency_key":"${forgotten.key}"}`)
    expect(kinds(forgotten.reference)).toEqual(['authorise 1050', 'void 1050'])
    // A key that made no payment is no error either.
    expect(await cancel()).toMatchObject({ kind: 'approved' })
    const never = step('cancel', operation('charge').reference)
    expect(await square.cancel(account.context(), never, {})).toMatchObject({ kind: 'approved' })
  })

  it('is declined with the reason of Square, and removed', async () => {
    account.simulator.arm({ kind: 'decline', operation: 'charge', code: 'INSUFFICIENT_FUNDS' })
    const charge = (stored: string) =>
      square.charge(account.context(), operation('charge'), purchase({ amount: AMOUNT }), stored)
    expect(await charge(token)).toMatchObject({
      ...{ kind: 'declined', reason: 'insufficient-funds', raw: { code: 'INSUFFICIENT_FUNDS' } },
    })
    const { token: other } = await account.stored()
    expect(await square.forget(account.context(), other)).toEqual({ kind: 'done' })
    expect(await square.forget(account.context(), other)).toEqual({ kind: 'done' })
    expect(await charge(other)).toMatchObject({ kind: 'declined', reason: 'method-removed' })
    expect(await charge('not-a-token')).toMatchObject({ kind: 'not-done', why: 'unsupported' })
    expect(account.lines.join()).not.toContain('ccof:')
  })

  it('lapses when it is not completed in time', async () => {
    const paid = await reserved()
    account.simulator.dashboard(paid.reference, { kind: 'expire-authorisation' })
    expect((await see(paid)).stage).toBe('expired')
  })
})

describe('a page', () => {
  it('is closed, also twice, and not paid any more', async () => {
    const { op, handles, url } = await account.open()
    // An undo has nothing but the handles of the snapshot.
    const seen = await see({ reference: op.reference, handles })
    expect(seen.stage).toBe('needs-customer')
    const cancel = () => square.cancel(account.context(), step('cancel', op.reference), seen.handles)
    expect(await cancel()).toEqual({ kind: 'approved', handles: {}, facts: {} })
    expect(await cancel()).toEqual({ kind: 'approved', handles: {}, facts: {} })
    await expect(account.simulator.payer(url, { kind: 'pay' })).rejects.toThrow('404')
    expect((await see({ reference: op.reference, handles })).stage).toBe('cancelled')
  })

  it('that is paid while it is being closed stays paid', async () => {
    const { op, handles } = await account.open()
    account.simulator.payOnClose(op.reference)
    const outcome = await square.cancel(account.context(), step('cancel', op.reference), handles)
    expect(outcome).toMatchObject({ kind: 'not-done', why: 'wrong-state' })
    expect((await see({ reference: op.reference, handles })).stage).toBe('captured')
  })

  it('stays open after a decline, which the order tells', async () => {
    const { op, handles, url } = await account.open()
    await account.simulator.payer(url, { kind: 'decline', code: 'CVV_FAILURE' })
    const opened = { reference: op.reference, handles }
    expect(await see(opened)).toMatchObject({
      ...{ stage: 'needs-customer', decline: { reason: 'incorrect-cvc' } },
    })
    await account.simulator.payer(url, { kind: 'pay' })
    const seen = await see(opened)
    expect(seen).toMatchObject({ stage: 'captured', captured: AMOUNT, reference: op.reference })
    expect(seen.authorised).toBeUndefined()
  })

  it('is found among the payments while its order does not show them', async () => {
    const one = await account.open()
    const failed = await account.open()
    await account.simulator.payer(one.url, { kind: 'pay' })
    await account.simulator.payer(failed.url, { kind: 'decline', code: 'CARD_EXPIRED' })
    // On a later page of the list.
    for (let more = 0; more < 4; more++) await account.paid()
    account.simulator.lagTenders(true)
    try {
      const { op, handles } = one
      expect(await see({ reference: op.reference, handles })).toMatchObject({ stage: 'captured' })
      const late = await square.cancel(account.context(), step('cancel', op.reference), handles)
      expect(late).toMatchObject({ kind: 'not-done', why: 'wrong-state' })
      const open = { reference: failed.op.reference, handles: failed.handles }
      expect((await see(open)).stage).toBe('needs-customer')
    } finally {
      account.simulator.lagTenders(false)
    }
  })

  it('of another reference is unknown', async () => {
    const { handles } = await account.open()
    expect((await account.see(operation('start').reference, handles)).kind).toBe('unknown')
  })

  it('asks for a card only when it is to be stored', async () => {
    await account.open({ storeMethod: true })
    const body = sent(/\/payment-links$/).at(-1)?.body
    expect(body).toContain('"apple_pay":false,"google_pay":false')
  })
})

describe('a refund', () => {
  it('is pending first, and found by its key when the answer is lost', async () => {
    const { op, handles } = await account.paid()
    const back = step('refund', op.reference)
    account.loseNextReply('refund')
    expect((await square.refund(account.context(), back, handles, part(50n))).kind).toBe('unknown')
    const about = { reference: op.reference, handles }
    const refund = { operationKey: back.key, amount: part(50n) }
    expect((await see(about)).refunds).toMatchObject([{ ...refund, state: 'pending' }])
    const again = await square.refund(account.context(), back, handles, part(50n))
    expect(again).toMatchObject({ kind: 'pending', echo: { amount: part(50n) } })
    account.advance(60_000)
    expect(await see(about)).toMatchObject({ refunded: part(50n), refunds: [{ ...refund, state: 'done' }] })
    account.simulator.dashboard(op.reference, { kind: 'fail-refund' })
    expect(await see(about)).toMatchObject({ refunded: part(0n), refunds: [{ state: 'failed' }] })
  })

  it('that Square refuses is declined', async () => {
    const { op, handles } = await account.paid()
    account.simulator.arm({ kind: 'decline', operation: 'refund', code: 'REFUND_DECLINED' })
    const refund = () => square.refund(account.context(), step('refund', op.reference), handles, AMOUNT)
    expect(await refund()).toMatchObject({ kind: 'declined', raw: { code: 'REFUND_DECLINED' } })
  })
})

describe('what Square tells later', () => {
  it('the fee', async () => {
    const { op, handles } = await account.paid()
    const about = { reference: op.reference, handles }
    expect((await see(about)).facts.fee).toBeUndefined()
    account.advance(10_000)
    expect((await see(about)).facts.fee).toEqual(part(60n))
  })

  it('disputes, on any page of the list', async () => {
    const [one, other] = [await account.paid(), await account.paid()]
    const state = async ({ op, handles }: typeof one) =>
      (await see({ reference: op.reference, handles })).disputes?.[0]
    account.simulator.dashboard(one.op.reference, { kind: 'dispute', state: 'open' })
    account.simulator.dashboard(other.op.reference, { kind: 'dispute', state: 'lost' })
    expect(await state(one)).toMatchObject({ state: 'open', amount: AMOUNT, reason: 'NO_KNOWLEDGE' })
    expect(await state(other)).toMatchObject({ state: 'lost' })
    account.simulator.dashboard(one.op.reference, { kind: 'dispute', state: 'won' })
    expect(await state(one)).toMatchObject({ state: 'won' })
  })
})

describe('a notification', () => {
  const call = (body: string, key = account.simulator.settings.webhookSignatureKey ?? '', url?: string) => {
    const text = `${url ?? account.notifyUrl}${body}`
    const headers = {
      'x-square-hmacsha256-signature': createHmac('sha256', key).update(text).digest('base64'),
    }
    return { headers, rawBody: Buffer.from(body), url: account.notifyUrl }
  }
  const receive = (given: ReturnType<typeof call>) => square.receive(account.context(), given)
  const event = (object: object) => JSON.stringify({ type: 'x', data: { object } })

  it('is signed over the address and the body', async () => {
    const body = event({ payment: { id: 'P1', note: 'A0000000000000000001' } })
    expect(await receive(call(body))).toEqual({
      ...{ kind: 'events', hints: [{ reference: 'A0000000000000000001' }] },
    })
    expect(await receive(call(body, 'another key'))).toEqual({ kind: 'forged' })
    expect(await receive(call(body, undefined, `${account.notifyUrl}&x=1`))).toEqual({ kind: 'forged' })
    const config = { ...account.context().config, webhookSignatureKey: undefined }
    expect(await square.receive(account.context({ config }), call(body))).toEqual({ kind: 'forged' })
  })

  it.each<[string, object, object[]]>([
    ['a page', { payment: { id: 'P1', order_id: 'O1' } }, [{ lookup: 'P1' }, { lookup: 'O1' }]],
    ['a refund', { refund: { id: 'R1', payment_id: 'P1' } }, [{ lookup: 'P1', isKept: true }]],
    [
      'a dispute',
      { dispute: { id: 'D1', disputed_payment: { payment_id: 'P1' } } },
      [{ lookup: 'P1', isKept: true, handles: { dispute_D1: 'D1' } }],
    ],
    ['another shop', { payment: { id: 'P1', reference_id: 'table 7' } }, [{ lookup: 'P1' }]],
  ])('names the payment of %s', async (_what, object, hints) => {
    expect(await receive(call(event(object)))).toEqual({ kind: 'events', hints })
  })

  it.each(['{', '[]', '{"data":{"object":{"catalog":{}}}}', '{"data":null}'])(
    'is ignored: %s',
    async (body) => {
      expect(await receive(call(body))).toEqual({ kind: 'ignored' })
    },
  )
})

describe('connecting', () => {
  it('makes one subscription and takes its key', async () => {
    const fresh = await openAccount()
    try {
      const notifyUrl = 'https://tender.example/other'
      const config = parseSettings(manifest, { ...fresh.simulator.settings, webhookSignatureKey: '' })
      const connect = () => square.connect?.(fresh.context({ notifyUrl, config }))
      const first = await connect()
      const endpoint = fresh.simulator.webhookEndpoints.find(({ url }) => url === notifyUrl)
      expect(first).toEqual({ ok: true, settings: { webhookSignatureKey: endpoint?.secret } })
      expect(await connect()).toEqual(first)
      expect(fresh.simulator.webhookEndpoints).toHaveLength(2)
    } finally {
      await fresh.close()
    }
  })

  it.each([
    ['powerlessToken', /no permission/],
    ['wrong', /does not accept the access token/],
  ])('says what is wrong (%s)', async (which, problem) => {
    const { simulator } = account
    const accessToken = which === 'wrong' ? simulator.wrongSettings.accessToken : simulator.powerlessToken
    const config = parseSettings(manifest, { ...simulator.settings, accessToken })
    for (const act of [square.check, square.connect])
      expect(await act?.(account.context({ config }))).toMatchObject({
        ...{ ok: false, problem: expect.stringMatching(problem) },
      })
  })

  it('knows a location that is not of the account', async () => {
    const config = parseSettings(manifest, { ...account.simulator.settings, locationId: 'LOTHER' })
    expect(await square.check(account.context({ config }))).toMatchObject({
      ...{ ok: false, problem: expect.stringMatching(/location/) },
    })
  })
})

describe('what happens around a payment', () => {
  it('every dispute is shown by its id, also beyond the first page of the list', async () => {
    const one = await account.paid()
    const act = (which: number, state: 'open' | 'won' | 'lost') =>
      account.simulator.dashboard(one.op.reference, { kind: 'dispute', state, which, amountMinor: 300n })
    act(1, 'open')
    act(2, 'open')
    act(1, 'won')
    act(2, 'lost')
    const { disputes = [] } = await see({ reference: one.op.reference, handles: one.handles })
    expect(disputes).toMatchObject([
      { state: 'won', amount: part(300n) },
      { state: 'lost', amount: part(300n) },
    ])
    expect(new Set(disputes.map(({ id }) => id)).size).toBe(2)
  })

  it('a dispute that is decided is known by its id, also where the list has open ones only', async () => {
    const one = await account.paid()
    const { http } = account.context()
    const call: typeof http.call = async (request) => {
      const reply = await http.call(request)
      if (reply.kind !== 'reply' || !request.url.includes('/disputes?')) return reply
      const listed = listAt(reply.body, 'disputes').filter(({ state }) => state === 'EVIDENCE_REQUIRED')
      return { ...reply, body: { ...(reply.body as object), disputes: listed } }
    }
    const ctx = { ...account.context(), http: { call } }
    const look = async (handles: Handles) => {
      const sight = await square.retrieve(ctx, one.op.reference, handles)
      if (sight.kind !== 'snapshot') throw new Error(sight.kind)
      return sight
    }
    account.simulator.dashboard(one.op.reference, { kind: 'dispute', state: 'open' })
    const { handles } = await look(one.handles)
    account.simulator.dashboard(one.op.reference, { kind: 'dispute', state: 'lost' })
    expect((await look(handles)).disputes).toMatchObject([{ state: 'lost', amount: AMOUNT }])
    const other = await account.paid()
    const elsewhere = await square.retrieve(ctx, other.op.reference, { ...handles, ...other.handles })
    expect(elsewhere).not.toHaveProperty('disputes')
  })

  it('disputes that cannot be read now leave the payment readable', async () => {
    const one = await account.paid()
    const { http } = account.context()
    const down = { kind: 'no-answer', why: 'timeout', cause: 'timeout' } as const
    const call: typeof http.call = async (request) =>
      request.url.includes('/disputes') ? down : http.call(request)
    const ctx = { ...account.context(), http: { call } }
    expect(await square.retrieve(ctx, one.op.reference, one.handles)).toMatchObject({
      ...{ kind: 'snapshot', stage: 'captured', isIncomplete: true },
    })
  })

  it('a customer who stores a second card has one entry in the directory', async () => {
    const before = account.simulator.directory()
    await account.stored()
    expect(account.simulator.directory()).toBe(before)
  })
})

describe('the location', () => {
  const profile = { methods: ['CreditCard'] as const, currency: 'EUR' }
  const check = (about: object) => {
    account.simulator.describeLocation(about)
    return square.check({ ...account.context(), profile })
  }

  it('is checked: its account, its currency, its status and whether it takes cards', async () => {
    expect(await check({})).toMatchObject({ ok: true, account: 'MLSIMULATED01' })
    const refused = (problem: RegExp) => ({
      ok: false,
      code: 'refused',
      problem: expect.stringMatching(problem),
    })
    expect(await check({ currency: 'USD' })).toMatchObject(refused(/takes USD only/))
    expect(await check({ status: 'INACTIVE' })).toMatchObject(refused(/not active/))
    expect(await check({ capabilities: ['AUTOMATIC_TRANSFERS'] })).toMatchObject(refused(/cannot take cards/))
    account.simulator.describeLocation({})
  })

  it('tells its methods by card processing, country and currency', async () => {
    const methods = async (about: object) => {
      account.simulator.describeLocation(about)
      return square.accountMethods?.(account.context())
    }
    const american = { country: 'US', currency: 'USD', capabilities: ['CREDIT_CARD_PROCESSING'] }
    const all = ['CreditCard', 'cash-app', 'afterpay']
    expect(await methods(american)).toMatchObject({ kind: 'methods', methods: all })
    const british = { ...american, country: 'GB', currency: 'GBP' }
    expect(await methods(british)).toMatchObject({ methods: ['CreditCard', 'afterpay'] })
    expect(await methods({ ...american, capabilities: [] })).toMatchObject({ methods: [] })
    account.simulator.describeLocation({})
  })

  it('is checked for payouts, which settlements need', async () => {
    const context = account.context()
    expect(await square.check(context)).not.toHaveProperty('warnings')
    const body = { errors: [{ category: 'AUTHENTICATION_ERROR', code: 'INSUFFICIENT_SCOPES' }] }
    const refusal = { kind: 'reply', status: 403, headers: {}, body } as const
    const call: typeof context.http.call = async (sent) =>
      sent.url.includes('/v2/payouts') ? refusal : context.http.call(sent)
    expect(await square.check({ ...context, http: { ...context.http, call } })).toMatchObject({
      ok: true,
      warnings: [expect.stringMatching(/PAYOUTS_READ/)],
    })
  })

  it('gets the events that its subscription lacks', async () => {
    account.simulator.dropEvents()
    expect(await square.connect?.(account.context())).toMatchObject({ ok: true })
    expect(account.simulator.subscribedEvents()).toEqual(expect.arrayContaining(['dispute.state.updated']))
  })
})
