import { describe, expect, it } from 'vitest'
import { money } from '../../base/money.ts'
import type { HttpReply } from '../../net/http.ts'
import { operation, purchase } from '../contract/core.ts'
import { readReply } from '../kit/reply.ts'
import { chargeStored, markInReason, openLink, refundPayment } from './calls.ts'
import { declineOf } from './declines.ts'
import { RULES } from './exchange.ts'
import { factsOf } from './facts.ts'
import { manifest } from './manifest.ts'
import { captured, chargeOutcome, linkOutcome, refundOutcome } from './outcomes.ts'
import { pageSnapshot, snapshotOf } from './snapshot.ts'

const NOW = new Date('2027-01-04T09:00:00.000Z')

describe('error codes of Square', () => {
  it.each([
    ['INSUFFICIENT_FUNDS', 'insufficient-funds', 'later'],
    ['CARD_EXPIRED', 'expired-card', 'never'],
    ['CVV_FAILURE', 'incorrect-cvc', 'after-customer-acts'],
    ['ADDRESS_VERIFICATION_FAILURE', 'incorrect-address', 'after-customer-acts'],
    ['INVALID_POSTAL_CODE', 'incorrect-address', 'after-customer-acts'],
    ['CARD_DECLINED', 'do-not-honour', 'after-customer-acts'],
    ['CARD_DECLINED_VERIFICATION_REQUIRED', 'authentication-required', 'after-customer-acts'],
    ['GENERIC_DECLINE', 'generic', 'after-customer-acts'],
    ['PAN_FAILURE', 'incorrect-number', 'after-customer-acts'],
    ['TRANSACTION_LIMIT', 'limit-exceeded', 'later'],
    ['CARD_NOT_SUPPORTED', 'card-not-supported', 'never'],
    ['CURRENCY_MISMATCH', 'currency-not-supported', 'never'],
    ['INVALID_ACCOUNT', 'no-account', 'never'],
    ['REFUND_AMOUNT_INVALID', 'limit-exceeded', 'never'],
  ] as const)('%s is %s, to be retried %s', (code, reason, retry) => {
    expect(declineOf(code, { code })).toEqual({ reason, retry, raw: { code } })
  })

  it.each(['SOMETHING_NEW', 'toString'])('%s is generic and counted', (code) => {
    expect(declineOf(code, {})).toMatchObject({ reason: 'generic', retry: 'unspecified', isUnlisted: true })
  })
})

describe('a reply', () => {
  const reply = (status: number, body: unknown, headers = {}): HttpReply => ({
    ...{ kind: 'reply', status, headers, body },
  })
  const failed = (code: string, category = 'INVALID_REQUEST_ERROR') => ({ errors: [{ category, code }] })

  it.each<[HttpReply, object]>([
    [reply(200, { payment: {} }), { kind: 'object' }],
    [reply(200, [1]), { kind: 'unknown', why: 'unreadable-reply' }],
    [reply(200, failed('GENERIC_DECLINE')), { kind: 'unknown', why: 'unreadable-reply' }],
    [reply(302, {}), { kind: 'unknown' }],
    [reply(400, 'no'), { kind: 'unknown', why: 'unreadable-reply' }],
    [reply(400, failed('BAD_REQUEST')), { kind: 'not-done', why: 'bad-request' }],
    [reply(400, failed('IDEMPOTENCY_KEY_REUSED')), { kind: 'unknown' }],
    [reply(400, failed('INVALID_LOCATION')), { kind: 'not-done', why: 'bad-credentials' }],
    [reply(400, failed('DELAYED_TRANSACTION_CAPTURED')), { kind: 'not-done', why: 'wrong-state' }],
    [reply(400, failed('NEW', 'PAYMENT_METHOD_ERROR')), { kind: 'declined', isUnlisted: true }],
    [reply(402, failed('CVV_FAILURE', 'PAYMENT_METHOD_ERROR')), { kind: 'declined' }],
    [reply(401, failed('UNAUTHORIZED', 'AUTHENTICATION_ERROR')), { why: 'bad-credentials' }],
    [reply(403, {}), { kind: 'not-done', why: 'bad-credentials' }],
    [reply(404, failed('NOT_FOUND')), { kind: 'not-done', why: 'not-found' }],
    [reply(409, failed('CONFLICT')), { kind: 'unknown', why: 'server-error' }],
    [reply(503, failed('TEMPORARY_ERROR', 'API_ERROR')), { kind: 'unknown', why: 'server-error' }],
    [reply(500, '<html>'), { kind: 'unknown', why: 'server-error' }],
    [
      reply(429, failed('RATE_LIMITED', 'RATE_LIMIT_ERROR'), { 'retry-after': '5' }),
      { kind: 'not-done', why: 'rate-limited', retryAfter: new Date(NOW.getTime() + 5_000) },
    ],
    [
      { kind: 'not-sent', cause: 'ECONNREFUSED' },
      { kind: 'not-done', why: 'not-sent' },
    ],
    [
      { kind: 'no-answer', why: 'timeout', cause: 'timeout' },
      { kind: 'unknown', why: 'timeout' },
    ],
  ])('%j is %j', (given, expected) => expect(readReply(given, NOW, RULES)).toMatchObject(expected))
})

