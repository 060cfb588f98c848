import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestContext, testContext } from '../../test/support/context.ts'
import { composeServer } from '../app.ts'
import { CONSOLE_PAGES } from './console-pages.ts'

let ctx: TestContext
beforeAll(async () => {
  ctx = await testContext()
})
afterAll(() => ctx?.close())

it('every path is that of a page of the console', async () => {
  const { fastify } = composeServer(ctx, undefined)
  const missing: string[] = []
  fastify.addHook('onRequest', async (request) => {
    if (request.is404) missing.push(request.url)
  })
  const { join, resetPassword, resetSecondFactor, restoreOwner, ...rest } = CONSOLE_PAGES
  const links = [join, resetPassword, resetSecondFactor, restoreOwner].map((path) => `${path}/token`)
  const pages = Object.values(rest).map((page) => (typeof page === 'string' ? page : page('app_x', 1)))
  for (const url of [...links, ...pages, '/console/no-such-page'])
    await fastify.inject({ method: 'GET', url })
  expect(missing).toEqual(['/console/no-such-page'])
})
