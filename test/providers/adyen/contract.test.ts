import { adyen } from '../../../src/providers/adyen/adapter.ts'
import { manifest } from '../../../src/providers/adyen/manifest.ts'
import type { ProviderHarness } from '../../../src/providers/contract/harness.ts'
import { describeProvider } from '../../../src/providers/contract.ts'
import type { ProviderContext } from '../../../src/providers/port.ts'
import { parseSettings } from '../kit/account.ts'
import { openAccount } from './account.ts'

const DAY = 86_400_000

describeProvider(manifest, async (): Promise<ProviderHarness> => {
  const account = await openAccount()
  const { simulator, advance } = account
  return {
    adapter: adyen,
    backUrl: 'https://tender.example/back/1',
    signsInBody: true,
    wrongSettings: parseSettings(manifest, simulator.wrongSettings),
    context: (overrides = {}) => ({ ...account.context(), ...overrides }) as ProviderContext<unknown>,
    instrument: () => Promise.reject(new Error('Adyen has no fields')),
    async onPage(_method, url, behaves) {
      await simulator.payer(url, { kind: behaves === 'approves' ? 'pay' : 'decline' })
      // After a refusal the page stays open, and the payer leaves it.
      if (behaves === 'declines') advance(DAY)
    },
    loseNextReply: async (step) => account.loseNextReply(step),
    delayNextDecision: async () => false,
    waitUntilSettled: async () => advance(60_000),
    async movements(reference, kind) {
      const entries = simulator.ledger(reference)
      return entries.filter((entry) => entry.kind === kind && entry.state !== 'failed').length
    },
    notifications: async (reference) =>
      account.notifications().filter(({ rawBody }) => Buffer.from(rawBody).toString().includes(reference)),
    reportedBy: account.reported,
    get secrets() {
      return simulator.secrets
    },
    writtenDown: async () => account.lines.join('\n'),
    close: () => account.close(),
  }
})
