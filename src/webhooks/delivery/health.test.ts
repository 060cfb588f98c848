import { describe, expect, it } from 'vitest'
import { after as plus, SECOND } from '../../base/clock.ts'
import { WEBHOOKS } from '../schedule.ts'
import { afterFailure, afterRequest, afterSuccess, type Health } from './health.ts'

const start = new Date('2026-01-01T00:00:00Z')
const url = 'https://shop.example/hooks'
const failing = (known: Health | undefined, now: Date, more: object = {}) =>
  afterFailure(known, {
    url,
    error: 'answered:500',
    gone: false,
    quietUntil: undefined,
    now,
    appNow: now,
    chance: 0.5,
    ...more,
  })

function failed(times: number, now = start): Health {
  let health: Health | undefined
  for (let n = 0; n < times; n++) health = failing(health, now)
  if (!health) throw new Error('at least one')
  return health
}

describe('an endpoint', () => {
  it('that fails occasionally is not paused', () => {
    expect(failed(4)).toMatchObject({ failures: 4, allowed: WEBHOOKS.perEndpoint, dueTime: null })
    expect(afterSuccess(failed(4))).toBeUndefined()
  })

  it('is paused after five consecutive failures, and then probed by one delivery', () => {
    expect(failed(5)).toMatchObject({ failures: 5, pauses: 1, allowed: 1, dueTime: plus(start, 5 * SECOND) })
  })

  it('is not paused longer for deliveries that were in flight', () => {
    expect(failed(20)).toMatchObject({ pauses: 1, dueTime: plus(start, 5 * SECOND) })
  })

  it('is paused longer each time the probe fails', () => {
    const second = failing(failed(5), plus(start, 6 * SECOND))
    expect(second).toMatchObject({ pauses: 2, allowed: 1, dueTime: plus(start, 16 * SECOND) })
  })

  it('that recovers gets one more at a time, until it is healthy', () => {
    let health: Health | undefined = failed(5)
    const allowed: number[] = []
    while (health) {
      health = afterSuccess(health)
      if (health) allowed.push(health.allowed)
      expect(health?.dueTime ?? null).toBeNull()
    }
    expect(allowed).toEqual(Array.from({ length: 19 }, (_, n) => n + 2))
  })

  it('that sends Retry-After is paused immediately', () => {
    const quietUntil = plus(start, 20 * SECOND)
    expect(failing(undefined, start, { quietUntil })).toMatchObject({ allowed: 1, dueTime: quietUntil })
    expect(failing(failed(4), start, { quietUntil })).toMatchObject({ dueTime: quietUntil })
  })

  it('that answers 410 is disabled until a success or a request', () => {
    const off = failing(undefined, start, { gone: true })
    expect(off.disabledTime).toEqual(start)
    expect(failing(off, plus(start, SECOND)).disabledTime).toEqual(start)
    expect(afterSuccess({ ...off, allowed: 1 })?.disabledTime).toBeNull()
    expect(afterRequest(off)).toMatchObject({ disabledTime: null, dueTime: null, allowed: 1, failures: 0 })
  })

  it('with a new address starts with new counts', () => {
    const other = failing(failed(5), start, { url: 'https://new.example/hooks' })
    expect(other).toMatchObject({ failures: 1, allowed: WEBHOOKS.perEndpoint, dueTime: null })
  })
})
