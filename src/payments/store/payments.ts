import { assert } from '../../base/assert.ts'
import { type Database, type Queryable, sql } from '../../db/database.ts'
import { lookup } from '../../db/lookup.ts'
import type { Payment } from '../payment.ts'
import { SELECTED } from './columns.ts'

const paymentBy = <Key>(name: string, column: string, { type = 'text' } = {}) =>
  lookup<{ app: string; key: Key }, Payment>(name, {
    columns: `app text, key ${type}`,
    finds: `select ${SELECTED} from payments where app_id = i.app and ${column} = i.key`,
  })

const BY_ID = paymentBy<number>('payments.byId', 'payment_id', { type: 'bigint' })
const BY_REFERENCE = paymentBy<string>('payments.byReference', 'reference_id')
const BY_KEY = paymentBy<string>('payments.byKey', 'payment_key')

const BY_ATTEMPT = lookup<{ app: string; profile: number; key: string }, Payment>('payments.byAttempt', {
  columns: 'app text, profile bigint, key text',
  finds: `select ${SELECTED} from payments where app_id = i.app and payment_id = (
    select o.payment_id from operations o where o.app_id = i.app and o.operation_key = i.key
      and o.profile_id = i.profile and o.step in ('start', 'charge'))`,
})

export const findPayment = (db: Database, appId: string, paymentId: number): Promise<Payment | undefined> =>
  db.batch(BY_ID, { app: appId, key: paymentId })

export const findByReference = (db: Database, appId: string, referenceId: string) =>
  db.batch(BY_REFERENCE, { app: appId, key: referenceId })

export const findByKey = (db: Database, appId: string, paymentKey: string) =>
  db.batch(BY_KEY, { app: appId, key: paymentKey })

/** The payment of an attempt of this profile. Keys of other operations find nothing. */
export const findByAttempt = (
  db: Database,
  { appId, profileId, key }: { appId: string; profileId: number; key: string },
): Promise<Payment | undefined> => db.batch(BY_ATTEMPT, { app: appId, profile: profileId, key })

const NEXT_BLOCK = sql<{ next: number }>('payments.nextBlock', `select nextval('payment_ids') as next`)
const BLOCK_SIZE = 100

/** Reserves a block of payment ids: from `next`, below `end`. */
export async function reserveIds(db: Queryable): Promise<{ next: number; end: number }> {
  const [row] = await db.query(NEXT_BLOCK)
  assert(row, 'a sequence always has a next value')
  return { next: row.next, end: row.next + BLOCK_SIZE }
}

const FIRST_CAPTURE = sql(
  'apps.firstCapture',
  `update apps set first_capture_time = $2 where app_id = $1 and first_capture_time is null`,
)

/** Set only once for each app. */
export async function markFirstCapture(db: Queryable, appId: string, now: Date): Promise<void> {
  await db.query(FIRST_CAPTURE, [appId, now])
}
