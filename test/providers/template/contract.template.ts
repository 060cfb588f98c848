import type { ProviderHarness } from '../../../src/providers/contract/harness.ts'
import { describeProvider } from '../../../src/providers/contract.ts'
import type { ProviderContext } from '../../../src/providers/port.ts'
import { parseSettings } from '../kit/account.ts'
import { openAccount } from './account.ts'
import { acornPay } from './adapter/adapter.ts'
import { manifest } from './adapter/manifest.ts'

describeProvider(manifest, async (): Promise<ProviderHarness> => {
  const account = await openAccount()
  const { simulator, advance } = account
  return {
    adapter: acornPay,
    backUrl: 'https://tender.example/back/1',
    wrongSettings: parseSettings(manifest, simulator.wrongSettings),
    context: (overrides = {}) => ({ ...account.context(), ...overrides }) as ProviderContext<unknown>,
    instrument: () => Promise.reject(new Error('Acorn Pay has no fields')),
    async onPage(_method, url, behaves) {
      await simulator.payer(url, { kind: behaves === 'approves' ? 'pay' : 'decline' })
    },
    loseNextReply: async (step) => account.loseNextReply(step),
    delayNextDecision: async () => false,
    waitUntilSettled: async () => advance(120_000),
    async movements(reference, kind) {
      // A sale is authorised and captured at once.
      const kinds = kind === 'authorise' ? ['authorise', 'sale'] : [kind]
      const entries = simulator.ledger(reference)
      return entries.filter((entry) => kinds.includes(entry.kind) && entry.state !== 'failed').length
    },
    async notifications(reference) {
      return account.notifications().filter(({ rawBody }) => Buffer.from(rawBody).includes(reference))
    },
    get secrets() {
      return simulator.secrets
    },
    writtenDown: async () => account.lines.join('\n'),
    close: () => account.close(),
  }
})
