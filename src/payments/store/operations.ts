import { type Database, type Due, type Queryable, sql } from '../../db/database.ts'
import { fairClaim, type Share } from '../../db/fair-claim.ts'
import { lookup } from '../../db/lookup.ts'
import type { Handles } from '../../providers/outcome.ts'
import type { Attempt, OperationRecord, Payment } from '../payment.ts'

const OPERATION = `app_id, operation_key as key, payment_id, step, attempt, profile_id, method, amount_minor,
  status, tries, created_time, lease_token, handles, description, reason`

const OPERATION_BY_KEY = lookup<{ app: string; key: string }, OperationRecord>('operations.byKey', {
  columns: 'app text, key text',
  finds: `select ${OPERATION} from operations where app_id = i.app and operation_key = i.key`,
})
const OPEN_OPERATION = lookup<{ app: string; payment: number }, OperationRecord>('operations.open', {
  columns: 'app text, payment bigint',
  finds: `select ${OPERATION} from operations
    where app_id = i.app and payment_id = i.payment and status in ('open', 'waiting')`,
})

export const findOperation = (db: Database, appId: string, key: string) =>
  db.batch(OPERATION_BY_KEY, { app: appId, key })

/** The operation as an attempt; undefined for a step that belongs to one, such as a refund. */
export function asAttempt(operation: OperationRecord | undefined): Attempt | undefined {
  if (operation?.step !== 'start' && operation?.step !== 'charge') return undefined
  return { ...operation, step: operation.step }
}

/** The open operation of a payment. There is at most one. */
export const findOpenOperation = (db: Database, appId: string, paymentId: number) =>
  db.batch(OPEN_OPERATION, { app: appId, payment: paymentId })

const BY_LOOKUP = lookup<{ app: string; profile: number; lookup: string }, { key: string }>(
  'operations.byLookup',
  {
    columns: 'app text, profile bigint, lookup text',
    finds: `select a.operation_key as key from operations o
      join operations a on a.app_id = o.app_id and a.payment_id = o.payment_id and a.attempt = o.attempt
        and a.step in ('start', 'charge')
      where o.app_id = i.app and o.profile_id = i.profile and o.handles ->> 'lookup' = i.lookup
      order by o.created_time desc limit 1`,
  },
)

/** The key of the attempt that the provider knows by this id. */
export async function findByLookup(
  db: Database,
  { appId, profileId, lookup: id }: { appId: string; profileId: number; lookup: string },
): Promise<string | undefined> {
  return (await db.batch(BY_LOOKUP, { app: appId, profile: profileId, lookup: id }))?.key
}

const POSTPONE = sql<{ operationKey: string }>(
  'operations.postpone',
  `update operations set due_time = $4, tries = tries + 1, lease_token = null, outcome = $5
   where app_id = $1 and operation_key = $2 and lease_token = $3 and status in ('open', 'waiting')
   returning operation_key`,
)

/** Schedules a recheck of an operation without a result. Requires the lease. */
export async function postponeOperation(
  db: Queryable,
  operation: OperationRecord,
  { due, outcome }: { due: Date; outcome: object },
): Promise<void> {
  await db.query(POSTPONE, [
    operation.appId,
    operation.key,
    operation.leaseToken,
    due,
    JSON.stringify(outcome),
  ])
}

const SAVE_HANDLES = sql<{ operationKey: string }>(
  'operations.saveHandles',
  `update operations set handles = $4
   where app_id = $1 and operation_key = $2 and lease_token = $3 and status = 'open'
   returning operation_key`,
)

/** Stores the provider's ids before the operation has a result. False: the lease is lost. */
export async function saveHandles(
  db: Queryable,
  { appId, key, leaseToken }: OperationRecord,
  handles: Handles,
): Promise<boolean> {
  const values = [appId, key, leaseToken, JSON.stringify(handles)]
  return (await db.query(SAVE_HANDLES, values)).length > 0
}

export const operationsDue: Due = (now) =>
  `operations where status in ('open', 'waiting') and due_time <= ${now}`

const CLAIM_DUE = sql<OperationRecord>(
  'operations.claimDue',
  `update operations set lease_token = $3, due_time = $4
   where (app_id, operation_key) in (
     select app_id, operation_key
     from (${fairClaim({ rows: operationsDue('$1'), key: 'app_id, operation_key' })}) claimed)
   returning ${OPERATION}`,
)

/** Claims operations whose lease has expired. The new token invalidates the previous holder. */
export async function claimDueOperations(
  db: Queryable,
  lease: { now: Date; until: Date; token: string; share: Share },
): Promise<OperationRecord[]> {
  const values = [lease.now, JSON.stringify(lease.share), lease.token, lease.until]
  return await db.query(CLAIM_DUE, values)
}

const CLAIM_ONE = sql<OperationRecord>(
  'operations.claimOne',
  `update operations set lease_token = $4, due_time = $5
   where app_id = $1 and operation_key = $2 and status in ('open', 'waiting')
     and (due_time <= $3 or lease_token is null)
   returning ${OPERATION}`,
)

/** Claims one operation that is not leased, for a recheck on demand. */
export async function claimOperation(
  db: Queryable,
  { appId, key }: { appId: string; key: string },
  lease: { now: Date; until: Date; token: string },
): Promise<OperationRecord | undefined> {
  return (await db.query(CLAIM_ONE, [appId, key, lease.now, lease.token, lease.until]))[0]
}

const LAST_OF_ATTEMPT = sql<OperationRecord>(
  'operations.lastOfAttempt',
  `select ${OPERATION} from operations
   where app_id = $1 and payment_id = $2 and attempt = $3 and step in ('start', 'resume', 'charge')
   order by created_time desc, step limit 1`,
)

/** The last operation of the payment's current attempt, open or ended. */
export async function lastOfAttempt(
  db: Queryable,
  { appId, paymentId, attempt }: Payment,
): Promise<OperationRecord | undefined> {
  return (await db.query(LAST_OF_ATTEMPT, [appId, paymentId, attempt]))[0]
}
