import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import { createDatabase } from '../support/database.ts'
import { startTestService, type TestApp, type TestService } from '../support/tender.ts'

/** The time is fixed, so no token bucket refills during the test; sleeping still works. */
const startTime = new Date()
const fixedClock: Clock = { now: () => startTime, sleep: systemClock.sleep }

let nodes: readonly [TestService, TestService]
beforeAll(async () => {
  const databaseUrl = await createDatabase(inject('databaseUrl'), 'cluster_limits', 'template')
  const node = () => startTestService('limits', { databaseUrl, clock: fixedClock })
  nodes = [await node(), await node()]
  const app = nodes[0].sandbox
  // Nodes share counts only after they have discovered each other.
  for (let taken = 1; (await remaining(nodes[1], app)) === 400 - taken; taken++)
    await remaining(nodes[0], app)
})
afterAll(() => Promise.all(nodes.map((node) => node.stop())))

/** Reads an app through this node, also if another node created it. */
const readApp = ({ url }: TestService, { appId, apiKey }: TestApp) =>
  fetch(`${url}/api/apps/${appId}`, { headers: { authorization: `Bearer ${apiKey}` } })

/** The remaining quota of the key on this node, after this request. */
async function remaining(node: TestService, app: TestApp): Promise<number> {
  const { headers } = await readApp(node, app)
  return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
}

const postForm = async ({ url }: TestService) =>
  (await fetch(`${url}/c/nobody/cancel`, { method: 'POST', headers: { origin: url } })).status

describe('nodes on one database', () => {
  it('share the rate limit of a key', async () => {
    const [first, second] = nodes
    const { sandbox, live } = await first.newMerchant()
    const replies = await Promise.all(Array.from({ length: 300 }, () => readApp(first, sandbox)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    let taken = 1
    for (; taken < 200 && (await remaining(second, sandbox)) > 100 - taken; taken++)
      await systemClock.sleep(50)
    while ((await readApp(second, sandbox)).status === 200) taken++
    expect(taken).toBe(100)
    expect(await remaining(second, live)).toBe(399)
  })

  it('share the rate limit of an address', async () => {
    const [first, second] = nodes
    const acceptedBy = async (node: TestService, pauseMs: number): Promise<number> => {
      let accepted = 0
      for (; (await postForm(node)) !== 429; accepted++) await systemClock.sleep(pauseMs)
      return accepted
    }
    expect(await acceptedBy(first, 0)).toBe(60)
    expect(await acceptedBy(second, 50)).toBeLessThan(60)
  })
})
