import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestContext, testContext } from '../../test/support/context.ts'
import { openApiProblems } from '../../test/support/openapi.ts'
import { ERRORS } from '../base/errors.ts'
import { customerRoutes } from '../customers/routes.ts'
import { merchantRoutes } from '../merchants/routes.ts'
import { operatorRoutes } from '../people/licenses/operator-routes.ts'
import { openApi } from './openapi.ts'
import type { Route } from './route.ts'

let ctx: TestContext
let routes: Route[]

beforeAll(async () => {
  ctx = await testContext()
  routes = [...merchantRoutes(ctx), ...operatorRoutes(ctx), ...customerRoutes(ctx)]
})
afterAll(() => ctx.close())

// biome-ignore lint/suspicious/noExplicitAny: a document of every shape
const document = (): any =>
  JSON.parse(JSON.stringify(openApi(routes, { version: '1.0.0', publicUrl: 'http://x.test' })))

it('passes the lint rules', async () => {
  expect(await openApiProblems(document())).toEqual([])
})

it('describes every route once, without its /v1 alias', () => {
  const { paths } = document()
  for (const route of routes.filter((one) => !one.hidden))
    expect(paths[route.path][route.method.toLowerCase()].summary).toBe(route.summary)
  expect(Object.keys(paths).some((path) => path.startsWith('/api/v1'))).toBe(false)
  expect(paths['/p/{token}']).toBeUndefined()
})

it('describes every error of a route with its problem document', () => {
  const { paths, components } = document()
  const { responses, security } = paths['/api/apps/{appId}/customers'].post
  expect(Object.keys(responses)).toEqual([
    '201',
    '400',
    '401',
    '403',
    '409',
    '413',
    '415',
    '422',
    '429',
    '500',
    '503',
  ])
  expect(Object.keys(responses['409'].content['application/problem+json'].examples)).toContain(
    'customer_exists',
  )
  expect(security).toEqual([{ apiKey: [] }, { session: [] }])
  expect(components.schemas.Problem.properties.code.enum).toEqual(Object.keys(ERRORS))
})

it('keeps internal keywords out of the schemas', () => {
  expect(JSON.stringify(document())).not.toMatch(/"expected"|"~/)
})
