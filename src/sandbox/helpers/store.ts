import { type Queryable, sql } from '../../db/database.ts'

interface Attempt {
  readonly reference: string
  readonly paymentId: number
}

const ATTEMPTS = sql<Attempt>(
  'testHelpers.attempts',
  `select operation_key as reference, payment_id from operations
   where app_id = $1 and payment_id = $2 and step in ('start', 'charge')`,
)

/** All attempts to pay a payment, with the bank's references. */
export const listAttempts = (db: Queryable, appId: string, paymentId: number): Promise<Attempt[]> =>
  db.query(ATTEMPTS, [appId, paymentId])

const PAYMENTS_OF = sql<Attempt>(
  'testHelpers.paymentsOf',
  `select operation_key as reference, payment_id from operations
   where app_id = $1 and operation_key = any ($2)`,
)

export const listPaymentsOf = (db: Queryable, appId: string, references: readonly string[]) =>
  db.query(PAYMENTS_OF, [appId, references])

const MOVE_CLOCK = sql<{ clockOffsetMs: number }>(
  'testHelpers.moveClock',
  `update apps set clock_offset_ms = clock_offset_ms + $2
   where app_id = $1 and is_sandbox and clock_offset_ms + $2 <= $3
   returning clock_offset_ms`,
)

/** Returns false if the total offset would exceed `mostMs`. */
export async function advanceAppClock(
  db: Queryable,
  appId: string,
  move: { byMs: number; mostMs: number },
): Promise<boolean> {
  return (await db.query(MOVE_CLOCK, [appId, move.byMs, move.mostMs])).length > 0
}
