import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApi, testApi, testLicense } from '../../test/support/api.ts'
import { type TestContext, testContext } from '../../test/support/context.ts'
import { HOUR } from '../base/clock.ts'
import { verifyPanelToken } from './panel.ts'
import { customerRoutes } from './routes.ts'

let ctx: TestContext
let service: TestApi
let sandbox: Awaited<ReturnType<typeof testLicense>>['sandbox']
let live: Awaited<ReturnType<typeof testLicense>>['live']

beforeAll(async () => {
  ctx = await testContext()
  service = await testApi(ctx, { routes: customerRoutes(ctx) })
  const license = await testLicense(ctx)
  sandbox = license.sandbox
  live = license.live
})
afterAll(async () => {
  await service.close()
  await ctx.close()
})

const ask = (method: string, path: string, body?: unknown, app = sandbox) =>
  service.ask(method, `/api/apps/${app.appId}/customers${path}`, {
    key: app.apiKey,
    ...(body === undefined ? {} : { body }),
  })

const ada = {
  customerId: 'ada-1',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@shop.example',
  mobileNumber: '+44 20 7123 4567',
  fraudPolicyId: '12',
}

describe('creating', () => {
  it('answers 201 with the customer', async () => {
    const reply = await ask('POST', '', { ...ada, unknown: { x: 1 } })
    expect(reply.status).toBe(201)
    expect(reply.json).toEqual({
      ...ada,
      fraudPolicyId: 12,
      isBlocked: false,
      createdTime: '2026-01-01T00:00:00.000Z',
      app: {
        appId: sandbox.appId,
        friendlyName: 'Corner Bookshop (sandbox)',
        isSandbox: true,
        isBlocked: false,
        createdTime: '2026-01-01T00:00:00.000Z',
      },
    })
    expect((await ask('GET', '/ada-1')).json).toEqual(reply.json)
  })

  it('needs only the id; null and empty members are absent, twins of the phone number count', async () => {
    const reply = await ask('POST', '', {
      customerId: 'bare',
      firstName: null,
      email: '',
      phoneNumber: '123',
    })
    expect(reply.json).toMatchObject({
      firstName: null,
      email: null,
      mobileNumber: '123',
      fraudPolicyId: null,
    })
  })

  it('answers 409 to a known id and changes nothing', async () => {
    const again = await ask('POST', '', { customerId: 'ada-1', firstName: 'Other' })
    expect(again.json).toMatchObject({ status: 409, code: 'customer_exists' })
    expect((await ask('GET', '/ada-1')).json.firstName).toBe('Ada')
    expect((await ask('POST', '', { customerId: 'ada-1' }, live)).status).toBe(201)
  })

  it('lists every bad field', async () => {
    const reply = await ask('POST', '', {
      customerId: '',
      firstName: 'x'.repeat(201),
      email: 5,
      mobileNumber: 'x'.repeat(51),
      fraudPolicyId: 'abc',
    })
    expect(reply.status).toBe(400)
    expect(reply.json.errors.map((error: { field: string }) => error.field).sort()).toEqual([
      'customerId',
      'email',
      'firstName',
      'fraudPolicyId',
      'mobileNumber',
    ])
    expect((await ask('POST', '')).json.errors).toEqual([{ field: 'customerId', message: 'is required' }])
    expect((await ask('POST', '', { customerId: 'x'.repeat(201) })).status).toBe(400)
    expect((await ask('POST', '', { customerId: '5555555555554444' })).status).toBe(422)
  })

  it('keeps ids exactly as they are, whatever characters they have', async () => {
    for (const customerId of [
      'a/b',
      'A/B',
      ' a',
      '100%',
      '👍'.repeat(200),
      "o'neil",
      'a:b?c#d&e=f+g',
      'panel-link',
    ]) {
      expect((await ask('POST', '', { customerId })).status).toBe(201)
      const read = await ask('GET', `/${encodeURIComponent(customerId)}`)
      expect([read.status, read.json.customerId]).toEqual([200, customerId])
    }
  })
})

describe('reading', () => {
  it("answers 404 to an unknown id and to another app's, with the same body", async () => {
    await ask('POST', '', { customerId: 'live only' }, live)
    const strip = ({ requestId: _, ...rest }: Record<string, unknown>) => rest
    const foreign = await ask('GET', '/live%20only')
    const unknown = await ask('GET', '/nobody')
    expect([foreign.status, strip(foreign.json)]).toEqual([404, strip(unknown.json)])
  })
})

