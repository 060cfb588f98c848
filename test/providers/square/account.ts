import type { Log } from '../../../src/base/log.ts'
import { createHttp, type Http } from '../../../src/net/http.ts'
import { operation, purchase } from '../../../src/providers/contract/core.ts'
import type { Handles, Sight, StoredMethod } from '../../../src/providers/outcome.ts'
import type { Operation, ProviderContext, Purchase, Step } from '../../../src/providers/port.ts'
import { square } from '../../../src/providers/square/adapter.ts'
import { manifest, type SquareSettings } from '../../../src/providers/square/manifest.ts'
import { createTokenCache } from '../../../src/providers/tokens.ts'
import { createSquareSimulator, type SquareOptions, type SquareSimulator } from './simulator.ts'

type Context = ProviderContext<SquareSettings>

/** A profile with an account at the simulator, as the core would call the adapter. */
export interface SquareAccount {
  readonly simulator: SquareSimulator
  readonly notifyUrl: string
  /** Everything that was logged. */
  readonly lines: readonly string[]
  context(overrides?: Partial<Context>): Context
  /** Moves the clocks of both sides. */
  advance(ms: number): void
  /** The next reply to this step does not arrive. */
  loseNextReply(step: Step): void
  /** Opens a page. */
  open(overrides?: Partial<Purchase>): Promise<Opened>
  /** A payment on a page. */
  paid(): Promise<Opened>
  /** A card that was stored with a payment. */
  stored(): Promise<StoredMethod>
  see(reference: string, handles: Handles): Promise<Sight>
  close(): Promise<void>
}

interface Opened {
  readonly op: Operation
  readonly handles: Handles
  readonly url: string
}

const PATHS: Readonly<Record<Step, RegExp>> = {
  start: /\/payment-links$/,
  resume: /^$/,
  charge: /\/payments$/,
  capture: /\/complete$/,
  cancel: /\/cancel$|\/payment-links\/\w+$/,
  refund: /\/refunds$/,
}

export async function openAccount(options: SquareOptions = {}): Promise<SquareAccount> {
  // The query belongs to the signed address.
  const notifyUrl = 'https://tender.example/api/provider-webhook?profileId=1&webhookKey=k'
  const simulator = await createSquareSimulator({ webhookUrl: notifyUrl, ...options })
  const lines: string[] = []
  const note = (event: string, data?: object) => void lines.push(`${event} ${JSON.stringify(data)}`)
  const http = createHttp({ debug: note, info: note, warn: note, error: note } as unknown as Log)
  const lost: Step[] = []
  let offset = 0
  const context: SquareAccount['context'] = (overrides = {}) => ({
    config: parseSettings(simulator.settings),
    sandbox: true,
    origin: simulator.origin,
    http: losing(http, lost),
    tokens: createTokenCache().of('profile', () => new Date()),
    now: () => new Date(Date.now() + offset),
    signal: new AbortController().signal,
    notifyUrl,
    ...overrides,
  })
  const account: SquareAccount = {
    ...{ simulator, notifyUrl, lines, context },
    advance(ms) {
      offset += ms
      simulator.advance(ms)
    },
    loseNextReply: (step) => void lost.push(step),
    async open(overrides) {
      const op = operation('start')
      const outcome = await square.start(context(), op, purchase({ ...overrides }))
      if (outcome.kind !== 'redirect') throw new Error(`expected a redirect, not ${JSON.stringify(outcome)}`)
      return { op, handles: outcome.handles, url: outcome.url }
    },
    async paid() {
      const opened = await account.open()
      await simulator.payer(opened.url, { kind: 'pay' })
      const seen = await account.see(opened.op.reference, opened.handles)
      if (seen.kind !== 'snapshot') throw new Error(`expected a snapshot, not ${JSON.stringify(seen)}`)
      return { ...opened, handles: { ...opened.handles, ...seen.handles } }
    },
    async stored() {
      const { op, handles } = await account.paid()
      const storing = { key: operation('start').key, reference: op.reference, customer: { id: 'dana' } }
      const kept = await square.storePaid?.(context(), { ...storing, method: 'CreditCard' }, handles)
      if (kept?.kind !== 'kept') throw new Error(`expected a card, not ${JSON.stringify(kept)}`)
      return kept.stored
    },
    see: (reference, handles) => square.retrieve(context(), reference, handles),
    async close() {
      await http.close()
      await simulator.close()
      if (simulator.violations.length > 0) throw new Error(simulator.violations.join('\n'))
    },
  }
  return account
}

/** The settings as the core keeps them. */
export function parseSettings(settings: unknown): SquareSettings {
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
