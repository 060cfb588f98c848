import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sealToken } from '../../../src/moving/sealing.ts'
import { csvFile, importFile } from '../../support/imports.ts'
import {
  type Answer,
  good,
  newReference,
  startTestService,
  type TestApp,
  type TestService,
} from '../../support/tender.ts'

let tender: TestService
beforeAll(async () => {
  tender = await startTestService('e2e_everything', { role: 'web' })
})
afterAll(() => tender?.stop())

const KEY = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'
const OTHER_KEY = KEY.replace('00', 'ff')
const SECOND = { provider: 'sandbox', name: 'Second', methods: ['CreditCard'], currency: 'USD' }

async function everything(app: TestApp, sealingKey = KEY): Promise<string> {
  const made = good(await app.call('POST', 'exports', { kind: 'everything', sealingKey }))
  expect(made).toMatchObject({ state: 'done', kind: 'everything' })
  return (await app.call('GET', `exports/${made.exportId}/file`)).body
}

/** A shop with what an export has to tell apart. */
async function fill(app: TestApp): Promise<void> {
  const customer = { customerId: 'c-1', firstName: '=1+1', email: 'ada@example.com' }
  const address = { city: 'Köln', addressLine1: 'Am "Ring", 5' }
  const { paymentId } = await app.create({
    customerOrder: { customer: { ...customer, address, mobileNumber: '+49 221 5' } },
    ...{ referenceId: 'order-1', registerAutoPayment: true },
  })
  good(await app.pay(paymentId))
  const declined = await app.create({ referenceId: 'order-2', customerOrder: { customer } })
  await app.pay(declined.paymentId, { outcome: 'generic' })
  good(await app.act(declined.paymentId, 'cancel'))
  await app.create({ referenceId: 'order-3', customerOrder: { customer } })
  // Names that differ by the apostrophe that makes a formula a text.
  for (const name of ['-5', "'-5", "''-5", '=5', "'=5", "' =5"])
    good(await app.call('POST', 'customers', { customerId: `${name}x`, firstName: name, lastName: 'a\rb' }))
  const profile = good(await app.call('GET', 'payment-profiles'))[0].paymentProfileName
  const consent = { consentTime: '2025-01-02T03:04:05Z', consentText: 'Terms\r\nof 2025' }
  await importFile(
    tender.service,
    app,
    csvFile([
      { kind: 'customer', customerId: 'c-2', isBlocked: 'true', createdTime: '2020-01-01T00:00:00Z' },
      ...['a', 'b'].map((name) => ({
        ...{ kind: 'payment-method', customerId: 'c-2', paymentProfile: profile, ...consent },
        token: `met_test_visa_${name}`,
      })),
      {
        ...{ kind: 'payment', customerId: 'c-2', referenceId: 'old-1', time: '2021-01-01T00:00:00Z' },
        ...{ amount: '12', currency: 'JPY', outcome: 'paid' },
      },
    ]),
  )
}

it('export, empty installation, import gives the same bytes; the key is not kept', async () => {
  const { sandbox: first } = await tender.newMerchant()
  await fill(first)
  const file = await everything(first)
  expect(await everything(first)).toBe(file)
  const kinds = file.split('\r\n').map((line) => line.split(',')[0])
  expect(kinds.filter((kind) => kind === 'payment-method')).toHaveLength(3)
  expect(kinds.filter((kind) => kind === 'payment')).toHaveLength(3)
  expect(file).toContain("'=1+1")
  expect(file).not.toContain('met_')

  // An installation of its own has another secret; the bank knows only its own tokens, and test tokens.
  const second = (await tender.newMerchant()).sandbox
  const own = file.split('\r\n').find((line) => line.startsWith('payment-method,c-1')) ?? ''
  const visible = file.replace(`${own}\r\n`, '')
  const wrongKey = { headers: { 'sealing-key': OTHER_KEY } }
  const refused = await importFile(tender.service, second, visible, { query: '?isDryRun=true', ...wrongKey })
  expect(refused.problems.map(({ code }: Answer) => code)).toEqual(['sealed', 'sealed'])
  const done = await importFile(tender.service, second, visible, { headers: { 'sealing-key': KEY } })
  expect(done).toMatchObject({ wrong: 0, unchanged: 0 })
  expect(await everything(second)).toBe(visible)
  expect(good(await second.call('GET', "customers/'-5x"))).toMatchObject({ firstName: "'-5" })
  const again = await importFile(tender.service, second, visible, { headers: { 'sealing-key': KEY } })
  expect(again).toMatchObject({ added: 0, wrong: 0 })

  const specs = await tender.service.ctx.db.query<{ spec: object }>({
    name: 'test.specs',
    text: `select spec from exports where kind = 'everything'`,
  })
  expect(specs.length).toBeGreaterThan(0)
  expect(JSON.stringify(specs)).not.toContain('sealingKey')
})

it('a card that was stored at two profiles on two days has one consent, also after its import', async () => {
  const key = { headers: { 'sealing-key': KEY } }
  const [{ sandbox: first }, { sandbox: second }] = [await tender.newMerchant(), await tender.newMerchant()]
  for (const app of [first, second]) good(await app.call('POST', 'payment-profiles', SECOND))
  const names = ['Sandbox cards', 'Second']
  const line = (paymentProfile: string) => ({
    ...{ kind: 'payment-method', customerId: 'c-1', paymentProfile, token: 'met_test_visa_two' },
    ...{ consentTime: '2025-01-02T03:04:05Z', consentText: 'Terms' },
  })
  const lines = names.map(line)
  expect(await importFile(tender.service, first, csvFile(lines))).toMatchObject({ added: 2, wrong: 0 })
  expect(good(await first.call('GET', 'customers/c-1/payment-methods'))).toHaveLength(1)
  const { db } = tender.service.ctx
  // As payments store a card: without a text, each registration at its own time.
  for (const [name, text] of [
    [
      'test.no_consent',
      'update payment_methods set consent_time = null, consent_text = null where app_id = $1',
    ],
    [
      'test.spread',
      `update payment_method_tokens set created_time = created_time - token_id * interval '1 hour'
       where app_id = $1`,
    ],
  ] as const)
    await db.query({ name, text }, [first.appId])
  const file = await everything(first)
  expect(await importFile(tender.service, second, file, key)).toMatchObject({ added: 3, wrong: 0 })
  expect(await everything(second)).toBe(file)
})

it('tokens need a key of the merchant', async () => {
  const { sandbox: app } = await tender.newMerchant()
  for (const sealingKey of [undefined, '', 'short', KEY.slice(1)])
    expect((await app.call('POST', 'exports', { kind: 'everything', sealingKey })).status).toBe(400)
  expect((await app.call('POST', 'export-schedules', { kind: 'everything', every: 'day' })).status).toBe(400)
})

it('the program of the guide opens a token, and refuses one that was given to another customer', () => {
  const guide = readFileSync('docs/guides/moving-in.md', 'utf8')
  const [, program = ''] = /```python\n(.+?)```/s.exec(guide) ?? []
  const token = `cus_1/${newReference()}/ü`
  const sealed = sealToken(Buffer.from(KEY, 'hex'), 'c-1', token)
  const open = (customerId: string) =>
    execFileSync('python3', ['-c', program, KEY, customerId, sealed], {
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim()
  expect(open('c-1')).toBe(token)
  expect(() => open('c-2')).toThrow()
})
