import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { App } from '../../../src/merchants/app.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import { getImport } from '../../../src/moving/commands.ts'
import { IMPORTS } from '../../../src/moving/limits.ts'
import { doChunks } from '../../../src/moving/run.ts'
import { csvFile, importFile, runImports, sendFile } from '../../support/imports.ts'
import {
  type Answer,
  good,
  newReference,
  startTestService,
  type TestApp,
  type TestService,
} from '../../support/tender.ts'

let tender: TestService
let app: TestApp
let profile: Answer
beforeAll(async () => {
  tender = await startTestService('e2e_imports', { role: 'web' })
})
afterAll(() => tender?.stop())
beforeEach(async () => {
  app = (await tender.newMerchant()).sandbox
  profile = good(await app.call('GET', 'payment-profiles'))[0]
})

const customer = (customerId: string, more: Record<string, string> = {}) => ({
  ...{ kind: 'customer', customerId, firstName: 'Ada', createdTime: '2024-05-06T07:08:09.010Z' },
  ...more,
})
const method = (customerId: string, token: string, more: Record<string, string> = {}) => ({
  ...{ kind: 'payment-method', customerId, token, paymentProfile: profile.paymentProfileName },
  ...{ consentTime: '2025-01-02T03:04:05Z', consentText: 'Terms of 2025', ...more },
})
const payment = (customerId: string, referenceId: string, more: Record<string, string> = {}) => ({
  ...{ kind: 'payment', customerId, referenceId, time: '2026-01-01T00:00:00Z', amount: '25.50' },
  ...{ currency: 'EUR', outcome: 'paid', ...more },
})

const run = (file: string | Uint8Array, sending = {}) => importFile(tender.service, app, file, sending)
const methodsOf = async (customerId: string) =>
  good(await app.call('GET', `customers/${customerId}/payment-methods`))

it('imports customers, methods and payments; the same file again changes nothing', async () => {
  const file = csvFile([
    // A method may come before its customer.
    method('c-1', 'met_test_visa_1'),
    customer('c-1', { email: 'ada@example.com', mobileNumber: "'+49 30 123", isBlocked: 'true' }),
    method('c-2', 'met_test_mastercard_2'),
    payment('c-3', 'order-1'),
    payment('c-3', 'order-1'),
  ])
  const first = await run(file, { query: '?fileName=old%2Fshop.csv' })
  expect(first).toMatchObject({
    ...{ state: 'done', isDryRun: false, fileName: 'shop.csv', lines: 5, done: 5 },
    ...{ added: 4, unchanged: 1, wrong: 0, problems: [] },
  })
  expect(good(await app.call('GET', 'customers/c-1'))).toMatchObject({
    ...{ firstName: 'Ada', mobileNumber: '+49 30 123', isBlocked: true },
    createdTime: '2024-05-06T07:08:09.010Z',
  })
  expect(await methodsOf('c-1')).toMatchObject([{ paymentMethodNumber: 'Visa •••• 4242' }])
  expect(await methodsOf('c-2')).toMatchObject([{ importedTime: expect.any(String) }])
  // History is in no list and no figure.
  expect(good(await app.call('GET', 'payments'))).toEqual([])
  expect((await app.call('GET', 'payments/referenceId:order-1')).status).toBe(404)

  const again = await run(file)
  expect(again).toMatchObject({ added: 0, unchanged: 5, wrong: 0 })
  const chunks = await tender.service.ctx.db.query<{ count: number }>({
    name: 'test.chunks',
    text: 'select count(*)::int as count from import_chunks',
  })
  expect(chunks).toEqual([{ count: 0 }])
})

