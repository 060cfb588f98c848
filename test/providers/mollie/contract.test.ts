import type { ProviderHarness } from '../../../src/providers/contract/harness.ts'
import { describeProvider } from '../../../src/providers/contract.ts'
import { mollie } from '../../../src/providers/mollie/adapter.ts'
import { manifest } from '../../../src/providers/mollie/manifest.ts'
import type { ProviderContext } from '../../../src/providers/port.ts'
import { parseSettings } from '../kit/account.ts'
import { openAccount } from './account.ts'

describeProvider(manifest, async (): Promise<ProviderHarness> => {
  const account = await openAccount()
  const { simulator, advance } = account
  return {
    adapter: mollie,
    backUrl: 'https://tender.example/back/1',
    wrongSettings: parseSettings(manifest, simulator.wrongSettings),
    context: (overrides = {}) => ({ ...account.context(), ...overrides }) as ProviderContext<unknown>,
    instrument: () => Promise.reject(new Error('Mollie has no fields')),
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
      const bodies = simulator.idsOf(reference).map((id) => `id=${id}`)
      return account.notifications().filter(({ rawBody }) => bodies.includes(Buffer.from(rawBody).toString()))
    },
    get secrets() {
      return simulator.secrets
    },
    writtenDown: async () => account.lines.join('\n'),
    close: () => account.close(),
  }
})
