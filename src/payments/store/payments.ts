import { assert } from '../../base/assert.ts'
import { type Database, type Due, type Queryable, sql } from '../../db/database.ts'
import { fairClaim, type Share } from '../../db/fair-claim.ts'
import { lookup } from '../../db/lookup.ts'
import { type PaymentRow, paymentOf, SELECTED } from './columns.ts'
import type { Attempt, OperationRecord, Payment } from '../payment.ts'

// ---- payments ---------------------------------------------------------------------------------------------

const paymentBy = <Key>(name: string, column: string, { type = 'text' } = {}) =>
  lookup<{ app: string; key: Key }, PaymentRow>(name, {
    asks: `app text, key ${type}`,
    finds: `select ${SELECTED} from payments where app_id = i.app and ${column} = i.key`,
  })

const BY_ID = paymentBy<number>('payments.byId', 'payment_id', { type: 'bigint' })
const BY_REFERENCE = paymentBy<string>('payments.byReference', 'reference_id')
const BY_KEY = paymentBy<string>('payments.byKey', 'payment_key')

const BY_ATTEMPT = lookup<{ app: string; profile: number; key: string }, PaymentRow>('payments.byAttempt', {
  asks: 'app text, profile bigint, key text',
  finds: `select ${SELECTED} from payments where app_id = i.app and payment_id = (
    select o.payment_id from operations o where o.app_id = i.app and o.operation_key = i.key
      and o.profile_id = i.profile and o.step in ('start', 'charge'))`,
})

export async function findPayment(
  db: Database,
  appId: string,
  paymentId: number,
): Promise<Payment | undefined> {
  const row = await db.batch(BY_ID, { app: appId, key: paymentId })
  return row && paymentOf(row)
}

export async function findByReference(db: Database, appId: string, referenceId: string) {
  const row = await db.batch(BY_REFERENCE, { app: appId, key: referenceId })
  return row && paymentOf(row)
}

export async function findByKey(db: Database, appId: string, paymentKey: string) {
  const row = await db.batch(BY_KEY, { app: appId, key: paymentKey })
  return row && paymentOf(row)
}

/** The payment that an attempt of this very profile belongs to. Keys of other operations find nothing. */
export async function findByAttempt(
  db: Database,
  { appId, profileId, key }: { appId: string; profileId: number; key: string },
): Promise<Payment | undefined> {
  const row = await db.batch(BY_ATTEMPT, { app: appId, profile: profileId, key })
  return row && paymentOf(row)
}

const NEXT_BLOCK = sql<{ first: string }>('payments.nextBlock', `select nextval('payment_ids') as first`)
const BLOCK_SIZE = 100

interface Block {
  next: number
  end: number
  refill: Promise<void> | undefined
}
const blocks = new WeakMap<Database, Block>()

/** The next payment id. The sequence hands out blocks, so that an id is known before its row is written. */
export async function nextPaymentId(db: Database): Promise<number> {
  const block = blocks.get(db) ?? { next: 0, end: 0, refill: undefined }
  blocks.set(db, block)
  while (block.next >= block.end) {
    block.refill ??= refill(db, block).finally(() => {
      block.refill = undefined
    })
    await block.refill
  }
  return block.next++
}

async function refill(db: Database, block: Block): Promise<void> {
  const [row] = await db.query(NEXT_BLOCK)
  assert(row, 'a sequence always has a next value')
  block.next = Number(row.first)
  block.end = block.next + BLOCK_SIZE
}

// ---- operations -------------------------------------------------------------------------------------------

export interface OperationRow {
  app_id: string
  operation_key: string
  payment_id: string
  step: OperationRecord['step']
  attempt: number
  profile_id: string
  method: OperationRecord['method']
  amount_minor: string
  status: OperationRecord['status']
  tries: number
  created_time: Date
  lease_token: string | null
  handles: OperationRecord['handles']
  description: string | null
}

export const OPERATION = `app_id, operation_key, payment_id, step, attempt, profile_id, method, amount_minor,
  status, tries, created_time, lease_token, handles, description`

export const operationOf = (row: OperationRow): OperationRecord => ({
  appId: row.app_id,
  key: row.operation_key,
  paymentId: Number(row.payment_id),
  step: row.step,
  attempt: row.attempt,
  profileId: Number(row.profile_id),
  method: row.method,
  amountMinor: BigInt(row.amount_minor),
  status: row.status,
  tries: row.tries,
  createdTime: row.created_time,
  leaseToken: row.lease_token,
  handles: row.handles,
  description: row.description,
})

