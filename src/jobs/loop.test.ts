import { expect, it } from 'vitest'
import { oneAtATime } from './loop.ts'

/** A job whose runs end when they are told to. */
function controlled() {
  const ends: ((done: number) => void)[] = []
  const job = oneAtATime({
    name: 'controlled',
    everyMs: 1,
    runOnce: () => new Promise((resolve) => ends.push(resolve)),
  })
  return { job, ends }
}

it('who runs a job that runs already waits for it, does the rest, and counts both', async () => {
  const { job, ends } = controlled()
  const first = job.runOnce()
  const second = job.runOnce()
  const third = job.runOnce()
  expect(ends).toHaveLength(1)
  ends[0]?.(3)
  expect(await first).toBe(3)
  await expect.poll(() => ends.length).toBe(2)
  ends[1]?.(0)
  expect(await second).toBe(3)
  await expect.poll(() => ends.length).toBe(3)
  ends[2]?.(1)
  expect(await third).toBe(4)
})

it('a run that fails fails nobody else', async () => {
  let runs = 0
  const job = oneAtATime({
    name: 'failing',
    everyMs: 1,
    runOnce: async () => {
      runs += 1
      if (runs === 1) throw new Error('once')
      return 0
    },
  })
  const failing = expect(job.runOnce()).rejects.toThrow('once')
  expect(await job.runOnce()).toBe(0)
  await failing
  expect(await job.runOnce()).toBe(0)
})
