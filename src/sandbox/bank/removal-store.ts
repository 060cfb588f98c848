import { DAY } from '../../base/clock.ts'
import { ago, type Database, type Due, sql } from '../../db/database.ts'

/** As long as card schemes allow refunds. */
const PAYMENTS_KEPT_MS = 180 * DAY
/** Longer than most providers know an idempotency key. A payment opened with it is known by its reference. */
const ANSWERS_KEPT_MS = 30 * DAY

/** A payment that time will still change is kept until then. */
const oldPaymentsDue: Due = (now) =>
  `sandbox_bank.payments where due_time is null and opened_time < ${ago(now, PAYMENTS_KEPT_MS)}`
const oldAnswersDue: Due = (now) => `sandbox_bank.requests where answered_time < ${ago(now, ANSWERS_KEPT_MS)}`
const oldLinesDue: Due = (now) => `sandbox_bank.lines where recorded_time < ${ago(now, PAYMENTS_KEPT_MS)}`

export const oldBankRowsDue: readonly Due[] = [oldPaymentsDue, oldAnswersDue, oldLinesDue]

const REMOVE_PAYMENTS = sql<{ account: string; paymentId: string }>(
  'sandbox_bank.remove_payments',
  `delete from sandbox_bank.payments p using (
     select account, payment_id from ${oldPaymentsDue('$1::timestamptz')}
     order by opened_time limit $2 for update skip locked) old
   where p.account = old.account and p.payment_id = old.payment_id
   returning p.account, p.payment_id`,
)

const REMOVE_ENTRIES = sql<never>(
  'sandbox_bank.remove_entries',
  `delete from sandbox_bank.ledger l using unnest($1::text[], $2::text[]) as p (account, payment_id)
   where l.account = p.account and l.payment_id = p.payment_id`,
)

/**
 * Deletes old payments with their entries in the ledger. Two statements, because the second must see entries
 * that were written while the first waited for a payment.
 */
export const removeOldPayments = (db: Database, now: Date, limit: number): Promise<number> =>
  db.transaction(async (tx) => {
    const removed = await tx.query(REMOVE_PAYMENTS, [now, limit])
    const [accounts, ids] = [removed.map((row) => row.account), removed.map((row) => row.paymentId)]
    if (removed.length > 0) await tx.query(REMOVE_ENTRIES, [accounts, ids])
    return removed.length
  })

const REMOVE_ANSWERS = sql<{ requestKey: string }>(
  'sandbox_bank.remove_answers',
  `delete from sandbox_bank.requests r using (
     select account, request_key from ${oldAnswersDue('$1::timestamptz')}
     order by answered_time limit $2 for update skip locked) old
   where r.account = old.account and r.request_key = old.request_key
   returning r.request_key`,
)

export const removeOldAnswers = async (db: Database, now: Date, limit: number): Promise<number> =>
  (await db.query(REMOVE_ANSWERS, [now, limit])).length

const REMOVE_LINES = sql<{ lineId: string }>(
  'sandbox_bank.remove_lines',
  `delete from sandbox_bank.lines l using (
     select account, line_id from ${oldLinesDue('$1::timestamptz')}
     order by recorded_time limit $2 for update skip locked) old
   where l.account = old.account and l.line_id = old.line_id
   returning l.line_id`,
)

/** Also lines that were not paid out: a balance below zero that old is forgotten. */
export const removeOldLines = async (db: Database, now: Date, limit: number): Promise<number> =>
  (await db.query(REMOVE_LINES, [now, limit])).length
