import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Money, money } from '../../../src/base/money.ts'
import type { HttpReply } from '../../../src/net/http.ts'
import { operation, purchase } from '../../../src/providers/contract/core.ts'
import { mollie } from '../../../src/providers/mollie/adapter.ts'
import type { Handles } from '../../../src/providers/outcome.ts'
import type { Operation, Purchase } from '../../../src/providers/port.ts'
import { type MollieAccount, openAccount } from './account.ts'

/** What is special to Mollie: keys of an hour, releases, pages that cannot be closed, mandates. */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const ALL = money(1_050n, 'EUR')

let account: MollieAccount
beforeEach(async () => {
  account = await openAccount()
})
afterEach(() => account.close())

const seen = async (reference: string, handles: Handles) =>
  mollie.retrieve(account.context(), reference, handles)
const kinds = (reference: string) =>
  account.simulator.ledger(reference).map(({ kind, amountMinor, state }) => `${kind} ${amountMinor} ${state}`)

interface Opened {
  readonly reference: string
  readonly page: string
  readonly handles: Handles
}

async function open(wanted: Partial<Purchase> = {}): Promise<Opened> {
  const op = operation('start')
  const outcome = await mollie.start(account.context(), op, purchase({ sale: false, ...wanted }))
  if (outcome.kind !== 'redirect') throw new Error(`not redirected but ${outcome.kind}`)
  return { reference: op.reference, page: outcome.url, handles: outcome.handles }
}

async function paid(wanted: Partial<Purchase> = {}): Promise<Opened> {
  const opened = await open(wanted)
  await account.simulator.payer(opened.page, { kind: 'pay' })
  return opened
}

const capture = ({ reference, handles }: Opened, amount: Money = ALL) =>
  mollie.capture(account.context(), operation('capture', reference), handles, amount)
const cancel = ({ reference, handles }: Opened) =>
  mollie.cancel(account.context(), operation('cancel', reference), handles)

describe('a reservation', () => {
  it('is released, at once or when the bank says so', async () => {
    const first = await paid()
    expect(await cancel(first)).toMatchObject({ kind: 'approved' })
    expect(await cancel(first)).toMatchObject({ kind: 'approved' })
    expect(kinds(first.reference)).toEqual(['authorise 1050 done', 'void 1050 done'])
    const second = await paid()
    account.simulator.arm({ kind: 'pending', operation: 'cancel' })
    expect(await cancel(second)).toMatchObject({ kind: 'pending', waitsFor: 'provider' })
    expect(await seen(second.reference, second.handles)).toMatchObject({ stage: 'authorised' })
    account.advance(MINUTE)
    expect(await seen(second.reference, second.handles)).toMatchObject({ stage: 'cancelled' })
  })

  it('is released for the rest after a capture in part, and only then', async () => {
    const part = await paid()
    expect(await capture(part, money(400n, 'EUR'))).toMatchObject({ kind: 'approved' })
    expect(kinds(part.reference)).toEqual(['authorise 1050 done', 'capture 400 done', 'void 650 done'])
    expect(await seen(part.reference, part.handles)).toMatchObject({
      ...{ stage: 'captured', authorised: ALL, captured: money(400n, 'EUR') },
    })
    const whole = await paid()
    await capture(whole)
    expect(account.simulator.requests.filter(({ path }) => path.endsWith('/captures'))).toHaveLength(2)
    expect(account.simulator.requests.filter(({ path }) => path.endsWith('-authorization'))).toHaveLength(1)
  })

  it('is released for the rest when a capture in part that was pending has succeeded', async () => {
    const part = await paid()
    account.simulator.arm({ kind: 'pending', operation: 'capture' })
    const op = operation('capture', part.reference)
    const first = await mollie.capture(account.context(), op, part.handles, money(400n, 'EUR'))
    expect(first).toMatchObject({ kind: 'pending', isDeferred: true, recheckAt: expect.any(Date) })
    const handles = { ...part.handles, ...('handles' in first ? first.handles : {}) }
    expect(await seen(part.reference, handles)).toMatchObject({ stage: 'processing' })
    account.advance(MINUTE)
    const due = await seen(part.reference, handles)
    expect(due, 'the step is sent again').toMatchObject({ stage: 'authorised', captured: money(0n, 'EUR') })
    const again = { ...op, sending: 2 }
    const second = await mollie.capture(account.context(), again, handles, money(400n, 'EUR'))
    expect(second).toMatchObject({ kind: 'approved', echo: { amount: money(400n, 'EUR') } })
    expect(kinds(part.reference)).toEqual(['authorise 1050 done', 'capture 400 done', 'void 650 done'])
    const taken = { stage: 'captured', captured: money(400n, 'EUR') }
    expect(await seen(part.reference, part.handles)).toMatchObject(taken)
  })

  it('shows a capture in part after a while, also if the rest was never released', async () => {
    const part = await paid()
    account.simulator.arm({ kind: 'pending', operation: 'capture' })
    const first = await capture(part, money(400n, 'EUR'))
    const handles = { ...part.handles, ...('handles' in first ? first.handles : {}) }
    account.advance(20 * MINUTE)
    expect(await seen(part.reference, handles)).toMatchObject({ captured: money(400n, 'EUR') })
  })

  it('is captured although the release of the rest fails', async () => {
    const part = await paid()
    account.simulator.arm({ kind: 'error', operation: 'cancel', status: 503 })
    expect(await capture(part, money(400n, 'EUR'))).toMatchObject({ kind: 'approved' })
    expect(await seen(part.reference, part.handles)).toMatchObject({ stage: 'captured' })
  })

  it('is captured later, and a lookup does not take it for uncaptured meanwhile', async () => {
    const payment = await paid()
    account.simulator.arm({ kind: 'pending', operation: 'capture' })
    expect(await capture(payment)).toMatchObject({ kind: 'pending', echo: { amount: ALL } })
    expect(await seen(payment.reference, payment.handles)).toMatchObject({ stage: 'processing' })
    account.advance(MINUTE)
    expect(await seen(payment.reference, payment.handles)).toMatchObject({ stage: 'captured', captured: ALL })
  })

  it('ends at the time that Mollie says', async () => {
    const payment = await paid()
    const snapshot = await seen(payment.reference, payment.handles)
    if (snapshot.kind !== 'snapshot') throw new Error(snapshot.kind)
    const until = snapshot.facts.authorisedUntil?.getTime() ?? 0
    expect(Math.round((until - Date.now()) / HOUR)).toBe(7 * 24)
    account.advance(8 * 24 * HOUR)
    expect(await seen(payment.reference, payment.handles)).toMatchObject({ stage: 'expired' })
  })
})

