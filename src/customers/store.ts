import { type Queryable, type Statement, sql, violatedConstraint } from '../db/database.ts'
import { unknownFraudPolicy } from '../merchants/apps/rules.ts'

/** Two customers are never made one: decision 0200. */
export interface Customer {
  readonly customerId: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string | null
  readonly mobileNumber: string | null
  readonly fraudPolicyId: number | null
  readonly isBlocked: boolean
  /** Address and other fields, as the merchant sent them. */
  readonly extras: Readonly<Record<string, unknown>> | null
  readonly createdTime: Date
  /** The last time when its personal data was erased. */
  readonly erasedTime: Date | null
}

const COLUMNS = `customer_id, first_name, last_name, email, mobile_number, fraud_policy_id, is_blocked,
  extras, created_time, erased_time`

const INSERT = sql<Customer>(
  'customers.insert',
  `insert into customers (app_id, customer_id, first_name, last_name, email, mobile_number, fraud_policy_id,
     created_time)
   values ($1, $2, $3, $4, $5, $6, $7, $8)
   on conflict (app_id, customer_id) do nothing
   returning ${COLUMNS}`,
)

const FIND = sql<Customer>(
  'customers.find',
  `select ${COLUMNS} from customers where app_id = $1 and customer_id = $2`,
)

const LOCK = sql<Customer>(
  'customers.lock',
  `select ${COLUMNS} from customers where app_id = $1 and customer_id = $2 for no key update`,
)

const UPDATE = sql<Customer>(
  'customers.update',
  `update customers set
     first_name = case when $3 then $4 else first_name end,
     last_name = case when $5 then $6 else last_name end,
     email = case when $7 then $8 else email end,
     mobile_number = case when $9 then $10 else mobile_number end,
     fraud_policy_id = case when $11 then $12::bigint else fraud_policy_id end,
     is_blocked = case when $13 then $14::boolean else is_blocked end
   where app_id = $1 and customer_id = $2
   returning ${COLUMNS}`,
)

export type CustomerFields = Pick<
  Customer,
  'firstName' | 'lastName' | 'email' | 'mobileNumber' | 'fraudPolicyId'
>

/** Undefined when the id exists already. */
export async function insertCustomer(
  db: Queryable,
  appId: string,
  customer: CustomerFields & Pick<Customer, 'customerId' | 'createdTime'>,
): Promise<Customer | undefined> {
  const { customerId, firstName, lastName, email, mobileNumber, fraudPolicyId, createdTime } = customer
  const values = [appId, customerId, firstName, lastName, email, mobileNumber, fraudPolicyId, createdTime]
  return (await queryCheckingPolicy(db, INSERT, values))[0]
}

export const selectCustomer = async (
  db: Queryable,
  appId: string,
  customerId: string,
): Promise<Customer | undefined> => (await db.query(FIND, [appId, customerId]))[0]

/** Reads the customer and locks it until the transaction ends. */
export const lockCustomerRow = async (
  tx: Queryable,
  appId: string,
  customerId: string,
): Promise<Customer | undefined> => (await tx.query(LOCK, [appId, customerId]))[0]

/** Absent fields stay unchanged; null clears. */
export type CustomerChanges = {
  readonly [Field in keyof CustomerFields]?: CustomerFields[Field] | undefined
} & {
  readonly isBlocked?: boolean | undefined
}

/** One statement, so that concurrent changes do not overwrite each other. */
export async function updateCustomer(
  db: Queryable,
  appId: string,
  customerId: string,
  changes: CustomerChanges,
): Promise<Customer | undefined> {
  const { firstName, lastName, email, mobileNumber, fraudPolicyId, isBlocked } = changes
  const fields = [firstName, lastName, email, mobileNumber, fraudPolicyId, isBlocked]
  const values = fields.flatMap((value) => [value !== undefined, value ?? null])
  return (await queryCheckingPolicy(db, UPDATE, [appId, customerId, ...values]))[0]
}

/** Translates a violated foreign key to the error for an unknown policy. */
async function queryCheckingPolicy<Row>(
  db: Queryable,
  statement: Statement<Row>,
  values: readonly unknown[],
) {
  try {
    return await db.query(statement, values)
  } catch (error) {
    if (violatedConstraint(error) === 'customers_fraud_policy') throw unknownFraudPolicy('fraudPolicyId')
    throw error
  }
}

/**
 * Lists leave payers of links out until something is known of them. The same expression as in the index
 * customers_by_time. Nothing that another index is about may imply it: an empty table would let the planner
 * look for a blocked customer there.
 */
export const knownCustomer = (c: string): string =>
  `(${c}.customer_id !~ '^payer-[0-9a-z]{24}$' or ${c}.first_name is not null or ${c}.last_name is not null
    or ${c}.email is not null or ${c}.mobile_number is not null)`

export interface CustomerFilter {
  readonly search?: string | undefined
  readonly isBlocked?: boolean | undefined
  readonly fraudPolicyId?: number | undefined
  /** Created from this time on, before that. */
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  /** Without payers of links of whom nothing is known, unless they are searched for, blocked or pinned. */
  readonly onlyKnown?: boolean | undefined
  /** By the id by default. */
  readonly order?: 'newest' | 'oldest' | undefined
  readonly offset: number
  readonly limit: number
}