describe('a request', () => {
  it('has texts and addresses only as Square takes them', () => {
    const customer = { id: 'dana', email: 'Größe @x' }
    const { billing, ...withoutAddress } = purchase({ description: 'a\nb'.repeat(500), customer })
    const { json } = openLink('L1', operation('start'), withoutAddress)
    const { order, pre_populated_data } = json as {
      order: { line_items: [{ name: string }] }
      pre_populated_data?: object
    }
    expect(order.line_items[0].name).toMatch(/^a ba b/)
    expect(order.line_items[0].name.length).toBeLessThanOrEqual(255)
    expect(pre_populated_data).toBeUndefined()
  })

  it('reserves a stored card, and says who started the payment', () => {
    const stored = { customer: 'C1', card: 'ccof:1' }
    const { json } = chargeStored('L1', operation('charge'), purchase({ customerPresent: false }), stored)
    expect(json).toMatchObject({
      ...{ autocomplete: false, delay_action: 'CANCEL', customer_details: { customer_initiated: false } },
    })
  })

  it('writes the key of a refund at the end of its reason', () => {
    const op = { ...operation('refund'), description: 'x'.repeat(500) }
    const share = { payment: 'P1', amount: money(5n, 'EUR'), place: 1, of: 1 }
    const { json } = refundPayment(op, share)
    const { reason } = json as { reason: string }
    expect(reason).toHaveLength(192)
    expect(markInReason(reason)).toBe(op.key)
    expect(markInReason('Returned goods (see 12345678901234567890) ')).toBeUndefined()
    expect(markInReason(undefined)).toBeUndefined()
    const second = refundPayment(op, { ...share, place: 2, of: 2 }).json as Record<string, string>
    expect(markInReason(second.reason)).toBe(`${op.key} 2/2`)
    expect(second.reason).toHaveLength(192)
    expect(second.idempotency_key).toMatch(new RegExp(`^${op.key}A[0-9a-f]{8}$`))
  })
})

const PAYMENT = {
  id: 'P1',
  status: 'APPROVED',
  amount_money: { amount: 1050, currency: 'EUR' },
  reference_id: 'A0000000000000000001',
  delayed_until: '2027-01-11T09:00:00.000Z',
}
const object = (value: object) => ({ kind: 'object', object: value as never }) as const

describe('an outcome', () => {
  it.each<[object, object]>([
    [
      {},
      { kind: 'approved', stage: 'authorised', handles: { payment: 'P1', lookup: 'P1', reserved: '1050' } },
    ],
    [{ status: 'COMPLETED' }, { kind: 'approved', stage: 'captured' }],
    [{ status: 'PENDING' }, { kind: 'pending' }],
    [{ status: 'CANCELED' }, { kind: 'declined' }],
    [{ status: 'FAILED' }, { kind: 'declined', isUnlisted: true }],
    [{ status: 'NEW' }, { kind: 'unknown' }],
    [{ amount_money: { amount: 10.5, currency: 'EUR' } }, { kind: 'unknown' }],
    [{ amount_money: { amount: 1050, currency: 'XXX' } }, { kind: 'unknown' }],
  ])('of a charge: %j', (more, expected) =>
    expect(chargeOutcome(object({ ...PAYMENT, ...more }))).toMatchObject(expected),
  )

  it('of a capture needs the amount that was asked for', () => {
    const done = { ...PAYMENT, status: 'COMPLETED' }
    expect(captured(done, money(1_050n, 'EUR'))).toMatchObject({ kind: 'approved' })
    expect(captured(done, money(1_000n, 'EUR'))).toMatchObject({ kind: 'not-done', why: 'wrong-state' })
    expect(captured(done, money(1_050n, 'USD'))).toMatchObject({ kind: 'not-done', why: 'wrong-state' })
  })

  it('of a refund needs the payment and the key that were asked for', () => {
    const op = operation('refund')
    const refund = { id: 'R1', status: 'COMPLETED', payment_id: 'P1', amount_money: PAYMENT.amount_money }
    const share = (payment: string) => ({ payment, amount: money(1_050n, 'EUR'), place: 1, of: 1 })
    expect(refundOutcome(object(refund), op, share('P1'))).toMatchObject({ kind: 'approved' })
    expect(refundOutcome(object(refund), op, share('P2')).kind).toBe('unknown')
    const other = { ...refund, reason: `Refund (${operation('refund').key})` }
    expect(refundOutcome(object(other), op, share('P1')).kind).toBe('unknown')
    expect(refundOutcome(object({ ...refund, status: 'REJECTED' }), op, share('P1')).kind).toBe('declined')
    expect(refundOutcome(object({ ...refund, status: 'NEW' }), op, share('P1')).kind).toBe('unknown')
  })

  it('of opening a page needs a web address', () => {
    const link = { id: 'L1', order_id: 'O1', url: 'https://square.link/u/1' }
    expect(linkOutcome(object({ payment_link: link }))).toMatchObject({ kind: 'redirect', url: link.url })
    const bad = { ...link, url: 'javascript:alert(1)' }
    expect(linkOutcome(object({ payment_link: bad })).kind).toBe('unknown')
    expect(linkOutcome(object({ payment_link: { ...link, id: '../x' } })).kind).toBe('unknown')
  })
})