const OPERATION_BY_KEY = lookup<{ app: string; key: string }, OperationRow>('operations.byKey', {
  asks: 'app text, key text',
  finds: `select ${OPERATION} from operations where app_id = i.app and operation_key = i.key`,
})
const OPEN_OPERATION = lookup<{ app: string; payment: number }, OperationRow>('operations.open', {
  asks: 'app text, payment bigint',
  finds: `select ${OPERATION} from operations
    where app_id = i.app and payment_id = i.payment and status in ('open', 'waiting')`,
})

export async function findOperation(db: Database, appId: string, key: string) {
  const row = await db.batch(OPERATION_BY_KEY, { app: appId, key })
  return row && operationOf(row)
}

/** The operation as an attempt; undefined for a step that belongs to one, such as a refund. */
export function asAttempt(operation: OperationRecord | undefined): Attempt | undefined {
  if (operation?.step !== 'start' && operation?.step !== 'charge') return undefined
  return { ...operation, step: operation.step }
}

/** The one operation of a payment that has not ended. */
export async function findOpenOperation(db: Database, appId: string, paymentId: number) {
  const row = await db.batch(OPEN_OPERATION, { app: appId, payment: paymentId })
  return row && operationOf(row)
}

const POSTPONE = sql<{ operation_key: string }>(
  'operations.postpone',
  `update operations set due_time = $4, tries = tries + 1, lease_token = null, outcome = $5
   where app_id = $1 and operation_key = $2 and lease_token = $3 and status in ('open', 'waiting')
   returning operation_key`,
)

/** Nobody knows how it ended: look again later. Only who holds the lease may say so. */
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

export const operationsDue: Due = (now) =>
  `operations where status in ('open', 'waiting') and due_time <= ${now}`

const CLAIM_DUE = sql<OperationRow>(
  'operations.claimDue',
  `update operations set lease_token = $3, due_time = $4
   where (app_id, operation_key) in (
     select app_id, operation_key
     from (${fairClaim({ rows: operationsDue('$1'), key: 'app_id, operation_key' })}) claimed)
   returning ${OPERATION}`,
)

/** Takes over operations whose lease has ended. The token fences off whoever had them before. */
export async function claimDueOperations(
  db: Queryable,
  lease: { now: Date; until: Date; token: string; share: Share },
): Promise<OperationRecord[]> {
  const values = [lease.now, JSON.stringify(lease.share), lease.token, lease.until]
  const rows = await db.query(CLAIM_DUE, values)
  return rows.map(operationOf)
}

const CLAIM_ONE = sql<OperationRow>(
  'operations.claimOne',
  `update operations set lease_token = $4, due_time = $5
   where app_id = $1 and operation_key = $2 and status in ('open', 'waiting')
     and (due_time <= $3 or lease_token is null)
   returning ${OPERATION}`,
)

/** Takes one operation that nobody is working on, for a recheck on demand. */
export async function claimOperation(
  db: Queryable,
  { appId, key }: { appId: string; key: string },
  lease: { now: Date; until: Date; token: string },
): Promise<OperationRecord | undefined> {
  const [row] = await db.query(CLAIM_ONE, [appId, key, lease.now, lease.token, lease.until])
  return row && operationOf(row)
}

// ---- due times -------------------------------------------------------------------------------------------

const SHIFT_OPERATIONS = sql(
  'operations.shift',
  `update operations set due_time = due_time - $2 * interval '1 millisecond'
   where app_id = $1 and due_time is not null`,
)
const SHIFT_TIMERS = sql(
  'timers.shift',
  `update timers set due_time = due_time - $2 * interval '1 millisecond' where app_id = $1`,
)

/** The app's clock was moved ahead: what waits for a moment of it waits less. */
export async function shiftDueTimes(db: Queryable, appId: string, byMs: number): Promise<void> {
  await db.query(SHIFT_OPERATIONS, [appId, byMs])
  await db.query(SHIFT_TIMERS, [appId, byMs])
}

const FIRST_CAPTURE = sql(
  'apps.firstCapture',
  `update apps set first_capture_time = $2 where app_id = $1 and first_capture_time is null`,
)

/** Once in an app's life. */
export async function markFirstCapture(db: Queryable, appId: string, now: Date): Promise<void> {
  await db.query(FIRST_CAPTURE, [appId, now])
}
