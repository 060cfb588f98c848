import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditEntries } from '../../../src/audit/audit.ts'
import { sql } from '../../../src/db/database.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import { type CsvRow, csvOf, exceptionsOf, profileOf, saleOf, upload } from '../../support/settlement-file.ts'
import {
  type Answer,
  nextPath,
  startTestService,
  type TestApp,
  type TestService,
} from '../../support/tender.ts'

let node: TestService
beforeAll(async () => {
  node = await startTestService('e2e_settlement_exceptions')
})
afterAll(() => node?.stop())

const merchant = async (): Promise<TestApp> => (await node.newMerchant()).sandbox
const send = async (app: TestApp, payment: { payInfo: object }, ...rows: readonly CsvRow[]) => {
  const { status, body } = await upload(app, profileOf(payment), csvOf(rows))
  expect([status, body.badRows]).toEqual([201, []])
}
const open = async (app: TestApp) => (await exceptionsOf(app, 'state=open')).map(({ kind }) => kind)
const inDays = (payment: { createdTime: string }, days: number): string =>
  new Date(Date.parse(payment.createdTime) + days * 86_400_000).toISOString()
/** A line that shows that the file reaches this far. */
const fee = (payment: { createdTime: string }, days: number): CsvRow => ({
  ...{ line_id: `fee-${Math.random()}`, kind: 'fee', gross: 0, fee: 1, net: -1, currency: 'EUR' },
  time: inDays(payment, days),
})

/** As its own statement does it, without a notification. */
const DISPUTED_AT_THE_BANK = sql<never>(
  'test.disputed',
  `update sandbox_bank.payments set version = version + 1, document = (document::jsonb || jsonb_build_object(
     'disputes', json_build_array(json_build_object('id', payment_id, 'state', 'open',
       'amount', captured_minor, 'reason', 'fraudulent', 'submissions', 0))))::json
   where account = $1`,
)

async function auditOf(app: TestApp, action: string) {
  const { ctx } = node.service
  const { licenseId } = (await loadApp(ctx, app.appId)) ?? { licenseId: '' }
  return auditEntries(ctx, licenseId, { limit: 10, action })
}

