import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOG_BATCHES, logLinesIn } from '../../support/log-lines.ts'
import { good, hostedPage, startTestService, type TestService } from '../../support/tender.ts'

let tender: TestService
const lines: string[] = []
const note =
  (level: string) =>
  (event: string, data: unknown): void =>
    void lines.push(`${level} ${event} ${JSON.stringify(data)}`)
const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') }

beforeAll(async () => {
  tender = await startTestService('e2e_cards', { log })
})
afterAll(() => tender?.stop())

const GROUPS = ['5555', '5555', '5555', '4444']
const WRITINGS = [
  ...[
    '',
    ' ',
    '  ',
    '\u00a0',
    '\t',
    '\n',
    '\r\n',
    '.',
    '-',
    ' - ',
    '\u2013',
    '\u2011',
    '\u2212',
    '\u200b',
  ].map((separator) => GROUPS.join(separator)),
  `${'\uff15'.repeat(12)}${'\uff14'.repeat(4)}`,
  'mycardnumberis5555555555554444andmyname',
]

const item = (more: object) => ({ name: 'Mug', amount: 1, quantity: 1, category: 'DigitalGoods', ...more })
const customer = (more: object) => ({ customerOrder: { customer: { customerId: 'dana', ...more } } })
const order = (more: object) => ({ customerOrder: { customer: { customerId: 'dana' }, ...more } })

/** Every text field of a creation request, by path. */
const FIELDS: Readonly<Record<string, (text: string) => object>> = {
  referenceId: (text) => ({ referenceId: text }),
  'customerOrder.customer.customerId': (text) => customer({ customerId: text }),
  'customerOrder.customer.firstName': (text) => customer({ firstName: text }),
  'customerOrder.customer.lastName': (text) => customer({ lastName: text }),
  'customerOrder.customer.email': (text) => customer({ email: text }),
  'customerOrder.customer.phoneNumber': (text) => customer({ phoneNumber: text }),
  'customerOrder.customer.mobileNumber': (text) => customer({ mobileNumber: text }),
  'customerOrder.customer.customId': (text) => customer({ customId: text }),
  'customerOrder.customer.accountCreatedTime': (text) => customer({ accountCreatedTime: text }),
  'customerOrder.customer.address.city': (text) => customer({ address: { city: text } }),
  'customerOrder.orderId': (text) => order({ orderId: text }),
  'customerOrder.description': (text) => order({ description: `Paid by card\n${text}\nThank you` }),
  'customerOrder.items[0].name': (text) => order({ items: [item({ name: text })] }),
  'customerOrder.amount.items[0].description': (text) =>
    order({ amount: { items: [item({ description: text })] } }),
  'customerOrder.amount.items[0].sku': (text) => order({ amount: { items: [item({ sku: text })] } }),
  returnUrl: (text) => ({ returnUrl: `https://shop.example/back?card=${encodeURIComponent(text)}` }),
  webhookUrl: (text) => ({ webhookUrl: `https://shop.example/hook/${encodeURIComponent(text)}` }),
}

describe('a card number is refused', () => {
  it.each(Object.keys(FIELDS))('in %s, in every notation', async (field) => {
    for (const text of WRITINGS) {
      const body = hostedPage(FIELDS[field]?.(text))
      const reply = await tender.sandbox.call('POST', 'payments/hosted-page', body)
      expect([text, reply.status, reply.body.code]).toEqual([text, 422, 'card_number_not_allowed'])
      expect(reply.body.errors[0].field).toBe(field)
    }
  })

  it('nowhere in members that the API does not know: they are ignored', async () => {
    const more = (text: string) => ({ unknownMember: { [text]: text, list: [{ text }] } })
    for (const text of WRITINGS) {
      const customer = { customerId: 'dana', ...more(text), address: { city: 'Ulm', ...more(text) } }
      const order = { customer, items: [item(more(text))], amount: { ...more(text) }, ...more(text) }
      const body = hostedPage({ ...more(text), customerOrder: order })
      const reply = await tender.sandbox.call('POST', 'payments/hosted-page', body)
      expect([text, reply.status]).toEqual([text, 201])
    }
    for (const [path, body] of [
      ['payment-profiles', { provider: 'Sandbox', name: 'x', settings: { own: GROUPS.join('') } }],
      ['fraud-policies', { name: 'x', rules: [], ...more(GROUPS.join(' ')) }],
    ] as const)
      await tender.sandbox.call('POST', path, { ...body, ...more(GROUPS.join('')) })
  })

  it('in queries, paths and headers', async () => {
    const { sandbox: shop } = await tender.newMerchant()
    const { paymentId } = await shop.paid()
    for (const text of WRITINGS) {
      const escaped = encodeURIComponent(text)
      const replies = [
        shop.call('POST', `payments/${paymentId}/refund?description=${escaped}`),
        shop.call('POST', `payments/${paymentId}/mark-as-refund`, { reason: text }),
        shop.call('GET', `customers?searchCriteria=${escaped}`),
        shop.call('GET', `customers/dana/panel-link?returnUrl=https://shop.example/${escaped}`),
        shop.call('GET', `payments/referenceId:${escaped}`),
        shop.call('GET', `customers/${escaped}`),
      ]
      for (const { status, body } of await Promise.all(replies))
        expect([text, status, body.code]).toEqual([text, 422, 'card_number_not_allowed'])
    }
    for (const separator of ['', '.', '-', '_', '/'])
      expect(
        (
          await shop.call('POST', `payments/${paymentId}/refund`, undefined, {
            'idempotency-key': GROUPS.join(separator),
          })
        ).status,
      ).toBe(422)
    for (const separator of ['', '.', '-', '_']) {
      const headers = { 'x-request-id': GROUPS.join(separator) }
      const reply = await shop.call('GET', `payments/${paymentId}`, undefined, headers)
      expect(reply.headers.get('x-request-id')).not.toBe(GROUPS.join(separator))
    }
  })

  it('as a number, with decimals too', async () => {
    for (const amount of [5555555555554444, 4222222222222.5]) {
      const reply = await tender.sandbox.call('POST', 'payments/hosted-page', hostedPage({ amount }))
      expect([reply.status, reply.body.errors[0].field]).toEqual([422, 'amount'])
    }
    expect(
      good(await tender.sandbox.call('POST', 'payments/hosted-page', hostedPage({ amount: 4.2 }))).amount,
    ).toBe(4.2)
  })

  it('without being logged or stored', async () => {
    const tables = await tender.service.ctx.db.query<{ name: string }>(
      {
        name: 'test.tables',
        text: `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
          where table_schema in ('public', 'sandbox_bank')`,
      },
      [],
    )
    expect(tables.length).toBeGreaterThan(10)
    for (const { name } of tables) {
      const text = `select count(*)::int as found from ${name} as row
        where regexp_replace(row::text, '[^0-9]', '', 'g') like '%5555555555554444%'`
      const [row] = await tender.service.ctx.db.query<{ found: number }>({ name: `test.${name}`, text }, [])
      expect([name, row?.found]).toEqual([name, 0])
    }
    const batches = await tender.service.ctx.db.query<{ lines: string }>(
      { name: 'test.lines', text: LOG_BATCHES },
      [],
    )
    expect(logLinesIn(batches).replace(/\D/g, '')).not.toContain('5555555555554444')
    expect(lines.filter((line) => line.replace(/\D/g, '').includes('5555555555554444'))).toEqual([])
  })
})
