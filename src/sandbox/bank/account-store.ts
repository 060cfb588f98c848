import { type Queryable, sql } from '../../db/database.ts'
import type { Fault } from './rules/faults.ts'
import type { BankMethod } from './rules/payment.ts'

const insertFaults = sql<{ version: number }>(
  'sandbox_bank.set_faults',
  `insert into sandbox_bank.accounts as a (account, version, clock_offset_ms, faults)
   select $1, 1, 0, $3 where $2::int = 0
   on conflict (account) do nothing
   returning version`,
)
const replaceFaults = sql<{ version: number }>(
  'sandbox_bank.replace_faults',
  `update sandbox_bank.accounts set version = version + 1, faults = $3
    where account = $1 and version = $2
   returning version`,
)

/** Returns the new version, or undefined if the account has changed since `version`. */
export async function writeFaults(
  db: Queryable,
  account: { readonly account: string; readonly version: number },
  faults: readonly Fault[],
): Promise<number | undefined> {
  const statement = account.version === 0 ? insertFaults : replaceFaults
  const [row] = await db.query(statement, [account.account, account.version, JSON.stringify(faults)])
  return row?.version
}

const moveClock = sql<{ clockOffsetMs: number }>(
  'sandbox_bank.move_clock',
  `with moved as (
     insert into sandbox_bank.accounts as a (account, version, clock_offset_ms, faults)
     values ($1, 1, $2::bigint, '[]')
     on conflict (account) do update
       set version = a.version + 1, clock_offset_ms = a.clock_offset_ms + excluded.clock_offset_ms
     returning clock_offset_ms
   ), sooner as (
     update sandbox_bank.payments set due_time = due_time - $2::bigint * interval '1 millisecond'
      where account = $1 and due_time is not null
   ), told as (
     update sandbox_bank.notifications set due_time = due_time - $2::bigint * interval '1 millisecond'
      where account = $1
   )
   select clock_offset_ms from moved`,
)

/** Advances the account's clock, and the due times that depend on it. Returns the total offset. */
export async function advanceAccountClock(db: Queryable, account: string, ms: number): Promise<number> {
  const [row] = await db.query(moveClock, [account, ms])
  return row?.clockOffsetMs ?? ms
}

const findStored = sql<{ stored: BankMethod; forgotten: boolean }>(
  'sandbox_bank.find_stored',
  `select document as stored, is_forgotten as forgotten from sandbox_bank.stored_methods
   where account = $1 and token = $2`,
)

export const readStoredMethod = async (db: Queryable, account: string, token: string) =>
  (await db.query(findStored, [account, token]))[0]

const forget = sql<{ token: string }>(
  'sandbox_bank.forget',
  `update sandbox_bank.stored_methods set is_forgotten = true
    where account = $1 and token = $2
   returning token`,
)

export async function forgetStoredMethod(db: Queryable, account: string, token: string): Promise<boolean> {
  return (await db.query(forget, [account, token])).length > 0
}

interface LedgerLine {
  readonly reference: string
  readonly kind: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly status: string
  readonly operationKey: string
  readonly time: Date
}

const LEDGER_COLUMNS = `p.reference, l.kind, l.amount_minor, p.currency, l.status, l.operation_key,
  l.entry_time as time, l.entry`

const ledgerOf = sql<LedgerLine>(
  'sandbox_bank.ledger',
  `select ${LEDGER_COLUMNS}
     from sandbox_bank.payments p
     join sandbox_bank.ledger l on l.account = p.account and l.payment_id = p.payment_id
    where p.account = $1 and p.reference = any($2)
    order by l.entry_time, p.reference, l.entry`,
)

const lastOfLedger = sql<LedgerLine>(
  'sandbox_bank.last_of_ledger',
  `select * from (
     select ${LEDGER_COLUMNS}
       from sandbox_bank.ledger l
       join sandbox_bank.payments p on p.account = l.account and p.payment_id = l.payment_id
      where l.account = $1
      order by l.entry_time desc, p.reference desc, l.entry desc limit 1000) newest
    order by time, reference, entry`,
)

/** Ledger entries of these references, or the account's last 1,000 entries if there are none. */
export async function readLedger(db: Queryable, account: string, references: readonly string[]) {
  const rows = await (references.length > 0
    ? db.query(ledgerOf, [account, references])
    : db.query(lastOfLedger, [account]))
  return rows.map(({ reference, kind, amountMinor, currency, status, operationKey, time }) => ({
    ...{ reference, kind, amountMinor: Number(amountMinor), currency, status, operationKey },
    time: time.toISOString(),
  }))
}
