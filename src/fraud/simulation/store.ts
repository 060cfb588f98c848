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

// Newest first by primary key. Provider facts are stored for the final attempt only. The lateral join with
// `offset 0` looks up attempts per payment; otherwise the planner may scan all operations.
const PAGE = sql<PastAttempt>(
  'simulation.page',
  `with page as (
     select app_id, payment_id, customer_id, currency, amount_minor, flow, details, attempt, pay_info,
       refunded_minor
     from payments where app_id = $1 and payment_id < $2 order by payment_id desc limit $3
   )
   select p.payment_id, o.attempt, o.created_time as time, o.profile_id,
     case o.status when 'done' then 'paid' when 'declined' then 'declined' else 'ended' end as outcome,
     p.customer_id, p.currency, p.amount_minor, p.flow = 'AutoPayment' as is_auto_payment,
     o.method = 'CreditCard' as is_card,
     coalesce(p.details #>> '{customerOrder,customer,address,countryCode}',
       p.details #>> '{customerOrder,customer,address,country}') as address_country,
     p.pay_info ->> 'payerIp' as payer_ip,
     case when o.attempt = p.attempt then p.pay_info #>> '{payer,country}' end as payer_country,
     case when o.attempt = p.attempt then (p.pay_info #>> '{risk,score}')::float8 end as risk_score,
     case when o.attempt = p.attempt then p.pay_info -> 'card' end as card,
     p.refunded_minor > 0 as was_refunded
   from page p cross join lateral (
     select * from operations o where o.app_id = p.app_id and o.payment_id = p.payment_id
       and o.step in ('start', 'charge')
     offset 0) o
   order by p.payment_id desc, o.attempt`,
)

/** Attempts of the `limit` payments with the highest ids below this one. */
export const selectPage = (
  db: Queryable,
  appId: string,
  { below, limit }: { below: number; limit: number },
): Promise<PastAttempt[]> => db.query(PAGE, [appId, below, limit])

const BOUNDARY = sql<{ paymentId: number; createdTime: Date }>(
  'simulation.boundary',
  `select payment_id, created_time from (
     select payment_id, created_time from payments where app_id = $1 and payment_id < $2
     order by payment_id desc limit $3
   ) page order by payment_id limit 1`,
)

/** The oldest payment of a page: the next page starts below it, and its time tells whether to continue. */
export const selectBoundary = async (
  db: Queryable,
  appId: string,
  { below, limit }: { below: number; limit: number },
) => (await db.query(BOUNDARY, [appId, below, limit]))[0]

const DISPUTED = sql<{ paymentId: number }>(
  'simulation.disputed',
  `select distinct payment_id from events where app_id = $1 and payment_id = any ($2) and state = 'Disputed'`,
)

export const selectDisputed = async (db: Queryable, appId: string, paymentIds: readonly number[]) =>
  new Set((await db.query(DISPUTED, [appId, paymentIds])).map((row) => row.paymentId))
