import { type Queryable, sql } from '../../db/database.ts'

interface Attempt {
  readonly reference: string
  readonly paymentId: number
}

interface AttemptRow {
  operation_key: string
  payment_id: string
}

const attemptOf = (row: AttemptRow): Attempt => ({
  reference: row.operation_key,
  paymentId: Number(row.payment_id),
})

const ATTEMPTS = sql<AttemptRow>(
  'testHelpers.attempts',
  `select operation_key, payment_id from operations
   where app_id = $1 and payment_id = $2 and step in ('start', 'charge')`,
)

/** All attempts to pay a payment, with the bank's references. */
export async function listAttempts(db: Queryable, appId: string, paymentId: number): Promise<Attempt[]> {
  return (await db.query(ATTEMPTS, [appId, paymentId])).map(attemptOf)
}

const PAYMENTS_OF = sql<AttemptRow>(
  'testHelpers.paymentsOf',
  'select operation_key, payment_id from operations where app_id = $1 and operation_key = any ($2)',
)

export async function listPaymentsOf(db: Queryable, appId: string, references: readonly string[]) {
  return (await db.query(PAYMENTS_OF, [appId, references])).map(attemptOf)
}

const MOVE_CLOCK = sql<{ clock_offset_ms: string }>(
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
