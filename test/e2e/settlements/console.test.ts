import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditEntries } from '../../../src/audit/audit.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import { startTestConsole, type TestConsole } from '../../support/console.ts'
import { csvOf, exceptionsOf, profileOf, saleOf } from '../../support/settlement-file.ts'
import { type Answer, good } from '../../support/tender.ts'

let world: TestConsole
beforeAll(async () => {
  world = await startTestConsole('settlements_console')
})
afterAll(() => world?.stop())

const get = async (path: string, role: 'Manager' | 'Viewer' = 'Manager') => (await world.get(role, path)).html
const open = (query = '') => exceptionsOf(world.sandbox, `state=open&${query}`)
const note = ({ location }: { location: string | null }) => /note=([^#]+)/.exec(location ?? '')?.[1]

async function actions(): Promise<string[]> {
  const { ctx } = world.tender.service
  const { licenseId } = (await loadApp(ctx, world.sandbox.appId)) ?? { licenseId: '' }
  return (await auditEntries(ctx, licenseId, { limit: 50 })).map(({ action }) => action)
}

/** Sends a file with the form of the page. */
async function upload(profileId: number, file: string | Uint8Array, name = 'november.csv', query = '') {
  const url = `${world.origin}/console/${world.sandbox.appId}/payouts/reports`
  const cookie = { cookie: `console=${world.tokens.Manager}` }
  const page = await (await fetch(url, { headers: cookie })).text()
  const body = new FormData()
  body.append('form', /name="form" value="([^"]+)"/.exec(page)?.[1] ?? '')
  body.append('profileId', String(profileId))
  body.append('file', new Blob([file as BlobPart], { type: 'text/csv' }), name)
  const reply = await fetch(url + query, { method: 'POST', headers: cookie, body, redirect: 'manual' })
  return { status: reply.status, html: await reply.text(), location: reply.headers.get('location') }
}

let first: Answer
let profileId: number

it('an app without a source sees nothing new, and the page of a provider leads to it', async () => {
  first = await world.sandbox.paid({ amount: 100 })
  profileId = profileOf(first)
  const overview = await get('overview')
  expect(overview).not.toContain('/payouts"')
  expect(await get(`payments/${first.paymentId}`)).not.toContain('id="settlement"')
  expect(await get('payments')).not.toContain('settled%3Ano')
  expect(await get(`providers/${profileId}`)).toContain('Set up settlements')
  expect(await get('payouts')).toContain('No payouts yet')
  expect(await get('payouts/sources')).toContain(`/payouts/sources/${profileId}/on"`)
})

it('a source is turned on, read and turned off', async () => {
  const post = (what: string) =>
    world.post('Manager', `payouts/sources/${profileId}/${what}`, {}, 'payouts/sources')
  expect(note(await post('on'))).toBe('on')
  expect(await get('overview')).toContain('/payouts"')
  expect(note(await post('read'))).toBe('reading')
  expect(note(await post('off'))).toBe('off')
  const refused = await post('read')
  expect([refused.status, refused.html]).toEqual([422, expect.stringContaining('The source is off')])
  expect((await world.get('Viewer', 'payouts/sources')).html).not.toContain('/off"')
  expect((await world.post('Viewer', `payouts/sources/${profileId}/on`, {}, 'payouts/sources')).status).toBe(
    403,
  )
})

it('a file is uploaded with its name and bad rows; again it changes nothing', async () => {
  // After the source is off: the bank reports no line of it.
  first = await world.sandbox.paid({ amount: 100 })
  const time = first.createdTime
  const payout = { payout_id: 'po-1', fee: 2, net: 98 }
  const file = csvOf([
    saleOf(first, { ...payout, line_id: 'first-line' }),
    { line_id: 'no-currency', kind: 'sale', gross: 5, currency: '', time },
    { line_id: 'po-1', kind: 'payout', gross: -97.5, currency: 'EUR', time, payout_id: 'po-1' },
  ])
  const sent = await upload(profileId, file, 'C:\\reports\\november <b>.csv')
  expect(note(sent)).toBe('imported&lines=2&bad=1')
  const report = await get(
    `payouts/reports/${/reports\/(\d+)/.exec(sent.location ?? '')?.[1]}?${'note=imported&lines=2&bad=1'}`,
  )
  expect(report).toContain('2 lines were read, 1 row was bad.')
  expect(report).toContain('november &lt;b>.csv')
  expect(report).toContain('The currency is not an ISO 4217 code.')
  const german = await get(`payouts/reports/${/reports\/(\d+)/.exec(sent.location ?? '')?.[1]}?lang=de`)
  expect(german).toContain('Die Währung ist kein Code nach ISO 4217.')
  const list = await get('payouts/reports')
  expect(list).toContain('november &lt;b>.csv')
  expect(note(await upload(profileId, file))).toBe('repeated')
  expect((await get('payouts/reports')).match(/november/g)).toHaveLength(1)
})

it.each([
  ['nothing', ''],
  ['another format', 'a,b\n1,2\n'],
  ['a picture', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2])],
  ['a file that is cut off', csvOf([]).trimEnd()],
])('%s is refused on the page with a reason, and nothing is booked', async (_what, file) => {
  const lines = (await world.sandbox.call('GET', 'settlement-lines')).body
  const { status, html } = await upload(profileId, file)
  expect(status).toBeGreaterThanOrEqual(400)
  expect(html).toContain('Upload a report')
  expect(html).toMatch(/class="notice bad"|Choose a file/)
  expect((await world.sandbox.call('GET', 'settlement-lines')).body).toEqual(lines)
})

