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

it('so does one of few items that take long', async () => {
  let done = 0
  let seenByOther: number | undefined
  setImmediate(() => {
    seenByOther = done
  })
  for await (const ms of inTurns(Array.from({ length: 100 }, () => 3))) {
    const startMs = performance.now()
    while (performance.now() - startMs < ms);
    done++
  }
  expect(seenByOther).toBeLessThan(100)
})
