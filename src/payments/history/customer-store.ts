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
