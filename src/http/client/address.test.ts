import { describe, expect, it } from 'vitest'
import { networkOf, parseRanges } from '../../base/addresses.ts'
import { clientAddress } from './address.ts'

const proxies = parseRanges('10.0.0.0/8, 192.168.1.1, 2001:db8:ffff::/48') ?? []

const seen = (peer: string | undefined, value?: string | string[], header = 'x-forwarded-for') =>
  clientAddress(peer, value === undefined ? {} : { [header]: value }, { proxies, header })

describe('the address of the client', () => {
  it.each([
    ['of the connection, without a header', '10.0.0.1', undefined, '10.0.0.1'],
    ['of the connection, from a peer that is not trusted', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['what the proxy adds', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['the rightmost untrusted one', '10.0.0.1', '1.1.1.1, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
    ['not what the client sent before it', '10.0.0.1', '10.0.0.5, 198.51.100.1', '198.51.100.1'],
    ['the leftmost, when all are trusted', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['the last good one before garbage', '10.0.0.1', '198.51.100.1, garbage, 10.0.0.2', '10.0.0.2'],
    ['of the connection, when the last entry is garbage', '10.0.0.1', '198.51.100.1, <x>', '10.0.0.1'],
    ['with a port', '10.0.0.1', '198.51.100.1:5678', '198.51.100.1'],
    ['of IPv6', '10.0.0.1', '2001:db8::1', '2001:db8::1'],
    ['of IPv6 in its shortest form', '10.0.0.1', '2001:DB8:0:0::0001', '2001:db8::1'],
    ['of IPv6 in brackets', '10.0.0.1', '[2001:db8::1]', '2001:db8::1'],
    ['of IPv6 with a port', '10.0.0.1', '[2001:db8::1]:80', '2001:db8::1'],
    ['of IPv4 written as IPv6', '10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
    ['of a proxy written as IPv6', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['of a trusted IPv6 proxy', '2001:db8:ffff::7', '198.51.100.1', '198.51.100.1'],
    ['without empty entries', '10.0.0.1', ', 198.51.100.1, , ,', '198.51.100.1'],
    ['of an empty header', '10.0.0.1', '', '10.0.0.1'],
    ['not of numbers that only some software reads', '10.0.0.1', '0x7f.1', '10.0.0.1'],
    ['not of octal numbers', '10.0.0.1', '010.0.0.1', '10.0.0.1'],
    ['not of a name', '10.0.0.1', 'localhost', '10.0.0.1'],
    ['without its zone', 'fe80::1%eth0', undefined, 'fe80::1'],
  ])('is %s', (_what, peer, value, client) => expect(seen(peer, value)).toBe(client))

  it('joins several lines of the header', () =>
    expect(seen('10.0.0.1', ['198.51.100.1', '10.0.0.2'])).toBe('198.51.100.1'))

  it('is unknown for a closed connection', () => expect(seen(undefined, '1.1.1.1')).toBe('unknown'))

  it('reads a bounded number of entries', () => {
    const many = `198.51.100.1,${'10.0.0.2,'.repeat(2_000)}10.0.0.3`
    expect(seen('10.0.0.1', many)).toBe('10.0.0.2')
    expect(seen('10.0.0.1', `${'1.1.1.1,'.repeat(2_000)}198.51.100.1`)).toBe('198.51.100.1')
    expect(seen('10.0.0.1', ','.repeat(10_000))).toBe('10.0.0.1')
  })

  it('comes only from the configured header', () => {
    const trust = { proxies, header: 'cf-connecting-ip' }
    const headers = { 'x-forwarded-for': '1.1.1.1', 'cf-connecting-ip': '198.51.100.1' }
    expect(clientAddress('10.0.0.1', headers, trust)).toBe('198.51.100.1')
    expect(clientAddress('10.0.0.1', { 'x-forwarded-for': '1.1.1.1' }, trust)).toBe('10.0.0.1')
  })

  it.each([
    ['for=198.51.100.1', '198.51.100.1'],
    ['For=198.51.100.1;proto=https;by=10.0.0.1', '198.51.100.1'],
    ['for="198.51.100.1:4711"', '198.51.100.1'],
    ['for="[2001:db8::1]:4711"', '2001:db8::1'],
    ['for=1.1.1.1, for=198.51.100.1, for=10.0.0.2', '198.51.100.1'],
    ['for=1.1.1.1, for=unknown', '10.0.0.1'],
    ['for=1.1.1.1, for=_hidden, for=10.0.0.2', '10.0.0.2'],
    ['proto=https', '10.0.0.1'],
    ['for=1.1.1.1;for=2.2.2.2', '10.0.0.1'],
    // A client that sends an open quote.
    ['for="10.0.0.5, for=198.51.100.1', '198.51.100.1'],
    ['for="1.1.1.1,2.2.2.2"', '10.0.0.1'],
  ])('of Forwarded: %s is %s', (value, client) => expect(seen('10.0.0.1', value, 'forwarded')).toBe(client))
})

describe('limits count', () => {
  it.each([
    ['198.51.100.1', '198.51.100.1'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff::', '2001:db8:1:2::/64'],
    ['unknown', 'unknown'],
  ])('%s as %s', (address, network) => expect(networkOf(address)).toBe(network))
})
