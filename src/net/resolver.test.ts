import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/support/clock.ts'
import { type DnsServer, startDns } from '../../test/support/dns.ts'
import { createHttp } from './http.ts'
import { createResolver, type Resolver, type ResolverOptions } from './resolver.ts'

let dns: DnsServer
let clock: FakeClock
let folder: string
let resolver: Resolver
beforeEach(async () => {
  dns = await startDns()
  clock = createFakeClock()
  folder = mkdtempSync(join(tmpdir(), 'tender-resolver-'))
  write('hosts', '')
  write('resolv.conf', '')
  resolver = createResolver(files())
})
afterEach(async () => {
  rmSync(folder, { recursive: true })
  await dns.stop()
})

const files = (): ResolverOptions => ({
  clock,
  servers: [dns.server],
  hostsFile: join(folder, 'hosts'),
  resolvFile: join(folder, 'resolv.conf'),
})

const write = (file: string, text: string) => writeFileSync(join(folder, file), text)

const resolve = (name: string, owner = 'shop'): Promise<string[]> =>
  new Promise((done, reject) =>
    resolver.lookup(owner)(name, { all: true }, (error, addresses) =>
      error ? reject(error) : done(addresses.map(({ address }) => address)),
    ),
  )
const failure = (name: string): Promise<string> =>
  resolve(name).then(
    () => 'resolved',
    (error) => error.code,
  )
const asked = (name: string): number => dns.asked.filter((question) => question === `A ${name}`).length

describe('a name', () => {
  it('has its IPv4 addresses first, then its IPv6 addresses', async () => {
    resolver = createResolver({ ...files(), secondFamilyMs: 60_000 })
    dns.answer = () => ['2001:db8::7', '192.0.2.1', '192.0.2.2']
    expect(await resolve('shop.test')).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::7'])
  })

  it.each([
    ['192.0.2.1', 'AAAA'],
    ['2001:db8::1', 'A'],
  ])('resolves to %s when the server never answers for %s', async (address, silent) => {
    dns.answer = (_name, type) => (type === silent ? 'silent' : [address])
    expect(await resolve('half.test')).toEqual([address])
  })

  it('that does not exist and one without an answer fail with different codes', async () => {
    dns.answer = (name) => (name === 'dead.test' ? 'silent' : [])
    expect(await failure('missing.test')).toBe('ENOTFOUND')
    expect(await failure('dead.test')).toBe('EAI_AGAIN')
    expect(await failure(`${'x'.repeat(300)}.test`)).toBe('ENOTFOUND')
  })

  it('that cannot be resolved makes a provider request not-sent', async () => {
    dns.answer = (name) => (name === 'dead.test' ? 'silent' : [])
    const quiet = () => {}
    const http = createHttp({ debug: quiet, info: quiet, warn: quiet, error: quiet }, resolver)
    const call = (host: string) => http.call({ method: 'GET', url: `http://${host}/` })
    expect(await call('missing.test')).toEqual({ kind: 'not-sent', cause: 'ENOTFOUND' })
    expect(await call('dead.test')).toEqual({ kind: 'not-sent', cause: 'EAI_AGAIN' })
    await http.close()
  })
})

describe('the cache', () => {
  it('stores an address for its TTL, at least 5 seconds and at most a minute', async () => {
    dns.answer = () => ['192.0.2.1']
    for (const [ttlSeconds, kept] of [
      [0, 5],
      [20, 20],
      [86_400, 60],
    ] as const) {
      const name = `ttl-${ttlSeconds}.test`
      dns.ttlSeconds = ttlSeconds
      await resolve(name)
      clock.advance(kept * 1_000 - 1)
      await resolve(name, 'another app')
      expect(asked(name)).toBe(1)
      clock.advance(1)
      await resolve(name)
      expect(asked(name)).toBe(2)
    }
  })

  it('stores a failure for a short time', async () => {
    expect(await failure('new.test')).toBe('ENOTFOUND')
    dns.answer = () => ['192.0.2.1']
    clock.advance(2_999)
    expect(await failure('new.test')).toBe('ENOTFOUND')
    clock.advance(1)
    expect(await resolve('new.test')).toEqual(['192.0.2.1'])
  })

  it('sends one query for concurrent lookups', async () => {
    dns.answer = () => ['192.0.2.1']
    await Promise.all(Array.from({ length: 20 }, () => resolve('busy.test')))
    expect(asked('busy.test')).toBe(1)
  })
})

