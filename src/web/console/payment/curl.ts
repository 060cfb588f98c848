/** A request as a command of a POSIX shell. */
export interface CurlRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | null
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export const curlOf = ({ method, url, headers, body }: CurlRequest): string =>
  [
    `curl -X ${method} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body ? [`--data-raw ${quoted(body)}`] : []),
  ].join(' \\\n  ')

/** Headers are stored as JSON; masked values stay masked. */
export function headersOf(json: string): Record<string, string> {
  try {
    const members = Object.entries(JSON.parse(json) as object)
    return Object.fromEntries(members.map(([name, value]) => [name, String(value)]))
  } catch {
    return {}
  }
}
