import fc from 'fast-check'
import { good, type TestApp } from './tender.ts'

/** How the history of a payment ends. */
export const ENDS = [
  ...(['open', 'declined', 'cancelled', 'authorised', 'paid', 'refunded', 'part'] as const),
  ...(['held', 'blocked', 'disputed', 'lost', 'part disputed'] as const),
]
type End = (typeof ENDS)[number]

/** Seeded histories: `fc.sample(life, …)`. */
export const life = fc.record({
  amount: fc.integer({ min: 4, max: 9_999 }),
  currency: fc.constantFrom('EUR', 'USD', 'KWD'),
  end: fc.constantFrom<End>(...ENDS),
  pauseHours: fc.integer({ min: 0, max: 30 }),
})
type Life = { amount: number; currency: string; end: End; pauseHours: number }

interface Policies {
  readonly hold: number
  readonly block: number
}

/** Policies that hold or block the payments that end so. */
export async function policiesOf(app: TestApp): Promise<Policies> {
  const policy = async (action: string): Promise<number> => {
    const rules = [{ action, measure: 'ProviderRiskScore', threshold: 60 }]
    return good(await app.call('POST', 'fraud-policies', { name: action, rules })).fraudPolicyId
  }
  return { hold: await policy('HoldPayment'), block: await policy('RejectPayment') }
}

/** How the payer pays, for ends that are not the usual one. */
const PAYS: Partial<Record<End, object>> = {
  declined: { outcome: 'insufficient-funds' },
  held: { outcome: 'elevated-risk' },
  blocked: { outcome: 'elevated-risk' },
}

/** Makes a payment and takes it to its end, after a pause of the app's clock. */
export async function live(app: TestApp, policies: Policies, { amount, currency, end, pauseHours }: Life) {
  if (pauseHours > 0) await app.advance(`${pauseHours}h`)
  const { paymentId } = await app.create({
    ...{ amount: amount / 100, currency, autoCapture: end !== 'authorised' },
    ...(end === 'held' ? { fraudPolicyId: policies.hold } : {}),
    ...(end === 'blocked' ? { fraudPolicyId: policies.block } : {}),
  })
  const half = (amount >> 1) / 100
  if (end === 'open') return
  if (end === 'cancelled') return good(await app.act(paymentId, 'cancel'))
  good(await app.pay(paymentId, PAYS[end] ?? {}))
  const dispute = (body: object) => app.call('POST', `test-helpers/payments/${paymentId}/dispute`, body)
  switch (end) {
    case 'refunded':
      return good(await app.act(paymentId, 'refund'))
    case 'part':
      return good(await app.call('POST', `payments/${paymentId}/refund?amount=${half}`))
    case 'disputed':
      return good(await dispute({}))
    case 'part disputed':
      return good(await dispute({ amount: half }))
    case 'lost':
      good(await dispute({ amount: half }))
      return good(await dispute({ outcome: 'lost' }))
  }
}
