import { merchant, sandboxWorld } from '../../../test/support/sandbox.ts'
import { DAY } from '../../base/clock.ts'
import { sql } from '../../db/database.ts'
import type { ProviderHarness } from '../../providers/contract/harness.ts'
import { describeProvider } from '../../providers/contract.ts'
import type { MethodKind } from '../../providers/outcome.ts'
import type { ProviderAdapter, ProviderContext } from '../../providers/port.ts'
import { actOnKeeping, actOnPage } from '../helpers/browser.ts'
import { manifest } from './manifest.ts'

const TABLES = [
  'accounts',
  'payments',
  'ledger',
  'requests',
  'stored_methods',
  'notifications',
  'lines',
  'settlements',
]

describeProvider(manifest, async (): Promise<ProviderHarness> => {
  const world = await sandboxWorld()
  const shop = merchant(world)
  let sinceStart = 0
  return {
    adapter: world.sandbox.adapter as unknown as ProviderAdapter<unknown>,
    backUrl: shop.backUrl,
    wrongSettings: { ...shop.settings, apiKey: 'bank_sk.app_other.wrong' },
    context: (overrides = {}) => ({
      ...(shop.context() as ProviderContext<unknown>),
      now: () => new Date(world.clock.now().getTime() + sinceStart),
      ...overrides,
    }),
    instrument: (method, behaves) =>
      shop.token(method as MethodKind, behaves === 'approves' ? 'approved' : 'insufficient-funds'),
    async onPage(_method, url, behaves) {
      const action = behaves === 'approves' ? 'approve' : 'decline'
      if (url.includes('/sandbox/keep/')) await actOnKeeping(world.browser, url, { action })
      else await actOnPage(world.browser, url, { action })
    },
    async loseNextReply(step) {
      await shop.control.armFault({ step: step === 'start' ? 'authorise' : step, effect: 'reply-lost' })
    },
    async delayNextDecision(step) {
      await shop.control.armFault({
        step: step === 'start' ? 'authorise' : step,
        effect: 'pending-then-approved',
      })
      return true
    },
    async waitUntilSettled(ms = 10_000) {
      await shop.control.advanceClock(ms)
      sinceStart += ms
    },
    async untilReported() {
      await shop.control.advanceClock(3 * DAY)
      sinceStart += 3 * DAY
      await shop.control.payOut()
    },
    async movements(reference, kind) {
      const entries = await shop.control.ledger(reference)
      const kinds = kind === 'authorise' ? ['authorise', 'sale'] : [kind]
      return entries.filter((entry) => kinds.includes(entry.kind) && entry.status !== 'declined').length
    },
    async notifications(reference) {
      while ((await world.sandbox.bank.runOnce()) > 0);
      return world.inbox.filter((call) => Buffer.from(call.rawBody).toString().includes(reference))
    },
    secrets: [shop.settings.apiKey, shop.publishableKey, '4242424242424242', '000123456789'],
    async writtenDown() {
      const rows = await Promise.all(
        TABLES.map((table) => world.db.query(sql(`dump.${table}`, `select * from sandbox_bank.${table}`))),
      )
      return (
        world.logs.join('\n') +
        JSON.stringify(rows, (_key, value) => (typeof value === 'bigint' ? String(value) : value))
      )
    },
    close: () => world.close(),
  }
})
