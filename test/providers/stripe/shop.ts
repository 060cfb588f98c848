import { money } from '../../../src/base/money.ts'
import type { Handles, Snapshot } from '../../../src/providers/outcome.ts'
import type { Operation, Purchase, Step } from '../../../src/providers/port.ts'
import { stripe } from '../../../src/providers/stripe/adapter.ts'
import type { DashboardAct, PayerAct } from '../kit/simulator.ts'
import type { StripeAccount } from './account.ts'

export interface PaidAtStripe {
  readonly reference: string
  readonly seen: Snapshot
}

let made = 0

export const purchase = (overrides: Partial<Purchase> = {}): Purchase => ({
  amount: money(2_000n, 'USD'),
  sale: true,
  storeMethod: false,
  method: 'CreditCard',
  customerPresent: true,
  backUrl: 'https://tender.example/back/1',
  customer: { id: 'c-1', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
  ...overrides,
})

/** Payments through the adapter, as the core makes them. */
export function createShop(account: () => StripeAccount) {
  const operation = (step: Step, reference?: string): Operation => {
    const key = `T${String(++made).padStart(19, '0')}`
    return { key, step, reference: reference ?? key, sending: 1, createdAt: account().context().now() }
  }
  const look = async (reference: string, handles: Handles): Promise<Snapshot> => {
    const seen = await stripe.retrieve(account().context(), reference, handles)
    if (seen.kind !== 'snapshot') throw new Error(JSON.stringify(seen))
    return seen
  }
  return {
    operation,
    look,
    async pay(overrides: Partial<Purchase> = {}, act: PayerAct = { kind: 'pay' }): Promise<PaidAtStripe> {
      const op = operation('start')
      const opened = await stripe.start(account().context(), op, purchase(overrides))
      if (opened.kind !== 'redirect') throw new Error(JSON.stringify(opened))
      await account().simulator.payer(opened.url, act)
      return { reference: op.reference, seen: await look(op.reference, opened.handles) }
    },
    /** What a read shows after something happened at Stripe. */
    async seenAfter({ reference, seen }: PaidAtStripe, act: DashboardAct): Promise<Snapshot> {
      if (!account().simulator.dashboard(reference, act)) throw new Error(`Stripe has no ${act.kind}`)
      return look(reference, seen.handles)
    },
  }
}
