/** One request on the wire. Strings have one character per byte (Latin-1). */
export interface FuzzRequest {
  readonly method: string
  readonly path: string
  /** Encoded pairs: `amount=2`. */
  readonly query: readonly string[]
  readonly headers: readonly Header[]
  readonly body?: Buffer
  /** Sent instead of all members above: bytes that are not an HTTP request. */
  readonly raw?: Buffer
}

export type Header = readonly [name: string, value: string]

/** UTF-8 with one character per byte, the form of paths and headers. */
export const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

export const targetOf = ({ path, query }: FuzzRequest): string =>
  query.length === 0 ? path : `${path}?${query.join('&')}`

export const headerOf = ({ headers }: Pick<FuzzRequest, 'headers'>, name: string): string | undefined =>
  headers.find(([known]) => known.toLowerCase() === name)?.[1]

/** Each request uses a new connection, which the service closes after the response. */
export function encode(request: FuzzRequest, host: string): Buffer {
  if (request.raw) return request.raw
  const { body } = request
  const isFramed = request.headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name))
  const lines = [
    `${request.method} ${targetOf(request)} HTTP/1.1`,
    ...(headerOf(request, 'host') === undefined ? [`Host: ${host}`] : []),
    'Connection: close',
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
    ...(body && !isFramed ? [`Content-Length: ${body.length}`] : []),
  ]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  return body ? Buffer.concat([head, body]) : head
}

/** Values of this run that become shell variables. */
export type Names = Readonly<Record<string, string>>

/** A bash command that sends the request, with curl or, if curl cannot send it, through /dev/tcp. */
export function curlLine(request: FuzzRequest, names: Names): string {
  const quoted = (text: string) => quote(text, names)
  if (request.raw) return `printf %b ${quoted(printable(request.raw))} | nc -q 2 127.0.0.1 "$PORT"`
  const isHead = request.method === 'HEAD'
  const parts = [
    'curl -sS -i --path-as-is',
    isHead ? '-I' : `-X ${quoted(request.method)}`,
    ...request.headers.map(
      ([name, value]) => `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`,
    ),
    ...(request.body ? [`--data-binary ${bodyArgument(request.body, quoted)}`] : []),
    ...(request.body && headerOf(request, 'content-type') === undefined ? [`-H 'Content-Type:'`] : []),
    `"$URL"${quoted(targetOf(request))}`,
  ]
  return parts.join(' ')
}

const MAX_BODY = 4_000

function bodyArgument(body: Buffer, quoted: (text: string) => string): string {
  if (body.length <= MAX_BODY && !body.includes(0)) return quoted(body.toString('latin1'))
  // Too long for a command line, or contains NUL.
  return `@<(echo ${body.toString('base64').slice(0, 20_000)} | base64 -d)`
}

const printable = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(/[^\x20-\x7e]|\\/g, (byte) => `\\0${byte.charCodeAt(0).toString(8)}`)

/** Quotes for bash: `$'…'` with escapes, and the values of the run as variables. */
function quote(text: string, names: Names): string {
  const [found] = Object.entries(names).filter(([, value]) => value !== '' && text.includes(value))
  if (!found) return quoteBytes(text)
  const [name, value] = found
  const at = text.indexOf(value)
  const [before, after] = [text.slice(0, at), text.slice(at + value.length)]
  return `${before && quote(before, names)}"$${name}"${after && quote(after, names)}`
}

function quoteBytes(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text) && !/['\\]/.test(text)) return `'${text}'`
  const escaped = text.replace(/[^\x20-\x7e]|[\\']/g, (byte) =>
    byte === '\\' || byte === "'" ? `\\${byte}` : `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  return `$'${escaped}'`
}