it('a dry run names every wrong line and writes nothing', async () => {
  const rows = [
    customer('d-1'),
    customer('d-1', { firstName: 'Eve' }),
    method('d-1', 'met_unknown'),
    method('d-1', '4242424242424242'),
    method('d-1', 'met_test_visa_3', { paymentProfile: 'Elsewhere' }),
    method('d-1', 'met_test_visa_3', { consentTime: '2999-01-01T00:00:00Z' }),
    method('d-1', 'met_test_visa_3', { consentText: '' }),
    method('d-1', 'sealed:1:AAAA'),
    customer('d-2', { lastName: '4242 4242 4242 4242' }),
    customer('x'.repeat(201)),
    payment('d-1', 'order-2', { amount: '1.234' }),
    payment('d-1', 'order-3', { currency: 'EURO' }),
    payment('d-1', 'order-4', { outcome: 'lost' }),
    { kind: 'invoice', customerId: 'd-1' },
    customer('d-3', { isBlocked: 'maybe' }),
    customer('d-4', { extras: '[1]' }),
    method('d-5', 'met_test_visa_4'),
    customer('d-6', { isBlocked: 'constructor' }),
    // The length is looked at first: a search in long cells would take the time of other requests.
    customer('d-7', { lastName: `4242 4242 4242 4242${'x'.repeat(200)}` }),
  ]
  const dry = await run(`${csvFile(rows)}payment,"open\r\n`, { query: '?isDryRun=true' })
  expect(dry).toMatchObject({ isDryRun: true, lines: 20, done: 20, added: 2, unchanged: 0, wrong: 18 })
  const named = dry.problems.map(({ line, code, field }: Answer) => [line, code, field].join(' ').trim())
  expect(named).toEqual([
    '3 contradicts-line',
    '4 not-known',
    '5 card-number',
    '6 unknown-profile paymentProfile',
    '7 not-past consentTime',
    '8 required consentText',
    '9 sealed token',
    '10 card-number lastName',
    '11 too-long customerId',
    '12 wrong-value amount',
    '13 wrong-value currency',
    '14 wrong-value outcome',
    '15 kind kind',
    '16 wrong-value isBlocked',
    '17 wrong-value extras',
    '19 wrong-value isBlocked',
    '20 too-long lastName',
    '21 not-csv',
  ])
  expect(dry.problems[0].message).toBe('The line contradicts line 2.')
  expect(JSON.stringify(dry)).not.toMatch(/4242|met_/)
  expect(good(await app.call('GET', 'customers'))).toEqual([])
})

it('a dry run names a method that was removed since the consent, as the import does', async () => {
  const file = csvFile([method('d-8', 'met_test_visa_8')])
  await run(file)
  const [{ paymentMethodId }] = await methodsOf('d-8')
  good(await app.call('DELETE', `customers/d-8/payment-methods/${paymentMethodId}`))
  for (const query of ['?isDryRun=true', ''])
    expect(await run(file, { query })).toMatchObject({
      ...{ added: 0, unchanged: 0, wrong: 1, problems: [{ line: 2, code: 'removed' }] },
    })
})

it('takes no JSON in extras that the database cannot read, and goes on with the other lines', async () => {
  const deep = `{"a":${'['.repeat(40)}${']'.repeat(40)}}`
  const wrongExtras = ['{"a":"\\u0000"}', '{"a":"\\ud800"}', '{"__proto__":{"a":1}}', '{"a":1e999}', deep]
  const rows = wrongExtras.map((extras, n) => customer(`x-${n}`, { extras }))
  const card = customer('x-card', { extras: '{"note":"\\u0034242424242424242"}' })
  const right = customer('x-right', { extras: '{"customId":"7"}' })
  const done = await run(csvFile([...rows, card, right]))
  expect(done).toMatchObject({ state: 'done', added: 1, wrong: rows.length + 1 })
  const codes = done.problems.map(({ code, field }: Answer) => `${code} ${field}`)
  expect(codes).toEqual([...rows.map(() => 'wrong-value extras'), 'card-number extras'])
  expect(good(await app.call('GET', 'customers/x-right')).customId).toBe('7')
})

it('never changes what is stored: it adds what is not known and names a contradiction', async () => {
  good(await app.call('POST', 'customers', { customerId: 'e-1', firstName: 'Ada' }))
  good(await app.call('POST', 'customers', { customerId: 'e-2', firstName: 'Eve' }))
  await run(csvFile([payment('e-1', 'order-1')]))
  const done = await run(
    csvFile([
      customer('e-1', { email: 'ada@example.com' }),
      customer('e-2', { email: 'eve@example.com' }),
      payment('e-1', 'order-1', { amount: '25.51' }),
    ]),
  )
  expect(done).toMatchObject({ added: 1, wrong: 2 })
  expect(done.problems).toMatchObject([
    { line: 3, code: 'contradicts', field: 'firstName' },
    { line: 4, code: 'contradicts', field: 'referenceId' },
  ])
  expect(good(await app.call('GET', 'customers/e-1')).email).toBe('ada@example.com')
  expect(good(await app.call('GET', 'customers/e-2')).email).toBe(null)
})

it('refuses a file that is none, whatever is in it', async () => {
  const other = await tender.newMerchant()
  const foreign = good(await other.sandbox.call('GET', 'payment-profiles'))[0].paymentProfileId
  const wrongFiles: (string | Uint8Array)[] = [
    ...['', 'kind\r\n', 'kind,customerId\r\n', 'customerId,kind,card\r\n1,customer,2\r\n'],
    ...['kind,kind,customerId\r\n', Buffer.from('kind,customerId\r\ncustomer,\xff\r\n', 'latin1')],
    Buffer.from('kind,customerId\r\ncustomer,1\r\n', 'utf16le'),
    Buffer.from('\ufeffkind,customerId\r\ncustomer,1\r\n', 'utf16le'),
  ]
  for (const file of wrongFiles) {
    const { status, body } = await sendFile(app, file)
    expect([String(file), status, body.code]).toEqual([String(file), 422, 'wrong_import_file'])
  }
  expect((await sendFile(app, 'kind', { headers: { 'sealing-key': 'abc' } })).status).toBe(400)
  const large = await sendFile(app, Buffer.alloc(IMPORTS.fileBytes + 1, 'a'))
  expect([large.status, large.body.detail]).toEqual([413, 'The body has more than 25 MiB.'])
  const { problems } = await run(
    csvFile([method('f-1', 'met_test_visa', { paymentProfile: String(foreign) })]),
  )
  expect(problems).toMatchObject([{ code: 'unknown-profile' }])
  const { importId } = good(await app.call('GET', 'imports'))[0]
  expect((await other.sandbox.call('GET', `imports/${importId}`)).status).toBe(404)
})

