import { afterEach, beforeEach, expect, it } from 'vitest'
import { unfinished } from './adapter/unfinished.ts'
import { type AcornPaySimulator, createAcornPaySimulator } from './simulator.ts'

/** The simulator as the provider documents its API, driven by fetch: the adapter has no part in it. */

const REFERENCE = 'A0000000000000000001'

let simulator: AcornPaySimulator
beforeEach(async () => {
  simulator = await createAcornPaySimulator()
})
afterEach(() => simulator.close())

/** Opens a page over 25.50 EUR with the reference and `more` members. Returns the address of the page. */
async function openPage(_more: object = {}): Promise<string> {
  return unfinished('simulator.test.ts: openPage')
}

const kinds = () =>
  simulator.ledger(REFERENCE).map(({ kind, amountMinor, state }) => `${kind} ${amountMinor} ${state}`)

it('takes the money when the payer pays, and notifies', async () => {
  const page = await openPage()
  await simulator.payer(page, { kind: 'pay' })
  expect(kinds()).toEqual(['sale 2550 done'])
  expect(simulator.takeNotifications()).toHaveLength(1)
  expect(simulator.violations).toEqual([])
})

it('takes nothing when the payer is declined or leaves', async () => {
  await simulator.payer(await openPage(), { kind: 'decline' })
  await simulator.payer(await openPage(), { kind: 'abandon' })
  expect(kinds()).toEqual([])
})

it('refuses a member that the provider does not know', async () => {
  await openPage({ colour: 'red' }).catch((refused: Error) => {
    if (refused.message.includes('not implemented')) throw refused
  })
  expect(simulator.violations).toHaveLength(1)
})
