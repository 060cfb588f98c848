import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../../../src/base/limits.ts'
import { sql } from '../../../src/db/database.ts'
import { addBlocks, getBlock } from '../../../src/fraud/blocks/commands.ts'
import type { App } from '../../../src/merchants/app.ts'
import { loadApp } from '../../../src/merchants/directory.ts'
import { type Answer, good, startTestService, type TestApp, type TestService } from '../../support/tender.ts'

/** What the block list keeps and tells about people: in the log, after an erasure, and of other apps. */

let tender: TestService
let shop: TestApp
let other: TestApp
beforeAll(async () => {
  tender = await startTestService('e2e_block_list_data')
})
afterAll(() => tender?.stop())
beforeEach(async () => {
  shop = (await tender.newMerchant()).sandbox
  other = (await tender.newMerchant()).sandbox
})

const appOf = async ({ appId }: TestApp): Promise<App> => {
  const app = await loadApp(tender.service.ctx, appId)
  if (!app) throw new Error('no app')
  return app
}
const list = async (of = shop): Promise<Answer[]> => good(await of.call('GET', 'block-list'))
const put = (kind: string, value: string, more: object = {}, of = shop) =>
  of.call('POST', 'block-list', { kind, value, reason: 'Pat Doe', ...more })
const add = async (kind: string, value: string, more: object = {}, of = shop) =>
  good(await put(kind, value, more, of))

interface Logged {
  readonly action: string
  readonly before: object | null
  readonly after: object | null
}
const LOG = sql<Logged>(
  'test.block_log',
  `select action, before, after from audit_log
   where app_id = $1 and target like 'block:%' order by entry_id`,
)

const VALUES = [
  ['Card', 'visa 4242 12/2030', null],
  ['Address', '203.0.113.77', null],
  ['Email', 'pat@shop.example', 'p•••@shop.example'],
  ['EmailDomain', 'mail.example', 'mail.example'],
  ['Customer', 'cust-9', 'cust-9'],
  ['Country', 'FR', 'FR'],
] as const

describe('the log, which is not erased with a customer,', () => {
  it.each(VALUES)('names an entry of the kind %s with the value %s as %s', async (kind, value, named) => {
    const { entryId } = await add(kind, value)
    good(await shop.call('DELETE', `block-list/${entryId}`))
    const shown = { kind, ...(named !== null && { value: named }) }
    const logged = await tender.service.ctx.db.query(LOG, [shop.appId])
    expect(logged).toEqual([
      { action: 'block.added', before: null, after: shown },
      { action: 'block.removed', before: shown, after: null },
    ])
  })
})

const FILL = sql<never>(
  'test.fill_blocks',
  `insert into block_entries (app_id, kind, match_key, value, created_time)
   select $1, 'Customer', 'c' || n, 'c' || n, now() from generate_series(1, $2) n`,
)

it('a full list takes no further entry, and still changes those that it has', async () => {
  await tender.service.ctx.db.query(FILL, [shop.appId, LIMITS.blockEntries - 1])
  const app = await appOf(shop)
  const wanted = ['one', 'two'].map((value) => ({ kind: 'Customer' as const, value, field: value }))
  await expect(addBlocks(tender.service.ctx, app, wanted, {})).rejects.toMatchObject({
    code: 'invalid_request',
    extras: { errors: [{ field: 'value' }] },
  })
  const { entryId } = await add('Customer', 'last')
  const refused = await put('Country', 'FR')
  expect([refused.status, refused.body.errors[0].message]).toEqual([
    400,
    expect.stringContaining(String(LIMITS.blockEntries)),
  ])
  expect(await add('Customer', 'last', { reason: 'New' })).toMatchObject({ entryId, reason: 'New' })
  // The list of another app has its own length.
  await add('Country', 'FR', {}, other)
  good(await shop.call('DELETE', `block-list/${entryId}`))
  await add('Country', 'FR')
})

