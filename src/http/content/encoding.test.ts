import { expect, it } from 'vitest'
import { negotiateCoding } from './encoding.ts'

it.each([
  [undefined, undefined],
  ['', undefined],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['BR;Q=1.0', 'br'],
  ['br;q=0.2, gzip;q=0.8', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', undefined],
  ['br;q=0.000', undefined],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['gzip;q=0, *', 'br'],
  ['identity', undefined],
  ['identity;q=1, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip;q=1', 'gzip'],
  ['deflate, zstd', undefined],
  ['gzip;q=nonsense', undefined],
  ['gzip ; q=0.5', 'gzip'],
] as const)('Accept-Encoding %j gives %j', (header, coding) => expect(negotiateCoding(header)).toBe(coding))