describe('changing', () => {
  it('takes plain and wrapped members; absent and bare null leave things as they are', async () => {
    await ask('POST', '', { ...ada, customerId: 'p1' })
    const plain = await ask('PATCH', '/p1', { firstName: 'Augusta', email: null, isBlocked: true })
    expect(plain.status).toBe(200)
    expect(plain.json).toMatchObject({
      firstName: 'Augusta',
      lastName: 'Lovelace',
      email: 'ada@shop.example',
      isBlocked: true,
      app: { isBlocked: true },
    })
    const wrapped = await ask('PATCH', '/p1', {
      firstName: { value: 'Ada' },
      email: { value: null },
      lastName: {},
      fraudPolicyId: { value: null },
      isBlocked: { value: false },
    })
    expect(wrapped.json).toMatchObject({
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: null,
      fraudPolicyId: null,
      isBlocked: false,
    })
    expect((await ask('PATCH', '/p1', {})).json).toEqual(wrapped.json)
    expect((await ask('PATCH', '/p1')).json).toEqual(wrapped.json)
  })

  it('takes the phone number under each of its names', async () => {
    await ask('POST', '', { customerId: 'p2' })
    for (const [field, value] of Object.entries({
      mobileNumber: '1',
      mobile: '2',
      phoneNumber: { value: '3' },
    })) {
      const expected = typeof value === 'string' ? value : value.value
      expect((await ask('PATCH', '/p2', { [field]: value })).json.mobileNumber).toBe(expected)
    }
    expect((await ask('PATCH', '/p2', { mobile: { value: null } })).json.mobileNumber).toBeNull()
  })

  it('answers 404 to an unknown customer and names bad fields', async () => {
    expect((await ask('PATCH', '/nobody', { firstName: 'x' })).status).toBe(404)
    const bad = await ask('PATCH', '/p2', {
      firstName: { value: 5 },
      isBlocked: 'yes',
      email: { value: 'x'.repeat(255) },
    })
    expect(bad.json.errors.map((error: { field: string }) => error.field).sort()).toEqual([
      'email',
      'firstName',
      'isBlocked',
    ])
  })
})

describe('listing', () => {
  const ids = (reply: { json: { customerId: string }[] }) => reply.json.map(({ customerId }) => customerId)
  const list = (query: string) => ask('GET', query, undefined, listed)
  let listed: typeof sandbox

  beforeAll(async () => {
    listed = (await testLicense(ctx, 'Listed')).sandbox
    const people = [
      { customerId: 'c01', firstName: 'Grace', lastName: 'Hopper', email: 'grace@navy.example' },
      { customerId: 'c02', firstName: 'Ada', lastName: 'Lovelace', mobileNumber: '+4420' },
      { customerId: 'c03', firstName: 'Émilie', lastName: "O'Brien \\ & | ! ( ):*", fraudPolicyId: 7 },
      { customerId: 'C04 with space', firstName: 'ada', lastName: 'Yonath', fraudPolicyId: 0 },
      { customerId: 'c05' },
    ]
    for (const person of people) await ask('POST', '', person, listed)
    await ask('PATCH', '/c05', { isBlocked: true }, listed)
    await ask('POST', '', { customerId: 'c01', firstName: 'Ada' }, live)
  })

  it('gives a bare array in stable order, page by page, with a link to the next', async () => {
    expect(ids(await list(''))).toEqual(['C04 with space', 'c01', 'c02', 'c03', 'c05'])
    const first = await list('?pageSize=2')
    expect(ids(first)).toEqual(['C04 with space', 'c01'])
    const next = /^<(.+)>; rel="next"$/.exec(String(first.headers.link))?.[1] ?? ''
    const second = await service.ask('GET', next.replace('http://tender.test', ''), { key: listed.apiKey })
    expect(ids(second)).toEqual(['c02', 'c03'])
    const last = await list('?pageNumber=3&pageSize=2')
    expect([ids(last), last.headers.link]).toEqual([['c05'], undefined])
    expect(ids(await list('?pageNumber=99'))).toEqual([])
  })

  it('searches the beginning of id, names, e-mail and phone in any case', async () => {
    const search = async (text: string) => ids(await list(`?searchCriteria=${encodeURIComponent(text)}`))
    expect(await search('ADA')).toEqual(['C04 with space', 'c02'])
    expect(await search('ada love')).toEqual(['c02'])
    expect(await search('lovelace ada')).toEqual(['c02'])
    expect(await search('c04 WITH')).toEqual(['C04 with space'])
    expect(await search('émi')).toEqual(['c03'])
    expect(await search('GRACE@navy')).toEqual(['c01'])
    expect(await search('+442')).toEqual(['c02'])
    expect(await search('nobody')).toEqual([])
    expect(await search('  ')).toHaveLength(5)
  })

  it('takes any search text for what it is', async () => {
    const search = async (text: string) => list(`?searchCriteria=${encodeURIComponent(text)}`)
    expect(ids(await search("O'Brien \\ & | ! ( ):*"))).toEqual(['c03'])
    for (const hostile of [
      "'",
      "''",
      '\\',
      "\\'",
      ':*',
      '&',
      '(',
      '!',
      "a':* | 'b",
      '%',
      '_',
      "'; drop table x; --",
    ])
      expect((await search(hostile)).status).toBe(200)
    expect(ids(await search("' | 'c"))).toEqual([])
  })

  it('filters by block and fraud policy, alone and together with a search', async () => {
    expect(ids(await list('?isBlocked=true'))).toEqual(['c05'])
    expect(ids(await list('?isBlocked=false'))).toHaveLength(4)
    expect(ids(await list('?fraudPolicyId=7'))).toEqual(['c03'])
    expect(ids(await list('?fraudPolicyId=0'))).toEqual(['C04 with space'])
    expect(ids(await list('?fraudPolicyId=7&searchCriteria=c0&isBlocked=false'))).toEqual(['c03'])
    expect(ids(await list('?fraudPolicyId=7&isBlocked=true'))).toEqual([])
  })

  it('refuses bad paging, naming the parameter', async () => {
    for (const query of [
      'pageNumber=0',
      'pageNumber=-1',
      'pageNumber=x',
      'pageSize=0',
      'pageSize=501',
      'pageSize=1.5',
      'isBlocked=maybe',
      'fraudPolicyId=x',
      `searchCriteria=${'x'.repeat(201)}`,
    ]) {
      const reply = await list(`?${query}`)
      expect([query, reply.status, reply.json.errors[0].field]).toEqual([query, 400, query.split('=')[0]])
    }
    expect((await list('?pageSize=500')).status).toBe(200)
  })
})

