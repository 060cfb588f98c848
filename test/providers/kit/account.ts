import type { Log } from '../../../src/base/log.ts'
import { createHttp, type Http } from '../../../src/net/http.ts'
import type { InboundCall, Manifest, ProviderContext, Step } from '../../../src/providers/port.ts'
import { createTokenCache } from '../../../src/providers/tokens.ts'
import type { ProviderSimulator } from './simulator.ts'

/** A profile with an account at a simulator, as the core would call the adapter. */
export interface Account<Simulator, Config> {
  readonly simulator: Simulator
  readonly notifyUrl: string
  /** Everything that was logged. */
  readonly lines: readonly string[]
  context(overrides?: Partial<ProviderContext<Config>>): ProviderContext<Config>
  /** Moves the clocks of both sides. */
  advance(ms: number): void
  /** The next reply to this step does not arrive. */
  loseNextReply(step: Step): void
  close(): Promise<void>
}

interface AccountOptions<Simulator, Config> {
  readonly simulator: Simulator
  readonly manifest: Manifest<Config>
  readonly notifyUrl: string
  /** The paths of the requests of each step. */
  readonly paths: Readonly<Record<Step, RegExp>>
}

export function accountAt<Simulator extends ProviderSimulator, Config>({
  simulator,
  manifest,
  notifyUrl,
  paths,
}: AccountOptions<Simulator, Config>): Account<Simulator, Config> {
  const lines: string[] = []
  const note = (event: string, data?: object) => void lines.push(`${event} ${JSON.stringify(data)}`)
  const http = createHttp({ debug: note, info: note, warn: note, error: note } as unknown as Log)
  const lost: Step[] = []
  let offset = 0
  return {
    ...{ simulator, notifyUrl, lines },
    context: (overrides = {}) => ({
      config: parseSettings(manifest, simulator.settings),
      sandbox: true,
      origin: simulator.origin,
      http: losing(http, lost, paths),
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

/** Every notification until now, as calls to the notification address. */
export function inbound({
  simulator,
  notifyUrl,
}: {
  readonly simulator: ProviderSimulator
  readonly notifyUrl: string
}) {
  const calls: InboundCall[] = []
  return (): readonly InboundCall[] => {
    for (const { headers, body } of simulator.takeNotifications())
      calls.push({ headers, rawBody: Buffer.from(body), url: notifyUrl })
    return calls
  }
}

/** The settings as the core keeps them. */
export function parseSettings<Config>(manifest: Manifest<Config>, settings: unknown): Config {
  const result = manifest.settings.parse(settings, { isSandbox: true })
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result.config
}

const losing = (http: Http, lost: Step[], paths: Readonly<Record<Step, RegExp>>): Http => ({
  async call(request) {
    const reply = await http.call(request)
    const index = lost.findIndex((step) => paths[step].test(new URL(request.url).pathname))
    if (index < 0 || request.method === 'GET') return reply
    lost.splice(index, 1)
    return { kind: 'no-answer', why: 'connection-lost', cause: 'ECONNRESET' }
  },
})
