import { createHttp, type Http, type HttpReply } from '../../../src/net/http.ts'
import type { PaypalSettings } from '../../../src/providers/paypal/manifest.ts'
import type { ProviderContext, Step } from '../../../src/providers/port.ts'
import { createTokenCache } from '../../../src/providers/tokens.ts'
import { createPaypalSimulator, type PaypalSimulator } from './simulator.ts'

/** The adapter's side of a simulator: a context whose transport can be disturbed. */
export interface PaypalClient {
  readonly simulator: PaypalSimulator
  readonly logs: readonly string[]
  context(overrides?: Partial<ProviderContext<PaypalSettings>>): ProviderContext<PaypalSettings>
  /** The next matching request is executed, but its reply is lost. */
  lose(path: RegExp): void
  /** Matching requests get this reply and reach nothing, until it is called without a reply. */
  answer(path: RegExp, reply?: HttpReply): void
  /** Moves the clocks of both sides. */
  advance(ms: number): void
  close(): Promise<void>
}

export const NOTIFY_URL = 'https://tender.example/notifications/1'

export const REQUESTS: Readonly<Record<Step, RegExp>> = {
  start: /\/v2\/checkout\/orders$/,
  charge: /\/v2\/checkout\/orders\/\w+\/(authorize|capture)$/,
  resume: /\/v2\/checkout\/orders\/\w+\/(authorize|capture)$/,
  capture: /\/authorizations\/\w+\/capture$/,
  cancel: /\/authorizations\/\w+\/void$/,
  refund: /\/captures\/\w+\/refund$/,
}

const LOST: HttpReply = { kind: 'no-answer', why: 'connection-lost', cause: 'ECONNRESET' }

export async function createPaypalClient(): Promise<PaypalClient> {
  const simulator = await createPaypalSimulator()
  const logs: string[] = []
  const write = (event: string, data?: object) => void logs.push(JSON.stringify([event, data]))
  const transport = createHttp({ debug: write, info: write, warn: write, error: write })
  const tokens = createTokenCache()
  let offsetMs = 0
  const now = () => new Date(Date.now() + offsetMs)
  let lost: RegExp | undefined
  const answers = new Map<string, HttpReply>()
  const http: Http = {
    async call(call) {
      const { pathname } = new URL(call.url)
      const given = [...answers].find(([path]) => new RegExp(path).test(pathname))?.[1]
      if (given) return given
      const reply = await transport.call(call)
      if (call.method === 'GET' || !lost?.test(pathname)) return reply
      lost = undefined
      return LOST
    },
  }
  return {
    simulator,
    logs,
    context(overrides = {}) {
      const config = overrides.config ?? (simulator.settings as unknown as PaypalSettings)
      return {
        ...{ config, sandbox: true, origin: simulator.origin, http, now, notifyUrl: NOTIFY_URL },
        tokens: tokens.of(JSON.stringify([config.clientId, config.clientSecret]), now),
        signal: new AbortController().signal,
        ...overrides,
      }
    },
    lose(path) {
      lost = path
    },
    answer(path, reply) {
      if (reply) answers.set(path.source, reply)
      else answers.delete(path.source)
    },
    advance(ms) {
      offsetMs += ms
      simulator.advance(ms)
    },
    async close() {
      await Promise.all([transport.close(), simulator.close()])
      if (simulator.violations.length > 0) throw new Error(simulator.violations.join('\n'))
    },
  }
}
