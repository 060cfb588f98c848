import { HOUR } from '../../../src/base/clock.ts'
import { manifest } from '../../../src/providers/authorize-net/manifest.ts'
import type { ProviderHarness } from '../../../src/providers/contract/harness.ts'
import { describeProvider } from '../../../src/providers/contract.ts'
import type { Manifest, ProviderAdapter, ProviderContext } from '../../../src/providers/port.ts'
import { authorizeNet, createWorld } from './world.ts'

describeProvider(manifest as Manifest, async (): Promise<ProviderHarness> => {
  // Batches are settled at once: a part of a payment is given back only after that.
  const world = await createWorld({ settlementMs: 0 })
  const { simulator, proxy } = world
  return {
    adapter: authorizeNet as ProviderAdapter<unknown>,
    backUrl: 'https://tender.example/back',
    wrongSettings: simulator.wrongSettings,
    context: (overrides = {}) => world.context(overrides as never) as ProviderContext<unknown>,
    instrument: () => Promise.reject(new Error('payers pay on the page of the provider')),
    async onPage(_method, url, behaves) {
      await simulator.payer(url, { kind: behaves === 'approves' ? 'pay' : 'decline' })
      // The customer can try again after a decline, while the page is open.
      if (behaves === 'declines') world.advance(HOUR)
    },
    async loseNextReply(step) {
      const type = step === 'capture' ? 'priorAuthCaptureTransaction' : 'Transaction'
      proxy.arm({ kind: 'cut-after', match: ({ body }) => body.includes(`"${type}"`) })
    },
    delayNextDecision: async () => false,
    waitUntilSettled: async () => {},
    untilReported: async () => world.advance(24 * HOUR),
    async movements(reference, kind) {
      const kinds: readonly string[] = kind === 'authorise' ? ['authorise', 'sale'] : [kind]
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
})