describe('local names', () => {
  it('come from the hosts file, which is read again when it changes', async () => {
    write('hosts', '# names\n10.0.0.7 db DB.internal # both\n\n2001:db8::9\tdb\nnonsense db\n')
    clock.advance(1_000)
    expect(await resolve('db')).toEqual(['10.0.0.7', '2001:db8::9'])
    expect(await resolve('db.internal.')).toEqual(['10.0.0.7'])
    write('hosts', '10.0.0.8 db\n')
    clock.advance(1_000)
    expect(await resolve('db')).toEqual(['10.0.0.8'])
    expect(dns.asked).toEqual([])
  })

  it('localhost is this machine, also without a hosts file', async () => {
    rmSync(join(folder, 'hosts'))
    clock.advance(1_000)
    expect(await resolve('localhost')).toEqual(['127.0.0.1', '::1'])
    expect(await resolve('shop.localhost')).toEqual(['127.0.0.1', '::1'])
    expect(dns.asked).toEqual([])
  })

  it('are completed by the search list of resolv.conf', async () => {
    write('resolv.conf', 'nameserver 192.0.2.53\nsearch shops.svc.test svc.test\noptions ndots:3 rotate\n')
    clock.advance(1_000)
    dns.answer = (name) => (['shop.svc.test', 'b.shops.svc.test', 'a.b'].includes(name) ? ['10.0.0.7'] : [])
    expect(await resolve('shop')).toEqual(['10.0.0.7'])
    expect(asked('shop.shops.svc.test')).toBe(1)
    expect(await resolve('a.b')).toEqual(['10.0.0.7'])
    expect(asked('a.b.shops.svc.test')).toBe(0)
    expect(await failure('b.')).toBe('ENOTFOUND')
  })
})

describe('80 names without an answer', () => {
  it('do not delay the lookup of another app, and at most 16 are queried concurrently', async () => {
    let ended = 0
    let atOnce = 0
    const names = new Set<string>()
    dns.answer = (name) => {
      if (!name.startsWith('dead-')) return ['192.0.2.1']
      names.add(name)
      atOnce = Math.max(atOnce, names.size - ended)
      return 'silent'
    }
    const dead = Array.from({ length: 80 }, (_, n) =>
      resolve(`dead-${n}.test`, 'noisy app').catch(() => ended++),
    )
    await expect.poll(() => names.size).toBeGreaterThanOrEqual(16)
    expect(await resolve('shop.test', 'quiet app')).toEqual(['192.0.2.1'])
    // Before the last of them is queried.
    expect(names.size).toBeLessThan(80)
    expect(atOnce).toBe(16)
    // The name server answers now, so that the test need not wait for the rest.
    dns.answer = () => []
    await Promise.all(dead)
  }, 30_000)
})

describe('the texts of a name', () => {
  it('are those of exactly this name, read anew each time, with long ones whole', async () => {
    write('resolv.conf', 'search corp.test\noptions ndots:5\n')
    const long = 'x'.repeat(400)
    dns.answer = (name, type) => (type === 'TXT' && name === '_tender.shop.test' ? ['one', long] : [])
    expect(await resolver.texts('shop', '_tender.shop.test')).toEqual(['one', long])
    dns.answer = () => []
    expect(await resolver.texts('shop', '_tender.shop.test')).toEqual([])
    expect(await resolver.texts('shop', `${'a.'.repeat(140)}test`)).toEqual([])
    expect([...new Set(dns.asked)]).toEqual(['TXT _tender.shop.test'])
  })
})
