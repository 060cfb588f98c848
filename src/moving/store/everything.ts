import { type Queryable, sql } from '../../db/database.ts'

/** Everything of an app, in an order that does not depend on ids of this installation. */

export interface CustomerToExport {
  readonly customerId: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string | null
  readonly mobileNumber: string | null
  readonly isBlocked: boolean
  readonly createdTime: Date
  readonly extras: object | null
}

const CUSTOMERS = sql<CustomerToExport>(
  'moving.customers',
  `select customer_id, first_name, last_name, email, mobile_number, is_blocked, created_time, extras
   from customers where app_id = $1 and customer_id > $2 order by customer_id limit $3`,
)

export const customersAfter = (db: Queryable, appId: string, after: string, limit: number) =>
  db.query(CUSTOMERS, [appId, after, limit])

export interface TokenToExport {
  readonly customerId: string
  readonly rank: number
  readonly tokenHash: Buffer
  readonly profileId: number
  readonly token: Uint8Array
  readonly consentTime: Date
  readonly consentText: string | null
}

// The default comes first: an import makes the first method of a customer its default.
const TOKENS = sql<TokenToExport>(
  'moving.tokens',
  `select * from (
     select m.customer_id as customer_id, case when m.is_default then 0 else 1 end as rank,
       t.token_hash, t.profile_id, t.token, coalesce(m.consent_time, m.created_time) as consent_time,
       m.consent_text
     from payment_methods m
       join payment_method_tokens t on t.app_id = m.app_id and t.payment_method_id = m.payment_method_id
     where m.app_id = $1 and m.removed_time is null and t.removed_time is null and t.token_hash is not null
       and m.customer_id >= $2) k
   where (customer_id, rank, token_hash) > ($2, $3::integer, $4::bytea)
   order by customer_id, rank, token_hash limit $5`,
)

export interface TokenPlace {
  readonly customerId: string
  readonly rank: number
  readonly hash: string
}

export const tokensAfter = (db: Queryable, appId: string, after: TokenPlace, limit: number) =>
  db.query(TOKENS, [appId, after.customerId, after.rank, Buffer.from(after.hash, 'hex'), limit])

export interface PaymentToExport {
  readonly referenceId: string
  readonly customerId: string
  readonly paymentTime: Date
  readonly currency: string
  readonly amountMinor: bigint
  readonly outcome: string
  readonly profileId: number | null
}

// What is being paid has no outcome yet; what was never tried has none. Each part reads its own index.
const PAYMENTS = sql<PaymentToExport>(
  'moving.payments',
  `select reference_id, customer_id, payment_time, currency, amount_minor, outcome, profile_id from (
     (select reference_id, customer_id, created_time as payment_time, currency, amount_minor,
        case when captured_minor > 0 then 'paid' else 'declined' end as outcome, profile_id
      from payments where app_id = $1 and reference_id > $2 and attempt > 0
        and (captured_minor > 0 or state = 'Failed')
      order by reference_id limit $3)
     union all
     (select reference_id, customer_id, payment_time, currency, amount_minor, outcome, profile_id
      from past_payments p where app_id = $1 and reference_id > $2 and not exists (
        select from payments q where q.app_id = $1 and q.reference_id = p.reference_id)
      order by reference_id limit $3)) every
   order by reference_id limit $3`,
)

export const paymentsAfter = (db: Queryable, appId: string, after: string, limit: number) =>
  db.query(PAYMENTS, [appId, after, limit])
