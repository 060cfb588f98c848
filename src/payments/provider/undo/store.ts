import { type Due, type Queryable, sql } from '../../../db/database.ts'
import { fairClaim, type Share } from '../../../db/fair-claim.ts'
import type { AnyMethod } from '../../../providers/methods/method.ts'
import type { Handles } from '../../../providers/outcome.ts'

/** An abandoned attempt whose money must be given back. */
export interface Undo {
  readonly appId: string
  /** Our reference at the provider. */
  readonly attemptKey: string
  readonly paymentId: number
  readonly attempt: number
  readonly profileId: number
  readonly method: AnyMethod
  readonly handles: Handles | null
  readonly status: 'open' | 'done' | 'refused'
  readonly result: UndoResult | null
  readonly tries: number
  readonly createdTime: Date
  readonly closedTime: Date | null
  readonly leaseToken: string | null
  /** The result of the last step, with the time of its first request. */
  readonly outcome: { readonly kind?: string; readonly step?: string; readonly since?: string } | null
}

export type UndoResult = 'nothing' | 'closed' | 'voided' | 'refunded'

const COLUMNS = `app_id, attempt_key, payment_id, attempt, profile_id, method, handles, status, result, tries,
  created_time, closed_time, lease_token, outcome`

export interface Lease {
  readonly now: Date
  readonly until: Date
  readonly token: string
}

/** No worker runs the undo now: the job takes it. */
interface Unleased {
  readonly until: Date
  readonly token: null
}

export const undosDue: Due = (now) => `undos where status = 'open' and due_time <= ${now}`

const CLAIM_DUE = sql<Undo>(
  'undos.claimDue',
  `update undos set lease_token = $3, due_time = $4
   where (app_id, attempt_key) in (
     select app_id, attempt_key
     from (${fairClaim({ rows: undosDue('$1'), key: 'app_id, attempt_key' })}) claimed)
   returning ${COLUMNS}`,
)

export async function claimDueUndos(db: Queryable, lease: Lease & { share: Share }): Promise<Undo[]> {
  const values = [lease.now, JSON.stringify(lease.share), lease.token, lease.until]
  return await db.query(CLAIM_DUE, values)
}

const CLAIM_OF_PAYMENT = sql<Undo>(
  'undos.claimOfPayment',
  `update undos set lease_token = $4, due_time = $5
   where app_id = $1 and payment_id = $2 and status = 'open' and (due_time <= $3 or lease_token is null)
   returning ${COLUMNS}`,
)

/** Claims the undos of one payment that are not leased. */
export async function claimUndosOf(
  db: Queryable,
  { appId, paymentId }: { appId: string; paymentId: number },
  lease: Lease,
): Promise<Undo[]> {
  const values = [appId, paymentId, lease.now, lease.token, lease.until]
  return await db.query(CLAIM_OF_PAYMENT, values)
}

const OPEN = sql<Undo>(
  'undos.open',
  `insert into undos as u (app_id, attempt_key, payment_id, attempt, profile_id, method, handles, status,
     created_time, due_time, lease_token)
   values ($1, $2, $3, $4, $5, $6, $7, 'open', $8, $9, $10)
   on conflict (app_id, attempt_key) do update
   set status = 'open', result = null, closed_time = null, due_time = excluded.due_time,
     lease_token = excluded.lease_token
   where u.status = 'done'
   returning ${COLUMNS}`,
)

export interface NewUndo
  extends Pick<Undo, 'appId' | 'attemptKey' | 'paymentId' | 'attempt' | 'profileId' | 'method' | 'handles'> {
  readonly createdTime: Date
}

/** Undefined when the undo is open or was refused. One that is done is opened again. */
export async function openUndo(
  db: Queryable,
  undo: NewUndo,
  lease: Lease | Unleased,
): Promise<Undo | undefined> {
  const { appId, attemptKey, paymentId, attempt, profileId, method, handles, createdTime } = undo
  const values = [appId, attemptKey, paymentId, attempt, profileId, method, JSON.stringify(handles)]
  return (await db.query(OPEN, [...values, createdTime, lease.until, lease.token]))[0]
}

