import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { inPieces, jsonArray } from './stream.ts'

async function* pieces(...all: (readonly string[])[]) {
  yield* all
}

const written = async (...all: (readonly string[])[]): Promise<string> => {
  const array = await jsonArray(pieces(...all))
  return array instanceof Readable ? text(array) : array
}

it.each([
  [[], '[]'],
  [[[]], '[]'],
  [[['1']], '[1]'],
  [[['1', '2'], ['3']], '[1,2,3]'],
  [[[], ['1'], [], ['2'], []], '[1,2]'],
])('writes %j as %s', async (all, json) => expect(await written(...all)).toBe(json))

it('fails before anything is sent if the first chunk cannot be read', async () => {
  const failing = Readable.from(['never sent'])
  failing.destroy(new Error('away'))
  await expect(jsonArray(failing)).rejects.toThrow('away')
})

it('reads no chunk after the client has disconnected', async () => {
  let read = 0
  const endless = (async function* () {
    for (;;) {
      read++
      yield ['1']
    }
  })()
  const array = (await jsonArray(endless)) as Readable
  for await (const _ of array) break
  const before = read
  await new Promise((resolve) => setImmediate(resolve))
  expect(read).toBe(before)
})

it('groups adjacent items up to a size; a large item is alone', () => {
  const sizes = [1, 2, 3, 10, 1, 4, 1].map((size) => ({ size }))
  expect([...inPieces(sizes, 5)].map((piece) => piece.map(({ size }) => size))).toEqual([
    [1, 2],
    [3],
    [10],
    [1, 4],
    [1],
  ])
})
