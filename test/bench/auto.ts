import type { Bench } from './bench.ts'
import { order } from './load/scenarios.ts'
import { type Measured, measure, medianOf, rate, rateFigures } from './measure.ts'
import type { BenchApp } from './rig.ts'

const ROUNDS = 3
const SECONDS = 5
const APPS = 24

/** Charges of stored cards, captured in the same request. */
export const auto: Bench = {
  name: 'auto',
  async run(rig, say) {
    const apps = await rig.newApps(APPS)
    for (const app of apps) await storeCard(app)
    const plan = { scenario: 'auto', apps, connections: 64 } as const
    await measure(rig, { ...plan, seconds: SECONDS / 2 })
    const rounds: Measured[] = []
    for (let round = 1; round <= ROUNDS; round++) {
      const measured = await measure(rig, { ...plan, seconds: SECONDS })
      rounds.push(measured)
      say(`round ${round}: ${rate(measured.perSecond)}`)
    }
    return rateFigures(medianOf(rounds), { what: 'auto payments captured' })
  },
}

/** Stores a card with a first payment. */
async function storeCard(app: BenchApp): Promise<void> {
  const made = await app.call('POST', '/payments/hosted-page', {
    ...order('first', 'customer-0'),
    registerAutoPayment: true,
  })
  const { paymentId } = JSON.parse(made.text) as { paymentId: number }
  const paid = await app.call('POST', `/test-helpers/payments/${paymentId}/pay`, { saveMethod: true })
  if (!paid.text.includes('"paymentState":"Captured"')) throw new Error(paid.text)
}
