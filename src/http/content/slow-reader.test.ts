import { Readable } from 'node:stream'
import { request } from 'undici'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFakeClock } from '../../../test/support/clock.ts'
import { common, guard, log } from '../../../test/support/things.ts'
import { systemRandom } from '../../base/ids.ts'
import { LIMITS } from '../../base/limits.ts'
import { route } from '../route.ts'
import { createServer, type Server } from '../server.ts'

const clock = createFakeClock()
let server: Server
let origin: string
/** Each test decides when its answer has its next part, and when it ends. */
let parts: AsyncGenerator<string>

beforeAll(async () => {
  server = createServer({
    ...{ clock, random: systemRandom, log, version: '1', publicUrl: 'http://localhost' },
    guards: { app: guard, person: guard, operator: guard, license: guard },
    ready: async () => undefined,
  })
  const read = { ...common, auth: 'none', method: 'GET' } as const
  const handler = async () => Readable.from(parts, { objectMode: false })
  server.add([
    route({ ...read, path: '/list', list: true, handler }),
    route({ ...read, path: '/export', list: 'export', handler }),
  ])
  origin = `http://127.0.0.1:${await server.listen({ host: '127.0.0.1', port: 0 })}`
})
afterAll(() => server.close())

const MINUTES = 5

/** Reads an answer whose parts come a minute apart, and returns how many came before it was cut off. */
async function partsRead(path: string): Promise<number> {
  let next = () => {}
  parts = (async function* () {
    for (let n = 0; n < MINUTES; n++) {
      yield `part ${n}\n`
      await new Promise<void>((resolve) => {
        next = resolve
      })
    }
  })()
  let read = 0
  try {
    const { body } = await request(origin + path)
    for await (const _part of body) {
      read++
      await turn()
      clock.advance(LIMITS.listSendMs)
      await turn()
      next()
    }
  } catch {
    return read
  }
  return read
}

/** What was waiting has run. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

it('an export goes on for as long as its reader takes it', async () => {
  expect(await partsRead('/export')).toBe(MINUTES)
})

it('a list is cut off after its time', async () => {
  expect(await partsRead('/list')).toBe(1)
})

it('an export whose reader takes nothing is cut off', async () => {
  const isOver = new Promise<void>((resolve) => {
    parts = (async function* () {
      try {
        for (;;) yield 'x'.repeat(1_000_000)
      } finally {
        resolve()
      }
    })()
  })
  const { body } = await request(`${origin}/export`)
  body.on('error', () => {})
  // How much the system buffers for the reader is not known: time passes until nothing more is taken.
  const passing = setInterval(() => clock.advance(LIMITS.listSendMs), 20)
  await isOver
  clearInterval(passing)
})
