import type { Log } from '../../../src/base/log.ts'
import { createHttp, type Http } from '../../../src/net/http.ts'
import { adyen } from '../../../src/providers/adyen/adapter.ts'
import { type AdyenSettings, manifest } from '../../../src/providers/adyen/manifest.ts'
import type { Movement } from '../../../src/providers/movements.ts'
import type { InboundCall, ProviderContext, Step } from '../../../src/providers/port.ts'
import { createTokenCache } from '../../../src/providers/tokens.ts'
import { type AdyenOptions, type AdyenSimulator, createAdyenSimulator } from './simulator.ts'

/** A profile with an account at the simulator, as the core would call the adapter. */
export interface AdyenAccount {
  readonly simulator: AdyenSimulator
  /** Everything that was logged. */
  readonly lines: readonly string[]
  context(overrides?: Partial<ProviderContext<AdyenSettings>>): ProviderContext<AdyenSettings>
  /** Moves the clocks of both sides. */
  advance(ms: number): void
  /** The next reply to this step does not arrive. */
  loseNextReply(step: Step): void
  /** Every notification until now. */
  notifications(): readonly InboundCall[]
  /** What they tell about a reference. */
  told(reference: string): Promise<readonly Movement[]>
  close(): Promise<void>
}

const NOTIFY_URL = 'https://tender.example/notify'

const PATHS: Readonly<Record<Step, RegExp>> = {
  start: /\/paymentLinks$/,
  resume: /^$/,
  charge: /\/payments$/,
  capture: /\/captures$/,
  cancel: /\/cancels$|\/paymentLinks\/\w+$/,
  refund: /\/refunds$/,
}

export async function openAccount(options: AdyenOptions = {}): Promise<AdyenAccount> {
  const simulator = await createAdyenSimulator({ webhookUrl: NOTIFY_URL, names: 'modification', ...options })
  const lines: string[] = []
  const note = (event: string, data?: object) => void lines.push(`${event} ${JSON.stringify(data)}`)
  const http = createHttp({ debug: note, info: note, warn: note, error: note } as unknown as Log)
  const lost: Step[] = []
  const calls: InboundCall[] = []
  let offset = 0
  const context: AdyenAccount['context'] = (overrides = {}) => ({
    config: parseSettings(simulator.settings),
    sandbox: true,
    origin: simulator.origin,
    http: losing(http, lost),
    tokens: createTokenCache().of('profile', () => new Date()),
    now: () => new Date(Date.now() + offset),
    signal: new AbortController().signal,
    notifyUrl: NOTIFY_URL,
    ...overrides,
  })
  const notifications = () => {
    for (const { headers, body } of simulator.takeNotifications())
      calls.push({ headers, rawBody: Buffer.from(body), url: NOTIFY_URL })
    return calls
  }
  return {
    ...{ simulator, lines, context, notifications },
    advance(ms) {
      offset += ms
      simulator.advance(ms)
    },
    loseNextReply: (step) => void lost.push(step),
    async told(reference) {
      const received = await Promise.all(notifications().map((call) => adyen.receive(context(), call)))
      const hints = received.flatMap((one) => (one.kind === 'events' ? one.hints : []))
      return hints.flatMap((hint) => (hint.reference === reference && hint.movement ? [hint.movement] : []))
    },
    async close() {
      await http.close()
      await simulator.close()
      if (simulator.violations.length > 0) throw new Error(simulator.violations.join('\n'))
    },
  }
}

/** The settings as the core keeps them. */
export function parseSettings(settings: unknown): AdyenSettings {
  const result = manifest.settings.parse(settings, { isSandbox: true })
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result.config
}

const losing = (http: Http, lost: Step[]): Http => ({
  async call(request) {
    const reply = await http.call(request)
    const index = lost.findIndex((step) => PATHS[step].test(new URL(request.url).pathname))
    if (index < 0 || request.method === 'GET') return reply
    lost.splice(index, 1)
    return { kind: 'no-answer', why: 'connection-lost', cause: 'ECONNRESET' }
  },
})
