import { createHttp, type Http, type HttpCall } from '../../../src/net/http.ts'
import type { ProviderHarness } from '../../../src/providers/contract/harness.ts'
import { describeProvider } from '../../../src/providers/contract.ts'
import { paypal } from '../../../src/providers/paypal/adapter.ts'
import type { InboundCall, ProviderAdapter, ProviderContext, Step } from '../../../src/providers/port.ts'
import { createTokenCache } from '../../../src/providers/tokens.ts'
import type { ApiOperation } from '../kit/simulator.ts'
import { createPaypalSimulator } from './simulator.ts'

const HOUR = 3_600_000
const NOTIFY = 'https://tender.example/notifications/1'

const REQUESTS: Readonly<Record<Step, RegExp>> = {
  start: /\/v2\/checkout\/orders$/,
  charge: /\/v2\/checkout\/orders$/,
  resume: /\/v2\/checkout\/orders\/\w+\/(authorize|capture)$/,
  capture: /\/authorizations\/\w+\/capture$/,
  cancel: /\/authorizations\/\w+\/void$/,
  refund: /\/captures\/\w+\/refund$/,
}

describeProvider(paypal.manifest as ProviderAdapter['manifest'], async (): Promise<ProviderHarness> => {
  let sinceStart = 0
  const simulator = await createPaypalSimulator()
  const logs: string[] = []
  const write = (event: string, data?: object) => void logs.push(JSON.stringify([event, data]))
  const log = { debug: write, info: write, warn: write, error: write }
  const transport = createHttp(log)
  const tokens = createTokenCache()
  const now = () => new Date(Date.now() + sinceStart)
  let lost: RegExp | undefined
  const http: Http = {
    async call(call: HttpCall) {
      const reply = await transport.call(call)
      if (call.method === 'GET' || !lost?.test(new URL(call.url).pathname)) return reply
      lost = undefined
      return { kind: 'no-answer', why: 'connection-lost', cause: 'ECONNRESET' }
    },
  }
  const context = (overrides: Partial<ProviderContext<unknown>> = {}): ProviderContext<unknown> => {
    const config = overrides.config ?? simulator.settings
    return {
      ...{ config, sandbox: true, origin: simulator.origin, http, now, notifyUrl: NOTIFY },
      tokens: tokens.of(JSON.stringify(config), now),
      signal: new AbortController().signal,
      ...overrides,
    }
  }
  const adapter = paypal as unknown as ProviderAdapter<unknown>
  const connected = await adapter.connect?.(context())
  if (!connected?.ok) throw new Error(`not connected: ${JSON.stringify(connected)}`)
  const told: InboundCall[] = []
  return {
    adapter,
    context,
    backUrl: 'https://tender.example/back',
    wrongSettings: simulator.wrongSettings,
    forgetsDeclines: true,
    instrument: () => Promise.reject(new Error('PayPal has no fields')),
    onPage: (_method, url, behaves) =>
      simulator.payer(url, { kind: behaves === 'approves' ? 'pay' : 'decline' }),
    async loseNextReply(step) {
      lost = REQUESTS[step]
    },
    async delayNextDecision(step) {
      simulator.arm({ kind: 'pending', operation: step satisfies ApiOperation })
      return true
    },
    async waitUntilSettled() {
      simulator.advance(HOUR)
      sinceStart += HOUR
    },
    async movements(reference, kind) {
      const kinds = kind === 'authorise' ? ['authorise', 'sale'] : [kind]
      return simulator
        .ledger(reference)
        .filter((entry) => kinds.includes(entry.kind) && entry.state !== 'failed').length
    },
    async notifications(reference) {
      for (const { headers, body } of simulator.takeNotifications())
        told.push({ headers, rawBody: Buffer.from(body), url: NOTIFY })
      return told.filter(({ rawBody }) => Buffer.from(rawBody).toString().includes(reference))
    },
    get secrets() {
      return simulator.secrets
    },
    writtenDown: async () => logs.join('\n'),
    async close() {
      const { violations } = simulator
      await Promise.all([transport.close(), simulator.close()])
      if (violations.length > 0) throw new Error(violations.join('\n'))
    },
  }
})
