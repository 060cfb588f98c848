import type { Actor } from '../../base/actor.ts'
import { LIMITS } from '../../base/limits.ts'
import { type Queryable, sql } from '../../db/database.ts'
import type { Counts } from '../rules.ts'
import type { FraudCheck, FraudDecision } from '../verdict.ts'

/** The fraud state of a customer. */
export interface Standing {
  readonly policyId: number | null
  readonly isBlocked: boolean
  readonly email: string | null
  /** Incremented with every verdict, for optimistic locking. */
  readonly version: number
  readonly resetTime: Date | null
}

const STANDING = sql<{
  policyId: number | null
  isBlocked: boolean | null
  email: string | null
  version: number | null
  resetTime: Date | null
}>(
  'fraud.standing',
  `select c.fraud_policy_id as policy_id, c.is_blocked, c.email, f.version, f.reset_time
   from (values ($1, $2)) as one (app_id, customer_id)
     left join customers c on c.app_id = one.app_id and c.customer_id = one.customer_id
     left join fraud_customers f on f.app_id = one.app_id and f.customer_id = one.customer_id`,
)

export async function selectStanding(db: Queryable, appId: string, customerId: string): Promise<Standing> {
  const [row] = await db.query(STANDING, [appId, customerId])
  return {
    policyId: row?.policyId ?? null,
    isBlocked: row?.isBlocked ?? false,
    email: row?.email ?? null,
    version: row?.version ?? 0,
    resetTime: row?.resetTime ?? null,
  }
}

/** The activity that one rule counts. */
export interface Window {
  readonly place: number
  readonly since: Date
  readonly currency: string | null
  readonly profiles: readonly number[] | null
}

export interface Counting {
  readonly appId: string
  readonly customerId: string
  readonly paymentId: number
  readonly currency: string
  readonly card: string | null
  readonly windows: readonly Window[]
}

// One query for all rules of a policy; each reads its own range of the index. Payments of the time before
// the merchant moved in count too.
const COUNTS = sql<Counts & { readonly place: number }>(
  'fraud.counts',
  `select r.place,
     count(*) filter (where v.outcome in ('open', 'paid') and v.payment_id <> $3) as payments,
     coalesce(sum(v.amount_minor) filter (
       where v.outcome in ('open', 'paid') and v.payment_id <> $3 and v.currency = $4), 0) as total_minor,
     count(*) filter (where v.outcome = 'declined') as rejects,
     count(distinct v.card) filter (where v.card is distinct from $5) as cards
   from json_to_recordset($6) as r (place integer, since timestamptz, currency text, profiles bigint[])
     left join lateral (
       select payment_id, outcome, amount_minor, currency, profile_id, card from fraud_verdicts
       where app_id = $1 and customer_id = $2 and verdict_time > r.since
       union all
       select 0, outcome, amount_minor, currency, profile_id, null from past_payments
       where app_id = $1 and customer_id = $2 and payment_time > r.since
     ) v on (r.currency is null or v.currency = r.currency)
       and (r.profiles is null or v.profile_id = any (r.profiles))
   group by r.place`,
)

export async function countUses(db: Queryable, counting: Counting): Promise<Map<number, Counts>> {
  const { appId, customerId, paymentId, currency, card, windows } = counting
  if (windows.length === 0) return new Map()
  const values = [appId, customerId, paymentId, currency, card, JSON.stringify(windows)]
  const rows = await db.query(COUNTS, values)
  return new Map(rows.map(({ place, ...counts }) => [place, counts]))
}

/** A stored verdict on one attempt to pay. */
export interface VerdictRecord {
  readonly attempt: number
  readonly verdictTime: Date
  /** Null: the block list alone was checked. */
  readonly policyId: number | null
  readonly policyVersion: number | null
  readonly currency: string
  readonly profileId: number
  readonly card: string | null
  readonly decision: FraudDecision
  readonly checks: readonly FraudCheck[]
}

const VERDICTS = sql<VerdictRecord>(
  'fraud.verdicts',
  `select attempt, verdict_time, policy_id, policy_version, currency, profile_id, card, decision, checks
   from fraud_verdicts where app_id = $1 and payment_id = $2 order by attempt
   limit ${LIMITS.paymentAttemptsShown}`,
)

export const selectVerdicts = (db: Queryable, appId: string, paymentId: number) =>
  db.query(VERDICTS, [appId, paymentId])

const BLOCK = sql<never>(
  'fraud.block_customer',
  `with blocked as (
     update customers set is_blocked = true where app_id = $1 and customer_id = $2 and not is_blocked
     returning app_id, customer_id
   )
   insert into customer_activity (app_id, customer_id, activity_time, type, data)
   select app_id, customer_id, $3, 'Blocked', $4 from blocked`,
)

export interface Blocking {
  readonly customerId: string
  readonly paymentId: number
  readonly time: Date
}

export async function blockCustomer(db: Queryable, appId: string, blocking: Blocking): Promise<void> {
  const { customerId, paymentId, time } = blocking
  await db.query(BLOCK, [appId, customerId, time, JSON.stringify({ paymentId })])
}

const RESET = sql<{ customerId: string }>(
  'fraud.reset',
  `with reset as (
     insert into fraud_customers as f (app_id, customer_id, version, reset_time)
     select c.app_id, c.customer_id, 1, $3 from customers c where c.app_id = $1 and c.customer_id = $2
     on conflict (app_id, customer_id) do update
     set version = f.version + 1, reset_time = excluded.reset_time
     returning app_id, customer_id
   )
   insert into customer_activity (app_id, customer_id, activity_time, type, actor)
   select app_id, customer_id, $3, 'PolicyReset', $4 from reset
   returning customer_id`,
)

/** Restarts counting. False when the customer does not exist. */
export async function resetCounts(
  db: Queryable,
  appId: string,
  { customerId, time, actor }: { customerId: string; time: Date; actor?: Actor | undefined },
): Promise<boolean> {
  const by = actor && JSON.stringify({ kind: actor.kind, id: actor.id, name: actor.name })
  return (await db.query(RESET, [appId, customerId, time, by ?? null])).length > 0
}

// The check of the payer's address has seen the address itself.
const ERASE = sql<never>(
  'fraud.erase_verdicts',
  `update fraud_verdicts v set card = null, checks = (
     select coalesce(jsonb_agg(case when c.value ->> 'name' = 'Address'
       then jsonb_set(c.value, '{seen}', 'null') else c.value end order by c.ordinality), '[]')
     from jsonb_array_elements(v.checks::jsonb) with ordinality as c (value, ordinality))::json
   where v.app_id = $1 and v.payment_id = any ($2::bigint[])`,
)

export async function eraseVerdicts(db: Queryable, appId: string, paymentIds: readonly number[]) {
  await db.query(ERASE, [appId, paymentIds])
}
