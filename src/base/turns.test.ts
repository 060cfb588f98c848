import { expect, it } from 'vitest'
import { inTurns } from './turns.ts'

it('a long loop lets other work run before its end, and loses no item', async () => {
  const done: number[] = []
  let seenByOther: number | undefined
  setImmediate(() => {
    seenByOther = done.length
  })
  for await (const item of inTurns(Array.from({ length: 5_000 }, (_, at) => at))) done.push(item)
  expect(seenByOther).toBeGreaterThan(0)
  expect(seenByOther).toBeLessThan(5_000)
  expect(done).toEqual(Array.from({ length: 5_000 }, (_, at) => at))
})
