import fc from 'fast-check'
import Type from 'typebox'
import { expect, it } from 'vitest'
import { isWebUrl } from '../base/text.ts'
import { createCheck } from './validate.ts'
import {
  IdInput,
  InstantInput,
  MoneyInput,
  maybe,
  patchOf,
  readId,
  readInstant,
  readPatch,
  UrlOrNothing,
} from './wire.ts'

const accepts = (schema: Parameters<typeof createCheck>[0], value: unknown) =>
  createCheck(schema)(value).length === 0

it('accepts ids as integers or numeric strings, up to the largest exact integer', () => {
  for (const good of [0, 7, Number.MAX_SAFE_INTEGER, '0', '10001', '9007199254740991'])
    expect([accepts(IdInput, good), readId(good as number)]).toEqual([true, Number(good)])
  for (const bad of [-1, 1.5, 2 ** 53, '-1', '1.5', '1e3', ' 1', '', '0x10', '12345678901234567', null, true])
    expect(accepts(IdInput, bad)).toBe(false)
  expect(readId('9007199254740993')).toBeUndefined()
})

it('accepts amounts as numbers or decimal strings', () => {
  for (const good of [1, 25.5, '25.50', '0.01', '1']) expect(accepts(MoneyInput, good)).toBe(true)
  for (const bad of ['', '1,5', '-1', '1e3', ' 1', 'abc', null, true, {}, Number.NaN])
    expect(accepts(MoneyInput, bad)).toBe(false)
})

it('accepts absolute http URLs without credentials', () => {
  for (const good of [
    'http://a',
    'https://shop.example/x?y=z#f',
    'HTTPS://SHOP.EXAMPLE',
    'http://127.0.0.1:8080/',
    'https://zürich.example/zurück?x=ü',
  ])
    expect(isWebUrl(good)).toBe(true)
  for (const bad of [
    'shop.example',
    '//a',
    'ftp://a',
    'http://',
    'http://u@a',
    'http://u:p@a',
    'http://a b',
    'javascript:x',
    ' http://a',
    'http:/a',
    'http://a\nb',
    'http://a/\u0001',
    'http://a/\u007f',
    'http://a/\u0085',
    'http://a/\u00a0',
  ])
    expect(isWebUrl(bad)).toBe(false)
  expect(accepts(UrlOrNothing, '')).toBe(true)
  expect(accepts(UrlOrNothing, `http://a/${'x'.repeat(2_040)}`)).toBe(false)
})

it('accepts instants only with an offset', () => {
  for (const good of ['2030-01-31T12:00:00Z', '2030-01-31T12:00:00.123456Z', '2030-01-31T12:00+02:00'])
    expect(accepts(InstantInput, good)).toBe(true)
  for (const bad of ['2030-01-31', '2030-01-31T12:00:00', '2030-13-31T12:00:00Z', 'now', '1767225600'])
    expect(accepts(InstantInput, bad)).toBe(false)
  expect(readInstant('2030-01-31T12:00:00.5+0530')?.toISOString()).toBe('2030-01-31T06:30:00.500Z')
  expect(readInstant('2028-02-29T00:00-02:00')?.toISOString()).toBe('2028-02-29T02:00:00.000Z')
  expect(readInstant('0099-03-01T00:00:00Z')?.toISOString()).toBe('0099-03-01T00:00:00.000Z')
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true }), (date) => {
      expect(readInstant(date.toISOString())).toEqual(date)
    }),
  )
})

it('reads a PATCH member: plain, wrapped, absent, null, cleared', () => {
  expect(readPatch('x')).toBe('x')
  expect(readPatch({ value: 'x' })).toBe('x')
  expect(readPatch(undefined)).toBeUndefined()
  expect(readPatch(null)).toBeUndefined()
  expect(readPatch({})).toBeUndefined()
  expect(readPatch({ value: null })).toBeNull()
  expect(readPatch(false)).toBe(false)
  expect(readPatch(['a'])).toEqual(['a'])
  const schema = Type.Object({ a: patchOf(Type.String({ maxLength: 2 })) })
  for (const good of [{}, { a: null }, { a: 'x' }, { a: { value: 'x' } }, { a: { value: null } }, { a: {} }])
    expect(accepts(schema, good)).toBe(true)
  const check = createCheck(schema)
  for (const bad of ['xxx', 5, { value: 'xxx' }, ['x']]) expect(check({ a: bad })[0]?.field).toBe('a')
})

it('treats null as absent where a member may be absent', () => {
  const schema = Type.Object({ a: maybe(Type.Integer()) })
  expect(accepts(schema, { a: null }) && accepts(schema, {}) && accepts(schema, { a: 1 })).toBe(true)
  expect(createCheck(schema)({ a: 'x' })).toMatchObject([{ field: 'a', message: 'a must be an integer.' }])
})
