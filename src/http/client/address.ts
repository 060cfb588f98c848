import { type Address, contains, parseAddress, type Range } from '../../base/addresses.ts'

/** The trusted proxies, and the header in which they send the client's address. Decision 0101. */
export interface ProxyTrust {
  readonly proxies: readonly Range[]
  /** In lower case. */
  readonly header: string
}

export const NO_PROXIES: ProxyTrust = { proxies: [], header: 'x-forwarded-for' }

/** The longest supported chain of proxies; the rest of the header is not read. */
const MAX_HOPS = 32

type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * The client's address: the rightmost one that is not a trusted proxy's, as each proxy appends the address of
 * its peer. Everything further left was sent by the client itself and cannot be trusted. The header counts
 * only when the connection itself comes from a trusted proxy.
 */
export function clientAddress(peer: string | undefined, headers: Headers, trust: ProxyTrust): string {
  const connected = parseAddress(peer ?? '')
  if (!connected) return peer ?? 'unknown'
  const isTrusted = (address: Address) => trust.proxies.some((range) => contains(range, address))
  let nearest = connected
  let hops = 0
  for (const entry of entriesFromRight(headers[trust.header])) {
    if (!isTrusted(nearest) || ++hops > MAX_HOPS) break
    const address = trust.header === 'forwarded' ? forwardedFor(entry) : withoutPort(entry)
    // Unknown, obfuscated or invalid: entries to its left cannot be trusted.
    if (!address) break
    nearest = address
  }
  return nearest.toString()
}

/** Whether the connection itself comes from a trusted proxy. */
export function isFromProxy(
  { remoteAddress = '' }: { readonly remoteAddress?: string | undefined },
  proxies: readonly Range[],
): boolean {
  const peer = parseAddress(remoteAddress)
  return peer !== undefined && proxies.some((range) => contains(range, peer))
}

/** Several lines of a header are one list. Empty entries of a list do not count (RFC 9110, 5.6.1). */
function* entriesFromRight(value: string | string[] | undefined): Generator<string> {
  const list = Array.isArray(value) ? value.join(',') : (value ?? '')
  for (let end = list.length; end >= 0; ) {
    const comma = end === 0 ? -1 : list.lastIndexOf(',', end - 1)
    const entry = list.slice(comma + 1, end).trim()
    if (entry !== '') yield entry
    end = comma
  }
}

/** `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): Address | undefined {
  const [, inBrackets, beforePort] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? []
  return parseAddress(inBrackets ?? beforePort ?? text)
}

/**
 * The `for` of one element of RFC 7239. Elements are split at commas without regard to quotes: a client that
 * sends an open quote must not swallow what its proxy adds. A quoted comma makes its own element unreadable.
 */
function forwardedFor(element: string): Address | undefined {
  let found: string | undefined
  for (const pair of element.split(';')) {
    const [, name, token, quoted] = /^([\w-]+)=(?:([\w.:-]+)|"([^"\\]*)")$/.exec(pair.trim()) ?? []
    if (name === undefined) return undefined
    if (name.toLowerCase() !== 'for') continue
    if (found !== undefined) return undefined
    found = quoted ?? token ?? ''
  }
  return found === undefined ? undefined : withoutPort(found)
}
