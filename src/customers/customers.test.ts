import { expect, it } from 'vitest'
import { apiWorld, testPolicy } from '../../test/support/api.ts'
import { customerRoutes } from './routes.ts'

const world = apiWorld(customerRoutes)

const request = (method: string, path: string, body?: unknown, app = world.sandbox) =>
  world.api.ask(method, `/api/apps/${app.appId}/customers${path}`, {
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

it('creating a customer answers 201 with the customer', async () => {
  await testPolicy(world.ctx, world.sandbox.appId, 12)
  const reply = await request('POST', '', { ...ada, unknown: { x: 1 } })
  expect(reply.status).toBe(201)
  expect(reply.json).toEqual({
    ...ada,
    fraudPolicyId: 12,
    isBlocked: false,
    createdTime: '2026-01-01T00:00:00.000Z',
    erasedTime: null,
    app: {
      appId: world.sandbox.appId,
      friendlyName: 'Corner Bookshop (sandbox)',
      isSandbox: true,
      isBlocked: false,
      createdTime: '2026-01-01T00:00:00.000Z',
    },
  })
  expect((await request('GET', '/ada-1')).json).toEqual(reply.json)
})

it('a customer is pinned to fraud policies of the app only: another id is 422', async () => {
  await testPolicy(world.ctx, world.live.appId, 13)
  for (const fraudPolicyId of [13, 999]) {
    const created = await request('POST', '', { customerId: 'pinned', fraudPolicyId })
    expect(created.json).toMatchObject({ status: 422, code: 'unknown_fraud_policy' })
    const changed = await request('PATCH', '/ada-1', { fraudPolicyId })
    expect(changed.json).toMatchObject({ status: 422, code: 'unknown_fraud_policy' })
  }
  expect((await request('GET', '/ada-1')).json.fraudPolicyId).toBe(12)
})

it('creating a customer needs only the id; null and empty members are absent', async () => {
  const reply = await request('POST', '', {
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

it('creating a customer answers 409 to a known id and changes nothing', async () => {
  const again = await request('POST', '', { customerId: 'ada-1', firstName: 'Other' })
  expect(again.json).toMatchObject({ status: 409, code: 'customer_exists' })
  expect((await request('GET', '/ada-1')).json.firstName).toBe('Ada')
  expect((await request('POST', '', { customerId: 'ada-1' }, world.live)).status).toBe(201)
})

it('creating a customer lists every bad field', async () => {
  const reply = await request('POST', '', {
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
  expect((await request('POST', '')).json.errors).toEqual([
    { field: 'customerId', message: 'customerId is required.' },
  ])
  expect((await request('POST', '', { customerId: 'x'.repeat(201) })).status).toBe(400)
  expect((await request('POST', '', { customerId: '5555555555554444' })).status).toBe(422)
})

it('creating a customer stores ids unchanged, with any characters', async () => {
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
    expect((await request('POST', '', { customerId })).status).toBe(201)
    const read = await request('GET', `/${encodeURIComponent(customerId)}`)
    expect([read.status, read.json.customerId]).toEqual([200, customerId])
  }
})

it("reading a customer answers 404 to an unknown id and to another app's, with the same body", async () => {
  await request('POST', '', { customerId: 'live only' }, world.live)
  const strip = ({ requestId: _, ...rest }: Record<string, unknown>) => rest
  const foreign = await request('GET', '/live%20only')
  const unknown = await request('GET', '/nobody')
  expect([foreign.status, strip(foreign.json)]).toEqual([404, strip(unknown.json)])
})

it('changing a customer accepts plain and wrapped members; absent and null change nothing', async () => {
  await request('POST', '', { ...ada, customerId: 'p1' })
  const plain = await request('PATCH', '/p1', { firstName: 'Augusta', email: null, isBlocked: true })
  expect(plain.status).toBe(200)
  expect(plain.json).toMatchObject({
    firstName: 'Augusta',
    lastName: 'Lovelace',
    email: 'ada@shop.example',
    isBlocked: true,
    app: { isBlocked: true },
  })
  const wrapped = await request('PATCH', '/p1', {
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
  expect((await request('PATCH', '/p1', {})).json).toEqual(wrapped.json)
  expect((await request('PATCH', '/p1')).json).toEqual(wrapped.json)
})

it('changing a customer accepts the phone number under each of its names', async () => {
  await request('POST', '', { customerId: 'p2' })
  for (const [field, value] of Object.entries({
    mobileNumber: '1',
    mobile: '2',
    phoneNumber: { value: '3' },
  })) {
    const expected = typeof value === 'string' ? value : value.value
    expect((await request('PATCH', '/p2', { [field]: value })).json.mobileNumber).toBe(expected)
  }
  expect((await request('PATCH', '/p2', { mobile: { value: null } })).json.mobileNumber).toBeNull()
})

it('changing a customer answers 404 to an unknown customer and names bad fields', async () => {
  expect((await request('PATCH', '/nobody', { firstName: 'x' })).status).toBe(404)
  const bad = await request('PATCH', '/p2', {
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
