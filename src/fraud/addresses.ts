/** Pure: Internet addresses and ranges of them, IPv4 and IPv6. */

export interface Range {
  /** The address as one number, its low bits beyond `prefix` not looked at. */
  readonly value: bigint
  readonly prefix: number
  readonly width: 32 | 128
}

/** An address or a range such as `203.0.113.0/24` or `2001:db8::/32`; undefined when it is neither. */
export function parseRange(text: string): Range | undefined {
  const [address = '', length, ...more] = text.split('/')
  const parsed = parseAddress(address)
  if (!parsed || more.length > 0) return undefined
  if (length === undefined) return parsed
  const prefix = /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN
  return prefix <= parsed.width ? { ...parsed, prefix } : undefined
}

export function parseAddress(text: string): Range | undefined {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1]
  const value = parseIpv4(mapped ?? text)
  if (value !== undefined) return { value, prefix: 32, width: 32 }
  const long = parseIpv6(text)
  return long === undefined ? undefined : { value: long, prefix: 128, width: 128 }
}

export function contains(range: Range, address: Range): boolean {
  if (range.width !== address.width) return false
  const rest = BigInt(range.width - range.prefix)
  return range.value >> rest === address.value >> rest
}

function parseIpv4(text: string): bigint | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256))
    return undefined
  return parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n)
}

function parseIpv6(text: string): bigint | undefined {
  const [head = '', tail, ...more] = text.split('::')
  if (more.length > 0 || !text.includes(':')) return undefined
  const front = groups(head)
  const back = tail === undefined ? [] : groups(tail)
  if (!front || !back) return undefined
  const missing = 8 - front.length - back.length
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  const all = [...front, ...Array.from({ length: missing }, () => '0'), ...back]
  return all.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n)
}

function groups(text: string): string[] | undefined {
  if (text === '') return []
  const parts = text.split(':')
  return parts.every((part) => /^[0-9a-f]{1,4}$/i.test(part)) ? parts : undefined
}