describe('exceptions', () => {
  it('a capture without a line is missing once later lines have come, until its own comes', async () => {
    const app = await merchant()
    const [first, second] = [await app.paid(), await app.paid()]
    await send(app, first, saleOf(first))
    await app.advance('20d')
    expect(await open(app)).toEqual([])
    await send(app, first, fee(first, 9))
    await app.advance('1m')
    expect(await exceptionsOf(app)).toMatchObject([
      {
        kind: 'missing',
        paymentId: second.paymentId,
        about: 'sale',
        expectedAmount: 25.5,
        actualAmount: null,
      },
    ])
    await send(app, first, saleOf(second))
    expect(await exceptionsOf(app)).toMatchObject([
      { kind: 'missing', state: 'closed', closedBy: null, reason: null },
    ])
    expect(await auditOf(app, 'settlement_exception.closed')).toMatchObject([
      { actor: { kind: 'service' }, after: { kind: 'missing' } },
    ])
  })

  it('a line of another amount or currency, and a second line, are reported', async () => {
    const app = await merchant()
    const [more, dollars, twice] = [await app.paid(), await app.paid(), await app.paid()]
    await send(app, more, saleOf(more, { gross: 26 }))
    await send(app, more, saleOf(dollars, { currency: 'USD' }))
    await send(app, more, saleOf(twice), saleOf(twice))
    expect(await exceptionsOf(app)).toMatchObject([
      { kind: 'doubled', paymentId: twice.paymentId, actualAmount: 51 },
      { kind: 'currency', paymentId: dollars.paymentId, currency: 'USD' },
      { kind: 'amount', paymentId: more.paymentId, expectedAmount: 25.5, actualAmount: 26 },
    ])
  })

  it('a line of a payment that Tender does not know is unknown until it knows it', async () => {
    const app = await merchant()
    const known = await app.paid()
    const referenceId = `late-${Date.now()}`
    const row = saleOf(known, { provider_ids: 'tx-of-another', reference: referenceId, gross: 12 })
    await send(app, known, saleOf(known), row)
    expect(await open(app)).toEqual(['unknown'])
    const late = await app.paid({ referenceId, amount: 12 })
    await app.advance('2m')
    expect(await open(app)).toEqual([])
    const { body } = await app.call('GET', `settlement-lines?paymentId=${late.paymentId}`)
    expect(body).toMatchObject([{ match: 'exact', gross: 12 }])
  })

  it('lines of an attempt that was undone belong to its payment', async () => {
    const app = await merchant()
    const payment = await app.paid()
    await send(app, payment, saleOf(payment))
    // The events of the payment are not read again after this.
    await app.advance('1d')
    await node.service.ctx.db.query(
      sql<never>(
        '',
        `insert into undos (app_id, attempt_key, payment_id, attempt, profile_id, method, handles, status,
           result, created_time, closed_time)
         values ($1, 'LOSTANSWER', $2, 0, $3, 'CreditCard', '{"payment":"tx-undone","refund":"back-undone"}',
           'done', 'refunded', $4, $4)`,
      ),
      [app.appId, payment.paymentId, profileOf(payment), new Date(payment.createdTime)],
    )
    const taken = saleOf(payment, { provider_ids: 'tx-undone' })
    await send(
      app,
      payment,
      taken,
      saleOf(payment, { kind: 'refund', gross: -25.5, provider_ids: 'back-undone' }),
    )
    expect(await open(app)).toEqual(['unknown', 'unknown'])
    await app.advance('2m')
    expect(await open(app)).toEqual([])
    expect((await app.read(payment.paymentId)).settlement).toMatchObject({ state: 'settled' })
  })

  it('a payment of the same amount and days is suggested, and does not count', async () => {
    const app = await merchant()
    const [known, other] = [await app.paid(), await app.paid({ amount: 33.33 })]
    await send(app, known, saleOf(known))
    await app.call('GET', 'payments')
    const row = saleOf(other, { provider_ids: 'tx-unknown-1', time: inDays(other, 1) })
    await send(app, known, row)
    const { body } = await app.call('GET', 'settlement-lines?match=suggested')
    expect(body).toMatchObject([{ paymentId: other.paymentId }])
    expect(await open(app)).toEqual(['unknown'])
    expect((await app.read(other.paymentId)).settlement).toMatchObject({ state: 'unsettled' })
    const [{ exceptionId }] = await exceptionsOf(app, 'state=open')
    const accepted = await app.call('POST', `settlement-exceptions/${exceptionId}/accept`)
    expect(accepted).toMatchObject({ status: 200, body: { exceptionId, kind: 'unknown', state: 'closed' } })
    expect((await app.read(other.paymentId)).settlement).toMatchObject({ state: 'settled' })
    const again = await app.call('POST', `settlement-exceptions/${exceptionId}/accept`)
    expect(again.body).toMatchObject({ code: 'not_possible' })
    expect((await app.call('POST', 'settlement-exceptions/999999/accept')).status).toBe(404)
  })

  it('a dispute that Tender has not seen is reported until it has', async () => {
    const app = await merchant()
    const payment = await app.paid()
    const reversal = { kind: 'dispute', gross: -25.5 }
    await send(app, payment, saleOf(payment), saleOf(payment, reversal))
    expect(await open(app)).toEqual(['unseen'])
    await app.call('POST', `test-helpers/payments/${payment.paymentId}/dispute`, {})
    await app.advance('1m')
    expect(await open(app)).toEqual([])
  })

  it('a dispute whose notification was lost is read because of its line, without waiting', async () => {
    const app = await merchant()
    const payment = await app.paid()
    await node.service.ctx.db.query(DISPUTED_AT_THE_BANK, [app.appId])
    await send(app, payment, saleOf(payment), saleOf(payment, { kind: 'dispute', gross: -25.5 }))
    await node.service.ctx.background.settled()
    expect(await app.read(payment.paymentId)).toMatchObject({ paymentState: 'Disputed' })
    // Its event closes the exception a moment later.
    await app.advance('1m')
    expect(await exceptionsOf(app)).toMatchObject([{ kind: 'unseen', state: 'closed', closedBy: null }])
    await app.call('POST', `test-helpers/payments/${payment.paymentId}/dispute`, { outcome: 'won' })
    await app.advance('15d')
    await send(app, payment, fee(payment, 14))
    await app.advance('1m')
    expect(await exceptionsOf(app, 'state=open')).toMatchObject([
      { kind: 'amount', paymentId: payment.paymentId, expectedAmount: 0, actualAmount: -25.5 },
    ])
    await send(app, payment, saleOf(payment, { kind: 'dispute-reversal', gross: 25.5 }))
    expect(await open(app)).toEqual([])
  })

  it('a fee that is not as agreed is reported', async () => {
    const app = await merchant()
    // The tariff is in the currency of the profile.
    const payment = await app.paid({ currency: 'USD' })
    const path = `payment-profiles/${profileOf(payment)}`
    const fees = { providerInitialFee: 0.25, providerPercentageFee: 1 }
    expect((await app.call('PATCH', path, fees)).body).toMatchObject({ currency: 'USD' })
    await send(app, payment, saleOf(payment, { fee: 0.51, net: 24.99 }))
    expect(await open(app)).toEqual([])
    const dear = await app.paid({ currency: 'USD' })
    await send(app, payment, saleOf(dear, { fee: 0.9, net: 24.6 }))
    expect(await exceptionsOf(app)).toMatchObject([
      { kind: 'fee', paymentId: dear.paymentId, expectedAmount: 0.51, actualAmount: 0.9 },
    ])
    expect((await app.read(dear.paymentId)).settlement).toMatchObject({ state: 'settled', difference: 0 })
  })

  it('a payout that is taken from the balance twice is reported, and booked once', async () => {
    const app = await merchant()
    const payment = await app.paid()
    const payout = (line_id: string, gross: number): CsvRow => ({
      ...{ line_id, kind: 'payout', gross, currency: 'EUR', payout_id: 'po-2', time: payment.createdTime },
    })
    await send(app, payment, saleOf(payment, { payout_id: 'po-2', fee: 0.5, net: 25 }), payout('po-2', -25))
    expect(await open(app)).toEqual([])
    await send(app, payment, payout('po-2-again', -25))
    expect(await exceptionsOf(app)).toMatchObject([
      { kind: 'doubled', state: 'open', expectedAmount: 25, actualAmount: 50 },
    ])
    const { balances } = (await app.call('GET', 'ledger/balances')).body
    expect(balances.find((one: Answer) => one.account === 'bank')).toMatchObject({ balance: 25 })
  })

  it('a payout that is not the sum of its lines is reported until the rest comes', async () => {
    const app = await merchant()
    const [first, second] = [await app.paid(), await app.paid()]
    const paid = { payout_id: 'po-9', fee: 0.5, net: 25 }
    const payout = { line_id: 'po-9', kind: 'payout', gross: -50, currency: 'EUR', payout_id: 'po-9' }
    const arrival = { time: inDays(first, 2), arrival_time: inDays(first, 3), bank_reference: 'ACME 9' }
    await send(app, first, saleOf(first, paid), { ...payout, ...arrival })
    const [shown] = (await app.call('GET', 'payouts')).body
    expect(shown).toMatchObject({
      amount: 50,
      state: 'paid',
      bankReference: 'ACME 9',
      providerPayoutId: 'po-9',
    })
    const read = async () => (await app.call('GET', `payouts/${shown.payoutId}`)).body
    expect(await read()).toMatchObject({ addsUp: false, difference: -25 })
    expect(await exceptionsOf(app)).toMatchObject([{ kind: 'payout', expectedAmount: 50, actualAmount: 25 }])
    await send(app, first, saleOf(second, paid))
    expect(await read()).toMatchObject({
      addsUp: true,
      difference: 0,
      lines: [
        { kind: 'payout', count: 1, gross: -50 },
        { kind: 'sale', count: 2, gross: 51, fee: 1, net: 50 },
      ],
    })
    expect(await open(app)).toEqual([])
    expect((await app.read(second.paymentId)).settlement).toEqual({
      state: 'paid-out',
      payoutId: shown.payoutId,
      paidOutTime: inDays(first, 3),
      difference: 0,
    })
  })
})