describe('panel links', () => {
  beforeAll(() => ask('POST', '', { customerId: 'panel' }))

  it('are a JSON string: a signed address that names customer, scope and where to go back', async () => {
    const query = 'returnUrl=https%3A%2F%2Fshop.example%2Fme%3Fa%3D1&customerPanelLinkAccessType=CreditCard'
    const { status, json, headers } = await ask('GET', `/panel/panel-link?${query}`)
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    expect(json).toMatch(/^http:\/\/tender\.test\/p\/[\w-]+\.[\w-]+$/)
    const verified = await verifyPanelToken(ctx, json.split('/p/')[1])
    expect(verified?.app.appId).toBe(sandbox.appId)
    expect(verified?.grant).toEqual({
      customerId: 'panel',
      scope: 'CreditCard',
      returnUrl: 'https://shop.example/me?a=1',
    })
  })

  it('open a page that names the merchant, for one hour', async () => {
    const { json } = await ask('GET', '/panel/panel-link')
    const open = (url: string) => service.ask('GET', new URL(url).pathname)
    const page = await open(json)
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).toContain('Corner Bookshop (sandbox)')
    ctx.clock.advance(HOUR - 1)
    expect((await open(json)).status).toBe(200)
    ctx.clock.advance(1)
    const expired = await open(json)
    expect([expired.status, expired.headers['content-type']]).toEqual([401, 'text/html; charset=utf-8'])
  })

  it('are refused when anything about them was changed', async () => {
    const { json } = await ask('GET', '/panel/panel-link')
    const token = json.split('/p/')[1]
    const [payload, mac] = token.split('.')
    const forged = Buffer.from('{"appId":"x","customerId":"y","expiresMs":9e15}').toString('base64url')
    for (const bad of [
      'x',
      `${payload}`,
      `${payload}.`,
      `.${mac}`,
      `${payload}x.${mac}`,
      `${forged}.${mac}`,
      `${token}.x`,
    ])
      expect((await service.ask('GET', `/p/${bad}`)).status).toBe(401)
  })

  it('carry the longest addresses', async () => {
    const url = encodeURIComponent(`https://shop.example/${'x'.repeat(2027)}`)
    const { json, status } = await ask(
      'GET',
      `/panel/panel-link?returnUrl=${url}&unauthorizedRedirectUrl=${url}`,
    )
    expect(status).toBe(200)
    expect((await service.ask('GET', new URL(json).pathname)).status).toBe(200)
  })

  it('need a known customer and good parameters', async () => {
    expect((await ask('GET', '/nobody/panel-link')).status).toBe(404)
    for (const query of [
      'returnUrl=shop',
      'unauthorizedRedirectUrl=https://a:b@c.d',
      'customerPanelLinkAccessType=Cash',
    ])
      expect((await ask('GET', `/panel/panel-link?${query}`)).json).toMatchObject({
        status: 400,
        errors: [{ field: query.split('=')[0] }],
      })
  })
})
