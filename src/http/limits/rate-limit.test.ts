import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createFakeClock } from '../../../test/support/clock.ts'
import { ApiError } from '../../base/errors.ts'
import { createRateLimiter } from './rate-limit.ts'

const policy = { name: 'key', perSecond: 2, burst: 4 }

function taken(limiter: ReturnType<typeof createRateLimiter>, subject: string): boolean {
  try {
    limiter.take(subject)
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError)
    return false
  }
}

it('never allows more than burst and rate', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 3_000 }), { maxLength: 60 }), (pauses) => {
      const clock = createFakeClock()
      const limiter = createRateLimiter(clock, policy)
      let through = 0
      let elapsedMs = 0
      for (const pause of pauses) {
        clock.advance(pause)
        elapsedMs += pause
        if (taken(limiter, 'a')) through++
      }
      expect(through).toBeLessThanOrEqual(policy.burst + (elapsedMs * policy.perSecond) / 1_000)
    }),
  )
})

it('returns the remaining tokens and the time to retry', () => {
  const clock = createFakeClock()
  const limiter = createRateLimiter(clock, policy)
  expect(limiter.take('a')).toEqual({ 'ratelimit-policy': '"key";q=4;w=2', ratelimit: '"key";r=3;t=1' })
  for (let i = 0; i < 3; i++) limiter.take('a')
  expect(() => limiter.take('a')).toThrow(
    expect.objectContaining({
      code: 'too_many_requests',
      extras: { headers: expect.objectContaining({ 'retry-after': '1' }) },
    }),
  )
  clock.advance(500)
  expect(limiter.take('a').ratelimit).toBe('"key";r=0;t=2')
})

it('keeps a bounded number of buckets and drops the least recently used', () => {
  const limiter = createRateLimiter(createFakeClock(), { ...policy, burst: 1 })
  limiter.take('first')
  for (let i = 0; i < 9_999; i++) limiter.take(`other ${i}`)
  expect(taken(limiter, 'first')).toBe(false)
  for (let i = 0; i < 9_999; i++) limiter.take(`another ${i}`)
  expect(taken(limiter, 'first')).toBe(false)
  for (let i = 0; i < 10_000; i++) limiter.take(`more ${i}`)
  expect(taken(limiter, 'first')).toBe(true)
})
