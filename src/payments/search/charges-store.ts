import { type Queryable, sql } from '../../db/database.ts'
import { RETRY_ADVICE, type RetryAdvice } from '../../providers/outcome.ts'
import { REASON_ADVICE } from '../retry/advice.ts'

/**
 * What became of charges of stored methods that failed: `retry` and `recovered` of searches, and the figures
 * of a period, which therefore agree with the lists. Decision 0242.
 */

const reasonsOf = (advice: RetryAdvice): string =>
  Object.entries(REASON_ADVICE)
    .flatMap(([reason, each]) => (each === advice ? [`'${reason}'`] : []))
    .join(', ')

const judged = (advice: RetryAdvice): string =>
  `when f ->> 'declineCode' in (${reasonsOf(advice)}) then '${advice}'`

/** As `adviceIn` computes it. */
const ADVICE = `coalesce(f ->> 'retry', case
    ${RETRY_ADVICE.map(judged).join('\n    ')}
    when f ->> 'code' = 'expired' then 'after-customer-acts'
    when f -> 'problem' ->> 'code' = 'not-done' and f -> 'problem' ->> 'why' in ('not-sent', 'rate-limited')
      then 'later'
    else 'unspecified' end)`

/** Of a row `s` of the app `$1`; null: it has not failed. */
export const RETRY = `(select ${ADVICE} from (select p.failure as f from payments p
     where p.app_id = $1 and p.payment_id = s.payment_id) p where f is not null)`

/** Weeks of tries, and not the same charge of the next month. */
const RECOVERY_DAYS = 14
/** Payments of the customer that are looked at after a failure. */
const LOOKED_AT = 50

const IS_CHARGE = `s.flow = 'AutoPayment' and s.state = 'Failed'
     and payment_outcome(s.state, s.reason, s.captured_minor) = 'declined'`

/** By the orders, where both have one; else by the amount. */
const PAYS_FOR = `case when n.order_id is not null and s.order_id is not null then n.order_id = s.order_id
       else n.currency = s.currency and n.amount_minor = s.amount_minor end`

const IS_RECOVERED = `exists (
     select from (
       select n.order_id, n.currency, n.amount_minor, n.captured_minor from payment_search n
       where n.app_id = $1 and n.customer_id = s.customer_id
         and (n.created_time, n.payment_id) > (s.created_time, s.payment_id)
         and n.created_time < s.created_time + interval '${RECOVERY_DAYS} days'
       order by n.created_time, n.payment_id limit ${LOOKED_AT}) n
     where n.captured_minor > 0 and ${PAYS_FOR})`

/** Null: it is no failed charge of a stored method. */
export const RECOVERED = `case when ${IS_CHARGE} then
     case when ${IS_RECOVERED} then 'yes' else 'no' end end`

/** The newest failed charges of a period; older ones are not counted. */
export const MAX_CHARGES = 2_000

export interface ChargeSum {
  readonly retry: RetryAdvice
  readonly failed: number
  /** A later payment took the money. */
  readonly recovered: number
  /** Refused by the rules of the card networks, before the provider was called. */
  readonly forbidden: number
}

const FAILED_CHARGES = sql<ChargeSum>(
  'search.failedCharges',
  `select retry, count(*)::integer as failed, count(*) filter (where recovered = 'yes')::integer as recovered,
     count(*) filter (where reason = 'retry_forbidden')::integer as forbidden
   from (
     select s.reason, ${RETRY} as retry, ${RECOVERED} as recovered
     from (
       select * from payment_search s
       where s.app_id = $1 and s.created_time >= $2 and s.created_time < $3 and ${IS_CHARGE}
       order by s.created_time desc, s.payment_id desc limit ${MAX_CHARGES}) s) c
   where retry is not null group by retry`,
)

export const sumFailedCharges = (
  db: Queryable,
  appId: string,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<ChargeSum[]> => db.query(FAILED_CHARGES, [appId, from, to])
