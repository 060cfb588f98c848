import { beforeAll, expect, it } from 'vitest'
import { apiWorld } from '../../test/support/api.ts'
import { HOUR } from '../base/clock.ts'
import { verifyPanelToken } from './panel.ts'
import { customerRoutes } from './routes.ts'

const world = apiWorld(customerRoutes)

const request = (method: string, path: string, body?: unknown, app = world.sandbox) =>
  world.api.ask(method, `/api/apps/${app.appId}/customers${path}`, {
    key: app.apiKey,
    ...(body === undefined ? {} : { body }),
  })

beforeAll(() => request('POST', '', { customerId: 'panel' }))

it('a panel link is a JSON string: a signed URL with customer, scope and return URL', async () => {
  const query = 'returnUrl=https%3A%2F%2Fshop.example%2Fme%3Fa%3D1&customerPanelLinkAccessType=CreditCard'
  const { status, json, headers } = await request('GET', `/panel/panel-link?${query}`)
  expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  expect(json).toMatch(/^http:\/\/tender\.test\/p\/[\w-]+\.[\w-]+$/)
  const verified = await verifyPanelToken(world.ctx, json.split('/p/')[1])
  expect(verified?.app.appId).toBe(world.sandbox.appId)
  expect(verified?.grant).toEqual({
    customerId: 'panel',
    scope: 'CreditCard',
    returnUrl: 'https://shop.example/me?a=1',
  })
})

const tokenOf = (link: string): string => link.split('/p/')[1] ?? ''

it('panel links are valid for one hour', async () => {
  const { json } = await request('GET', '/panel/panel-link')
  const hasExpired = async () => (await verifyPanelToken(world.ctx, tokenOf(json)))?.hasExpired
  expect(await hasExpired()).toBe(false)
  world.ctx.clock.advance(HOUR - 1)
  expect(await hasExpired()).toBe(false)
  world.ctx.clock.advance(1)
  expect(await hasExpired()).toBe(true)
})

it('panel links are unique: each opens its own session', async () => {
  const [one, other] = await Promise.all([1, 2].map(() => request('GET', '/panel/panel-link')))
  expect(one?.json).not.toBe(other?.json)
})

it('panel links may be for one task', async () => {
  const { json } = await request('GET', '/panel/panel-link?task=pay&paymentId=10001')
  const verified = await verifyPanelToken(world.ctx, tokenOf(json))
  expect(verified?.grant).toMatchObject({ task: 'pay', targetId: 10001 })
  const { status } = await request('GET', '/panel/panel-link?task=dance')
  expect(status).toBe(400)
})

it('panel links are refused after any change to them', async () => {
  const { json } = await request('GET', '/panel/panel-link')
  const token = tokenOf(json)
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
    expect(await verifyPanelToken(world.ctx, bad)).toBeUndefined()
})

it('panel links can hold URLs of the maximum length', async () => {
  const url = encodeURIComponent(`https://shop.example/${'x'.repeat(2027)}`)
  const { json, status } = await request(
    'GET',
    `/panel/panel-link?returnUrl=${url}&unauthorizedRedirectUrl=${url}`,
  )
  expect(status).toBe(200)
  const verified = await verifyPanelToken(world.ctx, tokenOf(json))
  expect(verified?.grant.returnUrl).toBe(decodeURIComponent(url))
})

it('panel links need a known customer and valid parameters', async () => {
  expect((await request('GET', '/nobody/panel-link')).status).toBe(404)
  for (const query of [
    'returnUrl=shop',
    'unauthorizedRedirectUrl=https://a:b@c.d',
    'customerPanelLinkAccessType=Cash',
  ])
    expect((await request('GET', `/panel/panel-link?${query}`)).json).toMatchObject({
      status: 400,
      errors: [{ field: query.split('=')[0] }],
    })
})
