import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import { createDatabase } from '../support/database.ts'
import { startTestService, type TestApp, type TestService } from '../support/tender.ts'

/** No bucket fills while time stands still, however long the test takes; whoever sleeps still wakes. */
const startTime = new Date()
const standing: Clock = { now: () => startTime, sleep: systemClock.sleep }

let nodes: readonly [TestService, TestService]
beforeAll(async () => {
  const databaseUrl = await createDatabase(inject('databaseUrl'), 'cluster_limits', 'template')
  const node = () => startTestService('limits', { databaseUrl, clock: standing })
  nodes = [await node(), await node()]
  const app = nodes[0].sandbox
  // Until they have heard of each other they need not tell.
  for (let taken = 1; (await remaining(nodes[1], app)) === 400 - taken; taken++)
    await remaining(nodes[0], app)
})
afterAll(() => Promise.all(nodes.map((node) => node.stop())))

/** Asks this node for an app, whichever node made it. */
const ask = ({ url }: TestService, { appId, apiKey }: TestApp) =>
  fetch(`${url}/api/apps/${appId}`, { headers: { authorization: `Bearer ${apiKey}` } })

/** What the key has left there, after this one. */
async function remaining(node: TestService, app: TestApp): Promise<number> {
  const { headers } = await ask(node, app)
  return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
}

const tryForm = async ({ url }: TestService) =>
  (await fetch(`${url}/c/nobody/cancel`, { method: 'POST', headers: { origin: url } })).status

describe('nodes on one database', () => {
  it('give a key together what one would give', async () => {
    const [first, second] = nodes
    const { sandbox, live } = await first.newMerchant()
    const replies = await Promise.all(Array.from({ length: 300 }, () => ask(first, sandbox)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    let taken = 1
    for (; taken < 200 && (await remaining(second, sandbox)) > 100 - taken; taken++)
      await systemClock.sleep(50)
    while ((await ask(second, sandbox)).status === 200) taken++
    expect(taken).toBe(100)
    expect(await remaining(second, live)).toBe(399)
  })

  it('give an address together what one would give', async () => {
    const [first, second] = nodes
    const givenBy = async (node: TestService, pauseMs: number): Promise<number> => {
      let given = 0
      for (; (await tryForm(node)) !== 429; given++) await systemClock.sleep(pauseMs)
      return given
    }
    expect(await givenBy(first, 0)).toBe(60)
    expect(await givenBy(second, 50)).toBeLessThan(60)
  })
})
