import Type from 'typebox'
import { expect, it } from 'vitest'
import { LIMITS } from '../base/limits.ts'
import { createCheck } from './validate.ts'
import { maybe, patchOf } from './wire.ts'

/** Items that count how often one of their members is read. */
function counting(length: number) {
  const reads = { count: 0 }
  const item = {
    get name() {
      reads.count++
      return 'mug'
    },
  }
  return { reads, items: Array.from({ length }, () => item) }
}

const Items = Type.Array(Type.Object({ name: Type.Optional(Type.String()) }), { maxItems: 500 })

it.each([
  [
    'an array',
    Type.Object({ order: Type.Object({ items: Items }) }),
    (items: unknown) => ({ order: { items } }),
  ],
  ['one that may be null', Type.Object({ items: maybe(Items) }), (items: unknown) => ({ items })],
  [
    'one of a patch',
    Type.Object({ items: patchOf(Items) }),
    (items: unknown) => ({ items: { value: items } }),
  ],
  [
    'one in an array',
    Type.Array(Type.Object({ items: Items }), { maxItems: 2 }),
    (items: unknown) => [{ items }],
  ],
] as const)('stops at the bound of %s without looking at an item', (_what, schema, wrap) => {
  const check = createCheck(schema)
  const { reads, items } = counting(501)
  const errors = check(wrap(items))
  expect(errors.map(({ message }) => message)).toEqual([
    expect.stringMatching(/ must be a list of at most 500 items\.$/),
  ])
  expect(reads.count).toBe(0)
  expect(check(wrap(items.slice(1)))).toEqual([])
  expect(reads.count).toBeGreaterThanOrEqual(500)
})

it('lists a bounded number of invalid fields', () => {
  const check = createCheck(Type.Object({ items: Items }))
  expect(check({ items: Array(500).fill({ name: 1 }) })).toHaveLength(LIMITS.listedErrors)
})
