import { gzipSync } from 'node:zlib'
import type { Operation } from '../document.ts'
import { bytesOf, type FuzzRequest, type Header, headerOf, targetOf } from '../wire/request.ts'
import type { World } from '../world.ts'
import { oddText } from './generate.ts'
import { ODD_ENCODINGS, ODD_VALUES, renderJson } from './values.ts'

const METHODS = [
  'HEAD',
  'OPTIONS',
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'TRACE',
  'PROPFIND',
  'get',
  'FOO',
  'QUERY',
]

export const brokenMethod = ({ dice }: World, request: FuzzRequest): FuzzRequest => ({
  ...request,
  method: dice.pick(METHODS),
})

export function brokenPath({ dice }: World, request: FuzzRequest): FuzzRequest {
  const { path } = request
  const odd = dice.pick(ODD_ENCODINGS)
  const parts = path.split('/')
  const at = 1 + dice.below(parts.length - 1)
  const withPart = (part: string) => parts.map((known, index) => (index === at ? part : known)).join('/')
  const paths = [
    () => path.replace('/api/', '/api/v1/'),
    () => `${path}/`,
    () => `/${path}`,
    () => path.toUpperCase(),
    () => `${path}/../x`,
    () => withPart(odd),
    () => withPart(''),
    () => withPart(`${parts[at]}${odd}`),
    () => withPart('x'.repeat(9_000)),
    () => withPart(bytesOf('żółć')),
    () => withPart('{paymentId}'),
    () => `http://shop.invalid${path}`,
    () => '*',
  ]
  return { ...request, path: dice.pick(paths)() }
}

/** One character for each byte, without characters that would end the header. */
const headerText = (text: string): string => bytesOf(text.toWellFormed()).replace(/[\r\n\0]/g, '')

export function brokenHeaders(world: World, request: FuzzRequest): FuzzRequest {
  const { dice } = world
  const odd = headerText(oddText(dice)).slice(0, 4_000)
  const choices: readonly Header[] = [
    ['Idempotency-Key', odd],
    ['Idempotency-Key', 'k'.repeat(256)],
    ['Idempotency-Key', `${world.mark}-shared-${dice.below(4)}`],
    [
      'Prefer',
      dice.pick([
        'wait=0',
        'wait=1',
        'wait=999999',
        'wait=-1',
        'respond-async',
        'wait=1, respond-async',
        odd,
      ]),
    ],
    ['X-Request-Id', dice.pick(['req-1', odd, '4111111111111111', 'x'.repeat(65), 'a b'])],
    ['Accept', dice.pick(['text/plain', '*/*', 'application/xml', odd])],
    ['Accept-Language', dice.pick(['pl', 'x'.repeat(300), 'de;q=0', 'de;q=NaN,*', odd])],
    ['Accept-Encoding', dice.pick(['gzip', 'br;q=1', 'identity;q=0', odd])],
    [
      'Content-Type',
      dice.pick(['text/plain', 'application/xml', 'application/json; charset=utf-16', odd, 'json']),
    ],
    ['Content-Encoding', dice.pick(['gzip', 'br'])],
    ['Authorization', `Bearer ${odd}`],
    ['Authorization', `Bearer x${' '.repeat(5_000)}`],
    ['Cookie', `lang=${odd}; panel=${odd}`],
    ['X-Forwarded-For', dice.pick(['203.0.113.9', odd, '::ffff:1.2.3.4, x'])],
    ['Forwarded', `for=${odd}`],
    ['Host', dice.pick(['shop.invalid', odd, ''])],
    ['Expect', '100-continue'],
    ['Expect', 'something'],
    ['Range', 'bytes=0-1'],
    ['If-None-Match', '*'],
    ['X-HTTP-Method-Override', 'DELETE'],
    ['Sec-Fetch-Site', 'cross-site'],
    ['Upgrade', 'h2c'],
  ]
  const [name, value] = dice.pick(choices)
  const others = request.headers.filter(([known]) => known !== name)
  // Added as a duplicate or replaced.
  const headers: Header[] = dice.chance(0.25)
    ? [...request.headers, [name, value]]
    : [...others, [name, value], ...(dice.chance(0.1) ? [[name, value] as const] : [])]
  return { ...request, headers }
}

const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const DEPTHS = [31, 32, 33, 100, 20_000]
const TOO_LARGE = 300 * 1024

