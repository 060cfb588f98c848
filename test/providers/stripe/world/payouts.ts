import { type Balance, newId, type State, seconds } from './state.ts'
import type { Json } from './view-money.ts'

/** Automatic payouts: what has been on the balance for two days leaves it, in each currency. */

const DELAY = 2 * 86_400

export interface Payout {
  readonly id: string
  readonly amount: number
  readonly currency: string
  readonly created: number
  /** The balance transaction by which it leaves the balance. */
  readonly balance: string
}

export function addBalance(state: State, entry: Omit<Balance, 'id' | 'created'>): string {
  const id = newId('txn')
  state.balances.set(id, { ...entry, id, created: seconds(state) })
  return id
}

export function payOutDue(state: State): void {
  const due = [...state.balances.values()].filter(
    ({ id, created }) => !state.paidOut.has(id) && created + DELAY <= seconds(state),
  )
  for (const currency of new Set(due.map((balance) => balance.currency))) {
    const parts = due.filter((balance) => balance.currency === currency)
    const amount = parts.reduce((sum, balance) => sum + balance.amount - balance.fee, 0)
    if (amount > 0) payOut(state, parts, { amount, currency })
  }
}

function payOut(state: State, parts: readonly Balance[], sum: Pick<Payout, 'amount' | 'currency'>): void {
  const id = newId('po')
  const { amount, currency } = sum
  const balance = addBalance(state, { amount: -amount, fee: 0, currency, source: id, type: 'payout' })
  for (const part of parts) state.paidOut.set(part.id, id)
  state.paidOut.set(balance, id)
  state.payouts.set(id, { id, amount, currency, created: seconds(state), balance })
}

export const viewPayout = (_state: State, payout: Payout): Json => ({
  ...{ id: payout.id, object: 'payout', amount: payout.amount, currency: payout.currency, automatic: true },
  ...{ created: payout.created, arrival_date: payout.created + 86_400, balance_transaction: payout.balance },
  ...{
    description: 'STRIPE PAYOUT',
    destination: 'ba_simulated',
    livemode: false,
    metadata: {},
    status: 'paid',
  },
  ...{ method: 'standard', reconciliation_status: 'completed', source_type: 'card', type: 'bank_account' },
  ...{ statement_descriptor: null, trace_id: { status: 'supported', value: `TRACE${payout.created}` } },
})
