import type { Log } from '../../../src/base/log.ts'
import { createHttp, type Http } from '../../../src/net/http.ts'
import type { ProviderHarness } from '../../../src/providers/contract/harness.ts'
import { describeProvider } from '../../../src/providers/contract.ts'
import type { MethodKind } from '../../../src/providers/outcome.ts'
import type { ProviderAdapter, Step } from '../../../src/providers/port.ts'
import { stripe } from '../../../src/providers/stripe/adapter.ts'
import { manifest } from '../../../src/providers/stripe/manifest.ts'
import { createTokenCache } from '../../../src/providers/tokens.ts'
import { createStripeSimulator } from './simulator.ts'

const DAY = 86_400_000
const NOTIFY_URL = 'https://tender.example/notify'

const PATHS: Readonly<Record<Step, RegExp>> = {
  start: /\/checkout\/sessions$/,
  resume: /^$/,
  charge: /\/payment_intents$/,
  capture: /\/capture$/,
  cancel: /\/(?:cancel|expire)$/,
  refund: /\/refunds$/,
}

async function openHarness(): Promise<ProviderHarness> {
  const simulator = await createStripeSimulator({ webhookUrl: NOTIFY_URL })
  const lines: string[] = []
  const note = (event: string, data?: object) => void lines.push(`${event} ${JSON.stringify(data)}`)
  const http = createHttp({ debug: note, info: note, warn: note, error: note } as unknown as Log)
  let offset = 0
  const advance = (ms: number) => {
    offset += ms
    simulator.advance(ms)
  }
  const lost: Step[] = []
  const losing: Http = {
    async call(request) {
      const reply = await http.call(request)
      const index = lost.findIndex((step) => PATHS[step].test(new URL(request.url).pathname))
      if (index < 0 || request.method !== 'POST') return reply
      lost.splice(index, 1)
      return { kind: 'no-answer', why: 'connection-lost', cause: 'ECONNRESET' }
    },
  }
  const parsed = (settings: unknown) => {
    const result = manifest.settings.parse(settings, { isSandbox: true })
    if (!result.ok) throw new Error(JSON.stringify(result.problems))
    return result.config
  }
  return {
    adapter: stripe as unknown as ProviderAdapter<unknown>,
    backUrl: 'https://tender.example/back/1',
    wrongSettings: parsed(simulator.wrongSettings),
    context: (overrides = {}) => ({
      config: parsed(simulator.settings),
      sandbox: true,
      origin: simulator.origin,
      http: losing,
      tokens: createTokenCache().of('profile', () => new Date()),
      now: () => new Date(Date.now() + offset),
      signal: new AbortController().signal,
      notifyUrl: NOTIFY_URL,
      ...overrides,
    }),
    instrument: () => Promise.reject(new Error('Stripe has no fields')),
    async onPage(method: MethodKind, url, behaves) {
      await simulator.payer(url, { kind: behaves === 'approves' ? 'pay' : 'decline' })
      if (simulator.allEntries().some(({ state }) => state === 'pending')) advance(4 * DAY)
      // After a decline the page stays open, and the payer leaves it.
      else if (behaves === 'declines' && method === 'CreditCard') advance(DAY)
    },
    loseNextReply: async (step) => void lost.push(step),
    delayNextDecision: async () => false,
    waitUntilSettled: async () => advance(4 * DAY),
    async movements(reference, kind) {
      const kinds = kind === 'authorise' ? ['authorise', 'sale'] : [kind]
      return simulator
        .ledger(reference)
        .filter((entry) => kinds.includes(entry.kind) && entry.state !== 'failed').length
    },
    async notifications(reference) {
      return simulator
        .takeNotifications()
        .filter(({ body }) => body.includes(reference))
        .map(({ headers, body }) => ({ headers, rawBody: Buffer.from(body), url: NOTIFY_URL }))
    },
    secrets: simulator.secrets,
    writtenDown: async () => lines.join('\n'),
    async close() {
      await http.close()
      await simulator.close()
      if (simulator.violations.length > 0) throw new Error(simulator.violations.join('\n'))
    },
  }
}

describeProvider(manifest as never, openHarness)