describe('the erasure of a customer', () => {
  const customer = { customerId: 'pat', email: 'Pat@Shop.example' }
  beforeEach(async () => {
    for (const of of [shop, other]) {
      good(await of.call('POST', 'customers', customer))
      good(await of.call('POST', 'customers', { customerId: 'kim', email: 'kim@shop.example' }))
    }
  })

  /** Entries that were taken from a payment or a customer. */
  const taken = async (of: TestApp, customerId: string, isAllowed = false) =>
    addBlocks(
      tender.service.ctx,
      await appOf(of),
      [
        {
          kind: 'Card',
          value: customerId === 'pat' ? 'visa 4242 12/2030' : 'visa 1111 1/2031',
          field: 'Card',
        },
        { kind: 'Address', value: customerId === 'pat' ? '203.0.113.7' : '203.0.113.9', field: 'Address' },
      ],
      { isAllowed, reason: 'Pat Doe', source: { paymentId: 7, customerId } },
    )
  const erase = async () => good(await shop.call('POST', 'customers/pat/erase'))
  const known = async (of = shop) =>
    (await list(of)).map(({ kind, value, reason }) => [kind, value, reason]).sort()

  it('leaves what stops payments without value and reason, of this customer and this app alone', async () => {
    for (const of of [shop, other]) {
      await taken(of, 'pat')
      await taken(of, 'kim')
      await add('Email', 'pat@shop.example', {}, of)
      await add('Email', 'kim@shop.example', {}, of)
      const source = { paymentId: 7, customerId: 'pat' }
      const wanted = [{ kind: 'Customer', value: 'pat', field: 'Customer' }] as const
      await addBlocks(tender.service.ctx, await appOf(of), wanted, { reason: 'Pat Doe', source })
    }
    const before = await known(other)
    await erase()
    const kims = [
      ['Address', '203.0.113.9/32', 'Pat Doe'],
      ['Card', 'visa 1111 1/2031', 'Pat Doe'],
      ['Email', 'kim@shop.example', 'Pat Doe'],
    ]
    const left = await known()
    expect(left.filter(([kind, value]) => value !== null && kind !== 'Customer')).toEqual(kims)
    expect(left.filter(([, value]) => value === null)).toEqual([
      ['Address', null, null],
      ['Card', null, null],
      ['Email', null, null],
    ])
    expect(left.filter(([kind]) => kind === 'Customer')).toMatchObject([['Customer', 'pat', 'Pat Doe']])
    expect(await known(other)).toEqual(before)
  })

  it('removes what lets payments through, of this customer and this app alone', async () => {
    const allowed = { isAllowed: true }
    for (const of of [shop, other]) {
      await taken(of, 'pat', true)
      await taken(of, 'kim', true)
      await add('Email', 'pat@shop.example', allowed, of)
      await add('Email', 'kim@shop.example', allowed, of)
      await add('Customer', 'pat', allowed, of)
      await add('Customer', 'kim', allowed, of)
    }
    const before = await known(other)
    expect(before).toHaveLength(8)
    await erase()
    expect((await known()).map(([, value]) => value)).toEqual([
      ...['203.0.113.9/32', 'visa 1111 1/2031', 'kim', 'kim@shop.example'],
    ])
    expect(await known(other)).toEqual(before)
  })
})

it('an entry is found, removed and met by its own app alone', async () => {
  const { entryId } = await add('Country', 'FR')
  const { ctx } = tender.service
  await expect(getBlock(ctx, await appOf(other), entryId)).rejects.toMatchObject({ code: 'not_found' })
  expect((await other.call('DELETE', `block-list/${entryId}`)).status).toBe(404)
  expect(await getBlock(ctx, await appOf(shop), entryId)).toMatchObject({ entryId, value: 'FR' })
  // The other app has an entry of the same kind, so its payments are looked up.
  await add('Country', 'DE', {}, other)
  const address = { countryCode: 'FR' }
  const order = { customerOrder: { customer: { customerId: 'jo', address } } }
  const pay = async (of: TestApp) => good(await of.pay((await of.create(order)).paymentId)).paymentState
  expect([await pay(other), await pay(shop)]).toEqual(['Captured', 'Failed'])
})