/** A body that is not valid JSON. */
export function brokenBody(world: World, request: FuzzRequest): FuzzRequest {
  const { dice } = world
  const text = request.body ?? Buffer.from('{}')
  const at = dice.below(Math.max(1, text.length))
  const inserted = (bytes: readonly number[]) =>
    Buffer.concat([text.subarray(0, at), Buffer.from(bytes), text.subarray(at)])
  const bodies: readonly (() => Buffer)[] = [
    () => text.subarray(0, at),
    () => inserted([0xff]),
    () => inserted([0xed, 0xa0, 0x80]),
    () => inserted([0]),
    () => inserted([0xc0, 0x80]),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), text]),
    () => Buffer.concat([text, Buffer.from('}x')]),
    () => Buffer.from(text.toString('utf8'), 'utf16le'),
    () => Buffer.from(deep(dice.pick(DEPTHS))),
    () => Buffer.from(renderJson(dice.pick(ODD_VALUES))),
    () => Buffer.from(dice.pick(['', ' ', 'null', '1', '"x"', '[]', '{}', 'NaN', "{'a':1}", '{"a":1,}'])),
    () => Buffer.from(`[${'{},'.repeat(40_000)}{}]`),
    () => Buffer.from(`{"items":[${'{},'.repeat(40_000)}{}]}`),
    () => Buffer.from(`{"a":"${'x'.repeat(TOO_LARGE)}"}`),
    () => gzipSync(text),
    () => Buffer.from(`referenceId=1&amount=2`),
    () => Buffer.from(text.toString('utf8').replace('{', '{"amount":1,"amount":2,"referenceId":"a",')),
  ]
  const headers: Header[] =
    headerOf(request, 'content-type') === undefined
      ? [...request.headers, ['Content-Type', 'application/json']]
      : [...request.headers]
  return { ...request, headers, body: dice.pick(bodies)() }
}

/** Bytes that HTTP clients refuse to send. */
export function rawRequest(world: World, { method, path }: Operation): FuzzRequest {
  const { dice, merchant } = world
  const target = path.replace('{appId}', merchant.sandbox.appId).replace(/\{\w+\}/g, '1')
  const line = `${method} ${target} HTTP/1.1`
  const common = `Host: x\r\nConnection: close\r\nAuthorization: Bearer ${merchant.sandbox.apiKey}`
  const json = 'Content-Type: application/json'
  const chunked = 'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'
  const texts = [
    `${line}\r\n${common}\r\n${json}\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{"a":1`,
    `${line}\r\n${common}\r\n${json}\r\nContent-Length: 2\r\n${chunked}`,
    `${line}\r\n${common}\r\n${json}\r\n${chunked}`,
    `${line}\r\n${common}\r\n${json}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    `${line}\r\n${common}\r\n${json}\r\nTransfer-Encoding: gzip\r\n\r\n{}`,
    `${line}\r\n${common}\r\nContent-Length: -1\r\n\r\n`,
    `${line}\r\n${common}\r\nContent-Length: 99999999999999999999\r\n\r\n`,
    `${line}\r\n${common}\r\nNo colon here\r\n\r\n`,
    `${line}\r\n${common}\r\nX: a\r\n folded\r\n\r\n`,
    `${line}\r\n${common}\r\nX: a\0b\r\n\r\n`,
    `${line}\r\n${common}\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
    `${line}\r\n${common}\r\n${'X: y\r\n'.repeat(2_500)}\r\n`,
    `${method} ${target}?q=${'q'.repeat(30_000)} HTTP/1.1\r\n${common}\r\n\r\n`,
    `${method} ${target} HTTP/1.0\r\n\r\n`,
    `${method} ${target} HTTP/9.9\r\n${common}\r\n\r\n`,
    `${method} ${target}\r\n\r\n`,
    `${line}\r\nConnection: close\r\n\r\n`,
    `${method} ${target} \xff HTTP/1.1\r\n${common}\r\n\r\n`,
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'GET / HTTP/1.1\nHost: x\nConnection: close\n\n',
    `CONNECT 127.0.0.1:80 HTTP/1.1\r\n${common}\r\n\r\n`,
  ]
  const request = { method, path: target, query: [], headers: [] }
  return { ...request, path: targetOf(request), raw: Buffer.from(dice.pick(texts), 'latin1') }
}