const NAME = sql<never>(
  'undos.name',
  `update undos set handles = $3
   where app_id = $1 and attempt_key = $2 and status = 'open'
     and coalesce(handles::text, 'null') in ('null', '{}')`,
)

/** Stores the ids of the attempt in an open undo that has none: the reply of its request was lost. */
export async function nameUndo(
  db: Queryable,
  { appId, attemptKey, handles }: Pick<Undo, 'appId' | 'attemptKey' | 'handles'>,
): Promise<void> {
  await db.query(NAME, [appId, attemptKey, JSON.stringify(handles)])
}

const FIND = sql<Undo>('undos.find', `select ${COLUMNS} from undos where app_id = $1 and attempt_key = $2`)

export async function findUndo(db: Queryable, appId: string, attemptKey: string): Promise<Undo | undefined> {
  return (await db.query(FIND, [appId, attemptKey]))[0]
}

const NOTE_STEP = sql<{ attemptKey: string }>(
  'undos.noteStep',
  `update undos set outcome = $4, handles = $5
   where app_id = $1 and attempt_key = $2 and lease_token = $3 and status = 'open' returning attempt_key`,
)

/** The handles name the payment that the step is about. False when the lease is lost. */
export async function noteStep(
  db: Queryable,
  { appId, attemptKey, leaseToken, handles }: Undo,
  outcome: Undo['outcome'],
): Promise<boolean> {
  const values = [appId, attemptKey, leaseToken, JSON.stringify(outcome), JSON.stringify(handles)]
  return (await db.query(NOTE_STEP, values)).length > 0
}

/** Ids that were learned are kept. An undo without any may have been named meanwhile. */
const KEPT = (place: string): string =>
  `case when ${place}::text in ('null', '{}') then handles else ${place}::json end`

const POSTPONE = sql<never>(
  'undos.postpone',
  `update undos set due_time = $4, tries = tries + 1, lease_token = null, outcome = $5,
     handles = ${KEPT('$6')}
   where app_id = $1 and attempt_key = $2 and lease_token = $3 and status = 'open'`,
)

export async function postponeUndo(
  db: Queryable,
  { appId, attemptKey, leaseToken, handles }: Undo,
  { due, outcome }: { due: Date; outcome: object },
): Promise<void> {
  const values = [due, JSON.stringify(outcome), JSON.stringify(handles)]
  await db.query(POSTPONE, [appId, attemptKey, leaseToken, ...values])
}

const CLOSE = sql<never>(
  'undos.close',
  `update undos set status = $4, result = $5, closed_time = $6, due_time = null, tries = tries + 1,
     lease_token = null, outcome = $7, handles = ${KEPT('$8')}
   where app_id = $1 and attempt_key = $2 and lease_token = $3 and status = 'open'`,
)

export interface UndoEnd {
  readonly status: 'done' | 'refused'
  readonly result: UndoResult | null
  readonly now: Date
  readonly outcome: object
}

export async function closeUndo(db: Queryable, undo: Undo, end: UndoEnd): Promise<void> {
  const { appId, attemptKey, leaseToken, handles } = undo
  const values = [end.status, end.result, end.now, JSON.stringify(end.outcome), JSON.stringify(handles)]
  await db.query(CLOSE, [appId, attemptKey, leaseToken, ...values])
}

const SHIFT = sql<never>(
  'undos.shift',
  `update undos set due_time = due_time - $2 * interval '1 millisecond'
   where app_id = $1 and status = 'open'`,
)

/** The app's clock was moved ahead. */
export async function shiftUndos(db: Queryable, appId: string, byMs: number): Promise<void> {
  await db.query(SHIFT, [appId, byMs])
}
