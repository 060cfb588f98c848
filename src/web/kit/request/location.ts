import { parseUrl } from '../../../base/text.ts'
/**
 * Encodes a URL for the `Location` header, which allows visible ASCII only. An ASCII URL is unchanged; other
 * characters are encoded as browsers do: punycode in the host, percent escapes elsewhere.
 */
export function locationOf(address: string): string {
  if (/^[\x21-\x7e]*$/.test(address)) return address
  return escaped(withAsciiHost(address))
}

const escaped = (text: string): string =>
  text.replace(/[^\x21-\x7e]+/g, (rest) => encodeURIComponent(rest.toWellFormed()))

function withAsciiHost(address: string): string {
  const [origin = '', scheme = '', authority = ''] = /^(https?:\/\/)([^/?#\\]*)/i.exec(address) ?? []
  const isAscii = /^[\x21-\x7e]*$/.test(authority)
  const url = isAscii ? undefined : parseUrl(`${scheme}${authority}/`)
  return url ? `${scheme}${url.host}${address.slice(origin.length)}` : address
}