describe('an exception that a person closes', () => {
  it('has a reason, is in the audit log, and opens again only with other amounts', async () => {
    const app = await merchant()
    const payment = await app.paid()
    await send(app, payment, saleOf(payment, { gross: 26 }))
    const [found] = await exceptionsOf(app)
    const path = `settlement-exceptions/${found.exceptionId}/close`
    expect((await app.call('POST', path, {})).status).toBe(400)
    const blank = await app.call('POST', path, { reason: ' \n ' })
    expect([blank.status, blank.body.errors?.[0]?.field]).toEqual([400, 'reason'])
    const closed = await app.call('POST', path, { reason: 'Agreed by telephone.' })
    expect(closed).toMatchObject({
      status: 200,
      body: { state: 'closed', reason: 'Agreed by telephone.', closedBy: expect.any(String) },
    })
    expect((await app.call('POST', path, { reason: 'Again.' })).body.code).toBe('not_possible')
    expect((await app.call('POST', 'settlement-exceptions/1/close', { reason: 'Not ours.' })).status).toBe(
      404,
    )
    expect(await auditOf(app, 'settlement_exception.closed')).toMatchObject([
      { actor: { kind: 'key' }, after: { kind: 'amount', reason: 'Agreed by telephone.' } },
    ])
    await send(app, payment, saleOf(payment, { kind: 'fee', gross: 0 }))
    expect(await open(app)).toEqual([])
    await send(app, payment, saleOf(payment, { gross: 5 }))
    expect(await exceptionsOf(app, 'state=open')).toMatchObject([{ kind: 'amount', actualAmount: 31 }])
  })

  it('follows the open ones in the list, page by page', async () => {
    const app = await merchant()
    const [first, ...others] = [await app.paid(), await app.paid(), await app.paid()]
    await send(app, first, ...[first, ...others].map((payment) => saleOf(payment, { gross: 30 })))
    const [, second] = await exceptionsOf(app)
    await app.call('POST', `settlement-exceptions/${second.exceptionId}/close`, { reason: 'Known.' })
    const page = await app.call('GET', 'settlement-exceptions?pageSize=2')
    const rest = await app.call('GET', nextPath(page) ?? 'nowhere')
    expect(page.body.map(({ state }: { state: string }) => state)).toEqual(['open', 'open'])
    expect(rest.body).toMatchObject([{ exceptionId: second.exceptionId, state: 'closed' }])
    expect(nextPath(rest)).toBeUndefined()
    expect(await exceptionsOf(app, 'kind=amount&state=closed')).toHaveLength(1)
    expect(await exceptionsOf(app, 'kind=fee')).toEqual([])
  })

  it('of one payment have its state and kind, whatever other payments have', async () => {
    const app = await merchant()
    const [first, second] = [await app.paid(), await app.paid()]
    await send(app, first, saleOf(first, { gross: 30 }), saleOf(first, { kind: 'refund', gross: -3 }))
    await send(app, first, saleOf(second, { gross: 30 }))
    const ids = async (query: string) =>
      (await exceptionsOf(app, `paymentId=${first.paymentId}${query}`)).map(({ kind }) => kind)
    expect((await ids('')).sort()).toEqual(['amount', 'unseen'])
    expect(await ids('&kind=unseen')).toEqual(['unseen'])
    const [unseen] = await exceptionsOf(app, `paymentId=${first.paymentId}&kind=unseen`)
    await app.call('POST', `settlement-exceptions/${unseen?.exceptionId}/close`, { reason: 'Known.' })
    expect(await ids('&state=open')).toEqual(['amount'])
    expect(await ids('&state=closed')).toEqual(['unseen'])
    expect(await ids('&state=closed&kind=amount')).toEqual([])
  })
})
