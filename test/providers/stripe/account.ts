import type { Log } from '../../../src/base/log.ts'
import { createHttp, type Http } from '../../../src/net/http.ts'
import type { ProviderContext, Step } from '../../../src/providers/port.ts'
import { manifest, type StripeSettings } from '../../../src/providers/stripe/manifest.ts'
import { createTokenCache } from '../../../src/providers/tokens.ts'
import { createStripeSimulator, type StripeSimulator, type StripeSimulatorOptions } from './simulator.ts'

/** A profile with an account at the simulator, as the core would call the adapter. */
export interface StripeAccount {
  readonly simulator: StripeSimulator
  readonly notifyUrl: string
  /** Everything that was logged. */
  readonly lines: readonly string[]
  context(overrides?: Partial<ProviderContext<StripeSettings>>): ProviderContext<StripeSettings>
  /** Moves the clocks of both sides. */
  advance(ms: number): void
  /** The next reply to this step does not arrive. */
  loseNextReply(step: Step): void
  close(): Promise<void>
}

const PATHS: Readonly<Record<Step, RegExp>> = {
  start: /\/checkout\/sessions$/,
  resume: /^$/,
  charge: /\/payment_intents$/,
  capture: /\/capture$/,
  cancel: /\/(?:cancel|expire)$/,
  refund: /\/refunds$/,
}

export async function openAccount(options: StripeSimulatorOptions = {}): Promise<StripeAccount> {
  const notifyUrl = 'https://tender.example/notify'
  const simulator = await createStripeSimulator({ webhookUrl: notifyUrl, ...options })
  const lines: string[] = []
  const note = (event: string, data?: object) => void lines.push(`${event} ${JSON.stringify(data)}`)
  const http = createHttp({ debug: note, info: note, warn: note, error: note } as unknown as Log)
  const lost: Step[] = []
  let offset = 0
  return {
    simulator,
    notifyUrl,
    lines,
    context: (overrides = {}) => ({
      config: parseSettings(simulator.settings),
      sandbox: true,
      origin: simulator.origin,
      http: losing(http, lost),
      tokens: createTokenCache().of('profile', () => new Date()),
      now: () => new Date(Date.now() + offset),
      signal: new AbortController().signal,
      notifyUrl,
      ...overrides,
    }),
    advance(ms) {
      offset += ms
      simulator.advance(ms)
    },
    loseNextReply: (step) => void lost.push(step),
    async close() {
      await http.close()
      await simulator.close()
      if (simulator.violations.length > 0) throw new Error(simulator.violations.join('\n'))
    },
  }
}

/** The settings as the core keeps them. */
export function parseSettings(settings: unknown): StripeSettings {
  const result = manifest.settings.parse(settings, { isSandbox: true })
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result.config
}

const losing = (http: Http, lost: Step[]): Http => ({
  async call(request) {
    const reply = await http.call(request)
    const index = lost.findIndex((step) => PATHS[step].test(new URL(request.url).pathname))
    if (index < 0 || request.method !== 'POST') return reply
    lost.splice(index, 1)
    return { kind: 'no-answer', why: 'connection-lost', cause: 'ECONNRESET' }
  },
})
