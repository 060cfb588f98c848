import { type Queryable, sql } from '../../db/database.ts'
import type { Payment } from '../payment.ts'
import { SELECTED } from '../store/columns.ts'

const OF_CUSTOMER = sql<Payment>(
  'payments.ofCustomer',
  `select ${SELECTED} from payments where app_id = $1 and customer_id = $2 and payment_id < $3
   order by payment_id desc limit $4`,
)

export const listOfCustomer = (
  db: Queryable,
  appId: string,
  { customerId, before, most }: { customerId: string; before: number; most: number },
): Promise<Payment[]> => db.query(OF_CUSTOMER, [appId, customerId, before, most])

const TOTALS = sql<CustomerTotal>(
  'payments.totalsOfCustomer',
  `select currency, count(*)::int as count, sum(captured_minor) as captured_minor,
     sum(refunded_minor) as refunded_minor
   from (select currency, captured_minor, refunded_minor from payments
     where app_id = $1 and customer_id = $2 order by payment_id desc limit $3) newest
   group by currency order by currency`,
)

export interface CustomerTotal {
  readonly currency: string
  readonly count: number
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
}

/** By currency, of the newest payments. */
export const totalsOf = (
  db: Queryable,
  appId: string,
  { customerId, most }: { customerId: string; most: number },
): Promise<CustomerTotal[]> => db.query(TOTALS, [appId, customerId, most])

const PAID = sql<CustomerPaid>(
  'payments.paidByCustomers',
  `select k.id as customer_id, n.currency, sum(n.captured_minor - n.refunded_minor)::bigint as paid_minor,
     max(n.created_time) as last_time, count(*)::integer as count
   from unnest($2::text[]) k (id) cross join lateral (
     select s.currency, s.captured_minor, s.refunded_minor, s.created_time from payment_search s
     where s.app_id = $1 and s.customer_id >= k.id and s.customer_id <= k.id
     order by s.customer_id desc, s.created_time desc, s.payment_id desc limit $3) n
   group by k.id, n.currency order by k.id, paid_minor desc, n.currency`,
)

export interface CustomerPaid {
  readonly customerId: string
  readonly currency: string
  /** Captured and not given back. */
  readonly paidMinor: bigint
  readonly lastTime: Date
  /** Payments that were summed. */
  readonly count: number
}

/** What each of these customers paid, by currency, of their newest payments. */
export const paidBy = (
  db: Queryable,
  appId: string,
  { customerIds, most }: { customerIds: readonly string[]; most: number },
): Promise<CustomerPaid[]> => db.query(PAID, [appId, customerIds, most])

/** Only the newest payments are searched: older charges do not help to recognise a subscription. */
const LOOKED_AT = 200

const LAST_CHARGES = sql<Payment>(
  'payments.lastCharges',
  `select distinct on (token_id) ${SELECTED} from (
     select ${SELECTED} from payments where app_id = $1 and customer_id = $2
     order by payment_id desc limit ${LOOKED_AT}) newest
   where flow = 'AutoPayment' and captured_minor > 0 and token_id is not null
   order by token_id, payment_id desc`,
)

/** The last time that each registration was charged without the customer. */
export const lastCharges = (db: Queryable, appId: string, customerId: string): Promise<Payment[]> =>
  db.query(LAST_CHARGES, [appId, customerId])

const STANDING = sql<CustomerStanding>(
  'payments.standingOfCustomer',
  `select count(*)::int as payments, count(*) filter (where captured_minor > 0)::int as paid,
     count(*) filter (where refunded_minor > 0)::int as refunded,
     count(*) filter (where pay_info -> 'disputes' is not null)::int as disputed
   from (select captured_minor, refunded_minor, pay_info from payments
     where app_id = $1 and customer_id = $2 order by payment_id desc limit $3) newest`,
)

/** How many payments a customer made, and what became of them. */
export interface CustomerStanding {
  readonly payments: number
  readonly paid: number
  readonly refunded: number
  readonly disputed: number
}

/** Of the newest payments. */
export const standingOf = async (
  db: Queryable,
  appId: string,
  { customerId, most }: { customerId: string; most: number },
): Promise<CustomerStanding> =>
  (await db.query(STANDING, [appId, customerId, most]))[0] ?? {
    payments: 0,
    paid: 0,
    refunded: 0,
    disputed: 0,
  }
