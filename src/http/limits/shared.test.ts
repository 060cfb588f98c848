import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createFakeClock } from '../../../test/support/clock.ts'
import { SECOND } from '../../base/clock.ts'
import { systemRandom } from '../../base/ids.ts'
import { silentLog } from '../../base/log.ts'
import { createRateLimiter } from './rate-limit.ts'
import { type Channel, createSharedLimits } from './shared.ts'

const KEY = { name: 'key', perSecond: 1, burst: 10 }
const ADDRESS = { name: 'address', perSecond: 1, burst: 5 }

/** An in-memory channel and the processes that share it. */
function network() {
  const clock = createFakeClock()
  const subscribers = new Set<(message: string) => void>()
  const published: string[] = []
  let isDown = false
  const channel: Channel = {
    async publish(...messages) {
      if (isDown) throw new Error('away')
      for (const message of messages) {
        expect(Buffer.byteLength(message)).toBeLessThan(8_000)
        published.push(message)
        for (const received of subscribers) received(message)
      }
    },
    subscribe(received) {
      subscribers.add(received)
      received('')
      return () => subscribers.delete(received)
    },
  }
  const start = () => {
    const sharedLimits = createSharedLimits({ channel, clock, random: systemRandom, log: silentLog })
    const key = createRateLimiter(clock, KEY, sharedLimits)
    const address = createRateLimiter(clock, ADDRESS, sharedLimits)
    return { key, address, sharedLimits, stop: sharedLimits.listen() }
  }
  const pass = async (ms: number) => {
    clock.advance(ms)
    await turn()
  }
  return {
    start,
    pass,
    clock,
    published,
    deliver: (message: string) => [...subscribers].map((received) => received(message)),
    disconnect: () => {
      isDown = true
    },
    reconnect: () => {
      isDown = false
      for (const received of subscribers) received('')
    },
  }
}

const given = (limiter: { take(subject: string): unknown }, subject: string): number => {
  let count = 0
  try {
    for (; count < 100; count++) limiter.take(subject)
  } catch {
    return count
  }
  return count
}

describe('processes on one database', () => {
  it('share one limit for a caller', async () => {
    const { start, pass } = network()
    const [first, second] = [start(), start()]
    for (let n = 0; n < 7; n++) first.key.take('shop')
    await pass(50)
    expect(given(second.key, 'shop')).toBe(3)
  })

  it('count callers and limits separately', async () => {
    const { start, pass } = network()
    const [first, second] = [start(), start()]
    for (let n = 0; n < 7; n++) first.key.take('shop')
    for (let n = 0; n < 2; n++) first.address.take('shop')
    await pass(50)
    expect(given(second.key, 'other')).toBe(10)
    expect(given(second.key, 'shop')).toBe(3)
    expect(given(second.address, 'shop')).toBe(3)
  })

  it('hold the rate of one limiter for a caller that never stops', async () => {
    const { start, pass } = network()
    const nodes = [start(), start(), start()]
    let all = 0
    for (let step = 0; step < 6_000; step++) {
      for (const { key } of nodes) all += given(key, 'shop')
      await pass(10)
    }
    // The rate of one limiter for a minute, and once the burst of each of the others.
    expect(all).toBeGreaterThanOrEqual(10 + 60 - 3)
    expect(all).toBeLessThanOrEqual(3 * 10 + 60)
  })

  it('go into debt by at most one full bucket', async () => {
    const { start, pass } = network()
    const nodes = [start(), start(), start(), start()]
    for (const { key } of nodes) given(key, 'shop')
    await pass(50)
    const [first] = nodes
    if (!first) throw new Error('no process was started')
    expect(() => first.key.take('shop')).toThrow('Too many requests: try again in 11 s.')
    await pass(10_900)
    expect(given(first.key, 'shop')).toBe(0)
    await pass(200)
    expect(given(first.key, 'shop')).toBe(1)
  })

  it('find each other in any order of start', async () => {
    const { start, pass } = network()
    const first = start()
    await pass(40 * SECOND)
    const [second, third] = [start(), start()]
    for (const [giver, name] of [
      [first, 'a'],
      [second, 'b'],
      [third, 'c'],
    ] as const)
      for (let n = 0; n < 4; n++) giver.key.take(name)
    await pass(50)
    expect(['a', 'b', 'c'].map((name) => given(first.key, name))).toEqual([6, 6, 6])
    expect(['a', 'b', 'c'].map((name) => given(third.key, name))).toEqual([6, 6, 6])
  })

  it('publish heartbeats only while there is no peer', async () => {
    const { start, pass, published } = network()
    const { key, stop } = start()
    for (let second = 0; second < 60; second++) {
      key.take('shop')
      await pass(SECOND)
    }
    expect(published.length).toBe(7)
    stop()
    await pass(60 * SECOND)
    expect(published.length).toBe(7)
  })

  it('stop publishing usage when all peers have stopped', async () => {
    const { start, pass, published } = network()
    const [first, second] = [start(), start()]
    second.stop()
    for (let beat = 0; beat < 4; beat++) await pass(10 * SECOND)
    const before = published.length
    first.key.take('shop')
    await pass(50)
    expect(published.length).toBe(before)
  })

  it('share again after an outage of the database; unpublished usage is dropped', async () => {
    const { start, pass, disconnect, reconnect } = network()
    const [first, second] = [start(), start()]
    disconnect()
    for (let n = 0; n < 4; n++) first.key.take('lost')
    await pass(50)
    reconnect()
    for (let n = 0; n < 4; n++) first.key.take('published')
    await pass(50)
    expect(['lost', 'published'].map((name) => given(second.key, name))).toEqual([10, 6])
  })

  it('publish many callers in several messages, and only the highest counts above the limit', async () => {
    const { start, pass } = network()
    const [first, second] = [start(), start()]
    const longest = (n: number): string => `2001:0db8:85a3:0000:0000:ffff:255.255.255.${n}`.padStart(45, '0')
    for (let n = 0; n < 1_500; n++) first.key.take(longest(n))
    for (let n = 0; n < 3; n++) first.key.take('greedy')
    await pass(50)
    expect(given(second.key, 'greedy')).toBe(7)
    const isPublished = Array.from({ length: 1_500 }, (_, n) => given(second.key, longest(n)) === 9)
    expect(isPublished.filter(Boolean)).toHaveLength(999)
  })

  it.each([
    'no JSON',
    'null',
    '{"from":"x"}',
    '{"from":"x","given":[["key","shop",-5]]}',
    '{"from":"x","given":[["key","shop","many"]]}',
    '{"from":"x","given":[null]}',
  ])('ignore a message of an unknown format: %s', async (message) => {
    const { start, deliver } = network()
    const { key } = start()
    deliver(message)
    expect(given(key, 'shop')).toBe(10)
  })

  it('refuse two limiters with one name', () => {
    const { start } = network()
    const { sharedLimits } = start()
    expect(() => sharedLimits.join('key', () => {})).toThrow('Two limiters are called key.')
  })
})
