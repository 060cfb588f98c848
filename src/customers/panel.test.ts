import { beforeAll, expect, it } from 'vitest'
import { apiWorld } from '../../test/support/api.ts'
import { HOUR } from '../base/clock.ts'
import { verifyPanelToken } from './panel.ts'
import { customerRoutes } from './routes.ts'

const world = apiWorld(customerRoutes)

const ask = (method: string, path: string, body?: unknown, app = world.sandbox) =>
  world.api.ask(method, `/api/apps/${app.appId}/customers${path}`, {
    key: app.apiKey,
    ...(body === undefined ? {} : { body }),
  })

beforeAll(() => ask('POST', '', { customerId: 'panel' }))

it('panel links are a JSON string: a signed address with customer, scope and the way back', async () => {
  const query = 'returnUrl=https%3A%2F%2Fshop.example%2Fme%3Fa%3D1&customerPanelLinkAccessType=CreditCard'
  const { status, json, headers } = await ask('GET', `/panel/panel-link?${query}`)
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

it('panel links open a page that names the merchant, for one hour', async () => {
  const { json } = await ask('GET', '/panel/panel-link')
  const open = (url: string) => world.api.ask('GET', new URL(url).pathname)
  const page = await open(json)
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.text).toContain('Corner Bookshop (sandbox)')
  world.ctx.clock.advance(HOUR - 1)
  expect((await open(json)).status).toBe(200)
  world.ctx.clock.advance(1)
  const expired = await open(json)
  expect([expired.status, expired.headers['content-type']]).toEqual([401, 'text/html; charset=utf-8'])
})

it('panel links are refused when anything about them was changed', async () => {
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
    expect((await world.api.ask('GET', `/p/${bad}`)).status).toBe(401)
})

it('panel links carry the longest addresses', async () => {
  const url = encodeURIComponent(`https://shop.example/${'x'.repeat(2027)}`)
  const { json, status } = await ask(
    'GET',
    `/panel/panel-link?returnUrl=${url}&unauthorizedRedirectUrl=${url}`,
  )
  expect(status).toBe(200)
  expect((await world.api.ask('GET', new URL(json).pathname)).status).toBe(200)
})

it('panel links need a known customer and good parameters', async () => {
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
