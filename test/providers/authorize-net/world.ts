import { createHttp } from '../../../src/net/http.ts'
import { authorizeNet } from '../../../src/providers/authorize-net/adapter.ts'
import type { AuthorizeNetSettings } from '../../../src/providers/authorize-net/manifest.ts'
import { operation, purchase } from '../../../src/providers/contract/core.ts'
import type { Handles, Snapshot } from '../../../src/providers/outcome.ts'
import type { Operation, ProviderContext, Purchase } from '../../../src/providers/port.ts'
import { createTokenCache } from '../../../src/providers/tokens.ts'
import { createFaultProxy, type FaultProxy } from '../kit/fault-proxy.ts'
import type { PayerAct } from '../kit/simulator.ts'
import {
  type AuthorizeNetOptions,
  type AuthorizeNetSimulator,
  createAuthorizeNetSimulator,
} from './simulator.ts'

type Context = ProviderContext<AuthorizeNetSettings>

/** A simulated account behind a fault proxy, with the context that the adapter is called in. */
export interface AuthorizeNetWorld {
  readonly simulator: AuthorizeNetSimulator
  readonly proxy: FaultProxy
  readonly logs: readonly string[]
  context(overrides?: Partial<Context>): Context
  /** Moves the clocks of the provider and of the adapter. */
  advance(ms: number): void
  open(overrides?: Partial<Purchase>): Promise<Opened>
  /** Opens a page, pays on it and reads the result. */
  paid(overrides?: Partial<Purchase>, act?: PayerAct): Promise<Opened>
  see(opened: Pick<Opened, 'reference' | 'handles' | 'amount'>): Promise<Snapshot>
  close(): Promise<void>
}

export interface Opened {
  readonly op: Operation
  readonly reference: string
  readonly handles: Handles
  /** With the token in its query. */
  readonly url: string
  readonly amount: Purchase['amount']
}

export async function createWorld(options: AuthorizeNetOptions = {}): Promise<AuthorizeNetWorld> {
  const logs: string[] = []
  const log = (text: string, data?: object): void => void logs.push(`${text} ${JSON.stringify(data)}`)
  const http = createHttp({ debug: log, info: log, warn: log, error: log } as never)
  const simulator = await createAuthorizeNetSimulator(options)
  const proxy = await createFaultProxy(simulator.origin)
  const tokens = createTokenCache()
  let passedMs = 0
  const now = () => new Date(Date.now() + passedMs)
  const context: AuthorizeNetWorld['context'] = (overrides = {}) => ({
    config: simulator.settings as unknown as AuthorizeNetSettings,
    sandbox: true,
    origin: proxy.origin,
    http,
    tokens: tokens.of('authorize-net', now),
    now,
    signal: new AbortController().signal,
    notifyUrl: 'https://tender.example/providers/1/notify',
    ...overrides,
  })
  const open: AuthorizeNetWorld['open'] = async (overrides) => {
    const op = { ...operation('start'), createdAt: now() }
    const wanted = purchase({ amount: { minor: 2_550n, currency: 'USD' }, ...overrides })
    const outcome = await authorizeNet.start(context(), op, wanted)
    if (outcome.kind !== 'redirect') throw new Error(`expected a redirect, not ${JSON.stringify(outcome)}`)
    const url = `${outcome.url}?${new URLSearchParams(outcome.fields)}`
    return { op, reference: op.reference, handles: outcome.handles, url, amount: wanted.amount }
  }
  const see: AuthorizeNetWorld['see'] = async ({ reference, handles, amount }) => {
    const sight = await authorizeNet.retrieve(context(), reference, handles, amount)
    if (sight.kind !== 'snapshot') throw new Error(`expected a snapshot, not ${JSON.stringify(sight)}`)
    return sight
  }
  return {
    ...{ simulator, proxy, logs, context, open, see },
    advance(ms) {
      passedMs += ms
      simulator.advance(ms)
    },
    async paid(overrides, act = { kind: 'pay' }) {
      const opened = await open(overrides)
      await simulator.payer(opened.url, act)
      const { handles } = await see(opened)
      return { ...opened, handles: { ...opened.handles, ...handles } }
    },
    async close() {
      await proxy.close()
      await http.close()
      await simulator.close()
    },
  }
}

export { authorizeNet, operation, purchase }
