import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  entryOf,
  isOurs,
  itemsAt,
  jsonIn,
  listAt,
  matching,
  numberAt,
  objectAt,
  secondsAt,
  textAt,
  textsAt,
  timeAt,
  valueAt,
  webUrlAt,
  wordAt,
} from './json.ts'

const READERS = {
  ...{ valueAt, objectAt, textAt, numberAt, wordAt, itemsAt, listAt, textsAt, timeAt, secondsAt, webUrlAt },
}

describe('readers of JSON', () => {
  it('follow a path of members', () => {
    const body = { a: { b: 'x', n: 5, list: [{ id: '1' }, 7, null, 'y'], at: 1_700_000_000 } }
    expect(valueAt(body, 'a', 'b')).toBe('x')
    expect(valueAt(body)).toBe(body)
    expect(objectAt(body, 'a')).toBe(body.a)
    expect(textAt(body, 'a', 'b')).toBe('x')
    expect(numberAt(body, 'a', 'n')).toBe(5)
    expect([wordAt(body, 'a', 'b'), wordAt(body, 'a', 'n')]).toEqual(['x', '5'])
    expect(listAt(body, 'a', 'list')).toEqual([{ id: '1' }, {}, {}, {}])
    expect(itemsAt(body, 'a', 'list')).toBe(body.a.list)
    expect(textsAt(body, 'a', 'list')).toEqual(['y'])
    expect(secondsAt(body, 'a', 'at')?.toISOString()).toBe('2023-11-14T22:13:20.000Z')
  })

  it('find nothing in what is not an object, nor in what objects inherit', () => {
    for (const value of [null, undefined, 'text', 7, true, [], [{ id: '1' }], () => 'x'])
      for (const path of [['id'], ['length'], ['0'], ['0', 'id'], ['constructor', 'name']])
        expect(valueAt(value, ...path), `${String(value)} ${path}`).toBeUndefined()
    for (const name of ['toString', 'constructor', '__proto__', 'hasOwnProperty'])
      expect(valueAt({}, name)).toBeUndefined()
    expect(textAt(JSON.parse('{"__proto__":{"id":"x"}}'), 'id')).toBeUndefined()
  })

  it('take a list for no object, and an object for no list', () => {
    expect(objectAt([])).toEqual({})
    expect(objectAt({ a: [1] }, 'a')).toEqual({})
    expect([itemsAt({ a: { 0: 'x', length: 1 } }, 'a'), listAt({}, 'a'), textsAt(null)]).toEqual([
      undefined,
      [],
      [],
    ])
    expect(listAt([[{ id: 1 }]])).toEqual([{}])
  })

  it('take an empty text and a number that is none for absent', () => {
    expect(textAt({ a: '' }, 'a')).toBeUndefined()
    expect(wordAt({ a: '' }, 'a')).toBeUndefined()
    for (const a of [Number.NaN, Number.POSITIVE_INFINITY, '5', null])
      expect(numberAt({ a }, 'a')).toBeUndefined()
  })

  it('throw for no value and no path', () => {
    const paths = fc.array(fc.oneof(fc.string(), fc.constantFrom('a', '__proto__', 'length', '0')), {
      maxLength: 4,
    })
    fc.assert(
      fc.property(fc.anything(), paths, (value, path) => {
        for (const read of Object.values(READERS)) read(value, ...path)
      }),
    )
  })
})

describe('times', () => {
  const read = (a: unknown) => timeAt({ a }, 'a')?.toISOString()

  it('are read with an offset, in UTC, or as a day', () => {
    expect(read('2021-01-01T01:00:00+01:00')).toBe('2021-01-01T00:00:00.000Z')
    expect(read('2010-08-30T17:49:20.757Z')).toBe('2010-08-30T17:49:20.757Z')
    expect(read('2024-03-20')).toBe('2024-03-20T00:00:00.000Z')
  })

  it('are never something else', () => {
    const wrong = [
      '',
      '1',
      '2024',
      'soon',
      '20 March 2024',
      '2024-13-45',
      '2024-03-20T99:00:00Z',
      `2024-03-20${' '.repeat(60)}`,
    ]
    for (const a of [...wrong, 1_700_000_000, null, {}]) expect(read(a), String(a)).toBeUndefined()
    for (const a of [0, -1, 1e300, Number.MAX_SAFE_INTEGER, '1700000000'])
      expect(secondsAt({ a }, 'a'), String(a)).toBeUndefined()
  })
})

it('a web address is one of a page', () => {
  expect(webUrlAt({ url: 'https://pay.example/x?y=z' }, 'url')).toBe('https://pay.example/x?y=z')
  for (const url of [
    'javascript:alert(1)',
    'data:text/html,x',
    '//pay.example',
    'https://u:p@a',
    'http://a b',
    '',
    7,
  ])
    expect(webUrlAt({ url }, 'url'), String(url)).toBeUndefined()
})

it('an id is a text of a pattern, from its beginning to its end', () => {
  const isId = matching(/^[a-z]{1,8}$/)
  expect(['abc', '', 'a/b', 'abc\n', '../x', 'abcdefghi', 7, null, undefined, ['abc']].filter(isId)).toEqual([
    'abc',
  ])
  expect(['A0000000000000000001', 'a0000000000000000001', 'A000'].filter(isOurs)).toEqual([
    'A0000000000000000001',
  ])
})

it('a notification that is no JSON is nothing', () => {
  expect(jsonIn(Buffer.from('{"id":"1"}'))).toEqual({ id: '1' })
  for (const text of ['', '{', 'id=1', '\u0000', '['.repeat(50_000)])
    expect(jsonIn(Buffer.from(text)), text.slice(0, 9)).toBeUndefined()
})

it('an entry of a table is one that the table has itself', () => {
  const table = { open: 1 }
  expect(['open', 'shut', 'constructor', '__proto__', undefined].map((key) => entryOf(table, key))).toEqual([
    ...[1, undefined, undefined, undefined, undefined],
  ])
})
