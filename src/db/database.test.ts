import { expect, it } from 'vitest'
import { allStatements, sql } from './database.ts'

it('a name stands for one statement: a connection would refuse the second of two texts', () => {
  const first = sql('test.same', 'select 1')
  expect(sql('test.same', 'select 1')).toEqual(first)
  expect(() => sql('test.same', 'select 2')).toThrow('two statements are named test.same')
  expect(allStatements().get('test.same')).toBe('select 1')
})