it('a file in progress is the same import, and can be cancelled', async () => {
  const rows = [1, 2, 3].map((n) => method(`g-${n}`, `met_test_visa_g${n}`))
  const file = csvFile(rows)
  const { importId } = good(await sendFile(app, file))
  const repeated = await sendFile(app, file)
  expect([repeated.status, repeated.body.importId]).toEqual([200, importId])
  good(await app.call('POST', `imports/${importId}/cancel`))
  await runImports(tender.service)
  expect(good(await app.call('GET', `imports/${importId}`))).toMatchObject({ state: 'cancelled', done: 0 })
  expect(await run(file)).toMatchObject({ state: 'done', added: 3 })
})

it('goes on where a worker has died: nothing is read or counted twice', async () => {
  const rows = [1, 2, 3].map((n) => method('i-1', `met_test_visa_i${n}`))
  const { importId } = good(await sendFile(app, csvFile(rows)))
  const { ctx } = tender.service
  const loaded = await loadApp(ctx, app.appId)
  // Its methods are written, and it dies before the chunk is.
  const dead = { ...(await getImport(ctx, loaded as App, importId)), leaseToken: 'of-the-dead' }
  expect(await doChunks(ctx, loaded as App, dead, 1)).toBe(false)
  expect(good(await app.call('GET', `imports/${importId}`))).toMatchObject({ done: 0, added: 0 })
  expect(await methodsOf('i-1')).toHaveLength(3)
  await runImports(tender.service)
  const done = good(await app.call('GET', `imports/${importId}`))
  expect(done).toMatchObject({ state: 'done', done: 3, added: 3, unchanged: 0 })
  expect(await methodsOf('i-1')).toHaveLength(3)
})

it('two files at once that share tokens: each token is stored once and told by one of them', async () => {
  const rows = (from: number) =>
    Array.from({ length: 30 }, (_, n) => method(`j-${(from + n) % 7}`, `met_test_visa_j${from + n}`))
  const { ctx } = tender.service
  const loaded = (await loadApp(ctx, app.appId)) as App
  const ids: string[] = []
  for (const from of [0, 15])
    ids.push(good(await sendFile(app, csvFile(rows(from)), { query: `?fileName=${from}` })).importId)
  // As two nodes would, which know nothing of each other.
  const claimed = ids.map(async (id, place) => {
    const leaseToken = `node-${place}`
    const text = `update imports set lease_token = $2, state = 'running' where import_id = $1`
    await ctx.db.query({ name: 'test.claim', text }, [id, leaseToken])
    return { ...(await getImport(ctx, loaded, id)), leaseToken }
  })
  await Promise.all((await Promise.all(claimed)).map((one) => doChunks(ctx, loaded, one, 5)))
  const ended = await Promise.all(ids.map((id) => app.call('GET', `imports/${id}`)))
  for (const one of ended) expect(good(one)).toMatchObject({ state: 'done', done: 30, wrong: 0 })
  const stored = await Promise.all(Array.from({ length: 7 }, (_, n) => methodsOf(`j-${n}`)))
  expect(stored.flat()).toHaveLength(45)
  expect(stored.map((methods) => methods.filter(({ isDefault }: Answer) => isDefault).length)).toEqual(
    stored.map(() => 1),
  )
})

it('past payments count for fraud rules, each once', async () => {
  const policy = good(
    await app.call('POST', 'fraud-policies', {
      name: 'Two payments',
      rules: [{ measure: 'PaymentCount', threshold: 2, period: 'Daily', action: 'RejectPayment' }],
    }),
  )
  good(await app.call('PATCH', '', { defaultFraudPolicyId: policy.fraudPolicyId }))
  const [time, customerId] = [new Date(Date.now() - 60_000).toISOString(), newReference()]
  const file = csvFile([
    payment(customerId, newReference(), { time }),
    payment(customerId, newReference(), { time }),
    payment(customerId, newReference(), { time, outcome: 'declined' }),
  ])
  await run(file)
  const pay = async (id: string) => {
    const made = await app.create({ customerOrder: { customer: { customerId: id } } })
    return good(await app.pay(made.paymentId)).failure?.code
  }
  expect(await pay(customerId)).toBe('fraud_rejected')
  expect(await pay(newReference())).toBeUndefined()
})

