import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../src/db/database.ts'
import { type CsvRow, csvOf, exceptionsOf, profileOf, saleOf, upload } from '../../support/settlement-file.ts'
import { type Answer, startTestService, type TestApp, type TestService } from '../../support/tender.ts'

let node: TestService
let app: TestApp
let payment: Answer
beforeAll(async () => {
  node = await startTestService('e2e_settlement_hostile')
})
afterAll(() => node?.stop())

beforeEach(async () => {
  app = (await node.newMerchant()).sandbox
  payment = await app.paid()
})

const linesOf = async (): Promise<Answer[]> => (await app.call('GET', 'settlement-lines')).body
const sendFile = (file: string, headers: Record<string, string> = {}) =>
  app.call('POST', `settlement-reports?paymentProfileId=${profileOf(payment)}`, file, {
    'content-type': 'text/csv',
    ...headers,
  })
const sendRows = (...rows: CsvRow[]) => upload(app, profileOf(payment), csvOf(rows))
const fee = (more: CsvRow = {}): CsvRow => ({
  ...{ line_id: 'fee', kind: 'fee', gross: 0, fee: 1, net: -1, currency: 'EUR' },
  ...{ time: payment.createdTime, ...more },
})
const payout = (more: CsvRow = {}): CsvRow => ({
  ...{ line_id: 'po', kind: 'payout', gross: -25.5, currency: 'EUR', time: payment.createdTime },
  ...{ payout_id: 'PO-1', ...more },
})
const table = async (text: string) =>
  node.service.ctx.db.query(sql<Answer>(`test.${text.length}`, text), [app.appId])

/** Nothing of the file is there, not even a report or a payout. */
async function expectNothing(): Promise<void> {
  expect(await linesOf()).toEqual([])
  expect((await app.call('GET', 'payouts')).body).toEqual([])
  expect(await table('select report_id from settlement_reports where app_id = $1')).toEqual([])
  expect(await exceptionsOf(app)).toEqual([])
}

describe('a body', () => {
  /** The status and the problem. `length` is what the request declares. */
  const send = (bytes: Buffer, length = bytes.length): Promise<[number | undefined, string]> =>
    new Promise((resolve, reject) => {
      const path = `/api/apps/${app.appId}/settlement-reports?paymentProfileId=${profileOf(payment)}`
      const headers = { authorization: `Bearer ${app.apiKey}`, 'content-length': length }
      const call = request(`${node.url}${path}`, { method: 'POST', headers }, (answer) => {
        let body = ''
        answer.setEncoding('utf8').on('data', (text) => {
          body += text
        })
        answer.on('end', () => resolve([answer.statusCode, JSON.parse(body).detail]))
      })
      call.on('error', reject).write(bytes)
    })

  it('of 200 MB is refused before it has come', async () => {
    const refusal = [413, 'The body has more than 25 MiB.']
    expect(await send(Buffer.from('line_id'), 200 * 1024 * 1024)).toEqual(refusal)
    await expectNothing()
  })

  it('that is compressed is not expanded', async () => {
    const bomb = gzipSync(csvOf([fee()]).repeat(100_000)).toString('latin1')
    const sent = await sendFile(bomb, { 'content-encoding': 'gzip' })
    expect(sent).toMatchObject({ status: 422, body: { code: 'wrong_settlement_report' } })
    await expectNothing()
  })

  it('that is packed is refused as that', async () => {
    const packed = gzipSync(csvOf([fee()]))
    const sheet = Buffer.from('PK\x03\x04and the rest of a spreadsheet')
    for (const file of [packed, sheet])
      expect(await send(file)).toEqual([422, expect.stringMatching(/^The file is packed/)])
    await expectNothing()
  })

  it('with one row of many megabytes is refused', async () => {
    const { status, body } = await sendRows(fee({ line_id: 'x'.repeat(20_000_000) }))
    expect(status).toBe(422)
    expect(body.detail).toMatch(/longer than 65536 characters/)
    await expectNothing()
  })

  it.each([
    ['with a byte-order mark', '\ufeff'],
    ['without one', ''],
  ])('in UTF-16 %s is refused as that', async (_what, mark) => {
    const bytes = Buffer.from(`${mark}${csvOf([fee()])}`, 'utf16le')
    expect(await send(bytes)).toEqual([422, 'The file is not text in UTF-8.'])
    await expectNothing()
  })
})

