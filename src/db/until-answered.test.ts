import { expect, it } from 'vitest'
import { DatabaseAwayError } from './database.ts'
import { untilAnswered } from './until-answered.ts'

const away = () => new DatabaseAwayError('the database does not answer')

/** Fails with each of the errors, then answers. */
function worker(errors: Error[]) {
  const pauses: number[] = []
  const clock = { sleep: async (ms: number) => void pauses.push(ms) }
  const work = async () => {
    const error = errors.shift()
    if (error) throw error
    return 'answer'
  }
  return { pauses, run: () => untilAnswered(clock, work) }
}

it('a start waits while the database does not answer', async () => {
  const { pauses, run } = worker([away(), away()])
  expect(await run()).toBe('answer')
  expect(pauses).toEqual([1_000, 1_000])
})

it('any other error ends a start at once, and a database that is gone ends it after a minute', async () => {
  const broken = worker([new Error('wrong key')])
  await expect(broken.run()).rejects.toThrow('wrong key')
  expect(broken.pauses).toEqual([])
  const gone = worker(Array.from({ length: 100 }, away))
  await expect(gone.run()).rejects.toThrow(DatabaseAwayError)
  expect(gone.pauses).toHaveLength(59)
})
