import type { ProviderHarness } from '../../../src/providers/contract/harness.ts'
import { describeProvider } from '../../../src/providers/contract.ts'
import { paypal } from '../../../src/providers/paypal/adapter.ts'
import type { InboundCall, ProviderAdapter } from '../../../src/providers/port.ts'
import { createPaypalClient, NOTIFY_URL, REQUESTS } from './client.ts'

const HOUR = 3_600_000

const adapter = paypal as unknown as ProviderAdapter<unknown>

describeProvider(adapter.manifest, async (): Promise<ProviderHarness> => {
  const client = await createPaypalClient()
  const { simulator } = client
  const context = client.context as ProviderHarness['context']
  const connected = await adapter.connect?.(context())
  if (!connected?.ok) throw new Error(`not connected: ${JSON.stringify(connected)}`)
  const reported: InboundCall[] = []
  return {
    adapter,
    context,
    backUrl: 'https://tender.example/back',
    wrongSettings: simulator.wrongSettings,
    forgetsDeclines: true,
    instrument: () => Promise.reject(new Error('PayPal has no fields')),
    async onPage(_method, url, behaves) {
      await simulator.payer(url, { kind: behaves === 'approves' ? 'pay' : 'decline' })
    },
    loseNextReply: async (step) => client.lose(REQUESTS[step]),
    async delayNextDecision(step) {
      simulator.arm({ kind: 'pending', operation: step })
      return true
    },
    waitUntilSettled: async () => client.advance(HOUR),
    async movements(reference, kind) {
      const kinds = kind === 'authorise' ? ['authorise', 'sale'] : [kind]
      const entries = simulator.ledger(reference)
      return entries.filter((entry) => kinds.includes(entry.kind) && entry.state !== 'failed').length
    },
    async notifications(reference) {
      for (const { headers, body } of simulator.takeNotifications())
        reported.push({ headers, rawBody: Buffer.from(body), url: NOTIFY_URL })
      return reported.filter(({ rawBody }) => Buffer.from(rawBody).toString().includes(reference))
    },
    get secrets() {
      return simulator.secrets
    },
    writtenDown: async () => client.logs.join('\n'),
    close: () => client.close(),
  }
})
