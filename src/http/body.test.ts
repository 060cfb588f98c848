import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, it, vi } from 'vitest'
import { askThings, goodThing, JSON_HEADERS, sayRaw, thingsServer } from '../../test/support/things.ts'
import * as finder from '../base/cards/find.ts'

const things = thingsServer()
type Init = Parameters<typeof askThings>[3]
const ask = (method: string, path: string, init: Init = {}) => askThings(things, method, path, init)
const raw = (text: string) => sayRaw(things, text)
const post = (body: string | Buffer, path = '/api/apps/a1/things') =>
  ask('POST', path, { body, headers: JSON_HEADERS })

it('treats an empty JSON body as no body, also chunked, with Expect and on GET', async () => {
  expect(await post('', '/api/apps/a1/things/act')).toMatchObject({ status: 200 })
  const head = (method: string, path: string) =>
    `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer good\r\nconnection: close\r\n` +
    'content-type: application/json\r\n'
  const chunked = 'transfer-encoding: chunked\r\nexpect: 100-continue\r\n\r\n0\r\n\r\n'
  expect(await raw(head('POST', '/api/apps/a1/things/act') + chunked)).toContain('HTTP/1.1 200')
  expect(await raw(head('GET', '/api/apps/a1/text') + chunked)).toContain('HTTP/1.1 200')
  expect(await raw(`${head('GET', '/api/apps/a1/text')}content-length: 0\r\n\r\n`)).toContain('HTTP/1.1 200')
})

it('accepts no body with any content type, and refuses a body that is not JSON', async () => {
  for (const type of ['text/plain', 'nonsense', ' ']) {
    const headers = { 'content-type': type }
    expect(await ask('POST', '/api/apps/a1/things/act', { headers })).toMatchObject({ status: 200 })
    const body = await ask('POST', '/api/apps/a1/things', { headers, body: '{}' })
    expect(body.json).toMatchObject({ status: 415, code: 'unsupported_media_type' })
  }
  expect(await ask('POST', '/api/apps/a1/things', { body: '{}' })).toMatchObject({ status: 415 })
  const other = { 'content-type': 'application/merge-patch+json; charset=utf-8' }
  const reply = await ask('POST', '/api/apps/a1/things', { body: JSON.stringify(goodThing), headers: other })
  expect(reply.status).toBe(201)
})

it('refuses a compressed body by name, and ignores a coding that is none', async () => {
  const body = JSON.stringify(goodThing)
  const sent = (coding: string, bytes: string | Buffer) =>
    ask('POST', '/api/apps/a1/things', {
      body: bytes,
      headers: { ...JSON_HEADERS, 'content-encoding': coding },
    })
  const refused = { status: 415, code: 'unsupported_media_type', detail: expect.stringMatching(/compressed/) }
  expect((await sent('gzip', gzipSync(body))).json).toMatchObject(refused)
  expect((await sent('BR', brotliCompressSync(body))).json).toMatchObject(refused)
  expect((await sent('utf-8', body)).status).toBe(201)
})

it('passes the bytes to a raw route for any content type', async () => {
  const reply = await ask('POST', '/api/apps/a1/raw', { body: 'a=1', headers: { 'content-type': 'x/y' } })
  expect(reply.json).toEqual({ length: 3 })
})

it('returns 400 for unreadable input, never 500', async () => {
  const bad = [
    '{',
    'nope',
    '{"a":NaN}',
    '{"a":1e400}',
    '{"__proto__":{"x":1}}',
    '{"a":{"__proto__":1}}',
    '['.repeat(20_000) + ']'.repeat(20_000),
    '{"a":"\\u0000"}',
    '{"a":"\\ud800"}',
    '{"\\udc00":1}',
    '{"a\\u0000":1}',
    `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`,
  ]
  for (const body of bad)
    expect((await post(body)).json).toMatchObject({
      status: 400,
      code: 'malformed_request',
      errors: [{ field: expect.stringMatching(/./) }],
    })
  const utf8 = await post(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))
  expect(utf8.json).toMatchObject({ status: 400, errors: [{ field: 'body' }] })
  expect((await post(`${'{"a":'.repeat(32)}1${'}'.repeat(32)}`, '/api/apps/a1/things/act')).status).toBe(200)
})

