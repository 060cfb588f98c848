import { describe, expect, it } from 'vitest'
import { createSlots } from './slot.ts'

const { slot, declaredSlots, createNodeState } = createSlots()

const notes = { holds: 'counts', until: 'a restart', restart: 'the counts' }
interface Needs {
  readonly start: number
}
const made: number[] = []
const counts = slot(
  'counts',
  ({ start }: Needs) => {
    made.push(start)
    return { count: start }
  },
  notes,
)
const names = slot('names', () => new Set<string>(), notes)

const contextFrom = (start: number) => ({ node: createNodeState({ start }) })

describe('a slot', () => {
  it('is made from the ports of its context at the first read, and once', () => {
    const ctx = contextFrom(7)
    expect(made).toEqual([])
    counts(ctx).count++
    expect([counts(ctx).count, made]).toEqual([8, [7]])
  })

  it('belongs to one context and to the copies of that context', () => {
    const [one, other] = [contextFrom(1), contextFrom(1)]
    const acting = { ...one, actor: 'a person' }
    counts(acting).count++
    names(one).add('a')
    expect([counts(one).count, counts(other).count]).toEqual([2, 1])
    expect([names(acting).size, names(other).size]).toEqual([1, 0])
  })

  it('can be declared after a context was made', () => {
    const ctx = contextFrom(1)
    const late = slot('late', () => ({ isLate: true }), notes)
    expect(late(ctx)).toBe(late({ ...ctx }))
    expect(names(ctx)).not.toBe(late(ctx))
  })

  it('has a name of its own, by which the reference lists it', () => {
    expect(() => slot('counts', () => ({}), notes)).toThrow('two slots are called counts')
    expect(declaredSlots().filter(({ name }) => name === 'counts')).toMatchObject([notes])
  })
})
