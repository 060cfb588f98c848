import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { buildConnector } from 'undici'
import { type Lookup, netLookup } from './resolver.ts'

/**
 * Merchants say where webhooks go, so a webhook could be aimed at what only we can reach. The address is
 * judged when the connection is made, on what the name resolved to, and that very address is connected to: a
 * name that resolves to something else a moment later gains nothing.
 */

/** Ours or our neighbours': allowed in development, where the shop runs on the same machine. */
const OWN_NETWORK: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'])

/**
 * Services that hand out a machine's credentials. Those on link-local addresses are refused with their range.
 */
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

/**
 * Why this address must not be connected to; undefined when it may.
 * Everything that is not plainly public is refused.
 */
export function forbidden(address: string, { allowPrivate }: AddressGuardOptions): string | undefined {
  const ip = innermost(ipaddr.parse(address))
  const range = ip.range()
  if (METADATA.has(ip.toString())) return 'metadata'
  if (OWN_NETWORK.has(range)) return allowPrivate ? undefined : range
  if (range !== 'unicast') return range
  return ip instanceof ipaddr.IPv6 && !ip.match(GLOBAL_UNICAST) ? 'reserved' : undefined
}

/** An IPv4 address written as IPv6 reaches the same machine, by the kernel or by the network's translator. */
function innermost(ip: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(ip instanceof ipaddr.IPv6)) return ip
  if (ip.isIPv4MappedAddress()) return ip.toIPv4Address()
  return ip.match(NAT64) ? new ipaddr.IPv4(ip.toByteArray().slice(-4)) : ip
}

export class ForbiddenAddressError extends Error {
  override name = 'ForbiddenAddressError'
  readonly code = 'FORBIDDEN_ADDRESS'
}

export interface ConnectorOptions extends AddressGuardOptions {
  readonly timeoutMs: number
  readonly lookup: Lookup
}

/** Connects only where `forbidden` has nothing against. A name is refused when any of its addresses is. */
export function guardedConnector({ allowPrivate, timeoutMs, lookup }: ConnectorOptions) {
  const problem = (address: string): ForbiddenAddressError | undefined => {
    const why = forbidden(address, { allowPrivate })
    return why === undefined ? undefined : new ForbiddenAddressError(`the address is not allowed (${why})`)
  }
  const connect = buildConnector({ timeout: timeoutMs, lookup: netLookup(lookup, problem) })
  return ((options, callback) => {
    // A literal address is connected to without a lookup. The URL
    // parser has turned every odd spelling into it.
    const host = options.hostname.replace(/^\[|\]$/g, '')
    const refused = isIP(host) === 0 ? undefined : problem(host)
    if (refused) callback(refused, null)
    else connect(options, callback)
  }) satisfies buildConnector.connector
}
