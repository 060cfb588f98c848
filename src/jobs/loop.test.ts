import { expect, it } from 'vitest'
import type { Clock } from '../base/clock.ts'
import { oneAtATime, startJobs } from './loop.ts'
import { createSignals } from './signals.ts'

/** A job whose runs the test ends. */
function controlled() {
  const ends: ((done: number) => void)[] = []
  const job = oneAtATime({
    name: 'controlled',
    everyMs: 1,
    runOnce: () => new Promise((resolve) => ends.push(resolve)),
  })
  return { job, ends }
}

it('a call during a run waits for it, runs again, and counts both', async () => {
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

it('a failed run does not fail the calls that wait for it', async () => {
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

it('idle jobs check at multiples of their interval, so that their checks share a batch', async () => {
  const slept: number[] = []
  const clock: Clock = {
    now: () => new Date('2026-01-01T00:00:00.350Z'),
    sleep: async (ms, signal) => {
      slept.push(ms)
      await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))
    },
  }
  const idle = (name: string, everyMs: number) => ({ name, everyMs, runOnce: async () => 0 })
  const quiet = { debug() {}, info() {}, warn() {}, error() {} }
  const jobs = [idle('every second', 1_000), idle('four a second', 250), idle('another', 1_000)]
  const { stop } = startJobs({ clock, log: quiet, signals: createSignals() }, jobs)
  await expect.poll(() => slept).toEqual([650, 150, 650])
  await stop()
})