it('refuses a body over 256 KiB with 413', async () => {
  for (const size of [256 * 1024 + 1, 5_000_000]) {
    const { status, json } = await post(`"${'x'.repeat(size - 2)}"`)
    expect([status, json.code]).toEqual([413, 'payload_too_large'])
    expect(json.detail).toBe('The body has more than 256 KiB.')
  }
  const most = await post(`"${'x'.repeat(256 * 1024 - 2)}"`, '/api/apps/a1/things/act')
  expect(most.status).toBe(200)
})

it('refuses a card number in any text, naming the field and not the number', async () => {
  const { json, text } = await post(
    JSON.stringify({ ...goodThing, items: [{ sku: 'my 4111-1111-1111-1111' }] }),
  )
  expect(json).toMatchObject({
    status: 422,
    code: 'card_number_not_allowed',
    errors: [{ field: 'items[0].sku' }],
  })
  expect(text).not.toContain('1111')
  expect((await post('{"amount":4111111111111111}')).status).toBe(422)
})

it('looks for card numbers only in members that the schema knows, after their lengths', async () => {
  const { json } = await post(
    JSON.stringify({ ...goodThing, items: Array(3).fill({ sku: '4111111111111111' }) }),
  )
  expect(json).toMatchObject({ status: 400, errors: [{ field: 'items' }] })
  const looked = vi.spyOn(finder, 'hasCardNumber')
  for (const unknown of ['{"4111111111111111":1}', '4111111111111111', '[{"a":"4111111111111111"}]']) {
    const body = `{${JSON.stringify(goodThing).slice(1, -1)},"other":${unknown}}`
    expect((await post(body)).status).toBe(201)
  }
  const long = await post(JSON.stringify({ ...goodThing, reference: '4 1 '.repeat(50_000) }))
  expect(long.json).toMatchObject({ status: 400, errors: [{ field: 'reference' }] })
  expect(looked.mock.calls.filter(([text]) => text.length > 200 || text.includes('41111'))).toEqual([])
  looked.mockRestore()
})

it('lists every invalid field', async () => {
  const { json } = await post(JSON.stringify({ reference: 'too long', nested: {}, items: [{}, 1] }))
  expect(json).toMatchObject({ status: 400, code: 'invalid_request' })
  expect(json.errors).toEqual(
    expect.arrayContaining([
      { field: 'reference', message: 'reference must be a text of 1 to 5 characters.' },
      { field: 'amount', message: 'amount is required.' },
      { field: 'nested.customerId', message: 'nested.customerId is required.' },
      { field: 'items[0].sku', message: 'items[0].sku is required.' },
      { field: 'items[1]', message: 'items[1] must be an object.' },
    ]),
  )
  expect(json.errors).toHaveLength(5)
  expect((await post('')).json.errors).toHaveLength(3)
  expect((await post('[]')).json.errors).toEqual([{ field: 'body', message: 'body must be an object.' }])
})

it('names an array that is too long without validating its items', async () => {
  const { json } = await post(JSON.stringify({ ...goodThing, reference: 1, items: [{}, 1, 2] }))
  expect(json.errors).toEqual([
    { field: 'items', message: 'items must be a list of at most 2 items.' },
    { field: 'reference', message: 'reference must be a text of 1 to 5 characters.' },
  ])
})

it('refuses too many values, too deep ones and long names before it parses', async () => {
  const parse = vi.spyOn(JSON, 'parse')
  const many = (count: number) => `{"a":[${Array(count).fill('{}').join()}]}`
  const bodies = [
    [many(80_000), 'has more than 20000 values'],
    [`[${'1,'.repeat(20_000)}1]`, 'has more than 20000 values'],
    [`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, 'is nested deeper than 32 levels'],
    [`{"${'k'.repeat(513)}":1}`, 'has a member whose name is longer than 512 bytes'],
  ] as const
  for (const [body, message] of bodies) {
    parse.mockClear()
    const { status, text } = await post(body)
    const parsedByServer = parse.mock.calls.filter(([json]) => json === body)
    expect(parsedByServer).toEqual([])
    expect([status, JSON.parse(text).errors]).toEqual([400, [{ field: 'body', message: `body ${message}.` }]])
  }
  parse.mockRestore()
  const right = `{"a":"[{,:\\"${'['.repeat(40)}","${'k'.repeat(512)}":[${'1,'.repeat(9_000)}1]}`
  expect((await post(right, '/api/apps/a1/things/act')).status).toBe(200)
})
