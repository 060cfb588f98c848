import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to one request on its way. Without a fault it is passed on. */
export type Fault =
  | 'reply-lost'
  | 'reply-cut'
  | 'no-reply'
  | 'endless-reply'
  | 'bad-gateway'
  | 'redirect'
  | 'not-json'
  | { readonly status: number; readonly retryAfter: string }

/** A request as the client sent it. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  readonly headers: Readonly<Record<string, string | undefined>>
}

export interface FaultyProxy {
  readonly url: string
  /** What happens to the next requests. */
  readonly faults: Fault[]
  /** Takes the requests since the last time. */
  taken(): Seen[]
  stop(): Promise<void>
}

/** Stands between the clients and the service. Connections are not used again: each request has its own. */
export async function startProxy(service: string): Promise<FaultyProxy> {
  const faults: Fault[] = []
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const body = await textOf(request)
    const { pathname, searchParams } = new URL(request.url ?? '', service)
    seen.push({
      method: request.method ?? '',
      path: pathname,
      query: Object.fromEntries(searchParams),
      body: body === '' ? undefined : isJson(request) ? JSON.parse(body) : body,
      headers: request.headers as Record<string, string>,
    })
    const fault = faults.shift()
    response.setHeader('connection', 'close')
    if (fault !== undefined && refused(fault, response)) return
    const { status, text, headers } = await passedOn(service, request, body)
    if (fault === 'reply-lost') response.destroy()
    else {
      response.writeHead(status, headers)
      if (fault === 'reply-cut') response.write(text.slice(0, text.length / 2), () => response.destroy())
      else response.end(text)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    taken: () => seen.splice(0),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** Answers in place of the service. */
function refused(fault: Fault, response: ServerResponse): boolean {
  if (fault === 'no-reply') return true
  if (fault === 'endless-reply') endless(response.writeHead(200))
  else if (fault === 'bad-gateway') response.writeHead(502).end('<h1>Bad gateway</h1>')
  else if (fault === 'redirect') response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
  else if (fault === 'not-json') response.writeHead(200).end('<h1>Welcome</h1>')
  else if (typeof fault === 'object') {
    const problem = { code: 'too_many_requests', detail: 'Later.', status: fault.status }
    response.writeHead(fault.status, { 'retry-after': fault.retryAfter }).end(JSON.stringify(problem))
  } else return false
  return true
}

/** A byte after the other, until the client gives up. */
function endless(response: ServerResponse): void {
  if (!response.destroyed) response.write(' ', () => setImmediate(endless, response))
}

const isJson = ({ headers }: IncomingMessage): boolean => headers['content-type'] === 'application/json'

async function passedOn(service: string, request: IncomingMessage, body: string) {
  const { host: _host, connection: _connection, 'content-length': _length, ...given } = request.headers
  const reply = await fetch(service + request.url, {
    method: request.method ?? '',
    headers: given as Record<string, string>,
    ...(body === '' ? {} : { body }),
  })
  const names = ['content-type', 'link', 'retry-after', 'x-request-id']
  const headers = names.flatMap((name) => {
    const value = reply.headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  const text = await reply.text()
  const length = { 'content-length': String(Buffer.byteLength(text)) }
  return { status: reply.status, text, headers: { ...Object.fromEntries(headers), ...length } }
}
