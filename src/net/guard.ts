import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { buildConnector } from 'undici'
import { type Lookup, netLookup } from './resolver.ts'

/**
 * Protection against SSRF: merchants choose the addresses of webhooks. The resolved address is checked when
 * the connection is made, and the connection goes to that same address, so DNS rebinding has no effect.
 * Decision 0036.
 */

/** Private networks: allowed in development, where the shop runs on the same machine. */
const OWN_NETWORK: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'])

/** Cloud metadata services, which return credentials. Those on link-local addresses are refused by range. */
const METADATA: ReadonlySet<string> = new Set([
  '100.100.100.200', // Alibaba Cloud
  '168.63.129.16', // Azure; a public address that means the host
  '192.0.0.192', // Oracle Cloud
  'fd00:ec2::254', // Amazon
  'fd20:ce::254', // Google
])

const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

export interface AddressGuardOptions {
  readonly allowPrivate: boolean
}

/** The reason why an address is refused; undefined when it is allowed. Only public addresses are allowed. */
export function forbidden(address: string, { allowPrivate }: AddressGuardOptions): string | undefined {
  const ip = innermost(ipaddr.parse(address))
  const range = ip.range()
  if (METADATA.has(ip.toString())) return 'metadata'
  if (OWN_NETWORK.has(range)) return allowPrivate ? undefined : range
  if (range !== 'unicast') return range
  return ip instanceof ipaddr.IPv6 && !ip.match(GLOBAL_UNICAST) ? 'reserved' : undefined
}

/** The IPv4 address of a mapped or NAT64 IPv6 address, which reaches the same machine. */
function innermost(ip: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(ip instanceof ipaddr.IPv6)) return ip
  if (ip.isIPv4MappedAddress()) return ip.toIPv4Address()
  return ip.match(NAT64) ? new ipaddr.IPv4(ip.toByteArray().slice(-4)) : ip
}

export class ForbiddenAddressError extends Error {
  override name = 'ForbiddenAddressError'
  readonly code = 'FORBIDDEN_ADDRESS'
  readonly why: string
  constructor(why: string) {
    super(`the address is not allowed (${why})`)
    this.why = why
  }
}

export interface ConnectorOptions extends AddressGuardOptions {
  readonly timeoutMs: number
  readonly lookup: Lookup
}

/** Connects only to allowed addresses. A name is refused when any of its addresses is. */
export function guardedConnector({ allowPrivate, timeoutMs, lookup }: ConnectorOptions) {
  const problem = (address: string): ForbiddenAddressError | undefined => {
    const why = forbidden(address, { allowPrivate })
    return why === undefined ? undefined : new ForbiddenAddressError(why)
  }
  const connect = buildConnector({ timeout: timeoutMs, lookup: netLookup(lookup, problem) })
  return ((options, callback) => {
    // A literal address needs no lookup. The URL parser has normalised it.
    const host = options.hostname.replace(/^\[|\]$/g, '')
    const refused = isIP(host) === 0 ? undefined : problem(host)
    if (refused) callback(refused, null)
    else connect(options, callback)
  }) satisfies buildConnector.connector
}
