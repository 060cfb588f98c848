import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { forbidden } from './guard.ts'
import { createPost, type Posting } from './post.ts'

/** A server at the loopback addresses; it must receive no connection. */
let canary: Server
let port: number
let received = 0

beforeAll(async () => {
  canary = createServer((_request, response) => response.end('ok'))
  canary.on('connection', () => received++)
  await new Promise<void>((resolve) => canary.listen(0, resolve))
  port = (canary.address() as AddressInfo).port
})
afterAll(() => canary.close())
beforeEach(() => {
  received = 0
})

const posting = (host: string, to = port): Posting => ({
  url: `http://${host}:${to}/latest/meta-data/`,
  headers: {},
  body: '{}',
  timeoutMs: 2_000,
  answerBytes: 100,
  answerMs: 100,
})

type Row = readonly [host: string, inProduction: string | undefined, inDevelopment: string | undefined]

/**
 * The reason for which a literal host is refused, with private addresses forbidden and allowed; undefined:
 * not refused.
 */
const HOSTS: readonly Row[] = [
  // loopback, and its unusual spellings
  ['127.0.0.1', 'loopback', undefined],
  ['127.8.9.10', 'loopback', undefined],
  ['127.1', 'loopback', undefined],
  ['2130706433', 'loopback', undefined],
  ['0x7f000001', 'loopback', undefined],
  ['0x7f.1', 'loopback', undefined],
  ['0177.0.0.1', 'loopback', undefined],
  ['017700000001', 'loopback', undefined],
  ['0x7F.0x0.0x0.0x1', 'loopback', undefined],
  ['%31%32%37.0.0.1', 'loopback', undefined],
  ['127。0。0。1', 'loopback', undefined],
  ['①②⑦.⓪.⓪.①', 'loopback', undefined],
  ['127.0.0.1.', 'loopback', undefined],
  ['[::1]', 'loopback', undefined],
  ['[0:0:0:0:0:0:0:1]', 'loopback', undefined],
  ['[::ffff:127.0.0.1]', 'loopback', undefined],
  ['[::ffff:7f00:1]', 'loopback', undefined],
  ['[64:ff9b::7f00:1]', 'loopback', undefined],
  // unspecified: Linux treats it as this machine
  ['0.0.0.0', 'unspecified', 'unspecified'],
  ['0', 'unspecified', 'unspecified'],
  ['0.1.2.3', 'unspecified', 'unspecified'],
  ['[::]', 'unspecified', 'unspecified'],
  // private
  ['10.0.0.1', 'private', undefined],
  ['172.16.0.1', 'private', undefined],
  ['172.31.255.255', 'private', undefined],
  ['192.168.1.1', 'private', undefined],
  ['0xc0a80101', 'private', undefined],
  ['[::ffff:10.1.2.3]', 'private', undefined],
  ['[64:ff9b::10.1.2.3]', 'private', undefined],
  ['[fc00::1]', 'uniqueLocal', undefined],
  ['[fd12:3456::1]', 'uniqueLocal', undefined],
  ['100.64.0.1', 'carrierGradeNat', undefined],
  ['100.127.255.254', 'carrierGradeNat', undefined],
  // link-local and metadata: never
  ['169.254.169.254', 'linkLocal', 'linkLocal'],
  ['2852039166', 'linkLocal', 'linkLocal'],
  ['0xa9fea9fe', 'linkLocal', 'linkLocal'],
  ['0251.0376.0251.0376', 'linkLocal', 'linkLocal'],
  ['169.254.170.2', 'linkLocal', 'linkLocal'],
  ['[::ffff:169.254.169.254]', 'linkLocal', 'linkLocal'],
  ['[64:ff9b::a9fe:a9fe]', 'linkLocal', 'linkLocal'],
  ['[fe80::1]', 'linkLocal', 'linkLocal'],
  ['[fd00:ec2::254]', 'metadata', 'metadata'],
  ['[fd20:ce::254]', 'metadata', 'metadata'],
  ['100.100.100.200', 'metadata', 'metadata'],
  ['[::ffff:100.100.100.200]', 'metadata', 'metadata'],
  ['168.63.129.16', 'metadata', 'metadata'],
  ['192.0.0.192', 'metadata', 'metadata'],
  // reserved
  ['[::127.0.0.1]', 'reserved', 'reserved'],
  ['[64:ff9b:1::7f00:1]', 'rfc6052', 'rfc6052'],
  ['[2002:7f00:1::]', '6to4', '6to4'],
  ['[2001:0:5ef5:79fb::]', 'teredo', 'teredo'],
  ['[fec0::1]', 'deprecatedSiteLocal', 'deprecatedSiteLocal'],
  ['[::ffff:0:127.0.0.1]', 'rfc6145', 'rfc6145'],
  ['[2001:db8::1]', 'reserved', 'reserved'],
  ['[4000::1]', 'reserved', 'reserved'],
  ['[ff02::1]', 'multicast', 'multicast'],
  ['224.0.0.1', 'multicast', 'multicast'],
  ['255.255.255.255', 'broadcast', 'broadcast'],
  ['192.0.2.1', 'reserved', 'reserved'],
  ['198.51.100.7', 'reserved', 'reserved'],
  ['203.0.113.9', 'reserved', 'reserved'],
  ['198.18.0.1', 'reserved', 'reserved'],
  ['240.0.0.1', 'reserved', 'reserved'],
  // public
  ['8.8.8.8', undefined, undefined],
  ['172.32.0.1', undefined, undefined],
  ['100.128.0.1', undefined, undefined],
  ['[2606:4700:4700::1111]', undefined, undefined],
  ['[::ffff:8.8.8.8]', undefined, undefined],
  ['[64:ff9b::808:808]', undefined, undefined],
]

