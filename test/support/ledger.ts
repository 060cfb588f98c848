import { decimalText } from '../../src/base/money.ts'
import type { Database } from '../../src/db/database.ts'
import type { LineKind } from '../../src/providers/settlement.ts'

/** What a test says of a payment. */
export interface LedgerPayment {
  readonly paymentId: number
  readonly profileId: number
  readonly currency: string
  readonly sequence: number
  readonly captured: bigint
  /** With lost disputes in it. */
  readonly returned: bigint
  readonly disputes: readonly {
    readonly state: string
    readonly minor: bigint
    readonly isWonLate?: boolean
  }[]
}

export interface TestLine {
  readonly kind?: LineKind
  readonly profileId: number
  readonly currency: string
  readonly gross?: bigint
  readonly fee?: bigint
  readonly net?: bigint
  readonly settlementCurrency?: string
  readonly rate?: string
  readonly time: Date
  readonly received?: Date
  readonly paymentId?: number
  readonly match?: 'exact' | 'suggested'
  readonly payoutId?: number
  readonly providerLineId?: string
  /** Its number, where it is to be written after later ones. */
  readonly lineId?: number
}

interface TestPayout {
  readonly profileId: number
  readonly currency: string | null
  readonly amount: bigint | null
  readonly state?: 'pending' | 'paid' | 'failed'
  readonly time: Date
  readonly bankReference?: string
}

export interface LedgerRows {
  payment(payment: LedgerPayment, time: Date): Promise<void>
  event(payment: LedgerPayment, time: Date): Promise<void>
  /** Returns the line's id. */
  line(line: TestLine): Promise<number>
  match(lineId: number, paymentId: number, match?: 'exact' | 'suggested'): Promise<void>
  /** Returns the payout's id. */
  payout(payout: TestPayout): Promise<number>
  query<Row>(text: string, ...values: readonly unknown[]): Promise<Row[]>
}

type Query = LedgerRows['query']

/** Rows from which the ledger of an app is derived, written straight into the tables. */
export function ledgerRows(db: Database, appId: string): LedgerRows {
  let lines = 0
  const query: Query = (text, ...values) => db.query({ name: '', text }, values)
  const match: LedgerRows['match'] = async (lineId, paymentId, kind = 'exact') => {
    const text = 'insert into settlement_matches (app_id, line_id, payment_id, match) values ($1, $2, $3, $4)'
    await query(text, appId, lineId, paymentId, kind)
  }
  return {
    query,
    match,
    payment: (payment, time) => addPayment(query, appId, payment, time),
    event: (payment, time) => addEvent(query, appId, payment, time),
    async line(line) {
      const lineId = await addLine(query, appId, { providerLineId: `line-${++lines}`, ...line })
      if (line.paymentId !== undefined) await match(lineId, line.paymentId, line.match)
      return lineId
    },
    payout: (payout) => addPayout(query, appId, payout),
  }
}

async function addPayment(query: Query, appId: string, payment: LedgerPayment, time: Date): Promise<void> {
  const { paymentId, profileId, currency, sequence, captured, returned } = payment
  const disputes = payment.disputes.map(({ minor, ...dispute }, id) => {
    return { ...dispute, id: String(id), amountMinor: String(minor) }
  })
  await query(
    `insert into payments (app_id, payment_id, version, sequence, state, flow, reference_id, payment_key,
       amount_minor, captured_minor, refunded_minor, currency, auto_capture, auto_payment, fraud_status,
       customer_id, created_time, state_time, details, profile_id, pay_info)
     values ($1, $2, 1, $3, 'Captured', 'HostedPage', 'ref-' || $2::bigint, 'key-' || $2::bigint,
       9000000000000, $4, $5, $6, true, 'None', 'Unknown', 'dana', $7, $7, '{"orderId":"=1+1"}', $8, $9)
     on conflict (app_id, payment_id) do update set sequence = $3, captured_minor = $4, refunded_minor = $5,
       state_time = $7, pay_info = $9`,
    ...[appId, paymentId, sequence, captured, returned, currency, time, profileId],
    JSON.stringify({ disputes }),
  )
}

async function addEvent(query: Query, appId: string, payment: LedgerPayment, time: Date): Promise<void> {
  const amount = (minor: bigint) => Number(decimalText(minor, payment.currency))
  const body = {
    payment: {
      capturedAmount: amount(payment.captured),
      refundedAmount: amount(payment.returned),
      disputes: payment.disputes.map(({ minor, ...dispute }) => ({ ...dispute, amount: amount(minor) })),
    },
  }
  await query(
    `insert into events (app_id, payment_id, sequence, type, state, created_time, body)
     values ($1, $2, $3, 'payment.state_changed', 'Captured', $4, $5)`,
    ...[appId, payment.paymentId, payment.sequence, time, JSON.stringify(body)],
  )
}

async function addLine(query: Query, appId: string, line: TestLine): Promise<number> {
  const [row] = await query<{ lineId: number }>(
    `insert into settlement_lines (app_id, line_id, profile_id, provider_line_id, report_id, kind,
       provider_ids, gross_minor, currency, fee_minor, net_minor, settlement_currency, rate, line_time,
       received_time, payout_id)
     overriding system value
     select $1, coalesce($2, (select coalesce(max(line_id), 1000) + 1 from settlement_lines)), $3, $4, 1,
       $5, array[$4::text], $6, $7, $8, $9, $10, $11, $12, $13, $14 returning line_id`,
    ...[appId, line.lineId ?? null, line.profileId, line.providerLineId, line.kind ?? 'sale'],
    ...[line.gross ?? 0n, line.currency, line.fee ?? null, line.net ?? null],
    ...[line.settlementCurrency ?? null, line.rate ?? null],
    ...[line.time, line.received ?? line.time, line.payoutId ?? null],
  )
  if (!row) throw new Error('a line is always written')
  return row.lineId
}

async function addPayout(query: Query, appId: string, payout: TestPayout): Promise<number> {
  const { profileId, currency, amount, state = 'paid', time, bankReference = null } = payout
  const [row] = await query<{ payoutId: number }>(
    `insert into payouts (app_id, profile_id, provider_payout_id, amount_minor, currency, state,
       payout_time, bank_reference)
     values ($1, $2, 'po-' || (select count(*) from payouts), $3, $4, $5, $6, $7) returning payout_id`,
    ...[appId, profileId, amount, currency, state, time, bankReference],
  )
  if (!row) throw new Error('a payout is always written')
  return row.payoutId
}
