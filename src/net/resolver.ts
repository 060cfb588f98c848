import type { LookupAddress, LookupOptions } from 'node:dns'
import { Resolver as Channel } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { type Clock, systemClock } from '../base/clock.ts'
import { candidates, canonical, type HostAddress, parseHosts, parseSearch, watchedFile } from './hosts.ts'
import { createWorkQueues, QueueFullError } from './work-queues.ts'

/**
 * Resolves host names for every outbound connection. Not `dns.lookup`: that runs on the four threads of
 * libuv, where a few names that never resolve delay all others. Decision 0095.
 */
export interface Resolver extends Dns {
  /** For one owner, an app or a provider's host. Owners do not delay each other. */
  lookup(owner: string): Lookup
}

/** Entries of names beside their addresses. */
export interface Dns {
  /** The TXT entries of exactly this name, for one owner; none when it has none or cannot be resolved. */
  texts(owner: string, name: string): Promise<readonly string[]>
}

export type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export interface ResolverOptions {
  readonly clock?: Clock
  /** Name servers as `address:port`; the system's when absent. */
  readonly servers?: readonly string[]
  readonly hostsFile?: string
  readonly resolvFile?: string
  /** How long to wait for the IPv6 addresses once the IPv4 ones are known. */
  readonly secondFamilyMs?: number
}

/** One query to one server; the second try waits twice as long. */
const TRY_MS = 1_000
const TRIES = 2
/** All queries for a name together; less than the connect timeout. */
const DEADLINE_MS = 3_500
/** Some servers never answer AAAA queries. */
const SECOND_FAMILY_MS = 250
/** Concurrent lookups of one owner, and of all together. */
const PER_OWNER = 16
const TOTAL = 512
const QUEUED_PER_OWNER = 1_000
/** Bounds of the TTL: a TTL of 0 does not cause a query for every webhook; a moved host is found soon. */
const MIN_TTL_MS = 5_000
const MAX_TTL_MS = 60_000
/** Shorter than the first pause between retries, so that a retry queries again. */
const NEGATIVE_TTL_MS = 3_000
const MAX_CACHED = 5_000

class ResolveError extends Error {
  override name = 'ResolveError'
  /** As of `getaddrinfo`: the name does not exist, or the lookup failed. */
  readonly code: 'ENOTFOUND' | 'EAI_AGAIN'
  constructor(code: ResolveError['code'], name: string) {
    super(`${code} ${name}`)
    this.code = code
  }
}

type Found =
  | { readonly kind: 'found'; readonly addresses: readonly HostAddress[]; readonly ttlMs: number }
  /** No such name, or none of its addresses is of this family. */
  | { readonly kind: 'none' }
  | { readonly kind: 'failed' }

interface Cached {
  readonly found: Found
  readonly sinceMs: number
}

export function createResolver(options: ResolverOptions = {}): Resolver {
  const { clock = systemClock, hostsFile = '/etc/hosts', resolvFile = '/etc/resolv.conf' } = options
  const hosts = watchedFile({ path: hostsFile, clock, parse: parseHosts })
  const search = watchedFile({ path: resolvFile, clock, parse: parseSearch })
  const cache = createCache(clock)
  const queues = createWorkQueues({ perOwner: PER_OWNER, total: TOTAL, queued: QUEUED_PER_OWNER })
  const asking = new Map<string, Promise<Found>>()

  /** Concurrent lookups of a name by one owner share a query; owners never share a queue. */
  function queryOnce(owner: string, name: string): Promise<Found> {
    const key = `${owner}\n${name}`
    const known = asking.get(key)
    if (known) return known
    const queried = queues
      .run(
        owner,
        async () => cache.get(name) ?? cache.set(name, await query(candidates(name, search()), options)),
      )
      .finally(() => asking.delete(key))
    asking.set(key, queried)
    return queried
  }

  async function resolve(owner: string, name: string): Promise<readonly HostAddress[]> {
    const local = hosts().get(canonical(name)) ?? loopback(canonical(name))
    if (local) return local
    const found = cache.get(name) ?? (await queryOnce(owner, name).catch(failedWhenFull))
    if (found.kind === 'found') return found.addresses
    throw new ResolveError(found.kind === 'none' ? 'ENOTFOUND' : 'EAI_AGAIN', name)
  }

  return {
    // Not cached: they are read when a person has just changed them.
    texts: (owner, name) => queues.run(owner, () => queryTexts(name, options)).catch(() => []),
    lookup: (owner) => (name, _options, callback) => {
      resolve(owner, name).then(
        (addresses) => callback(null, [...addresses]),
        (error) => callback(error, []),
      )
    },
  }
}

