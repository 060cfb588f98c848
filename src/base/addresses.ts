import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Internet addresses and ranges of them, IPv4 and IPv6. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6

export interface Range {
  readonly first: Address
  /** How many leading bits an address shares with `first`. */
  readonly prefix: number
}

const MAPPED_BITS = 96
/** The prefix that an Internet provider assigns to one customer: addresses within it count as one client. */
const CLIENT_BITS = 64

/** An IPv4 address written as IPv6 is the IPv4 address; the zone of a link-local address is dropped. */
export const parseAddress = remembering((text: string): Address | undefined => {
  // ipaddr.js alone also reads 1, 0x7f.1 and 010.0.0.1, which other software reads differently.
  if (isIP(text) === 0) return undefined
  const [plain = ''] = text.split('%')
  return ipaddr.process(plain)
})

const MAX_KNOWN = 1_000
const LONGEST_KNOWN = 45

/** Keeps the last results: most requests come from few addresses, and parsing takes 5 % of a read. */
function remembering<Result>(work: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const result = work(text)
    if (text.length > LONGEST_KNOWN) return result
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(text, result)
    return result
  }
}

/** An address or a range such as `203.0.113.0/24` or `2001:db8::/32`; undefined when it is neither. */
export function parseRange(text: string): Range | undefined {
  const [address = '', length, ...more] = text.split('/')
  const first = more.length > 0 ? undefined : parseAddress(address)
  if (!first) return undefined
  const width = first.kind() === 'ipv4' ? 32 : 128
  if (length === undefined) return { first, prefix: width }
  const isMapped = width === 32 && address.includes(':')
  const prefix = /^\d{1,3}$/.test(length) ? Number(length) - (isMapped ? MAPPED_BITS : 0) : -1
  return prefix >= 0 && prefix <= width ? { first, prefix } : undefined
}

/** Ranges separated by commas; undefined when one is wrong, or is every address there is. */
export function parseRanges(text: string): readonly Range[] | undefined {
  const ranges = text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map(parseRange)
  return ranges.every((range) => range !== undefined && range.prefix > 0) ? (ranges as Range[]) : undefined
}

export const contains = ({ first, prefix }: Range, address: Address): boolean =>
  first.kind() === address.kind() && address.match(first as ipaddr.IPv6, prefix)

/** A range without the bits after its prefix, in one spelling: `203.0.113.0/24`. */
export function networkText({ first, prefix }: Range): string {
  const bytes = first.toByteArray().map((byte, place) => {
    const bits = Math.min(8, Math.max(0, prefix - 8 * place))
    return byte & (0xff << (8 - bits))
  })
  return `${ipaddr.fromByteArray(bytes).toString()}/${prefix}`
}

/** Every network that contains the address, from the widest: 32 for IPv4, 128 for IPv6. */
export const networksAround = (address: Address): string[] =>
  Array.from({ length: address.kind() === 'ipv4' ? 32 : 128 }, (_bit, place) =>
    networkText({ first: address, prefix: place + 1 }),
  )

/** The subject of rate limits: an IPv4 address, or the first half of an IPv6 address. */
export const networkOf = remembering((text: string): string => {
  const address = parseAddress(text)
  if (!(address instanceof ipaddr.IPv6)) return address?.toString() ?? text
  const half = [...address.parts.slice(0, CLIENT_BITS / 16), 0, 0, 0, 0]
  return `${new ipaddr.IPv6(half).toString()}/${CLIENT_BITS}`
})
