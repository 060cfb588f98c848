import { beforeAll, expect, it } from 'vitest'
import { apiWorld, testLicense, testPolicy } from '../../test/support/api.ts'
import { customerRoutes } from './routes.ts'

const world = apiWorld(customerRoutes)

const request = (method: string, path: string, body?: unknown, app = world.sandbox) =>
  world.api.ask(method, `/api/apps/${app.appId}/customers${path}`, {
    key: app.apiKey,
    ...(body === undefined ? {} : { body }),
  })

const ids = (reply: { json: { customerId: string }[] }) => reply.json.map(({ customerId }) => customerId)
const list = (query: string) => request('GET', query, undefined, listed)
let listed: typeof world.sandbox

beforeAll(async () => {
  listed = (await testLicense(world.ctx, 'Listed')).sandbox
  for (const policyId of [7, 0]) await testPolicy(world.ctx, listed.appId, policyId)
  const people = [
    { customerId: 'c01', firstName: 'Grace', lastName: 'Hopper', email: 'grace@navy.example' },
    { customerId: 'c02', firstName: 'Ada', lastName: 'Lovelace', mobileNumber: '+4420' },
    { customerId: 'c03', firstName: 'Émilie', lastName: "O'Brien \\ & | ! ( ):*", fraudPolicyId: 7 },
    { customerId: 'C04 with space', firstName: 'ada', lastName: 'Yonath', fraudPolicyId: 0 },
    { customerId: 'c05' },
  ]
  for (const person of people) await request('POST', '', person, listed)
  await request('PATCH', '/c05', { isBlocked: true }, listed)
  await request('POST', '', { customerId: 'c01', firstName: 'Ada' }, world.live)
})

it('listing customers returns arrays in stable order, with a link to the next page', async () => {
  expect(ids(await list(''))).toEqual(['C04 with space', 'c01', 'c02', 'c03', 'c05'])
  const first = await list('?pageSize=2')
  expect(ids(first)).toEqual(['C04 with space', 'c01'])
  const next = /^<(.+)>; rel="next"$/.exec(String(first.headers.link))?.[1] ?? ''
  const second = await world.api.ask('GET', next.replace('http://tender.test', ''), {
    key: listed.apiKey,
  })
  expect(ids(second)).toEqual(['c02', 'c03'])
  const last = await list('?pageNumber=3&pageSize=2')
  expect([ids(last), last.headers.link]).toEqual([['c05'], undefined])
  expect(ids(await list('?pageNumber=99'))).toEqual([])
})

it('listing customers searches the beginning of id, names, e-mail and phone in any case', async () => {
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

it('listing customers treats special characters in a search as plain text', async () => {
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

it('listing customers filters by block and fraud policy, alone and together with a search', async () => {
  expect(ids(await list('?isBlocked=true'))).toEqual(['c05'])
  expect(ids(await list('?isBlocked=false'))).toHaveLength(4)
  expect(ids(await list('?fraudPolicyId=7'))).toEqual(['c03'])
  expect(ids(await list('?fraudPolicyId=0'))).toEqual(['C04 with space'])
  expect(ids(await list('?fraudPolicyId=7&searchCriteria=c0&isBlocked=false'))).toEqual(['c03'])
  expect(ids(await list('?fraudPolicyId=7&isBlocked=true'))).toEqual([])
})

it('listing customers refuses bad paging, naming the parameter', async () => {
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