const addressOf = (host: string): string =>
  new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

describe('the address guard', () => {
  it.each(HOSTS)('checks %s', (host, inProduction, inDevelopment) => {
    expect(forbidden(addressOf(host), { allowPrivate: false })).toBe(inProduction)
    expect(forbidden(addressOf(host), { allowPrivate: true })).toBe(inDevelopment)
  })

  it('connects to none of the forbidden addresses', async () => {
    const post = createPost({ allowPrivate: false })
    const refused = HOSTS.filter(([, inProduction]) => inProduction !== undefined)
    expect(refused.length).toBeGreaterThanOrEqual(40)
    const replies = await Promise.all(refused.map(([host]) => post.send(posting(host))))
    expect(replies.map((reply, n) => [refused[n]?.[0], reply])).toEqual(
      refused.map(([host]) => [host, { kind: 'no-reply', error: expect.stringContaining('forbidden:') }]),
    )
    expect(received).toBe(0)
    await post.close()
  })

  it('refuses link-local and metadata addresses in development too', async () => {
    const post = createPost({ allowPrivate: true })
    for (const [host] of HOSTS.filter(([, , inDevelopment]) => inDevelopment !== undefined))
      expect(await post.send(posting(host))).toMatchObject({ error: expect.stringContaining('forbidden') })
    expect(received).toBe(0)
    await post.close()
  })

  it('connects to loopback if private addresses are allowed', async () => {
    const post = createPost({ allowPrivate: true })
    expect(await post.send(posting('127.0.0.1'))).toMatchObject({ kind: 'reply', status: 200 })
    expect(await post.send(posting('localhost'))).toMatchObject({ kind: 'reply', status: 200 })
    expect(received).toBeGreaterThan(0)
    await post.close()
  })
})

describe('a host name', () => {
  const resolving = (...answers: readonly (readonly string[])[]) => {
    let asked = 0
    const post = createPost({
      allowPrivate: false,
      lookup: (_name, _options, callback) => {
        const addresses = answers[Math.min(asked++, answers.length - 1)] ?? []
        callback(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        )
      },
    })
    return { post, asked: () => asked }
  }

  it.each([
    ['localhost', ['127.0.0.1']],
    ['metadata.google.internal', ['169.254.169.254']],
    ['shop.example', ['10.0.0.7']],
    ['two-faced.example', ['8.8.8.8', '127.0.0.1']],
    ['six.example', ['2606:4700:4700::1111', '::1']],
    ['mapped.example', ['::ffff:127.0.0.1']],
    ['nowhere.example', []],
  ])('%s is refused when any of its addresses is forbidden', async (name, addresses) => {
    const { post } = resolving(addresses)
    expect((await post.send(posting(name))).kind).toBe('no-reply')
    expect(received).toBe(0)
    await post.close()
  })

  it('that resolves differently later is connected to at the checked address', async () => {
    const { post, asked } = resolving(['203.0.113.1'], ['127.0.0.1'])
    await post.send(posting('rebinding.example'))
    expect([asked(), received]).toEqual([1, 0])
    await post.send(posting('rebinding.example'))
    expect([asked(), received]).toEqual([2, 0])
    await post.close()
  })

  it('is connected to at the checked address, not at that of the system resolver', async () => {
    const post = createPost({
      allowPrivate: true,
      lookup: (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    })
    expect(await post.send(posting('does-not-exist.invalid'))).toMatchObject({ kind: 'reply', status: 200 })
    await post.close()
  })
})