it('an import of many lines is done in chunks', async () => {
  const count = IMPORTS.chunkRows * 2 + 1
  const rows = Array.from({ length: count }, (_, n) => customer(`h-${n}`))
  expect(await run(csvFile(rows))).toMatchObject({ lines: count, added: count, state: 'done' })
})

it('methods of new and of known customers are stored alike, and each customer has one default', async () => {
  good(await app.call('POST', 'customers', { customerId: 'k-1' }))
  await run(csvFile([method('k-1', 'met_test_visa_k0')]))
  const rows = [
    method('k-1', 'met_test_visa_k1'),
    method('k-2', 'met_test_visa_k2'),
    method('k-3', 'met_test_visa_k3'),
    method('k-3', 'met_test_mastercard_k4'),
  ]
  expect(await run(csvFile(rows))).toMatchObject({ added: 4, wrong: 0 })
  const shape = async (customerId: string) => {
    const methods: Answer[] = await methodsOf(customerId)
    return methods.map(({ isDefault, paymentMethodNumber }) => [paymentMethodNumber, isDefault])
  }
  expect(await shape('k-2')).toEqual([['Visa •••• 4242', true]])
  expect((await shape('k-3')).map(([, isDefault]) => isDefault)).toEqual([false, true])
  expect((await shape('k-1')).map(([, isDefault]) => isDefault)).toEqual([false, true])

  const columns = (text: string, customerId: string) =>
    tender.service.ctx.db.query<Record<string, unknown>>({ name: 'test.stored', text }, [
      app.appId,
      customerId,
    ])
  const stored = `select m.kind, m.label, m.verification_state, m.card::text, m.consent_text, m.consent_time,
      m.imported_time is not null as imported, m.import_id is not null as of_import, t.profile_id,
      length(t.token) as sealed, length(t.token_hash) as hash,
      (select array_agg(a.type || a.actor::text || (a.data ->> 'paymentMethodType')) from customer_activity a
       where a.app_id = m.app_id and (a.data ->> 'paymentMethodId')::bigint = m.payment_method_id) as activity
    from payment_methods m join payment_method_tokens t using (app_id, payment_method_id)
    where m.app_id = $1 and m.customer_id = $2 order by m.payment_method_id desc limit 1`
  // k-2 was stored with others, k-1 by itself.
  expect(await columns(stored, 'k-2')).toEqual(await columns(stored, 'k-1'))
})

it('reads fewer tokens at once after the provider asks for that, and more again', async () => {
  const rows = Array.from({ length: IMPORTS.chunkRows + 2 }, (_, n) =>
    method(`l-${n}`, `met_test_visa_l${n}`),
  )
  const { importId } = good(await sendFile(app, csvFile(rows)))
  const { ctx } = tender.service
  const loaded = (await loadApp(ctx, app.appId)) as App
  let [reads, most, left] = [0, 0, 0]
  const slow: typeof ctx = {
    ...ctx,
    http: {
      async call(call) {
        most = Math.max(most, ++reads)
        try {
          if (left-- > 0) return await ctx.http.call(call)
          return { kind: 'reply', status: 429, headers: {}, body: '{}' } as never
        } finally {
          reads--
        }
      },
    },
  }
  const now = async () => await getImport(ctx, loaded, importId)
  const claim = async () => {
    await ctx.db.query({
      name: 'test.lease',
      text: `update imports set state = 'running', lease_token = 'mine', due_time = now()
        where due_time is not null`,
    })
    most = 0
    return await now()
  }
  left = 100
  expect((await now()).readsAtOnce).toBe(IMPORTS.reads.first)
  expect(await doChunks(slow, loaded, await claim(), 1)).toBe(false)
  expect(most).toBe(IMPORTS.reads.first)
  expect(await now()).toMatchObject({ doneCount: 0, tries: 1, readsAtOnce: IMPORTS.reads.first / 2 })
  left = IMPORTS.chunkRows - 100
  expect(await doChunks(slow, loaded, await claim(), 1)).toBe(true)
  expect(most).toBe(IMPORTS.reads.first / 2)
  // What the first try has read and stored is not read again.
  expect(await now()).toMatchObject({
    ...{ doneCount: IMPORTS.chunkRows, addedCount: IMPORTS.chunkRows, tries: 0 },
    readsAtOnce: IMPORTS.reads.first / 2 + IMPORTS.reads.step,
  })
  expect(await doChunks(ctx, loaded, await now(), 1)).toBe(false)
  expect(await now()).toMatchObject({ state: 'done', addedCount: rows.length, wrongCount: 0 })
})