describe('an open page', () => {
  it('is closed while no one has opened it', async () => {
    const page = await open()
    expect(await cancel(page)).not.toHaveProperty('openUntil')
    expect(await seen(page.reference, page.handles)).toMatchObject({ stage: 'cancelled' })
  })

  it('that a payer has opened cannot be closed: it is looked at when it lapses', async () => {
    const page = await open()
    await account.simulator.open(page.page)
    const outcome = await cancel(page)
    if (outcome.kind !== 'approved') throw new Error(outcome.kind)
    expect(outcome.openUntil).toBeInstanceOf(Date)
    expect(await seen(page.reference, page.handles)).toMatchObject({ stage: 'needs-customer' })
    await account.simulator.payer(page.page, { kind: 'pay' })
    expect(await cancel(page)).toMatchObject({ kind: 'approved' })
    expect(kinds(page.reference)).toEqual(['authorise 1050 done', 'void 1050 done'])
  })

  it('that a payer opens at the same moment is looked at when it lapses', async () => {
    const page = await open()
    const { http } = account.context()
    const racing = {
      async call(call: Parameters<typeof http.call>[0]) {
        if (call.method === 'DELETE') await account.simulator.open(page.page)
        return http.call(call)
      },
    }
    const op = operation('cancel', page.reference)
    const outcome = await mollie.cancel(account.context({ http: racing }), op, page.handles)
    expect(outcome).toMatchObject({ kind: 'approved', openUntil: expect.any(Date) })
  })

  it('that was paid in the meantime is not closed', async () => {
    const page = await paid({ sale: true })
    expect(await cancel(page)).toMatchObject({ kind: 'not-done', why: 'wrong-state' })
  })

  it('whose address never reached us has taken nothing', async () => {
    expect(await seen('A0000000000000000001', {})).toEqual({ kind: 'unreadable', isUnpaid: true })
    const outcome = await mollie.cancel(account.context(), operation('cancel'), {})
    expect(outcome).toMatchObject({ kind: 'approved' })
  })
})

/** Every request ends like this. */
const failing = (reply: HttpReply) => ({ http: { call: async () => reply } })

