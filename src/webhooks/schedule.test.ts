import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '../base/clock.ts'
import { endpointPause, GIVE_UP_MS, RETRY_PAUSES_MS, retryPause, WEBHOOKS } from './schedule.ts'

describe('retries', () => {
  it('come after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 3 h, 6 h, 12 h, 24 h and 24 h', () => {
    const steps = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR]
    expect(RETRY_PAUSES_MS).toEqual([...steps, 12 * HOUR, DAY, DAY])
    expect(GIVE_UP_MS / DAY).toBeCloseTo(2.95, 1)
  })

  it('are spread by a fifth in both directions', () => {
    expect([0, 0.5, 1].map((chance) => retryPause(1, chance))).toEqual([4_000, 5_000, 6_000])
    expect([0, 0.5, 1].map((chance) => retryPause(11, chance))).toEqual([0.8 * DAY, DAY, 1.2 * DAY])
  })

  it('end after the eleventh: the twelfth failure exhausts', () => {
    expect(retryPause(12, 0.5)).toBeUndefined()
  })

  it.each([
    ['a wish for longer is granted', 1, 20 * SECOND, 20 * SECOND],
    ['up to the next step', 1, HOUR, 30 * SECOND],
    ['a wish for less never hurries us', 2, SECOND, 30 * SECOND],
    ['the last pause has no next step', 11, 7 * DAY, DAY],
  ])('honour Retry-After: %s', (_what, failed, askedMs, pause) => {
    expect(retryPause(failed, 0.5, askedMs)).toBe(pause)
  })
})

it('an endpoint is paused for 5 s, then twice as long each time, at most 5 minutes', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => endpointPause(n, 0.5) / SECOND)
  expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300])
})

it('a lease is longer than the timeout of a try', () => {
  expect(WEBHOOKS.leaseMs).toBeGreaterThan(WEBHOOKS.timeoutMs + WEBHOOKS.answerMs)
})
