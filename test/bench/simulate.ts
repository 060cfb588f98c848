import { PAST_PAYMENTS } from '../support/past-payments.ts'
import { type Bench, quantile, sorted } from './bench.ts'

const PAYMENTS = 10_000
const ROUNDS = 5
const TARGET_MS = 2_000

const RULES = [
  { action: 'RejectPayment', measure: 'PaymentCount', period: 'Daily', threshold: 1 },
  { action: 'HoldPayment', measure: 'TotalAmount', period: 'Weekly', threshold: 100 },
  { action: 'RejectPayment', measure: 'ProviderRejectCount', period: 'Daily', threshold: 2 },
  { action: 'HoldPayment', measure: 'DistinctCard', period: 'Monthly', threshold: 1 },
  { action: 'HoldPayment', measure: 'ProviderRiskScore', threshold: 90 },
]

/** Simulation of a fraud policy on 10,000 recent payments, over HTTP. */
export const simulate: Bench = {
  name: 'simulate',
  async run(rig, say) {
    const app = await rig.newApp()
    for (const text of PAST_PAYMENTS)
      await rig.db.query(text, [app.appId, 1_000_000, new Date().toISOString(), PAYMENTS])
    await rig.db.query('vacuum analyze payments, operations')
    const firewall = { allowedCountries: ['DE', 'AT'], maxRiskScore: 95 }
    const made = await app.call('POST', '/fraud-policies', { name: 'Bench', rules: RULES, firewall })
    const { fraudPolicyId } = JSON.parse(made.text) as { fraudPolicyId: number }
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now()
      const { text } = await app.call('POST', `/fraud-policies/${fraudPolicyId}/simulate`, { days: 30 })
      times.push(performance.now() - start)
      const { payments, stopped } = JSON.parse(text) as { payments: number; stopped: { count: number } }
      if (payments !== PAYMENTS) throw new Error(`only ${payments} payments were simulated`)
      say(`round ${round + 1}: ${Math.round(times.at(-1) ?? 0)} ms, ${stopped.count} stopped`)
    }
    const medianMs = quantile(sorted(times), 0.5)
    return [
      {
        what: `${PAYMENTS} payments, ${RULES.length} rules and a firewall, median`,
        value: `${Math.round(medianMs)} ms`,
        target: `< ${TARGET_MS} ms`,
        ok: medianMs < TARGET_MS,
        numbers: { medianMs },
      },
    ]
  },
}