describe('a stored method', () => {
  async function mandate(): Promise<string> {
    const payment = await paid({ storeMethod: true, sale: true })
    const snapshot = await seen(payment.reference, payment.handles)
    if (snapshot.kind !== 'snapshot' || !snapshot.facts.stored) throw new Error('nothing was stored')
    return snapshot.facts.stored.token
  }
  const charge = (op: Operation, token: string, wanted: Partial<Purchase> = {}) =>
    mollie.charge(account.context(), op, purchase(wanted), token)

  /** Saves the handles as the core does. */
  const saving = (): Operation & { readonly saved: Handles[] } => {
    const saved: Handles[] = []
    return Object.assign(operation('charge'), {
      saved,
      async save(handles: Handles) {
        saved.push(handles)
        return true
      },
    }) as unknown as Operation & { readonly saved: Handles[] }
  }

  it('has a customer of its own, without personal data', async () => {
    const tokens = [await mandate(), await mandate()]
    expect(new Set(tokens.map((token) => token.split('/')[0])).size).toBe(2)
    const made = account.simulator.requests.filter(({ path }) => path === '/v2/customers')
    expect(made.map(({ body }) => Object.keys(JSON.parse(body)))).toEqual([['metadata'], ['metadata']])
  })

  it('is charged once although the answer was lost, found among the payments of its customer', async () => {
    const token = await mandate()
    const op = saving()
    account.loseNextReply('charge')
    expect(await charge(op, token)).toMatchObject({ kind: 'unknown' })
    const [handles = {}] = op.saved
    expect(await seen(op.reference, handles)).toMatchObject({ stage: 'captured', captured: ALL })
    expect(await charge({ ...op, sending: 2 }, token)).toMatchObject({ kind: 'approved', stage: 'captured' })
    expect(kinds(op.reference)).toEqual(['sale 1050 done'])
  })

  it('is taken for uncharged only when the key is forgotten and no payment is listed', async () => {
    const token = await mandate()
    const op = saving()
    const refused = failing({ kind: 'no-answer', why: 'timeout', cause: 'x' })
    await mollie.charge(account.context(refused), op, purchase({}), token)
    const [handles = {}] = op.saved
    expect(await seen(op.reference, handles)).toEqual({ kind: 'unreadable' })
    account.advance(59 * MINUTE)
    expect(await seen(op.reference, handles)).toEqual({ kind: 'unreadable' })
    account.advance(2 * MINUTE)
    expect(await seen(op.reference, handles)).toEqual({ kind: 'unreadable', isUnpaid: true })
  })

  it('stays unknown if a repetition does not reach Mollie', async () => {
    const token = await mandate()
    const away = failing({ kind: 'not-sent', cause: 'ECONNREFUSED' })
    const send = (op: Operation) => mollie.charge(account.context(away), op, purchase({}), token)
    expect(await send(operation('charge'))).toMatchObject({ kind: 'not-done', why: 'not-sent' })
    expect(await send({ ...operation('charge'), sending: 2 })).toMatchObject({ kind: 'unknown' })
  })

  it('is reserved, decided later or declined', async () => {
    const token = await mandate()
    expect(await charge(operation('charge'), token, { sale: false })).toMatchObject({
      ...{ kind: 'approved', stage: 'authorised' },
    })
    account.simulator.arm({ kind: 'decline', operation: 'charge', code: 'insufficient_funds' })
    expect(await charge(operation('charge'), token)).toMatchObject({
      ...{ kind: 'declined', reason: 'insufficient-funds', retry: 'later' },
    })
    account.simulator.arm({ kind: 'pending', operation: 'charge' })
    const op = operation('charge')
    const outcome = await charge(op, token)
    if (outcome.kind !== 'pending') throw new Error(outcome.kind)
    expect(await seen(op.reference, outcome.handles)).toMatchObject({ stage: 'processing' })
    account.advance(MINUTE)
    expect(await seen(op.reference, outcome.handles)).toMatchObject({ stage: 'captured' })
  })

  it('that was revoked does not come back by reading its first payment', async () => {
    const first = await paid({ storeMethod: true, sale: true })
    const before = await seen(first.reference, first.handles)
    const token = before.kind === 'snapshot' ? (before.facts.stored?.token ?? '') : ''
    expect(await mollie.forget(account.context(), token)).toEqual({ kind: 'done' })
    expect(await mollie.forget(account.context(), token)).toEqual({ kind: 'done' })
    const after = await seen(first.reference, first.handles)
    expect(after.kind === 'snapshot' && after.facts.stored).toBeUndefined()
    expect(await charge(operation('charge'), token)).toMatchObject({
      kind: 'declined',
      reason: 'method-removed',
    })
  })

  it('by PayPal is stored and charged, and never reserved', async () => {
    const wallet = { method: 'Paypal', sale: true } as const
    const first = await paid({ ...wallet, storeMethod: true })
    const snapshot = await seen(first.reference, first.handles)
    const stored = snapshot.kind === 'snapshot' ? snapshot.facts.stored : undefined
    expect(stored).toMatchObject({ method: 'Paypal', label: 'PayPal p•••@example.com' })
    expect(await charge(operation('charge'), stored?.token ?? '', wallet)).toMatchObject({
      stage: 'captured',
    })
    const reserved = purchase({ method: 'Paypal', sale: false })
    expect(await mollie.start(account.context(), operation('start'), reserved)).toMatchObject({
      ...{ kind: 'not-done', why: 'unsupported' },
    })
  })
})

