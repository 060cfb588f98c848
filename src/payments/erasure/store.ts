import { MINUTE } from '../../base/clock.ts'
import { type Due, type Queryable, sql } from '../../db/database.ts'
import { STATES, type State } from '../machine.ts'

const MOVING = (Object.keys(STATES) as State[])
  .filter((state) => STATES[state].kind === 'moving')
  .map((state) => `'${state}'`)
  .join(', ')

/** The payment moves, or a provider is being asked. A payer who is on a provider's page does not count. */
const isMoving = (payment: string): string => `(${payment}.state in (${MOVING})
    or exists (select from operations o where o.app_id = ${payment}.app_id
      and o.payment_id = ${payment}.payment_id and o.status = 'open'))`

const LOCK_CUSTOMER = sql<{ customerId: string }>(
  'erasure.lock_customer',
  'select customer_id from customers where app_id = $1 and customer_id = $2 for update',
)

const MOVING_PAYMENT = sql<{ paymentId: number }>(
  'erasure.moving_payment',
  `select p.payment_id from payments p
   where p.app_id = $1 and p.customer_id = $2 and ${isMoving('p')} limit 1`,
)

/** Locks the customer. Returns a payment that is moving, if any. */
export async function movingPayment(
  tx: Queryable,
  appId: string,
  customerId: string,
): Promise<number | undefined> {
  await tx.query(LOCK_CUSTOMER, [appId, customerId])
  const [row] = await tx.query(MOVING_PAYMENT, [appId, customerId])
  return row?.paymentId
}

const PAGE = sql<{ paymentId: number }>(
  'erasure.page',
  `select payment_id from payments
   where app_id = $1 and customer_id = $2 and payment_id > $3 and created_time <= $4
   order by payment_id limit $5`,
)

export interface ErasurePage {
  readonly customerId: string
  readonly after: number
  readonly createdUntil: Date
  readonly limit: number
}

export async function pageOfPayments(db: Queryable, appId: string, page: ErasurePage): Promise<number[]> {
  const values = [appId, page.customerId, page.after, page.createdUntil, page.limit]
  return (await db.query(PAGE, values)).map((row) => row.paymentId)
}

const LOCK_PAYMENTS = sql<{ paymentId: number }>(
  'erasure.lock_payments',
  `select payment_id from payments where app_id = $1 and payment_id = any ($2::bigint[])
   order by payment_id for update`,
)

const ERASE = sql<{ paymentId: number }>(
  'erasure.payments',
  `update payments p set version = p.version + 1,
     details = (jsonb_set(p.details::jsonb, '{customerOrder,customer}',
       jsonb_build_object('customerId', p.customer_id)) || '{"isErased": true}')::json,
     pay_info = case when p.pay_info is null then null else
       ((p.pay_info::jsonb #- '{payer,fullName}' #- '{payer,email}')
         - 'payerIp' - 'claimUrl' - 'post')::json end
   where p.app_id = $1 and p.payment_id = any ($2::bigint[]) and not ${isMoving('p')}
   returning p.payment_id`,
)

/**
 * Returns the payments that were erased: those that move are left out. The rows are locked before their state
 * is read. A change that waits for the lock has lost its version and is planned again with the erased
 * payment, so no provider gets two requests of one operation that differ.
 */
export async function erasePayments(
  tx: Queryable,
  appId: string,
  paymentIds: readonly number[],
): Promise<number[]> {
  await tx.query(LOCK_PAYMENTS, [appId, paymentIds])
  return (await tx.query(ERASE, [appId, paymentIds])).map((row) => row.paymentId)
}

const SCHEDULE = sql<never>(
  'erasure.schedule',
  `insert into erasures (app_id, customer_id, erased_time, due_time) values ($1, $2, $3, $4)
   on conflict (app_id, customer_id) do update
   set erased_time = greatest(erasures.erased_time, excluded.erased_time), due_time = excluded.due_time`,
)

export interface Erasure {
  readonly appId: string
  readonly customerId: string
  readonly erasedTime: Date
}

/** A job erases again at this time, real time, what was written meanwhile. */
export async function scheduleErasure(db: Queryable, erasure: Erasure, due: Date): Promise<void> {
  await db.query(SCHEDULE, [erasure.appId, erasure.customerId, erasure.erasedTime, due])
}

export const erasuresDue: Due = (now) => `erasures where due_time <= ${now}`

/** A payment that still moves is looked at again after this. */
const AGAIN_MS = 10 * MINUTE

const CLAIM = sql<Erasure>(
  'erasure.claim',
  `update erasures set due_time = $1::timestamptz + ${AGAIN_MS} * interval '1 millisecond'
   where (app_id, customer_id) in (
     select app_id, customer_id from ${erasuresDue('$1')} order by due_time limit $2 for update skip locked)
   returning app_id, customer_id, erased_time`,
)

export const claimErasures = (db: Queryable, now: Date, limit: number): Promise<Erasure[]> =>
  db.query(CLAIM, [now, limit])

const END = sql<never>(
  'erasure.end',
  'delete from erasures where app_id = $1 and customer_id = $2 and erased_time = $3',
)

export async function endErasure(db: Queryable, erasure: Erasure): Promise<void> {
  await db.query(END, [erasure.appId, erasure.customerId, erasure.erasedTime])
}

// ---- retention --------------------------------------------------------------------------------------------

export const retentionDue: Due = (now) =>
  `apps a left join retention_walks w on w.app_id = a.app_id
   where a.personal_data_days is not null and (w.due_time is null or w.due_time <= ${now})`

const CLAIM_WALK = sql<RetentionCursor>(
  'retention.claim',
  `with due as (
     select a.app_id from ${retentionDue('$1::timestamptz')} order by w.due_time nulls first limit 1)
   insert into retention_walks as w (app_id, due_time) select app_id, $2 from due
   on conflict (app_id) do update set due_time = excluded.due_time where w.due_time <= $1
   returning app_id, after_customer_id as after`,
)

export interface RetentionCursor {
  readonly appId: string
  readonly after: string
}

/** Claims the pass of one app until `until`. */
export const claimCursor = async (
  db: Queryable,
  now: Date,
  until: Date,
): Promise<RetentionCursor | undefined> => (await db.query(CLAIM_WALK, [now, until]))[0]

const CONTINUE_WALK = sql<never>(
  'retention.continue',
  'update retention_walks set after_customer_id = $2, due_time = $3 where app_id = $1',
)

export async function continueFrom(
  db: Queryable,
  { appId, after }: RetentionCursor,
  due: Date,
): Promise<void> {
  await db.query(CONTINUE_WALK, [appId, after, due])
}

// A customer without payments counts from its creation, one that was erased from the payments since then.
const OLD_CUSTOMERS = sql<{ customerId: string; isOld: boolean }>(
  'retention.customers',
  `select c.customer_id, greatest(c.created_time, p.created_time) < $3
     and (c.erased_time is null or p.created_time > c.erased_time) as is_old
   from customers c left join lateral (
     select created_time from payments where app_id = c.app_id and customer_id = c.customer_id
     order by payment_id desc limit 1) p on true
   where c.app_id = $1 and c.customer_id > $2
   order by c.customer_id limit $4`,
)

/** The next customers in order, with whether their time is over. */
export const nextCustomers = (db: Queryable, walk: RetentionCursor, cutoff: Date, limit: number) =>
  db.query(OLD_CUSTOMERS, [walk.appId, walk.after, cutoff, limit])
