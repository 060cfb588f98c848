import { expect, it } from 'vitest'
import { createFakeClock } from '../../test/support/clock.ts'
import { createCache } from './cache.ts'

function counted(maxSize = 3) {
  const clock = createFakeClock()
  const loads: string[] = []
  let broken = false
  const cache = createCache({
    clock,
    maxAgeMs: 500,
    maxSize,
    load: async (key) => {
      loads.push(key)
      if (broken) throw new Error('away')
      return key === 'none' ? undefined : `${key} ${loads.length}`
    },
  })
  return {
    cache,
    clock,
    loads,
    breaks(now: boolean) {
      broken = now
    },
  }
}

it('loads once for concurrent requests and again after half a second', async () => {
  const { cache, clock, loads } = counted()
  expect(await Promise.all([cache.get('a'), cache.get('a'), cache.get('a')])).toEqual(['a 1', 'a 1', 'a 1'])
  clock.advance(499)
  expect(await cache.get('a')).toBe('a 1')
  clock.advance(1)
  expect(await cache.get('a')).toBe('a 2')
  expect(loads).toEqual(['a', 'a'])
})

it('loads again after forget, and caches missing values', async () => {
  const { cache, loads } = counted()
  await cache.get('a')
  cache.forget('a')
  expect(await cache.get('a')).toBe('a 2')
  expect([await cache.get('none'), await cache.get('none')]).toEqual([undefined, undefined])
  expect(loads).toEqual(['a', 'a', 'none'])
  cache.clear()
  expect(await cache.get('a')).toBe('a 4')
})

it('does not cache a failed load', async () => {
  const { cache, breaks } = counted()
  breaks(true)
  await expect(cache.get('a')).rejects.toThrow('away')
  breaks(false)
  expect(await cache.get('a')).toBe('a 2')
})

it('keeps a bounded number of entries, the newest', async () => {
  const { cache, loads } = counted(2)
  for (const key of ['a', 'b', 'c']) await cache.get(key)
  await cache.get('c')
  await cache.get('b')
  expect(loads).toEqual(['a', 'b', 'c'])
  await cache.get('a')
  expect(loads).toHaveLength(4)
})

it('does not keep entries longer after the clock was set back', async () => {
  const { cache, clock } = counted()
  await cache.get('a')
  clock.advance(-3_600_000)
  expect(await cache.get('a')).toBe('a 2')
})