it('the reason of a refusal is in the language of the page', async () => {
  const { html } = await upload(profileId, 'a,b\n1,2\n', 'report.csv', '?lang=de')
  expect(html).toContain('Die erste Zeile muss die Spalten line_id, kind, gross, currency, time nennen.')
})

it('a huge file is refused', async () => {
  expect((await upload(profileId, new Uint8Array(26 * 1024 * 1024))).status).toBe(413)
})

it('a payout shows its difference to the cent and its lines, and adds up when the rest comes', async () => {
  const [{ payoutId }] = good(await world.sandbox.call('GET', 'payouts')) as [{ payoutId: number }]
  expect(await get('payouts')).toContain('€0.50 more')
  const page = await get(`payouts/${payoutId}`)
  expect(page).toContain('Does not add up: €0.50 more than the payout')
  expect(page).toContain('Its line makes €98.00, the payout is €97.50.')
  expect(page).toContain(`/payments/${first.paymentId}"`)
  expect(page.match(/<td class="end"[^>]*><bdi class="money" title="EUR">€98.00/g)).toHaveLength(2)
  expect(await get(`payouts/${payoutId}?kind=refund`)).toContain('No lines of this kind')
  const csv = await world.get('Owner', `payouts/${payoutId}/lines`)
  const [head, ...rows] = csv.html.trimEnd().split('\r\n')
  expect(head).toBe('time,kind,payment id,reference,gross,currency,fee,net,settlement currency,line id,match')
  expect(rows).toHaveLength(2)
  const { paymentId, referenceId, createdTime } = first
  expect(rows).toContain(
    `${createdTime},sale,${paymentId},${referenceId},100.00,EUR,2.00,98.00,EUR,first-line,exact`,
  )
  const fee = { line_id: 'fee-1', kind: 'fee', gross: 0, fee: 0.5, net: -0.5, currency: 'EUR' }
  await upload(profileId, csvOf([{ ...fee, time: first.createdTime, payout_id: 'po-1' }]))
  expect(await get(`payouts/${payoutId}`)).toContain('Its 2 lines make exactly €97.50.')
  expect(await get('payouts')).toContain('Adds up')
  expect((await world.get('Manager', 'payouts/999999')).status).toBe(404)
  expect((await world.get('Owner', 'payouts/export')).html).toContain('98.00')
  expect(await actions()).toEqual(expect.arrayContaining(['settlement_lines.exported', 'ledger.exported']))
})

