import type { Dice } from '../../simulate/dice.ts'

/** Marks JSON text that no JavaScript value represents; see `renderJson`. */
const raw = (text: string): string => `@@raw:${text}@@`

/** JSON text of a value; text marked by `raw` is inserted unchanged. */
export const renderJson = (value: unknown): string =>
  (JSON.stringify(value) ?? 'null').replace(/"@@raw:(.*?)@@"/g, (_all, text: string) =>
    text.replaceAll('\\"', '"'),
  )

export const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\u0001\u001f\u007f',
  'line\r\nbreak\ttab',
  '\ud800',
  'a\udfffb',
  'żółć 漢字 🛒',
  '\u202eright to left',
  '\ufeffbom',
  'e\u0301 combining',
  '\u2028\u2029',
  'x'.repeat(201),
  'x'.repeat(1_001),
  '界'.repeat(200),
  '🛒'.repeat(100),
  'y'.repeat(20_000),
  '__proto__',
  'constructor',
  'null',
  'undefined',
  '-1',
  '1e400',
  'NaN',
  '../../etc/passwd',
  '%00',
  '%2e%2e%2f',
  "' or 1=1 --",
  '"><script>alert(1)</script>',
  '{{7*7}}',
  '4111111111111111',
  'order 4242 4242 4242 4242',
  '2031-02-31',
  'true',
  '0'.repeat(400),
]

export const ODD_NUMBERS: readonly unknown[] = [
  0,
  -0,
  -1,
  0.001,
  0.01,
  0.1 + 0.2,
  1.005,
  10.5,
  999_999_999.99,
  1_000_000_000,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  1e21,
  1e-7,
  5e-324,
  1.7976931348623157e308,
  raw('1e400'),
  raw('-1e400'),
  raw('1E+2'),
  raw('NaN'),
  raw('Infinity'),
  raw('01'),
  raw('.5'),
  raw('-'),
  raw(`1${'0'.repeat(400)}`),
  raw('0.00000000000000000000000000000000001'),
  '25.00',
  '1e2',
  '0x10',
  '25,00',
  ' 25 ',
  '９９',
]

export const ODD_DATES: readonly string[] = [
  '2031-02-31T00:00:00Z',
  '2031-02-31',
  '9999-12-31T23:59:59-14:00',
  '9999-12-31T23:59:59Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '1969-12-31T23:59:59.999Z',
  '2030-01-01T24:00:00Z',
  '2030-06-30T23:59:60Z',
  '2030-01-01T00:00:00+99:99',
  '2030-13-01T00:00:00Z',
  '2030-01-01T00:00:00',
  '+010000-01-01T00:00:00Z',
  '2030-01-01T00:00:00.123456789Z',
  '2030-01-01t00:00:00z',
  'now',
]

/** All are local, because a webhook may be sent to any of them. */
export const ODD_URLS: readonly string[] = [
  'http://127.0.0.1:9/żółć',
  'http://127.0.0.1:9/a b',
  'http://127.0.0.1:9/\u0001',
  'http://127.0.0.1:9/%0d%0aSet-Cookie:a=b',
  'http://127.0.0.1:9/\r\nx: y',
  'http://127.0.0.1:9/?a=1#frag ment',
  'http://żółć.invalid/漢字?q=🛒',
  'http://user:pass@127.0.0.1/',
  'http://[::1]:9/',
  'http://169.254.169.254/latest/meta-data',
  'http://0x7f.1:9/',
  'http://127.0.0.1:99999/',
  'HTTP://SHOP.INVALID',
  'https://',
  'javascript:alert(1)',
  'data:text/html,x',
  '//shop.invalid/x',
  '/relative',
  'ftp://shop.invalid/',
  `http://shop.invalid/${'p'.repeat(2_030)}`,
  `http://shop.invalid/${'ż'.repeat(1_500)}`,
]

const nested = (depth: number, open: string, close: string): string =>
  open.repeat(depth) + close.repeat(depth)

/** Values of the wrong type, for any member. */
export const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  {},
  [],
  [[]],
  [null],
  { value: null },
  { value: { value: 1 } },
  { length: 1 },
  { toString: 1 },
  { __typename: 'x', constructor: { prototype: {} } },
  raw('{"__proto__":{"isAdmin":true}}'),
  raw(nested(31, '[', ']')),
  raw(nested(40, '[', ']')),
  raw(nested(20_000, '[', ']')),
  raw(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`),
  Array.from({ length: 501 }, (_, n) => n),
  Array.from({ length: 3_000 }, () => ({})),
  raw(`{${Array.from({ length: 3_000 }, (_, n) => `"k${n}":${n}`).join(',')}}`),
]

/** One hostile value of any type. */
export function oddValue(dice: Dice): unknown {
  const kinds: readonly (readonly unknown[])[] = [ODD_TEXTS, ODD_NUMBERS, ODD_DATES, ODD_URLS, ODD_VALUES]
  return dice.pick(dice.pick(kinds))
}

/** Amounts for a query or body. */
export const AMOUNTS: readonly string[] = [
  '1',
  '2.5',
  '0.01',
  '10',
  '25.50',
  '25.51',
  '999999999.99',
  '0',
  '-1',
  '0.001',
  '1e2',
  'NaN',
  '1.',
  '.5',
  '00001',
  '1,5',
  '٣',
  '99999999999999999999',
]

/** Percent-encodings that decoders treat differently. */
export const ODD_ENCODINGS: readonly string[] = [
  '%',
  '%2',
  '%zz',
  '%00',
  '%ff',
  '%c0%af',
  '%ed%a0%80',
  '%u0041',
  '%25',
  '%2F',
  '%2e%2e',
  '+',
  '%0d%0a',
  '%F0%9F%9B%92',
  '\xff',
  ';',
  '%3f%23',
]
