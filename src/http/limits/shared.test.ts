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

/** PostgreSQL as far as it carries words, and processes that share it. */
function network() {
  const clock = createFakeClock()
  const ears = new Set<(said: string) => void>()
  const said: string[] = []
  let isDown = false
  const channel: Channel = {
    async publish(...words) {
      if (isDown) throw new Error('away')
      for (const word of words) {
        expect(Buffer.byteLength(word)).toBeLessThan(8_000)
        said.push(word)
        for (const heard of ears) heard(word)
      }
    },
    subscribe(heard) {
      ears.add(heard)
      heard('')
      return () => ears.delete(heard)
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
    said,
    hear: (word: string) => [...ears].map((heard) => heard(word)),
    cut: () => {
      isDown = true
    },
    mend: () => {
      isDown = false
      for (const heard of ears) heard('')
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
  it('give a caller together what one would give', async () => {
    const { start, pass } = network()
    const [first, second] = [start(), start()]
    for (let n = 0; n < 7; n++) first.key.take('shop')
    await pass(50)
    expect(given(second.key, 'shop')).toBe(3)
  })

  it('keep callers and limits apart', async () => {
    const { start, pass } = network()
    const [first, second] = [start(), start()]
    for (let n = 0; n < 7; n++) first.key.take('shop')
    for (let n = 0; n < 2; n++) first.address.take('shop')
    await pass(50)
    expect(given(second.key, 'other')).toBe(10)
    expect(given(second.key, 'shop')).toBe(3)
    expect(given(second.address, 'shop')).toBe(3)
  })

  it('give no more to somebody who never stops asking', async () => {
    const { start, pass } = network()
    const nodes = [start(), start(), start()]
    let all = 0
    for (let step = 0; step < 6_000; step++) {
      for (const { key } of nodes) all += given(key, 'shop')
      await pass(10)
    }
    // What one gives in a minute, and once a bucket of each of the others.
    expect(all).toBeGreaterThanOrEqual(10 + 60 - 3)
    expect(all).toBeLessThanOrEqual(3 * 10 + 60)
  })

  it('owe at most what a bucket holds: the rest of what all gave at once is forgiven', async () => {
    const { start, pass } = network()
    const nodes = [start(), start(), start(), start()]
    for (const { key } of nodes) given(key, 'shop')
    await pass(50)
    const [first] = nodes
    if (!first) throw new Error('there is nobody')
    expect(() => first.key.take('shop')).toThrow('Too many requests: try again in 11 s.')
    await pass(10_900)
    expect(given(first.key, 'shop')).toBe(0)
    await pass(200)
    expect(given(first.key, 'shop')).toBe(1)
  })

  it('know each other whoever came first, and one that comes later', async () => {
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

  it('say nothing but that they are there while they are alone', async () => {
    const { start, pass, said } = network()
    const { key, stop } = start()
    for (let second = 0; second < 60; second++) {
      key.take('shop')
      await pass(SECOND)
    }
    expect(said.length).toBe(7)
    stop()
    await pass(60 * SECOND)
    expect(said.length).toBe(7)
  })

  it('fall silent when the others have gone', async () => {
    const { start, pass, said } = network()
    const [first, second] = [start(), start()]
    second.stop()
    for (let beat = 0; beat < 4; beat++) await pass(10 * SECOND)
    const before = said.length
    first.key.take('shop')
    await pass(50)
    expect(said.length).toBe(before)
  })

  it('share again after the database was away; what was not told is forgiven', async () => {
    const { start, pass, cut, mend } = network()
    const [first, second] = [start(), start()]
    cut()
    for (let n = 0; n < 4; n++) first.key.take('lost')
    await pass(50)
    mend()
    for (let n = 0; n < 4; n++) first.key.take('told')
    await pass(50)
    expect(['lost', 'told'].map((name) => given(second.key, name))).toEqual([10, 6])
  })

  it('tell of many callers in several words, and of those who took most when too many did', async () => {
    const { start, pass } = network()
    const [first, second] = [start(), start()]
    const longest = (n: number): string => `2001:0db8:85a3:0000:0000:ffff:255.255.255.${n}`.padStart(45, '0')
    for (let n = 0; n < 1_500; n++) first.key.take(longest(n))
    for (let n = 0; n < 3; n++) first.key.take('greedy')
    await pass(50)
    expect(given(second.key, 'greedy')).toBe(7)
    const told = Array.from({ length: 1_500 }, (_, n) => given(second.key, longest(n)) === 9)
    expect(told.filter(Boolean)).toHaveLength(999)
  })

  it.each([
    'no JSON',
    'null',
    '{"from":"x"}',
    '{"from":"x","given":[["key","shop",-5]]}',
    '{"from":"x","given":[["key","shop","many"]]}',
    '{"from":"x","given":[null]}',
  ])('do not mind what they do not understand: %s', async (word) => {
    const { start, hear } = network()
    const { key } = start()
    hear(word)
    expect(given(key, 'shop')).toBe(10)
  })

  it('are not asked to tell two limits apart that have one name', () => {
    const { start } = network()
    const { sharedLimits } = start()
    expect(() => sharedLimits.join('key', () => {})).toThrow('Two limiters are called key.')
  })
})
