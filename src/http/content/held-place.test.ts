import { once } from 'node:events'
import { request as send } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFakeClock } from '../../../test/support/clock.ts'
import { common, guard, log } from '../../../test/support/things.ts'
import { systemRandom } from '../../base/ids.ts'
import { LIMITS } from '../../base/limits.ts'
import { type Call, route } from '../route.ts'
import { createServer, type Server } from '../server.ts'

let server: Server
let port: number
/** Requests in progress, in the order in which they began. */
let working: { readonly call: Call; readonly end: () => void }[] = []
let most = 0

beforeAll(async () => {
  server = createServer({
    ...{ clock: createFakeClock(), random: systemRandom, log, version: '1' },
    publicUrl: 'http://localhost',
    guards: { app: guard, person: guard, operator: guard, license: guard },
    ready: async () => undefined,
  })
  const handler = (_caller: unknown, call: Call) =>
    new Promise<string>((resolve) => {
      const one = { call, end: () => resolve('done') }
      working.push(one)
      most = Math.max(most, working.length)
    })
  const open = { ...common, auth: 'none', handler } as const
  server.add([
    route({ ...open, method: 'POST', path: '/file', rawBody: true, bodyBytes: 2 * LIMITS.bodyBytes }),
    route({ ...open, method: 'GET', path: '/list', list: true }),
  ])
  port = await server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

const ROUTES = [
  ['POST', '/file', Buffer.alloc(LIMITS.bodyBytes + 1), 1],
  ['GET', '/list', undefined, LIMITS.listsAtOnce],
] as const

it.each(ROUTES)('%s %s: who disconnects has its place until the work ends', async (...given) => {
  const [method, path, body, places] = given
  working = []
  most = 0
  const begin = () =>
    send({ host: '127.0.0.1', port, method, path })
      .on('error', () => {})
      .end(body)
  const clients = Array.from({ length: places }, begin)
  await expect.poll(() => working.length, { timeout: 20_000 }).toBe(places)
  const closed = working.map(({ call }) => once(call.reply.raw, 'close'))
  for (const client of clients) client.destroy()
  await Promise.all(closed)

  const next = begin()
  const answered = once(next, 'response')
  // Long enough for a request that finds a place; the time changes nothing where there is none.
  for (let turns = 0; turns < 200; turns++) await new Promise((resolve) => setTimeout(resolve, 1))
  expect(most).toBe(places)
  working.shift()?.end()
  await expect.poll(() => working.length, { timeout: 20_000 }).toBe(places)
  for (const one of working) one.end()
  const [response] = await answered
  expect(response.statusCode).toBe(200)
  response.resume()
})
