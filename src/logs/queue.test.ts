import { expect, it } from 'vitest'
import { createFakeClock } from '../../test/support/clock.ts'
import { LOGS } from './limits.ts'
import { createQueue } from './queue.ts'
import { createShare } from './share.ts'

it('a full queue drops lines and says so; what it holds is taken in batches, in order', () => {
  const queue = createQueue<number>()
  const added = Array.from({ length: LOGS.queueLines + 10 }, (_one, index) => queue.add(index, 1))
  expect(added.filter((isAdded) => !isAdded)).toHaveLength(10)
  const taken: number[] = []
  for (let batch = queue.take(); batch.length > 0; batch = queue.take()) {
    expect(batch.length).toBeLessThanOrEqual(LOGS.batchLines)
    taken.push(...batch)
  }
  expect(taken).toEqual(Array.from({ length: LOGS.queueLines }, (_one, index) => index))
  expect(queue.add(1, 1)).toBe(true)
})

it('a queue is bounded by bytes, and a batch has at least one line', () => {
  const queue = createQueue<string>()
  const half = LOGS.queueBytes / 2
  expect([queue.add('a', half), queue.add('b', half), queue.add('c', 1)]).toEqual([true, true, false])
  expect([queue.take(), queue.take(), queue.take()]).toEqual([['a'], ['b'], []])
})

const LIMITS = {
  perSecond: 4,
  assuredPerSecond: 1,
  perNode: 6,
  perDay: 20,
  perDaySucceeded: 10,
  bodyBytesPerDay: 100,
}

it('an app that sends many requests does not take the share of another', () => {
  const share = createShare(createFakeClock(), LIMITS)
  const admitted = (appId: string, times: number) =>
    Array.from({ length: times }, () => share.admit(appId, true)).filter(Boolean).length
  expect(admitted('busy', 100)).toBe(4)
  expect(admitted('second', 100)).toBe(2)
  // The process has written its share, and still every app gets its assured one.
  expect(admitted('quiet', 100)).toBe(1)
})

it('each second has a new share, and the rest of a day is kept for refusals', () => {
  const clock = createFakeClock()
  const share = createShare(clock, LIMITS)
  const nextSecond = (isSuccess: boolean) => {
    clock.advance(1_000)
    return Array.from({ length: 10 }, () => share.admit('app', isSuccess)).filter(Boolean).length
  }
  expect([nextSecond(true), nextSecond(true), nextSecond(true), nextSecond(true)]).toEqual([4, 4, 2, 0])
  expect([nextSecond(false), nextSecond(false), nextSecond(false), nextSecond(false)]).toEqual([4, 4, 2, 0])
  clock.advance(24 * 60 * 60 * 1_000)
  expect(nextSecond(true)).toBe(4)
})

it('bodies of an app have a share of bytes for each day', () => {
  const share = createShare(createFakeClock(), LIMITS)
  expect([share.admitBytes('app', 60), share.admitBytes('app', 60), share.admitBytes('other', 60)]).toEqual([
    true,
    false,
    true,
  ])
})
