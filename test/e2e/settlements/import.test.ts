import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csvOf, exceptionsOf, profileOf, saleOf, upload } from '../../support/settlement-file.ts'
import { nextPath, startTestService, type TestApp, type TestService } from '../../support/tender.ts'

let node: TestService
let app: TestApp
beforeAll(async () => {
  node = await startTestService('e2e_settlement_import')
})
afterAll(() => node?.stop())

const merchant = async () => {
  app = (await node.newMerchant()).sandbox
  return app
}

describe('a settlement report', () => {
  it('is imported, and its lines are matched by the ids of the provider', async () => {
    await merchant()
    const payment = await app.paid()
    const sent = await upload(app, profileOf(payment), csvOf([saleOf(payment, { fee: 0.5, net: 25 })]))
    expect(sent).toMatchObject({ status: 201, body: { lines: 1, badRows: [], isRepeated: false } })
    const { body } = await app.call('GET', 'settlement-lines')
    expect(body).toEqual([
      {
        lineId: expect.any(Number),
        paymentProfileId: profileOf(payment),
        providerLineId: expect.stringMatching(/^line-/),
        kind: 'sale',
        paymentId: payment.paymentId,
        referenceId: payment.referenceId,
        gross: 25.5,
        fee: 0.5,
        net: 25,
        currency: 'EUR',
        settlementCurrency: 'EUR',
        time: payment.createdTime,
        payoutId: null,
        match: 'exact',
      },
    ])
    expect(await exceptionsOf(app)).toEqual([])
  })

  it('is matched by our reference where the provider names no id', async () => {
    await merchant()
    const payment = await app.paid()
    const row = saleOf(payment, { provider_ids: '', reference: payment.referenceId })
    await upload(app, profileOf(payment), csvOf([row]))
    const { body } = await app.call('GET', `settlement-lines?paymentId=${payment.paymentId}`)
    expect(body).toMatchObject([{ paymentId: payment.paymentId, match: 'exact' }])
  })

  it('changes nothing when the same file comes twice', async () => {
    await merchant()
    const payment = await app.paid()
    const file = csvOf([saleOf(payment)])
    const first = await upload(app, profileOf(payment), file)
    const second = await upload(app, profileOf(payment), file)
    expect(second.status).toBe(200)
    expect(second.body).toEqual({ ...first.body, isRepeated: true })
    expect((await app.call('GET', 'settlement-lines')).body).toHaveLength(1)
  })

  it('keeps the first of two lines with the same id, and reports the other', async () => {
    await merchant()
    const payment = await app.paid()
    const row = saleOf(payment)
    await upload(app, profileOf(payment), csvOf([row]))
    await upload(app, profileOf(payment), csvOf([row, saleOf(await app.paid())]))
    expect(await exceptionsOf(app)).toEqual([])
    await upload(app, profileOf(payment), csvOf([{ ...row, gross: 20 }]))
    expect((await app.call('GET', `settlement-lines?paymentId=${payment.paymentId}`)).body).toMatchObject([
      { gross: 25.5 },
    ])
    expect(await exceptionsOf(app)).toMatchObject([{ kind: 'doubled', actualAmount: 20, state: 'open' }])
  })

  it('counts good rows beside bad ones, which it lists', async () => {
    await merchant()
    const payment = await app.paid()
    const rows = [saleOf(payment), saleOf(payment, { currency: '' }), saleOf(payment, { gross: 'ten' })]
    const { status, body } = await upload(app, profileOf(payment), csvOf(rows))
    expect(status).toBe(201)
    expect(body).toMatchObject({ lines: 1, badRows: [{ row: '3' }, { row: '4' }] })
  })

  it.each([
    ['another format', 'date;amount\n2026-01-01;5\n', /must name the columns/],
    ['a file that is cut off', csvOf([{ line_id: 'a' }]).slice(0, -4), /cut off/],
    ['an open quote', `${csvOf([])}"a,sale\n`, /quotation mark that is not closed/],
    ['an unknown column', 'line_id,kind,gross,currency,time,name\n', /no column name/],
    ['a file without lines', csvOf([]), /no lines/],
    ['an empty body', '', /empty/],
    ['only bad rows', csvOf([{ line_id: 'a', kind: 'gift' }]), /kind must be one of/],
  ])('refuses %s and books nothing', async (_what, file, detail) => {
    await merchant()
    const payment = await app.paid()
    const sent = await upload(app, profileOf(payment), file)
    expect(sent.status).toBe(422)
    expect(sent.body).toMatchObject({
      code: 'wrong_settlement_report',
      detail: expect.stringMatching(detail),
    })
    expect((await app.call('GET', 'settlement-lines')).body).toEqual([])
    expect(await app.read(payment.paymentId)).not.toHaveProperty('settlement')
  })

  it('refuses a file that is too large, and one for a profile of another app', async () => {
    await merchant()
    const payment = await app.paid()
    const huge = await upload(app, profileOf(payment), 'x'.repeat(25 * 1024 * 1024 + 1))
    expect(huge).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
    const other = (await node.newMerchant()).sandbox
    const foreign = await upload(other, profileOf(payment), csvOf([saleOf(payment)]))
    expect(foreign).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})

describe('the list of lines', () => {
  it('has pages and filters', async () => {
    await merchant()
    const [first, second] = [await app.paid(), await app.paid()]
    const rows = [
      saleOf(first, { payout_id: 'po-1' }),
      saleOf(second),
      { line_id: 'fee', kind: 'fee', gross: 0, fee: 1, net: -1, currency: 'EUR', time: first.createdTime },
      saleOf(first, { provider_ids: 'elsewhere-1', gross: 3 }),
    ]
    await upload(app, profileOf(first), csvOf(rows))
    const page = await app.call('GET', 'settlement-lines?pageSize=3')
    const rest = await app.call('GET', nextPath(page) ?? 'nowhere')
    expect([...page.body, ...rest.body]).toHaveLength(4)
    expect(nextPath(rest)).toBeUndefined()
    const count = async (query: string) =>
      (await app.call('GET', `settlement-lines?${query}`)).body.length as number
    expect(await count('kind=fee')).toBe(1)
    expect(await count('match=none')).toBe(2)
    expect(await count('match=none&kind=sale')).toBe(1)
    expect(await count(`paymentId=${first.paymentId}`)).toBe(1)
    const [{ payoutId }] = (await app.call('GET', 'payouts')).body
    expect(await count(`payoutId=${payoutId}`)).toBe(1)
    expect(await count(`since=${new Date(Date.parse(second.createdTime) + 1).toISOString()}`)).toBe(0)
  })
})

describe('a filtered list of lines', () => {
  it('looks at so many lines for a page, and goes on after the last of them', async () => {
    await merchant()
    const payment = await app.paid()
    const time = new Date(Date.parse(payment.createdTime) + 60_000).toISOString()
    const fee = { kind: 'fee', gross: 0, fee: 1, net: -1, currency: 'EUR', time }
    // The 5,001st line from the newest.
    const fees = Array.from({ length: 5_000 }, (_, n) => ({ ...fee, line_id: `fee-${n}` }))
    expect((await upload(app, profileOf(payment), csvOf([saleOf(payment), ...fees]))).status).toBe(201)
    for (const filter of ['kind=sale', 'match=exact']) {
      const page = await app.call('GET', `settlement-lines?pageSize=10&${filter}`)
      expect(page.body).toEqual([])
      const next = await app.call('GET', nextPath(page) ?? 'nowhere')
      expect(next.body).toMatchObject([{ paymentId: payment.paymentId, match: 'exact' }])
      expect(nextPath(next)).toBeUndefined()
    }
    const seen = new Set<number>()
    let page = await app.call('GET', 'settlement-lines?pageSize=500&kind=fee')
    for (;;) {
      for (const { lineId } of page.body) seen.add(lineId)
      const next = nextPath(page)
      if (next === undefined) break
      page = await app.call('GET', next)
    }
    expect(seen.size).toBe(5_000)
  })
})

describe('the list of reports', () => {
  it('has files with their bad rows, page by page', async () => {
    await merchant()
    const payment = await app.paid()
    const bad = saleOf(payment, { currency: '' })
    const ids = []
    for (const rows of [[saleOf(payment)], [saleOf(payment), bad]])
      ids.push((await upload(app, profileOf(payment), csvOf(rows))).body.reportId)
    const page = await app.call('GET', 'settlement-reports?pageSize=1')
    const rest = await app.call('GET', nextPath(page) ?? 'nowhere')
    expect(nextPath(rest)).toBeUndefined()
    const shown = {
      paymentProfileId: profileOf(payment),
      source: 'file',
      lines: 1,
      fromTime: payment.createdTime,
    }
    expect([...page.body, ...rest.body]).toMatchObject([
      { ...shown, reportId: ids[1], badRowCount: 1 },
      { ...shown, reportId: ids[0], badRowCount: 0 },
    ])
    const details = await app.call('GET', `settlement-reports/${ids[1]}`)
    expect(details.body).toMatchObject({ ...page.body[0], badRows: [{ row: '3' }] })
    const other = (await node.newMerchant()).sandbox
    expect((await other.call('GET', `settlement-reports/${ids[1]}`)).status).toBe(404)
    expect((await other.call('GET', 'settlement-reports')).body).toEqual([])
  })
})

describe('a source', () => {
  it('is read now when it is on', async () => {
    await merchant()
    const path = `settlement-sources/${profileOf(await app.paid())}`
    const off = await app.call('POST', `${path}/read`)
    expect(off).toMatchObject({ status: 422, body: { code: 'not_possible' } })
    await app.call('PUT', path, { isActive: true })
    await app.advance('1m')
    const before = (await app.call('GET', path)).body
    expect(before.lastReadTime).toEqual(expect.any(String))
    expect(await app.call('POST', `${path}/read`)).toMatchObject({ status: 200, body: { isActive: true } })
    await app.advance('1s')
    const { lastReadTime } = (await app.call('GET', path)).body
    expect(lastReadTime > before.lastReadTime).toBe(true)
  })
})
