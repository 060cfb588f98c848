import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import type { Clock } from '../base/clock.ts'

// The resolver reads the same files as the system's: the hosts file and the search list of resolv.conf.

export interface HostAddress {
  readonly address: string
  readonly family: 4 | 6
}

const CHECK_MS = 1_000

interface FileOptions<Value> {
  readonly path: string
  readonly clock: Clock
  readonly parse: (text: string) => Value
}

/**
 * The parsed content of a small local file, reloaded when it has changed. Synchronous: these files are a few
 * lines in the page cache, and asynchronous reads would queue on the thread pool.
 */
export function watchedFile<Value>({ path, clock, parse }: FileOptions<Value>): () => Value {
  let value = parse('')
  let version = ''
  let checkedMs = Number.NEGATIVE_INFINITY
  return () => {
    const nowMs = clock.now().getTime()
    if (Math.abs(nowMs - checkedMs) < CHECK_MS) return value
    checkedMs = nowMs
    const found = versionOf(path)
    if (found !== version) {
      value = parse(found === '' ? '' : readText(path))
      version = found
    }
    return value
  }
}

function versionOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat ? `${stat.ino} ${stat.mtimeMs} ${stat.size}` : ''
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Removed or made unreadable since the check: treated as absent.
    return ''
  }
}

/** Lines without comments, as words. */
const wordsOf = (text: string): string[][] =>
  text
    .split('\n')
    .map((line) => (line.split(/[#;]/)[0] ?? '').split(/\s/).filter((word) => word !== ''))
    .filter((words) => words.length > 0)

export function parseHosts(text: string): ReadonlyMap<string, readonly HostAddress[]> {
  const hosts = new Map<string, HostAddress[]>()
  for (const [address = '', ...names] of wordsOf(text)) {
    const family = isIP(address)
    if (family !== 4 && family !== 6) continue
    for (const name of names.map(canonical)) {
      const known = hosts.get(name) ?? []
      if (!known.some((one) => one.address === address)) known.push({ address, family })
      hosts.set(name, known)
    }
  }
  return hosts
}

/** Lower case, without the final dot. */
export const canonical = (name: string): string => name.toLowerCase().replace(/\.$/, '')

export interface Search {
  readonly domains: readonly string[]
  /** Names with fewer dots are completed by the search domains. */
  readonly dots: number
}

/** `search`, `domain` and `ndots` of resolv.conf. */
export function parseSearch(text: string): Search {
  let domains: readonly string[] = []
  let dots = 1
  for (const [word, ...rest] of wordsOf(text)) {
    if (word === 'search' || word === 'domain') domains = rest.map(canonical).filter((name) => name !== '')
    if (word !== 'options') continue
    for (const option of rest) if (option.startsWith('ndots:')) dots = Number(option.slice(6)) || 0
  }
  return { domains, dots: Math.min(dots, 15) }
}

/**
 * The names to query, in order. A single label is tried with the search domains first; a name with a dot is
 * tried as it is first, so that names on the internet need one query.
 */
export function candidates(name: string, { domains, dots }: Search): string[] {
  const isFull = name.endsWith('.')
  const plain = canonical(name)
  const count = plain.split('.').length - 1
  const longer = isFull || count >= dots ? [] : domains.map((domain) => `${plain}.${domain}`)
  return count === 0 ? [...longer, plain] : [plain, ...longer]
}
