import { beforeEach, expect, it } from 'vitest'
import { createFakeClock, type FakeClock } from '../../../../test/support/clock.ts'
import { WEBHOOKS } from '../../schedule.ts'
import { Permit } from './permit.ts'

const SLOTS = 2
let clock: FakeClock
let permit: Permit
let turns: string[]
beforeEach(() => {
  clock = createFakeClock()
  permit = new Permit({ appId: 'app', endpoint: '' }, clock)
  turns = []
})

const granted = { ask: async () => SLOTS, onError: () => {} }

async function grant(): Promise<void> {
  permit.expects(granted)
  await ticks()
}

const ticks = () => new Promise((resolve) => setImmediate(resolve))

const take = (name: string) => permit.take((hasSlot) => turns.push(`${name}: ${hasSlot ? 'slot' : 'none'}`))

it('is asked for in the background while it is used, and not at the first use after a pause', async () => {
  let asks = 0
  const ask = async () => {
    asks++
    return SLOTS
  }
  const asking = { ...granted, ask }
  const use = async () => {
    const isExpected = permit.expects(asking)
    await ticks()
    return [isExpected, asks]
  }
  expect(await use()).toEqual([false, 1])
  expect(await use()).toEqual([true, 1])
  clock.advance(WEBHOOKS.permitMs)
  expect(await use()).toEqual([false, 1])
  expect(await use()).toEqual([false, 2])
  expect(await use()).toEqual([true, 2])
})

it('gives a slot that becomes free to the next in line', async () => {
  await grant()
  for (const name of ['first', 'second', 'third', 'fourth']) take(name)
  expect(turns).toEqual(['first: slot', 'second: slot'])
  permit.free()
  expect(turns.slice(2)).toEqual(['third: slot'])
})

it('sends those away that have waited for too long', async () => {
  await grant()
  for (const name of ['first', 'second', 'third']) take(name)
  clock.advance(WEBHOOKS.lineMs / 2)
  take('fourth')
  clock.advance(WEBHOOKS.lineMs / 2)
  await ticks()
  expect(turns.slice(2)).toEqual(['third: none'])
  clock.advance(WEBHOOKS.lineMs / 2)
  await ticks()
  expect(turns.slice(2)).toEqual(['third: none', 'fourth: none'])
})

it('sends everyone away when no slot is in use that could become free', async () => {
  await grant()
  clock.advance(WEBHOOKS.permitMs)
  take('late')
  expect(turns).toEqual(['late: none'])
})

it('lends half of its free slots until they are taken back', async () => {
  await grant()
  expect(permit.lend()).toBe(1)
  for (const name of ['first', 'second']) take(name)
  expect(turns).toEqual(['first: slot'])
  permit.takeBack()
  expect(turns).toEqual(['first: slot', 'second: slot'])
})
