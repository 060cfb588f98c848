import { expect, it } from 'vitest'
import { createFakeClock } from '../../../test/support/clock.ts'
import { LIMITS } from '../../base/limits.ts'
import { createConcurrencyLimit } from './concurrency.ts'

const settled = async (promise: Promise<unknown>): Promise<boolean> => {
  const open = Symbol('open')
  const first = await Promise.race([promise.catch(() => undefined), Promise.resolve(open)])
  return first !== open
}

const enterAll = (concurrency: ReturnType<typeof createConcurrencyLimit>, subject: string, count: number) =>
  Array.from({ length: count }, () => concurrency.enter(subject))

it('admits a few per subject, and the next when one ends', async () => {
  const concurrency = createConcurrencyLimit(createFakeClock())
  const inside = await Promise.all(enterAll(concurrency, 'a', LIMITS.listsAtOnce))
  const next = concurrency.enter('a')
  expect(await settled(next)).toBe(false)
  await concurrency.enter('b')
  inside[0]?.()
  // Ending twice frees only one slot.
  inside[0]?.()
  await next
  const last = concurrency.enter('a')
  expect(await settled(last)).toBe(false)
  inside[1]?.()
  await last
})

it('refuses with 429 and Retry-After when too many wait, or one has waited too long', async () => {
  const clock = createFakeClock()
  const concurrency = createConcurrencyLimit(clock)
  await Promise.all(enterAll(concurrency, 'a', LIMITS.listsAtOnce))
  const waiting = enterAll(concurrency, 'a', LIMITS.listsWaiting)
  const refused = { code: 'too_many_requests', extras: { headers: { 'retry-after': '1' } } }
  await expect(concurrency.enter('a')).rejects.toMatchObject(refused)
  const ends = Promise.allSettled(waiting)
  await clock.advance(LIMITS.listWaitMs)
  for (const end of await ends) expect(end).toMatchObject({ status: 'rejected', reason: refused })
})