it('the page of a payment says when and in which payout it was paid out, and what it cost', async () => {
  const page = await get(`payments/${first.paymentId}`)
  expect(page).toContain('data-settled="paid-out"')
  expect(page).toMatch(/\/payouts\/\d+">Payout \d+</)
  expect(page).toMatch(/Fees of the provider.*?€2.00/s)
  expect(await get('payments')).toContain('settled%3Ano')
  const other = await world.sandbox.paid({ amount: 40 })
  await upload(profileId, csvOf([saleOf(other, { gross: 41 })]))
  const differs = await get(`payments/${other.paymentId}`)
  expect(differs).toContain('data-settled="difference"')
  expect(differs).toMatch(/Difference.*?>€1.00/s)
  expect(differs).toContain('/payouts/exceptions?kind=amount"')
})

it('exceptions are counted by kind, and each count opens exactly what it counts', async () => {
  const time = first.createdTime
  const foreign = (id: string) => ({
    line_id: id,
    kind: 'sale',
    gross: 7,
    currency: 'EUR',
    time,
    reference: id,
  })
  await upload(profileId, csvOf([foreign('elsewhere-1'), foreign('elsewhere-2')]))
  const overview = await get('overview')
  expect(overview).toContain('2 settled lines have no payment')
  const path = /payouts\/exceptions\?kind=unknown/.exec(overview)?.[0] ?? ''
  const page = await get(path)
  expect(page.match(/data-exception=/g)).toHaveLength(2)
  expect(page).toContain('Unknown payment (2)')
  expect(page).toContain('It may have been taken elsewhere with the same account.')
  const all = await open()
  expect((await get('payouts/exceptions')).match(/data-exception=/g)).toHaveLength(all.length)
})

it('each kind has its button, and closing asks for a reason that the audit log keeps', async () => {
  const [one, two] = await open('kind=unknown')
  const act = (id: number, what: string, fields = {}) =>
    world.post('Manager', `payouts/exceptions/${id}/${what}`, fields, 'payouts/exceptions')
  expect(note(await act(one?.exceptionId, 'foreign'))).toBe('foreign')
  const asked = await get(`payouts/exceptions/${two?.exceptionId}/close`)
  expect(asked).toMatch(/Unknown payment · <bdi>Line elsewhere-[12]<\/bdi>/)
  expect(asked).toMatch(/Reported.*?€7\.00/s)
  const empty = await act(two?.exceptionId, 'close', { reason: ' ' })
  expect([empty.status, empty.html]).toEqual([400, expect.stringContaining('Enter the reason.')])
  expect(note(await act(two?.exceptionId, 'close', { reason: 'A <b>test</b> terminal' }))).toBe('closed')
  expect(await open('kind=unknown')).toEqual([])
  const closed = await get('payouts/exceptions?state=closed')
  expect(closed).toContain('A &lt;b>test&lt;/b> terminal')
  expect(closed).toContain('manager@example.com')
  expect((await act(two?.exceptionId, 'close', { reason: 'again' })).status).toBe(422)
  const [amount] = await open('kind=amount')
  expect(note(await act(amount?.exceptionId, 'recheck'))).toBe('rechecked')
  const viewer = await world.get('Viewer', 'payouts/exceptions')
  expect([viewer.status, viewer.html.includes('/recheck"')]).toEqual([200, false])
  expect((await world.get('Viewer', `payouts/exceptions/${amount?.exceptionId}/close`)).status).toBe(403)
  expect(await actions()).toContain('settlement_exception.closed')
})

it('a suggested payment is shown as such and counts when it is accepted', async () => {
  const other = await world.sandbox.paid({ amount: 33.33 })
  await world.sandbox.call('GET', 'payments')
  const time = new Date(Date.parse(other.createdTime) + 86_400_000).toISOString()
  await upload(profileId, csvOf([saleOf(other, { provider_ids: 'tx-unknown', time })]))
  const page = await get('payouts/exceptions?kind=unknown')
  expect(page).toContain(`Accept payment ${other.paymentId}`)
  expect(page).toContain('It counts only when you accept it.')
  const [{ exceptionId }] = (await open('kind=unknown')) as [Answer]
  const accept = () =>
    world.post('Manager', `payouts/exceptions/${exceptionId}/accept`, {}, 'payouts/exceptions')
  expect(note(await accept())).toBe('accepted')
  expect((await world.sandbox.read(other.paymentId)).settlement).toMatchObject({ state: 'settled' })
  expect(await open('kind=unknown')).toEqual([])
  expect((await accept()).status).toBe(422)
  expect(await actions()).toContain('settlement_line.matched')
})

it('speaks German', async () => {
  const page = await get('payouts/exceptions?kind=amount&lang=de')
  expect(page).toContain('Anderer Betrag (1)')
  expect(await get('payouts?lang=de')).toContain('Stimmt')
})

it('addresses that are not ours show the list from its beginning', async () => {
  for (const path of [
    'payouts?cursor=x',
    'payouts/exceptions?cursor=open-x&kind=nothing',
    'payouts/reports?cursor=-1',
  ])
    expect((await world.get('Manager', path)).status, path).toBe(200)
  for (const path of ['payouts/reports/0', 'payouts/x', 'payouts/exceptions/9e9/close'])
    expect((await world.get('Manager', path)).status, path).toBe(404)
})