function failedWhenFull(error: unknown): Found {
  if (error instanceof QueueFullError) return { kind: 'failed' }
  throw error
}

const LOOPBACK: readonly HostAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** Never sent to a name server (RFC 6761). */
const loopback = (name: string): readonly HostAddress[] | undefined =>
  name === 'localhost' || name.endsWith('.localhost') ? LOOPBACK : undefined

function createCache(clock: Clock) {
  const entries = new Map<string, Cached>()
  const lifeMs = ({ found }: Cached) => (found.kind === 'found' ? found.ttlMs : NEGATIVE_TTL_MS)
  return {
    get(name: string): Found | undefined {
      const known = entries.get(name)
      const ageMs = clock.now().getTime() - (known?.sinceMs ?? 0)
      return known && ageMs >= 0 && ageMs < lifeMs(known) ? known.found : undefined
    },
    set(name: string, found: Found): Found {
      entries.delete(name)
      entries.set(name, { found, sinceMs: clock.now().getTime() })
      // A Map keeps the order of insertion: the first entry is the oldest.
      const [oldest] = entries.size > MAX_CACHED ? entries.keys() : []
      if (oldest !== undefined) entries.delete(oldest)
      return found
    },
  }
}

/**
 * Resolves the first of these names that exists. A new channel for each call: it can be cancelled alone, it
 * uses the current name servers, and it costs about 60 µs.
 */
async function query(
  names: readonly string[],
  { servers, secondFamilyMs = SECOND_FAMILY_MS }: ResolverOptions,
): Promise<Found> {
  const channel = new Channel({ timeout: TRY_MS, tries: TRIES })
  if (servers) channel.setServers(servers)
  const timer = setTimeout(() => channel.cancel(), DEADLINE_MS)
  try {
    for (const name of names) {
      const found = await queryBoth(channel, name, secondFamilyMs)
      if (found.kind !== 'none') return found
    }
    return { kind: 'none' }
  } finally {
    clearTimeout(timer)
    channel.cancel()
  }
}

async function queryTexts(name: string, { servers }: ResolverOptions): Promise<readonly string[]> {
  const channel = new Channel({ timeout: TRY_MS, tries: TRIES })
  if (servers) channel.setServers(servers)
  const timer = setTimeout(() => channel.cancel(), DEADLINE_MS)
  try {
    // An entry consists of parts of at most 255 bytes.
    return (await channel.resolveTxt(name)).map((parts) => parts.join(''))
  } finally {
    clearTimeout(timer)
  }
}

/** IPv4 addresses first: a machine without IPv6 loses no time. Connecting tries both (happy eyeballs). */
async function queryBoth(channel: Channel, name: string, secondFamilyMs: number): Promise<Found> {
  const later = queryFor(channel, name, 6)
  const four = await queryFor(channel, name, 4)
  const six = four.kind === 'found' ? await within(secondFamilyMs, later) : await later
  if (four.kind !== 'found' || six.kind !== 'found')
    return [four, six].find(({ kind }) => kind === 'found') ?? (four.kind === 'failed' ? four : six)
  return {
    kind: 'found',
    addresses: [...four.addresses, ...six.addresses],
    ttlMs: Math.min(four.ttlMs, six.ttlMs),
  }
}

async function queryFor(channel: Channel, name: string, family: 4 | 6): Promise<Found> {
  try {
    const ttl = { ttl: true } as const
    const records = await (family === 4 ? channel.resolve4(name, ttl) : channel.resolve6(name, ttl))
    if (records.length === 0) return { kind: 'none' }
    const ttlMs = Math.min(...records.map((record) => record.ttl)) * 1_000
    const addresses = records.map(({ address }) => ({ address, family }))
    return { kind: 'found', addresses, ttlMs: Math.min(Math.max(ttlMs, MIN_TTL_MS), MAX_TTL_MS) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { kind: ['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes(code ?? '') ? 'none' : 'failed' }
  }
}

function within(ms: number, found: Promise<Found>): Promise<Found> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ kind: 'failed' }), ms)
    found.then((value) => {
      clearTimeout(timer)
      resolve(value)
    })
  })
}

/** Adapts to `net.connect`. When `check` refuses an address, the whole name is refused. */
export const netLookup =
  (lookup: Lookup, check: (address: string) => Error | undefined = () => undefined): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const refused = error ?? firstOf(addresses, ({ address }) => check(address))
      const [first] = addresses ?? []
      if (refused || !first) callback(refused ?? new Error('the name has no address'), '', 0)
      else if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }

function firstOf<Item, Value>(items: readonly Item[], find: (item: Item) => Value | undefined) {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}
