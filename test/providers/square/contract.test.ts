import type { ProviderHarness } from '../../../src/providers/contract/harness.ts'
import { describeProvider } from '../../../src/providers/contract.ts'
import type { ProviderContext } from '../../../src/providers/port.ts'
import { square } from '../../../src/providers/square/adapter.ts'
import { manifest } from '../../../src/providers/square/manifest.ts'
import { parseSettings } from '../kit/account.ts'
import { openAccount } from './account.ts'

const MINUTE = 60_000

describeProvider(manifest, async (): Promise<ProviderHarness> => {
  const account = await openAccount()
  const { simulator, advance, notifyUrl } = account
  return {
    adapter: square,
    backUrl: 'https://tender.example/back/1',
    wrongSettings: parseSettings(manifest, simulator.wrongSettings),
    context: (overrides = {}) => ({ ...account.context(), ...overrides }) as ProviderContext<unknown>,
    instrument: () => Promise.reject(new Error('Square has no fields')),
    async onPage(_method, url, behaves) {
      await simulator.payer(url, { kind: behaves === 'approves' ? 'pay' : 'decline' })
      // After a decline the page stays open until the merchant closes it.
      if (behaves === 'declines') await close(account, url)
    },
    loseNextReply: async (step) => account.loseNextReply(step),
    delayNextDecision: async () => false,
    waitUntilSettled: async () => advance(2 * MINUTE),
    untilReported: async () => advance(2 * 1_440 * MINUTE),
    async movements(reference, kind) {
      const kinds = kind === 'authorise' ? ['authorise', 'sale'] : [kind]
      const entries = simulator.ledger(reference)
      return entries.filter((entry) => kinds.includes(entry.kind) && entry.state !== 'failed').length
    },
    async notifications(reference) {
      const about = simulator.takeNotifications().filter(({ body }) => body.includes(reference))
      return about.map(({ headers, body }) => ({ headers, rawBody: Buffer.from(body), url: notifyUrl }))
    },
    get secrets() {
      return simulator.secrets
    },
    writtenDown: async () => account.lines.join('\n'),
    close: () => account.close(),
  }
})

/** As a request of the merchant does. */
async function close({ context }: Awaited<ReturnType<typeof openAccount>>, url: string): Promise<void> {
  const { http, origin, config } = context()
  const headers = { authorization: `Bearer ${config.accessToken}`, 'square-version': '2025-08-20' }
  const link = new URL(url).pathname.split('/').at(-1)
  const path = `/v2/online-checkout/payment-links/${link}`
  await http.call({ method: 'DELETE', url: `${origin}${path}`, headers })
}
