import { subscribe } from 'node:diagnostics_channel'
import { Resolver } from 'node:dns/promises'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Loaded into each service process before its program. While a file `watch` exists in its
 * folder, it records the time of the built-in bank for each payment, so that the bank's share can be
 * subtracted; when the file is removed, it writes the times to a file.
 */

/** Total time of all calls, by our reference at the bank. */
export type BankTimes = readonly (readonly [reference: string, ms: number])[]

interface Request {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

interface Call {
  readonly startMs: number
  answer: string
}

const calls = new WeakMap<Request, Call>()
const tokens = new Map<string, number>()
const references = new Map<string, string>()
let times = new Map<string, number>()

function watch(): void {
  subscribe('undici:request:create', (message) => {
    const { request } = message as { request: Request }
    if (request.method === 'POST' && request.path.startsWith('/v1/'))
      calls.set(request, { startMs: performance.now(), answer: '' })
  })
  subscribe('undici:request:bodyChunkReceived', (message) => {
    const { request, chunk } = message as { request: Request; chunk: Buffer }
    const call = calls.get(request)
    if (call) call.answer += chunk.toString()
  })
  subscribe('undici:request:trailers', (message) => {
    const { request } = message as { request: Request }
    const call = calls.get(request)
    if (call) record(request, call)
  })
}

/** Tokens are created before their payment, and later calls use the bank's id instead of our reference. */
function record({ path, body }: Request, { startMs, answer }: Call): void {
  const ms = performance.now() - startMs
  const said = JSON.parse(answer) as { token?: string; id?: string }
  if (path === '/v1/tokens') tokens.set(said.token ?? '', ms)
  else if (path === '/v1/payments') {
    const asked = JSON.parse(String(body)) as { reference: string; instrument?: string }
    references.set(said.id ?? '', asked.reference)
    times.set(asked.reference, ms + (tokens.get(asked.instrument ?? '') ?? 0))
    tokens.delete(asked.instrument ?? '')
  } else {
    const reference = references.get(path.split('/')[3] ?? '')
    if (reference) times.set(reference, (times.get(reference) ?? 0) + ms)
  }
}

const folder = process.env.PROBE_FOLDER ?? ''
let isWatching = false
let hasSubscribed = false

setInterval(() => {
  const wanted = existsSync(join(folder, 'watch'))
  if (wanted && !hasSubscribed) {
    watch()
    hasSubscribed = true
  }
  if (isWatching && !wanted) {
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify([...times] satisfies BankTimes))
    times = new Map()
  }
  isWatching = wanted
}, 100).unref()

/** Makes every resolver use this server; `dns.lookup` still uses the system's. */
function useNameServer(server: string): void {
  const configured = new WeakSet<Resolver>()
  for (const name of ['resolve4', 'resolve6'] as const) {
    const asked = Resolver.prototype[name] as (...args: unknown[]) => unknown
    Object.assign(Resolver.prototype, {
      [name](this: Resolver, ...args: unknown[]): unknown {
        if (!configured.has(this)) this.setServers([server])
        configured.add(this)
        return asked.apply(this, args)
      },
    })
  }
}

if (process.env.PROBE_NAME_SERVER) useNameServer(process.env.PROBE_NAME_SERVER)
