import { SECOND } from '../../../src/base/clock.ts'
import { createHttp } from '../../../src/net/http.ts'
import { btcpay } from '../../../src/providers/btcpay/adapter.ts'
import type { BtcpaySettings } from '../../../src/providers/btcpay/manifest.ts'
import { operation, purchase } from '../../../src/providers/contract/core.ts'
import type { Snapshot } from '../../../src/providers/outcome.ts'
import type { Operation, ProviderContext, Purchase } from '../../../src/providers/port.ts'
import { createTokenCache } from '../../../src/providers/tokens.ts'
import { createFaultProxy, type FaultProxy } from '../kit/fault-proxy.ts'
import { type BtcpayOptions, type BtcpaySimulator, createBtcpaySimulator } from './simulator.ts'

/** A simulated server behind a fault proxy, with the context that the adapter is called in. */
export interface BtcpayWorld {
  readonly simulator: BtcpaySimulator
  readonly proxy: FaultProxy
  readonly logs: readonly string[]
  context(overrides?: Partial<ProviderContext<BtcpaySettings>>): ProviderContext<BtcpaySettings>
  /** Moves the clocks of the server and of the adapter. */
  advance(ms: number): void
  /** Opens an invoice. */
  open(overrides?: Partial<Purchase>): Promise<Opened>
  /** A settled payment. */
  paid(overrides?: Partial<Purchase>): Promise<Opened>
  see(opened: Opened): Promise<Snapshot>
  close(): Promise<void>
}

interface Opened {
  readonly op: Operation
  readonly reference: string
  readonly handles: { readonly payment: string }
  readonly url: string
  readonly amount: Purchase['amount']
}

export const bought = (overrides: Partial<Purchase> = {}): Purchase =>
  purchase({ method: 'Crypto', ...overrides })

/** The oldest line that is supported, without paths outside of the store, and the newest. */
export const VERSIONS = ['2.3.9', '2.4.1'] as const

const WEBHOOK_SECRET = 'whsec-of-the-simulated-store'

export async function createWorld(options: BtcpayOptions = {}): Promise<BtcpayWorld> {
  const logs: string[] = []
  const log = (text: string, data?: object): void => void logs.push(`${text} ${JSON.stringify(data)}`)
  const http = createHttp({ debug: log, info: log, warn: log, error: log } as never)
  const simulator = await createBtcpaySimulator({ webhookSecret: WEBHOOK_SECRET, ...options })
  const proxy = await createFaultProxy(simulator.origin)
  const tokens = createTokenCache()
  let passedMs = 0
  const now = () => new Date(Date.now() + passedMs)
  const context: BtcpayWorld['context'] = (overrides = {}) => ({
    config: simulator.settings as unknown as BtcpaySettings,
    sandbox: true,
    origin: proxy.origin,
    http,
    tokens: tokens.of('btcpay', now),
    now,
    signal: new AbortController().signal,
    notifyUrl: 'https://tender.example/providers/1/notify',
    ...overrides,
  })
  const open: BtcpayWorld['open'] = async (overrides) => {
    const op = operation('start')
    const wanted = bought(overrides)
    const outcome = await btcpay.start(context(), op, wanted)
    if (outcome.kind !== 'redirect') throw new Error(`expected a redirect, not ${JSON.stringify(outcome)}`)
    const handles = { payment: outcome.handles.payment ?? '' }
    return { op, reference: op.reference, handles, url: outcome.url, amount: wanted.amount }
  }
  return {
    ...{ simulator, proxy, logs, context, open },
    advance(ms) {
      passedMs += ms
      simulator.advance(ms)
    },
    async paid(overrides) {
      const opened = await open(overrides)
      await simulator.payer(opened.url, { kind: 'pay' })
      simulator.dashboard(opened.reference, { kind: 'settle' })
      return opened
    },
    async see({ reference, handles }) {
      const sight = await btcpay.retrieve(context(), reference, handles)
      if (sight.kind !== 'snapshot') throw new Error(`expected a snapshot, not ${JSON.stringify(sight)}`)
      return sight
    },
    async close() {
      await proxy.close()
      await http.close()
      await simulator.close()
    },
  }
}

/** The same operation, sent again after some time. */
export const sentAgain = (op: Operation, afterMs = 2 * SECOND): Operation => ({
  ...op,
  sending: op.sending + 1,
  createdAt: new Date(op.createdAt.getTime() - afterMs),
})

export { btcpay, operation }
