import { type Queryable, sql } from '../../db/database.ts'
import type { CardFacts } from '../../providers/outcome.ts'

/** A past attempt to pay, with the data of its payment. */
export interface PastAttempt {
  readonly paymentId: number
  readonly attempt: number
  readonly time: Date
  readonly profileId: number
  readonly outcome: 'paid' | 'declined' | 'ended'
  readonly customerId: string
  readonly currency: string
  readonly amountMinor: bigint
  readonly isAutoPayment: boolean
  readonly isCard: boolean
  readonly addressCountry: string | null
  readonly payerIp: string | null
  readonly payerCountry: string | null
  readonly riskScore: number | null
  readonly card: CardFacts | null
  readonly wasRefunded: boolean
}

interface AttemptRow {
  payment_id: string
  attempt: number
  created_time: Date
  profile_id: string
  status: string
  customer_id: string
  currency: string
  amount_minor: string
  flow: string
  method: string
  address_country: string | null
  payer_ip: string | null
  payer_country: string | null
  risk_score: string | null
  card: CardFacts | null
  was_refunded: boolean
}

// Newest first by primary key. Provider facts are stored for the final attempt only. The lateral join with
// `offset 0` looks up attempts per payment; otherwise the planner may scan all operations.
const PAGE = sql<AttemptRow>(
  'simulation.page',
  `with page as (
     select app_id, payment_id, customer_id, currency, amount_minor, flow, details, attempt, pay_info,
       refunded_minor
     from payments where app_id = $1 and payment_id < $2 order by payment_id desc limit $3
   )
   select p.payment_id, o.attempt, o.created_time, o.profile_id, o.status, p.customer_id, p.currency,
     p.amount_minor, p.flow, o.method,
     coalesce(p.details #>> '{customerOrder,customer,address,countryCode}',
       p.details #>> '{customerOrder,customer,address,country}') as address_country,
     p.pay_info ->> 'payerIp' as payer_ip,
     case when o.attempt = p.attempt then p.pay_info #>> '{payer,country}' end as payer_country,
     case when o.attempt = p.attempt then p.pay_info #>> '{risk,score}' end as risk_score,
     case when o.attempt = p.attempt then p.pay_info -> 'card' end as card,
     p.refunded_minor > 0 as was_refunded
   from page p cross join lateral (
     select * from operations o where o.app_id = p.app_id and o.payment_id = p.payment_id
       and o.step in ('start', 'charge')
     offset 0) o
   order by p.payment_id desc, o.attempt`,
)

const OUTCOMES: Readonly<Record<string, PastAttempt['outcome']>> = { done: 'paid', declined: 'declined' }

/** Attempts of the `limit` payments with the highest ids below this one. */
export async function selectPage(
  db: Queryable,
  appId: string,
  { below, limit }: { below: number; limit: number },
): Promise<PastAttempt[]> {
  const rows = await db.query(PAGE, [appId, below, limit])
  return rows.map((row) => ({
    paymentId: Number(row.payment_id),
    attempt: row.attempt,
    time: row.created_time,
    profileId: Number(row.profile_id),
    outcome: OUTCOMES[row.status] ?? 'ended',
    customerId: row.customer_id,
    currency: row.currency,
    amountMinor: BigInt(row.amount_minor),
    isAutoPayment: row.flow === 'AutoPayment',
    isCard: row.method === 'CreditCard',
    addressCountry: row.address_country,
    payerIp: row.payer_ip,
    payerCountry: row.payer_country,
    riskScore: row.risk_score === null ? null : Number(row.risk_score),
    card: row.card,
    wasRefunded: row.was_refunded,
  }))
}

const BOUNDARY = sql<{ payment_id: string; created_time: Date }>(
  'simulation.boundary',
  `select payment_id, created_time from (
     select payment_id, created_time from payments where app_id = $1 and payment_id < $2
     order by payment_id desc limit $3
   ) page order by payment_id limit 1`,
)

/** The oldest payment of a page: the next page starts below it, and its time tells whether to continue. */
export async function selectBoundary(
  db: Queryable,
  appId: string,
  { below, limit }: { below: number; limit: number },
): Promise<{ paymentId: number; createdTime: Date } | undefined> {
  const [row] = await db.query(BOUNDARY, [appId, below, limit])
  return row && { paymentId: Number(row.payment_id), createdTime: row.created_time }
}

const DISPUTED = sql<{ payment_id: string }>(
  'simulation.disputed',
  `select distinct payment_id from events where app_id = $1 and payment_id = any ($2) and state = 'Disputed'`,
)

export const selectDisputed = async (db: Queryable, appId: string, paymentIds: readonly number[]) =>
  new Set((await db.query(DISPUTED, [appId, paymentIds])).map((row) => Number(row.payment_id)))
