import { type Due, type Queryable, sql } from '../../../db/database.ts'
import { fairClaim, type Share } from '../../../db/fair-claim.ts'

/** The method of a paid attempt, to be stored by a request of its own. */
export interface PaidMethod {
  readonly appId: string
  /** Our reference of the attempt. */
  readonly attemptKey: string
  readonly paymentId: number
  readonly profileId: number
  readonly tries: number
  readonly createdTime: Date
  readonly leaseToken: string | null
}

interface Lease {
  readonly now: Date
  readonly until: Date
  readonly token: string
}

const COLUMNS = 'app_id, attempt_key, payment_id, profile_id, tries, created_time, lease_token'

export const paidMethodsDue: Due = (now) => `method_storings where status = 'open' and due_time <= ${now}`

const OPEN = sql<never>(
  'methodStorings.open',
  `insert into method_storings (app_id, attempt_key, payment_id, profile_id, status, created_time, due_time)
   values ($1, $2, $3, $4, 'open', $5, $6)
   on conflict do nothing`,
)

type NewPaidMethod = Pick<PaidMethod, 'appId' | 'attemptKey' | 'paymentId' | 'profileId' | 'createdTime'>

/** One that exists is left as it is, also when it is closed. */
export async function insertPaidMethod(db: Queryable, paid: NewPaidMethod, due: Date): Promise<void> {
  const { appId, attemptKey, paymentId, profileId, createdTime } = paid
  await db.query(OPEN, [appId, attemptKey, paymentId, profileId, createdTime, due])
}

const CLAIM_DUE = sql<PaidMethod>(
  'methodStorings.claimDue',
  `update method_storings set lease_token = $3, due_time = $4
   where (app_id, attempt_key) in (
     select app_id, attempt_key
     from (${fairClaim({ rows: paidMethodsDue('$1'), key: 'app_id, attempt_key' })}) claimed)
   returning ${COLUMNS}`,
)

export async function claimPaidMethods(
  db: Queryable,
  lease: Lease & { share: Share },
): Promise<PaidMethod[]> {
  const values = [lease.now, JSON.stringify(lease.share), lease.token, lease.until]
  return await db.query(CLAIM_DUE, values)
}

const CLAIM_ONE = sql<PaidMethod>(
  'methodStorings.claimOne',
  `update method_storings set lease_token = $4, due_time = $5
   where app_id = $1 and attempt_key = $2 and status = 'open' and (due_time <= $3 or lease_token is null)
   returning ${COLUMNS}`,
)

/** Undefined when it is closed, or another worker holds its lease. */
export async function claimPaidMethod(
  db: Queryable,
  { appId, attemptKey }: Pick<PaidMethod, 'appId' | 'attemptKey'>,
  lease: Lease,
): Promise<PaidMethod | undefined> {
  return (await db.query(CLAIM_ONE, [appId, attemptKey, lease.now, lease.token, lease.until]))[0]
}

const POSTPONE = sql<never>(
  'methodStorings.postpone',
  `update method_storings set due_time = $4, tries = tries + 1, lease_token = null
   where app_id = $1 and attempt_key = $2 and lease_token = $3 and status = 'open'`,
)

export async function postponePaidMethod(db: Queryable, paid: PaidMethod, due: Date): Promise<void> {
  await db.query(POSTPONE, [paid.appId, paid.attemptKey, paid.leaseToken, due])
}

const CLOSE = sql<never>(
  'methodStorings.close',
  `update method_storings set status = $4, due_time = null, tries = tries + 1, lease_token = null
   where app_id = $1 and attempt_key = $2 and lease_token = $3 and status = 'open'`,
)

export async function closePaidMethod(
  db: Queryable,
  { appId, attemptKey, leaseToken }: PaidMethod,
  status: 'done' | 'refused',
): Promise<void> {
  await db.query(CLOSE, [appId, attemptKey, leaseToken, status])
}

const SHIFT = sql<never>(
  'methodStorings.shift',
  `update method_storings set due_time = due_time - $2 * interval '1 millisecond'
   where app_id = $1 and status = 'open'`,
)

/** The app's clock was moved ahead. */
export async function shiftPaidMethods(db: Queryable, appId: string, byMs: number): Promise<void> {
  await db.query(SHIFT, [appId, byMs])
}
