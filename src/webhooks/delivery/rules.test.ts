import { describe, expect, it } from 'vitest'
import { after as plus, SECOND } from '../../base/clock.ts'
import { readRetryAfter, resultOf } from './rules.ts'

const now = new Date('2026-01-01T00:00:00Z')
const at = { now, tries: 0, chance: () => 0.5 }
const reply = (status: number, retryAfter?: string) => ({ kind: 'reply', status, retryAfter }) as const

describe('an answer', () => {
  it.each([200, 201, 202, 204, 299])('of %i is a success', (status) => {
    expect(resultOf(reply(status), at)).toEqual({ status: 'delivered' })
  })

  it.each([
    [301, 'redirected:301'],
    [302, 'redirected:302'],
    [308, 'redirected:308'],
    [400, 'answered:400'],
    [404, 'answered:404'],
    [500, 'answered:500'],
  ])('of %i is a failure that is tried again', (status, error) => {
    expect(resultOf(reply(status), at)).toEqual({
      status: 'waiting',
      error,
      dueTime: plus(now, 5 * SECOND),
    })
  })

  it('of 410 disables the endpoint; the webhook waits in case it is enabled again', () => {
    expect(resultOf(reply(410), at)).toMatchObject({ status: 'waiting', gone: true })
  })

  it.each([429, 503])('of %i with Retry-After pauses the whole endpoint', (status) => {
    const dueTime = plus(now, 20 * SECOND)
    expect(resultOf(reply(status, '20'), at)).toMatchObject({ dueTime, quietUntil: dueTime })
    expect(resultOf(reply(status), at)).not.toHaveProperty('quietUntil')
  })

  it('after the twelfth failure exhausts', () => {
    expect(resultOf(reply(500), { ...at, tries: 10 }).status).toBe('waiting')
    expect(resultOf(reply(500), { ...at, tries: 11 }).status).toBe('exhausted')
    expect(resultOf({ kind: 'no-reply', error: 'late:15' }, { ...at, tries: 11 })).toEqual({
      status: 'exhausted',
      error: 'late:15',
    })
  })
})

it.each([
  ['30', 30_000],
  ['0', 0],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['soon', undefined],
  ['-5', undefined],
  [undefined, undefined],
])('Retry-After %s means %s ms', (text, ms) => {
  expect(readRetryAfter(text, now)).toBe(ms)
})
