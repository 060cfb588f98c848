import type { Log } from '../../../src/base/log.ts'
import { createHttp, type Http } from '../../../src/net/http.ts'
import { type MollieSettings, manifest } from '../../../src/providers/mollie/manifest.ts'
import type { InboundCall, ProviderContext, Step } from '../../../src/providers/port.ts'
import { createTokenCache } from '../../../src/providers/tokens.ts'
import { createMollieSimulator, type MollieSimulator } from './simulator.ts'

/** A profile with an account at the simulator, as the core would call the adapter. */
export interface MollieAccount {
  readonly simulator: MollieSimulator
  /** Everything that was logged. */
  readonly lines: readonly string[]
  context(overrides?: Partial<ProviderContext<MollieSettings>>): ProviderContext<MollieSettings>
  /** Moves the clocks of both sides. */
  advance(ms: number): void
  /** The next reply to this step does not arrive. */
  loseNextReply(step: Step): void
  /** Every notification until now. */
  notifications(): readonly InboundCall[]
  close(): Promise<void>
}

const NOTIFY_URL = 'https://tender.example/notify'

const PATHS: Readonly<Record<Step, RegExp>> = {
  start: /\/payments$/,
  resume: /^$/,
  charge: /\/payments$/,
  capture: /\/captures$/,
  cancel: /\/release-authorization$|\/payments\/\w+$/,
  refund: /\/refunds$/,
}

export async function openAccount(): Promise<MollieAccount> {
  const simulator = await createMollieSimulator()
  const lines: string[] = []
  const note = (event: string, data?: object) => void lines.push(`${event} ${JSON.stringify(data)}`)
  const http = createHttp({ debug: note, info: note, warn: note, error: note } as unknown as Log)
  const lost: Step[] = []
  const calls: InboundCall[] = []
  let offset = 0
  return {
    ...{ simulator, lines },
    context: (overrides = {}) => ({
      config: parseSettings(simulator.settings),
      sandbox: true,
      origin: simulator.origin,
      http: losing(http, lost),
      tokens: createTokenCache().of('profile', () => new Date()),
      now: () => new Date(Date.now() + offset),
      signal: new AbortController().signal,
      notifyUrl: NOTIFY_URL,
      ...overrides,
    }),
    advance(ms) {
      offset += ms
      simulator.advance(ms)
    },
    loseNextReply: (step) => void lost.push(step),
    notifications() {
      for (const { headers, body } of simulator.takeNotifications())
        calls.push({ headers, rawBody: Buffer.from(body), url: NOTIFY_URL })
      return calls
    },
    async close() {
      await http.close()
      await simulator.close()
      if (simulator.violations.length > 0) throw new Error(simulator.violations.join('\n'))
    },
  }
}

/** The settings as the core keeps them. */
export function parseSettings(settings: unknown): MollieSettings {
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
