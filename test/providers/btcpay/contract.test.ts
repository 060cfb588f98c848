import { describe } from 'vitest'
import { MINUTE } from '../../../src/base/clock.ts'
import { manifest } from '../../../src/providers/btcpay/manifest.ts'
import type { ProviderHarness } from '../../../src/providers/contract/harness.ts'
import { describeProvider } from '../../../src/providers/contract.ts'
import type { Manifest, ProviderAdapter, ProviderContext } from '../../../src/providers/port.ts'
import { btcpay, createWorld, VERSIONS } from './world.ts'

const CONFIRMATIONS_MS = 10 * MINUTE

describe.each(VERSIONS)('a server of version %s', (version) => {
  describeProvider(manifest as Manifest, () => harnessOf(version))
})

async function harnessOf(version: string): Promise<ProviderHarness> {
  const world = await createWorld({ version })
  const { simulator, proxy } = world
  const settleAll = (): void => {
    for (const { reference } of simulator.allEntries()) simulator.dashboard(reference, { kind: 'settle' })
  }
  return {
    adapter: btcpay as ProviderAdapter<unknown>,
    backUrl: 'https://tender.example/back',
    wrongSettings: simulator.wrongSettings,
    context: (overrides = {}) => world.context(overrides as never) as ProviderContext<unknown>,
    instrument: () => Promise.reject(new Error('payers pay on the page of the server')),
    async onPage(_method, url, behaves) {
      await simulator.payer(url, { kind: behaves === 'approves' ? 'pay' : 'decline' })
      world.advance(CONFIRMATIONS_MS)
    },
    async loseNextReply() {
      proxy.arm({ kind: 'cut-after', match: ({ method }) => method === 'POST' })
    },
    delayNextDecision: async () => false,
    waitUntilSettled: async () => settleAll(),
    async movements(reference, kind) {
      const kinds: readonly string[] = kind === 'authorise' ? ['sale'] : [kind]
      return simulator.ledger(reference).filter((entry) => kinds.includes(entry.kind)).length
    },
    async notifications(reference) {
      const sent = simulator.takeNotifications().filter(({ body }) => body.includes(reference))
      return sent.map(({ headers, body }) => ({ headers, rawBody: Buffer.from(body), url: 'http://x.test/' }))
    },
    secrets: simulator.secrets,
    writtenDown: async () => world.logs.join('\n'),
    async close() {
      await world.close()
      if (simulator.violations.length > 0) throw new Error(simulator.violations.join('\n'))
    },
  }
}