/** The same expression as in the index customers_search. Decision 0016. */
const WORDS = `array_to_tsvector(array[
  app_id || ':' || plain_text(customer_id), app_id || ':' || plain_text(first_name),
  app_id || ':' || plain_text(last_name), app_id || ':' || plain_text(email),
  app_id || ':' || plain_text(split_part(email, '@', 2)), app_id || ':' || coalesce(mobile_number, '')])`

/** The ids of the customers that a query of `customerWords` finds. It names the app. */
export const customerIdsBy = (query: string): string =>
  `select customer_id from customers where ${WORDS} @@ lower(${query})::tsquery`

interface CustomerIds {
  readonly ids: readonly string[]
  readonly count: number
}

const IDS = sql<CustomerIds>(
  'customers.ids',
  `with found as materialized (
     ${customerIdsBy('$1')} and ($2::text is null or customer_id = $2) limit $4)
   select array(select customer_id from found limit $3) as ids,
     (select count(*)::integer from found) as count`,
)

/**
 * The ids of at most `limit` customers that a query finds, or of one customer if it is among them; and how
 * many it finds, counted up to `counted`.
 */
export async function selectCustomerIds(
  db: Queryable,
  query: string,
  { only, limit, counted }: { only?: string | undefined; limit: number; counted: number },
): Promise<CustomerIds> {
  const [found = { ids: [], count: 0 }] = await db.query(IDS, [query, only ?? null, limit, counted])
  return found
}

const ORDERS = {
  id: 'customer_id',
  newest: 'created_time desc, customer_id desc',
  oldest: 'created_time, customer_id',
} as const

/** One statement per combination of filters, so that each is planned for its index. */
function listQuery(appId: string, filter: CustomerFilter) {
  const { search, isBlocked, fraudPolicyId, from: since, to, onlyKnown, order, offset, limit } = filter
  const values: unknown[] = [appId, offset, limit]
  const next = (value: unknown): string => `$${values.push(value)}`
  const conditions = ['app_id = $1']
  let name = 'customers.list'
  let from = 'customers'
  if (isBlocked !== undefined) {
    name += isBlocked ? '.blocked' : '.not_blocked'
    conditions.push(isBlocked ? 'is_blocked' : 'not is_blocked')
  }
  if (fraudPolicyId !== undefined) {
    name += '.policy'
    conditions.push(`fraud_policy_id = ${next(fraudPolicyId)}`)
  }
  if (since !== undefined || to !== undefined) {
    name += '.created'
    conditions.push(
      `created_time >= ${next(since ?? '-infinity')} and created_time < ${next(to ?? 'infinity')}`,
    )
  }
  if (onlyKnown && search === undefined && !isBlocked && fraudPolicyId === undefined) {
    name += '.known'
    conditions.push(knownCustomer('customers'))
  }
  if (order) name += `.${order}`
  if (search !== undefined) {
    name += '.search'
    const query = `lower(${next(customerWords(appId, search))})::tsquery`
    // `offset 0`: because of the limit the planner would otherwise scan all customers of the app in order.
    from = `(select app_id, ${COLUMNS} from customers where ${WORDS} @@ ${query} offset 0) customers`
  }
  const text = `select ${COLUMNS} from ${from} where ${conditions.join(' and ')}
    order by ${ORDERS[order ?? 'id']} offset $2 limit $3`
  return { statement: sql<Customer>(name, text), values }
}

export async function listCustomers(
  db: Queryable,
  appId: string,
  filter: CustomerFilter,
): Promise<Customer[]> {
  const { statement, values } = listQuery(appId, filter)
  return await db.query(statement, values)
}

/**
 * Matches customers with a value that begins with the whole text, or with values that begin with its words.
 * Accents do not count, and `@example.com` means the domain.
 */
export function customerWords(appId: string, text: string): string {
  const search = text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '')
  const words = search
    .split(/\s+/)
    .map((word) => word.replace(/^@/, ''))
    .filter((word) => word !== '')
  const each = words.map((word) => prefix(appId, word)).join(' & ')
  return words.length <= 1 ? each : `${prefix(appId, search.trim())} | (${each})`
}

/** Quotes and backslashes are doubled, so that the text is a single lexeme. */
const prefix = (appId: string, word: string): string =>
  `'${`${appId}:${word}`.replaceAll('\\', '\\\\').replaceAll("'", "''")}':*`

const COUNT_REGISTRATIONS = sql<{ count: number }>(
  'customers.count_registrations',
  `select count(*)::int as count from (
     select from payment_method_tokens where app_id = $1 and profile_id = $2 and removed_time is null limit $3
   ) found`,
)

/** Live registrations of stored methods at a profile, counted up to `most`. */
export const countRegistrations = async (
  db: Queryable,
  appId: string,
  profileId: number,
  most: number,
): Promise<number> => (await db.query(COUNT_REGISTRATIONS, [appId, profileId, most]))[0]?.count ?? 0
