import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestContext, testContext } from '../test/support/context.ts'
import { composeContext } from './compose.ts'

let ctx: TestContext
beforeAll(async () => {
  ctx = await testContext()
})
afterAll(() => ctx?.close())

it('a node counts what other nodes take from the limits of the API before its own first request', () => {
  const joined: string[] = []
  const join = (name: string) => {
    joined.push(name)
    return () => {}
  }
  composeContext(ctx.config, { ...ctx, sharedLimits: { join, listen: () => () => {} } })
  expect(joined).toEqual(expect.arrayContaining(['key', 'app', 'address']))
})
