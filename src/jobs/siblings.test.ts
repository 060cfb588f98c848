import { describe, expect, it } from 'vitest'
import { createFakeClock } from '../../test/support/clock.ts'
import { createRateLimiter } from '../http/rate-limit.ts'
import { createSiblings } from './siblings.ts'

/** Two processes of one node, each with two limiters, wired as the parent wires them. */
function twoProcesses() {
  const clock = createFakeClock()
  const first = createSiblings(clock, (spent) => second.hear(spent))
  const second = createSiblings(clock, (spent) => first.hear(spent))
  const limitersOf = (siblings: typeof first) => [
    createRateLimiter(clock, { name: 'key', perSecond: 1, burst: 10 }, siblings),
    createRateLimiter(clock, { name: 'address', perSecond: 1, burst: 5 }, siblings),
  ]
  const flush = async () => {
    clock.advance(50)
    await Promise.resolve()
  }
  return { flush, first: limitersOf(first), second: limitersOf(second) }
}

const given = (limiter: { take(subject: string): unknown } | undefined, subject: string): number => {
  let count = 0
  try {
    for (; count < 100; count++) limiter?.take(subject)
  } catch {
    return count
  }
  return count
}

describe('processes of one node', () => {
  it('give a caller together what one would give', async () => {
    const { first, second, flush } = twoProcesses()
    for (let n = 0; n < 7; n++) first[0]?.take('shop')
    await flush()
    expect(given(second[0], 'shop')).toBe(3)
  })

  it('keep callers and limits apart', async () => {
    const { first, second, flush } = twoProcesses()
    for (let n = 0; n < 7; n++) first[0]?.take('shop')
    await flush()
    expect(given(second[0], 'other')).toBe(10)
    expect(given(second[1], 'shop')).toBe(5)
  })

  it('never owe more than a bucket holds: what both gave at once is forgiven', async () => {
    const { first, second, flush } = twoProcesses()
    given(first[0], 'shop')
    given(second[0], 'shop')
    await flush()
    for (let n = 0; n < 20; n++) await flush()
    expect(given(first[0], 'shop')).toBe(1)
  })
})
