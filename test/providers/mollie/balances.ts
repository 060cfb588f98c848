import type { Answer, GateCall } from '../kit/gate.ts'
import { amountOf, type Payment, type State } from './state.ts'

/** The balance of the organisation: what was paid, captured, refunded and charged back, with fees. */

const BALANCE = 'bal_simulated'

interface Row {
  readonly id: string
  readonly type: string
  readonly at: number
  readonly minor: bigint
  readonly feeMinor: bigint
  readonly currency: string
  readonly context: object
}

const feeOf = (minor: bigint): bigint => (minor * 18n) / 1_000n + 25n

function rowsOf(payment: Payment): Row[] {
  const { id: paymentId, captures, refunds, chargebacks, amountMinor, paidAt, body } = payment
  const { currency } = body.amount
  const row = (type: string, about: string, more: Pick<Row, 'at' | 'minor' | 'context'>): Row => {
    const feeMinor = more.minor > 0n && !type.endsWith('reversal') ? feeOf(more.minor) : 0n
    return {
      id: `baltr_${type.replaceAll('-', '')}${about.replace('_', '')}`,
      type,
      feeMinor,
      currency,
      ...more,
    }
  }
  const isSale = body.captureMode !== 'manual' && paidAt !== undefined
  return [
    ...(isSale
      ? [row('payment', paymentId, { at: paidAt, minor: amountMinor, context: { paymentId } })]
      : []),
    ...captures
      .filter(({ status }) => status === 'succeeded')
      .map(({ id, minor, createdAt }) =>
        row('capture', id, { at: createdAt, minor, context: { paymentId, captureId: id } }),
      ),
    ...refunds
      .filter(({ status }) => status === 'refunded')
      .map(({ id, minor, createdAt }) =>
        row('refund', id, { at: createdAt, minor: -minor, context: { paymentId, refundId: id } }),
      ),
    ...chargebacks.flatMap(({ id, amountMinor: minor, createdAt, reversedAt }) => {
      const context = { paymentId, chargebackId: id }
      const taken = row('chargeback', id, { at: createdAt, minor: -minor, context })
      return reversedAt === undefined
        ? [taken]
        : [taken, row('chargeback-reversal', id, { at: reversedAt, minor, context })]
    }),
  ]
}

const signed = (minor: bigint, currency: string) => {
  const { value } = amountOf(minor < 0n ? -minor : minor, currency)
  return { currency, value: minor < 0n ? `-${value}` : value }
}

const rowView = ({ id, type, at, minor, feeMinor, currency, context }: Row): object => ({
  ...{ resource: 'balance-transaction', id, type, context, createdAt: new Date(at).toISOString() },
  ...{ initialAmount: signed(minor, currency), resultAmount: signed(minor - feeMinor, currency) },
  ...(feeMinor > 0n
    ? { deductions: signed(-feeMinor, currency), deductionDetails: { fees: signed(-feeMinor, currency) } }
    : {}),
})

export const listBalances = (): Answer => ({
  status: 200,
  body: { count: 1, _embedded: { balances: [{ resource: 'balance', id: BALANCE }] }, _links: { next: null } },
})

/** The newest first. */
export function listTransactions({ state, query }: GateCall<State>): Answer {
  const rows = [...state.payments.values()].flatMap(rowsOf).toSorted((one, other) => other.at - one.at)
  const from = query.get('from')
  const start = from === null ? 0 : rows.findIndex(({ id }) => id === from)
  const end = start + Number(query.get('limit') ?? 50)
  const next = rows[end] && {
    href: `${state.origin()}/v2/balances/${BALANCE}/transactions?from=${rows[end].id}&limit=5`,
    type: 'application/hal+json',
  }
  const items = rows.slice(start, end).map(rowView)
  return {
    status: 200,
    body: { count: items.length, _embedded: { balance_transactions: items }, _links: { next: next ?? null } },
  }
}