describe('a refund', () => {
  it('that is sent again after the key is forgotten is not made twice', async () => {
    const payment = await paid({ sale: true })
    const op = operation('refund', payment.reference)
    const send = (sending: number) =>
      mollie.refund(account.context(), { ...op, sending }, payment.handles, money(400n, 'EUR'))
    expect(await send(1)).toMatchObject({ kind: 'pending' })
    account.advance(2 * HOUR)
    expect(await send(2)).toMatchObject({ kind: 'approved' })
    expect(kinds(payment.reference)).toEqual(['sale 1050 done', 'refund 400 done'])
  })
})

it('lists that a payment does not embed are read one by one', async () => {
  const payment = await paid({ sale: true })
  account.simulator.dashboard(payment.reference, { kind: 'refund', amountMinor: 300n })
  account.simulator.dashboard(payment.reference, { kind: 'dispute', state: 'open' })
  const { http } = account.context()
  const bare = {
    http: {
      call: (call: Parameters<typeof http.call>[0]) =>
        http.call({ ...call, url: call.url.split('?')[0] ?? '' }),
    },
  }
  const expected = await seen(payment.reference, payment.handles)
  expect(expected).toMatchObject({ refunded: money(300n, 'EUR'), disputes: [{ state: 'open' }] })
  expect(await mollie.retrieve(account.context(bare), payment.reference, payment.handles)).toEqual(expected)
})

it('an id that Mollie does not know is not taken for an unpaid payment', async () => {
  expect(await seen('A0000000000000000001', { payment: 'tr_0000000000' })).toEqual({
    ...{ kind: 'absent', conclusive: false },
  })
})

describe('the account', () => {
  const profile = { methods: ['CreditCard', 'Paypal'] as const, currency: 'EUR' }

  it('is named by check, with methods that are not turned on', async () => {
    const ctx = { ...account.context(), profile }
    expect(await mollie.check(ctx)).toMatchObject({ ok: true, account: 'pfl_simulated' })
    account.simulator.turnOn('creditcard')
    expect(await mollie.check(ctx)).toMatchObject({
      ...{ ok: false, code: 'refused' },
      problem: expect.stringMatching(/^Not turned on at Mollie: Paypal\./),
    })
    expect(await mollie.check(account.context())).toMatchObject({ ok: true })
  })

  it('without a method cannot take it: that is no error of the request', async () => {
    account.simulator.turnOn('creditcard')
    const wanted = purchase({ method: 'Paypal', sale: true })
    expect(await mollie.start(account.context(), operation('start'), wanted)).toMatchObject({
      ...{ kind: 'not-done', why: 'unsupported', raw: { code: 'method', status: 422 } },
    })
  })

  it('has chargebacks, each by its id', async () => {
    const one = await paid({ sale: true })
    const dispute = (which: number, state: 'open' | 'won') =>
      account.simulator.dashboard(one.reference, { kind: 'dispute', state, which, amountMinor: 300n })
    dispute(1, 'open')
    dispute(2, 'open')
    dispute(1, 'won')
    const sight = await seen(one.reference, one.handles)
    expect(sight).toMatchObject({
      disputes: [
        { id: expect.stringMatching(/^chb_/), state: 'won', amount: money(300n, 'EUR') },
        { id: expect.stringMatching(/^chb_/), state: 'open', amount: money(300n, 'EUR') },
      ],
    })
  })
})