describe('rows', () => {
  it('of a payout twice are the payout as the last of them tells', async () => {
    const { status, body } = await sendRows(
      payout({ payout_state: 'pending' }),
      payout({ line_id: 'po2', gross: -20, payout_state: 'paid' }),
    )
    expect([status, body.badRows]).toEqual([201, []])
    expect((await app.call('GET', 'payouts')).body).toMatchObject([{ amount: 20, state: 'paid' }])
  })

  it.each([
    ['an amount beyond every account', { gross: `-${'9'.repeat(15)}` }],
    ['an id that is too long', { payout_id: 'x'.repeat(201) }],
    ['a time of the far future', { time: '2999-01-01T00:00:00Z' }],
    ['a time before there were providers', { time: '0001-01-01T00:00:00Z' }],
  ])('of a payout with %s are bad rows, and the others count', async (_what, more) => {
    const { status, body } = await sendRows(fee(), payout(more))
    expect(status).toBe(201)
    expect(body.badRows).toEqual([{ row: expect.any(String), problem: expect.any(String) }])
    expect((await linesOf()).filter(({ kind }) => kind === 'fee')).toHaveLength(1)
    expect((await app.call('GET', 'payouts')).body).toEqual([])
  })

  it('of a far future cover nothing: what was captured since is not missing for want of them', async () => {
    const later = new Date(Date.parse(payment.createdTime) + 300 * 86_400_000).toISOString()
    const bad = fee({ line_id: 'bad', time: '2999-01-01T00:00:00Z' })
    const { body } = await sendRows(saleOf(payment), bad, fee({ time: later }))
    expect(body).toMatchObject({ lines: 2, badRows: [{ row: 'bad' }] })
    await app.paid()
    await app.advance('20d')
    expect(await exceptionsOf(app)).toEqual([])
  })

  it('with one id and other amounts are one line and an exception', async () => {
    const row = saleOf(payment)
    const { body } = await sendRows(row, { ...row }, { ...row, gross: 3 })
    expect(body).toMatchObject({ lines: 1, badRows: [] })
    expect(await linesOf()).toMatchObject([{ gross: 25.5 }])
    expect(await exceptionsOf(app)).toMatchObject([{ kind: 'doubled', actualAmount: 3 }])
  })

  it('with a minus before zero are zero', async () => {
    const { body } = await sendRows(fee({ gross: '-0.00', fee: '-0', net: '-0.0' }))
    expect(body).toMatchObject({ lines: 1, badRows: [] })
    const [line] = await linesOf()
    expect([line.gross, line.fee, line.net].map((amount) => Object.is(amount, 0))).toEqual([true, true, true])
  })

  it('whose sum no account holds are refused together', async () => {
    const rows = Array.from({ length: 20 }, (_, n) => fee({ line_id: `l${n}`, net: `-${'9'.repeat(13)}` }))
    const { status, body } = await sendRows(...rows)
    expect(status).toBe(422)
    expect(body.detail).toMatch(/add up to more than/)
    await expectNothing()
  })
})

describe('at the same time', () => {
  it('the same file twice is one report', async () => {
    const file = csvOf([saleOf(payment), payout()])
    const answers = await Promise.all([sendFile(file), sendFile(file), sendFile(file)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    expect(new Set(answers.map(({ body }) => body.reportId)).size).toBe(1)
    expect(await linesOf()).toHaveLength(2)
    expect(await exceptionsOf(app)).toEqual([])
  })

  it('files with the same lines in another order are both taken', async () => {
    const rows = Array.from({ length: 1_000 }, (_, n) => [
      fee({ line_id: `l${n}` }),
      payout({ line_id: `p${n}`, payout_id: `PO-${n}` }),
    ]).flat()
    const files = [csvOf(rows), csvOf([...rows].reverse())]
    const answers = await Promise.all(files.map((file) => sendFile(file)))
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    const [count] = await table('select count(*) as lines from settlement_lines where app_id = $1')
    expect(count.lines).toBe(rows.length)
  })

  it('several files of one app hold one connection, not one each', async () => {
    const { db } = node.service.ctx
    const first = csvOf([saleOf(payment)])
    await sendFile(first)
    const blocked = sql<Answer>(
      'test.blocked',
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    const blockedNow = async () => (await db.query(blocked))[0]?.count as number
    const lock = 'select from settlement_sources where app_id = $1 for update'
    const sent = await db.transaction(async (tx) => {
      await tx.query(sql<never>('test.lock', lock), [app.appId])
      const sending = [1, 2, 3, 4].map((n) => sendRows(fee({ line_id: `waits-${n}` })))
      await expect.poll(blockedNow, { timeout: 20_000 }).toBe(1)
      // Whatever else has arrived meanwhile waits for the first one.
      for (let n = 0; n < 5; n++) expect((await app.call('GET', 'settlement-reports')).status).toBe(200)
      expect(await blockedNow()).toBe(1)
      return sending
    })
    for (const { status } of await Promise.all(sent)) expect(status).toBe(201)
  })
})
