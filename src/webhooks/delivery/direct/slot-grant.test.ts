import { beforeEach, expect, it } from 'vitest'
import { createFakeClock, type FakeClock } from '../../../../test/support/clock.ts'
import { WEBHOOKS } from '../../schedule.ts'
import { SlotGrant } from './slot-grant.ts'

const SLOTS = 2
let clock: FakeClock
let grant: SlotGrant
let turns: string[]
beforeEach(() => {
  clock = createFakeClock()
  grant = new SlotGrant({ appId: 'app', endpoint: '' }, clock)
  turns = []
})

const granted = { request: async () => SLOTS, onError: () => {} }

async function obtain(): Promise<void> {
  grant.expectsSlot(granted)
  await ticks()
}

const ticks = () => new Promise((resolve) => setImmediate(resolve))

const take = (name: string) =>
  grant.takeSlot((hasSlot) => turns.push(`${name}: ${hasSlot ? 'slot' : 'none'}`))

it('is requested in the background while it is used, and not at the first use after a pause', async () => {
  let requests = 0
  const request = async () => {
    requests++
    return SLOTS
  }
  const requester = { ...granted, request }
  const use = async () => {
    const isExpected = grant.expectsSlot(requester)
    await ticks()
    return [isExpected, requests]
  }
  expect(await use()).toEqual([false, 1])
  expect(await use()).toEqual([true, 1])
  clock.advance(WEBHOOKS.grantMs)
  expect(await use()).toEqual([false, 1])
  expect(await use()).toEqual([false, 2])
  expect(await use()).toEqual([true, 2])
})

it('gives a slot that becomes free to the next in the queue', async () => {
  await obtain()
  for (const name of ['first', 'second', 'third', 'fourth']) take(name)
  expect(turns).toEqual(['first: slot', 'second: slot'])
  grant.freeSlot()
  expect(turns.slice(2)).toEqual(['third: slot'])
})

it('refuses those that have waited for too long', async () => {
  await obtain()
  for (const name of ['first', 'second', 'third']) take(name)
  clock.advance(WEBHOOKS.slotWaitMs / 2)
  take('fourth')
  clock.advance(WEBHOOKS.slotWaitMs / 2)
  await ticks()
  expect(turns.slice(2)).toEqual(['third: none'])
  clock.advance(WEBHOOKS.slotWaitMs / 2)
  await ticks()
  expect(turns.slice(2)).toEqual(['third: none', 'fourth: none'])
})

it('refuses all when no slot is in use that could become free', async () => {
  await obtain()
  clock.advance(WEBHOOKS.grantMs)
  take('late')
  expect(turns).toEqual(['late: none'])
})

it('lends half of its free slots until the loan ends', async () => {
  await obtain()
  expect(grant.lendFree()).toBe(1)
  for (const name of ['first', 'second']) take(name)
  expect(turns).toEqual(['first: slot'])
  grant.endLoan()
  expect(turns).toEqual(['first: slot', 'second: slot'])
})
