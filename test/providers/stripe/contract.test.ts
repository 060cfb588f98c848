import type { ProviderHarness } from '../../../src/providers/contract/harness.ts'
import { describeProvider } from '../../../src/providers/contract.ts'
import type { MethodKind } from '../../../src/providers/outcome.ts'
import type { ProviderContext } from '../../../src/providers/port.ts'
import { stripe } from '../../../src/providers/stripe/adapter.ts'
import { manifest } from '../../../src/providers/stripe/manifest.ts'
import { parseSettings } from '../kit/account.ts'
import { openAccount } from './account.ts'

const DAY = 86_400_000

describeProvider(manifest, async (): Promise<ProviderHarness> => {
  const account = await openAccount()
  const { simulator, notifyUrl, advance } = account
  return {
    adapter: stripe,
    backUrl: 'https://tender.example/back/1',
    wrongSettings: parseSettings(manifest, simulator.wrongSettings),
    context: (overrides = {}) => ({ ...account.context(), ...overrides }) as ProviderContext<unknown>,
    instrument: () => Promise.reject(new Error('Stripe has no fields')),
    async onPage(method: MethodKind, url, behaves) {
      await simulator.payer(url, { kind: behaves === 'approves' ? 'pay' : 'decline' })
      if (simulator.allEntries().some(({ state }) => state === 'pending')) advance(4 * DAY)
      // After a decline the page stays open, and the payer leaves it.
      else if (behaves === 'declines' && method === 'CreditCard') advance(DAY)
    },
    loseNextReply: async (step) => account.loseNextReply(step),
    delayNextDecision: async () => false,
    waitUntilSettled: async () => advance(4 * DAY),
    untilReported: async () => advance(3 * DAY),
    async movements(reference, kind) {
      const kinds = kind === 'authorise' ? ['authorise', 'sale'] : [kind]
      const entries = simulator.ledger(reference)
      return entries.filter((entry) => kinds.includes(entry.kind) && entry.state !== 'failed').length
    },
    async notifications(reference) {
      const about = simulator.takeNotifications().filter(({ body }) => body.includes(reference))
      return about.map(({ headers, body }) => ({ headers, rawBody: Buffer.from(body), url: notifyUrl }))
    },
    secrets: simulator.secrets,
    writtenDown: async () => account.lines.join('\n'),
    close: () => account.close(),
  }
})