describe('a snapshot', () => {
  const seen = { refunds: [], disputes: [], handles: {}, isSandbox: true }
  const stageOf = (more: object) => {
    const snapshot = snapshotOf({ ...seen, payment: { ...PAYMENT, ...more } })
    return snapshot.kind === 'snapshot' ? snapshot.stage : snapshot.kind
  }
  const voided = (at: string) => ({
    ...{ status: 'CANCELED', card_details: { card_payment_timeline: { voided_at: at } } },
  })

  it('tells a reservation that lapsed from one that was cancelled', () => {
    expect(stageOf(voided('2027-01-05T09:00:00.000Z'))).toBe('cancelled')
    expect(stageOf(voided('2027-01-11T09:00:00.000Z'))).toBe('expired')
    expect(stageOf({ status: 'SOMETHING' })).toBe('processing')
  })

  it('keeps the reserved amount after a capture of a part', () => {
    const payment = { ...PAYMENT, status: 'COMPLETED', amount_money: { amount: 400, currency: 'EUR' } }
    expect(snapshotOf({ ...seen, payment, handles: { reserved: '1050' } })).toMatchObject({
      ...{ stage: 'captured', authorised: money(1_050n, 'EUR'), captured: money(400n, 'EUR') },
    })
    expect(snapshotOf({ ...seen, payment, handles: { order: 'O1' } })).not.toHaveProperty('authorised')
  })

  it('has every dispute by its id; an inquiry is refundable while it is open', () => {
    const dispute = (state: string, id: string) => ({ id, state, updated_at: '2027-02-01' })
    const disputes = [
      ...[dispute('INQUIRY_CLOSED', 'D1'), dispute('INQUIRY_PROCESSING', 'D2')],
      ...[dispute('EVIDENCE_REQUIRED', 'D3'), dispute('ACCEPTED', 'D4'), dispute('NEW_STATE', 'D5')],
    ]
    const payment = { ...PAYMENT, status: 'COMPLETED' }
    const snapshot = snapshotOf({ ...seen, payment, disputes })
    const found = snapshot.kind === 'snapshot' ? (snapshot.disputes ?? []) : []
    expect(found.map(({ id, state, isRefundable = false }) => [id, state, isRefundable])).toEqual([
      ...[['D1', 'won', false] as const, ['D2', 'open', true] as const, ['D3', 'open', false] as const],
      ...[['D4', 'lost', false] as const, ['D5', 'open', false] as const],
    ])
    expect(snapshot).toMatchObject({ unlisted: ['disputeState NEW_STATE'] })
  })

  it('of a page needs a known state', () => {
    const order = { total_money: PAYMENT.amount_money, state: 'COMPLETED' }
    expect(pageSnapshot(order, {}).kind).toBe('unknown')
    expect(pageSnapshot({ ...order, state: 'OPEN' }, {})).toMatchObject({ stage: 'needs-customer' })
  })
})

it('adds up fees in one currency', () => {
  const fee = (amount: number, currency = 'EUR') => ({ amount_money: { amount, currency } })
  expect(factsOf({ ...PAYMENT, processing_fee: [fee(60), fee(-10)] }).fee).toEqual(money(50n, 'EUR'))
  expect(factsOf({ ...PAYMENT, processing_fee: [fee(60), fee(10, 'USD')] }).fee).toBeUndefined()
  expect(factsOf(PAYMENT).fee).toBeUndefined()
})

it('names every setting that has another form', () => {
  const parse = (value: unknown) => manifest.settings.parse(value, { isSandbox: true })
  const good = { accessToken: 'EAAA0123456789012345678901', locationId: 'L1' }
  expect(parse(good)).toMatchObject({ ok: true, config: { webhookSignatureKey: undefined } })
  for (const value of [undefined, 5, {}])
    expect(parse(value)).toMatchObject({
      ok: false,
      problems: [{ field: 'accessToken' }, { field: 'locationId' }],
    })
  expect(parse({ ...good, webhookSignatureKey: 'a b' })).toMatchObject({
    problems: [{ field: 'webhookSignatureKey' }],
  })
})
