import { type Queryable, sql } from '../../db/database.ts'
import type { ImportedCustomer, ImportedPayment } from '../format.ts'

/** What a customer has now. */
export interface KnownCustomer {
  readonly customerId: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string | null
  readonly mobileNumber: string | null
  readonly isBlocked: boolean
  readonly extras: object | null
}

const KNOWN_CUSTOMERS = sql<KnownCustomer>(
  'moving.known_customers',
  `select customer_id, first_name, last_name, email, mobile_number, is_blocked, extras
   from customers where app_id = $1 and customer_id = any ($2::text[])`,
)

export const knownCustomers = (db: Queryable, appId: string, ids: readonly string[]) =>
  db.query(KNOWN_CUSTOMERS, [appId, ids])

const ROWS = `json_to_recordset($2) as r ("customerId" text, "firstName" text, "lastName" text, email text,
     "mobileNumber" text, "isBlocked" boolean, "createdTime" timestamptz, extras json)`

const ADD_CUSTOMERS = sql<never>(
  'moving.add_customers',
  `insert into customers (app_id, customer_id, first_name, last_name, email, mobile_number, is_blocked,
     created_time, extras)
   select $1, "customerId", "firstName", "lastName", email, "mobileNumber", coalesce("isBlocked", false),
     coalesce("createdTime", $3), extras
   from ${ROWS}
   on conflict (app_id, customer_id) do nothing`,
)

type NewCustomer = Partial<ImportedCustomer> & Pick<ImportedCustomer, 'customerId'>

/** Those that exist stay as they are. */
export async function addCustomers(tx: Queryable, appId: string, rows: readonly NewCustomer[], now: Date) {
  if (rows.length > 0) await tx.query(ADD_CUSTOMERS, [appId, JSON.stringify(rows), now])
}

/** A customer without a line of its own has its id alone, like one that a payment creates. */
export const addCustomerIds = (
  tx: Queryable,
  appId: string,
  rows: readonly { readonly customerId: string }[],
  now: Date,
): Promise<void> => {
  const ids = new Set(rows.map(({ customerId }) => customerId))
  return addCustomers(
    tx,
    appId,
    [...ids].map((customerId) => ({ customerId })),
    now,
  )
}

const FILL_CUSTOMERS = sql<never>(
  'moving.fill_customers',
  `update customers c set first_name = coalesce(c.first_name, r."firstName"),
     last_name = coalesce(c.last_name, r."lastName"), email = coalesce(c.email, r.email),
     mobile_number = coalesce(c.mobile_number, r."mobileNumber"), extras = coalesce(c.extras, r.extras)
   from ${ROWS} where c.app_id = $1 and c.customer_id = r."customerId"`,
)

/** Adds what is not known of customers. */
export async function fillCustomers(tx: Queryable, appId: string, rows: readonly ImportedCustomer[]) {
  if (rows.length > 0) await tx.query(FILL_CUSTOMERS, [appId, JSON.stringify(rows)])
}

/** A payment with this reference: imported, or made here, which has no facts. */
export interface KnownPayment {
  readonly referenceId: string
  readonly facts: string | null
}

/** As text, so that a line is compared with one value. */
const FACTS = `concat_ws(' ', customer_id, extract(epoch from payment_time), currency, amount_minor, outcome)`

const KNOWN_PAYMENTS = sql<KnownPayment>(
  'moving.known_payments',
  `select reference_id, null as facts from payments where app_id = $1 and reference_id = any ($2::text[])
   union all
   select reference_id, ${FACTS} from past_payments where app_id = $1 and reference_id = any ($2::text[])`,
)

export const knownPayments = (db: Queryable, appId: string, references: readonly string[]) =>
  db.query(KNOWN_PAYMENTS, [appId, references])

/** The same text for a line. */
export const factsOf = ({ customerId, time, currency, amount, outcome }: ImportedPayment): string =>
  [customerId, (new Date(time).getTime() / 1000).toFixed(6), currency, amount, outcome].join(' ')

const ADD_PAYMENTS = sql<never>(
  'moving.add_payments',
  `insert into past_payments (app_id, reference_id, customer_id, payment_time, currency, amount_minor,
     outcome, profile_id)
   select $1, "referenceId", "customerId", time, currency, amount, outcome, "profileId"
   from json_to_recordset($2) as r ("referenceId" text, "customerId" text, time timestamptz, currency text,
     amount bigint, outcome text, "profileId" bigint)
   on conflict (app_id, reference_id) do nothing`,
)

export async function addPayments(
  tx: Queryable,
  appId: string,
  rows: readonly ImportedPayment[],
): Promise<void> {
  if (rows.length > 0) await tx.query(ADD_PAYMENTS, [appId, JSON.stringify(rows)])
}
