import { assert } from '../../../base/assert.ts'
import { type Queryable, sql } from '../../../db/database.ts'
import type { LedgerPayment } from '../rules/payment.ts'
import type { LineLie, SettlementFault } from '../rules/report.ts'

/** An account whose settlements have been read. */
export interface SettledAccount {
  readonly timeZone: string
  readonly paidUntil: Date | null
  readonly payoutCount: number
  readonly toldCount: number
  /** By shop: its lines before this time were reported. */
  readonly reported: Readonly<Record<string, string>>
  readonly faults: readonly SettlementFault[]
}

const ACCOUNT_COLUMNS = 'time_zone, paid_until, payout_count, told_count, reported, faults'

const LOCK = sql<SettledAccount>(
  'sandbox_bank.lock_settlements',
  `insert into sandbox_bank.settlements as s (account, time_zone) values ($1, coalesce($2, 'UTC'))
   on conflict (account) do update set time_zone = coalesce($2, s.time_zone)
   returning ${ACCOUNT_COLUMNS}`,
)

/** Makes the account's row, or locks it until the end of the transaction. A given time zone is kept. */
export async function lockAccount(
  tx: Queryable,
  account: string,
  timeZone: string | undefined,
): Promise<SettledAccount> {
  const [row] = await tx.query(LOCK, [account, timeZone ?? null])
  assert(row, 'an upsert returns its row')
  return row
}

const SAVE = sql<never>(
  'sandbox_bank.save_settlements',
  `update sandbox_bank.settlements
      set paid_until = $2, payout_count = $3, told_count = $4, reported = $5, faults = $6
    where account = $1`,
)

export async function saveAccount(tx: Queryable, account: string, state: SettledAccount): Promise<void> {
  const { paidUntil, payoutCount, toldCount, reported, faults } = state
  const values = [paidUntil, payoutCount, toldCount, JSON.stringify(reported), JSON.stringify(faults)]
  await tx.query(SAVE, [account, ...values])
}

const UNSETTLED = sql<{ version: number; payment: LedgerPayment }>(
  'sandbox_bank.unsettled',
  `select version, document as payment from sandbox_bank.payments
    where account = $1 and captured_minor > 0 and settled_version < version
    order by payment_id limit $2`,
)

export const readUnsettled = (tx: Queryable, account: string, limit: number) =>
  tx.query(UNSETTLED, [account, limit])

/** A line as it happened. */
export interface SettledRow {
  readonly lineId: string
  readonly shop: string
  readonly kind: string
  readonly paymentId: string | null
  readonly movementId: string | null
  readonly reference: string | null
  readonly amountMinor: bigint
  readonly feeMinor: bigint
  readonly currency: string
  readonly lineTime: Date
  readonly availableTime: Date
  readonly reportTime: Date
  readonly payoutId: string | null
}

const COLUMNS = `line_id, shop, kind, payment_id, movement_id, reference, amount_minor, fee_minor, currency,
  line_time, available_time, report_time, payout_id`

const INSERT = sql<never>(
  'sandbox_bank.insert_lines',
  `insert into sandbox_bank.lines (account, recorded_time, first_time, ${COLUMNS})
   select $1, $2, report_time, ${COLUMNS} from json_to_recordset($3) as x (line_id text, shop text, kind text,
     payment_id text, movement_id text, reference text, amount_minor bigint, fee_minor bigint, currency text,
     line_time timestamptz, available_time timestamptz, report_time timestamptz, payout_id text)
   on conflict do nothing`,
)

/** A line that is known stays as it is. `now` is real time. */
export async function insertLines(
  tx: Queryable,
  account: string,
  { now, rows }: { readonly now: Date; readonly rows: readonly SettledRow[] },
): Promise<void> {
  const json = rows.map((row) => ({
    line_id: row.lineId,
    shop: row.shop,
    kind: row.kind,
    payment_id: row.paymentId,
    movement_id: row.movementId,
    reference: row.reference,
    amount_minor: String(row.amountMinor),
    fee_minor: String(row.feeMinor),
    currency: row.currency,
    line_time: row.lineTime,
    available_time: row.availableTime,
    report_time: row.reportTime,
    payout_id: row.payoutId,
  }))
  await tx.query(INSERT, [account, now, JSON.stringify(json)])
}

const MARK = sql<never>(
  'sandbox_bank.mark_settled',
  `update sandbox_bank.payments p set settled_version = x.version
     from unnest($2::text[], $3::integer[]) as x (payment_id, version)
    where p.account = $1 and p.payment_id = x.payment_id`,
)

export const markSettled = (
  tx: Queryable,
  account: string,
  settled: readonly { readonly version: number; readonly payment: LedgerPayment }[],
) => tx.query(MARK, [account, settled.map(({ payment }) => payment.id), settled.map((one) => one.version)])

const NEXT_AVAILABLE = sql<{ time: Date | null }>(
  'sandbox_bank.next_available',
  `select min(available_time) as time from sandbox_bank.lines
    where account = $1 and payout_id is null and available_time > coalesce($2::timestamptz, '-infinity')`,
)

/** When money can be paid out next, after a time. */
export const nextAvailable = async (tx: Queryable, account: string, after: Date | null) =>
  (await tx.query(NEXT_AVAILABLE, [account, after]))[0]?.time ?? undefined

const BALANCES = sql<{ shop: string; currency: string; sumMinor: bigint }>(
  'sandbox_bank.balances',
  `select shop, currency, sum(amount_minor - fee_minor) as sum_minor from sandbox_bank.lines
    where account = $1 and payout_id is null and available_time <= $2
    group by shop, currency having sum(amount_minor - fee_minor) > 0 order by shop, currency`,
)

/** What can be paid out at a time. A balance below zero waits for more. */
export const readBalances = (tx: Queryable, account: string, at: Date) => tx.query(BALANCES, [account, at])

const PAY_OUT = sql<never>(
  'sandbox_bank.pay_out',
  `update sandbox_bank.lines set payout_id = $5, report_time = greatest(report_time, $6)
    where account = $1 and payout_id is null and available_time <= $2 and shop = $3 and currency = $4`,
)

export interface PaidOut {
  readonly at: Date
  readonly shop: string
  readonly currency: string
  readonly payoutId: string
  readonly reportTime: Date
}

/** Puts the lines that make a balance into a payout, and into its report. */
export const payOutLines = (tx: Queryable, account: string, paid: PaidOut) =>
  tx.query(PAY_OUT, [account, paid.at, paid.shop, paid.currency, paid.payoutId, paid.reportTime])

export interface ReportedRow extends SettledRow {
  readonly lie: LineLie | null
}

const PAYOUTS = sql<SettledRow>(
  'sandbox_bank.payouts',
  `select ${COLUMNS} from sandbox_bank.lines where account = $1 and line_id = any ($2) order by line_id`,
)

export const readPayouts = (tx: Queryable, account: string, ids: readonly string[]) =>
  tx.query(PAYOUTS, [account, ids])

/** `$1` account, `$2` shop, `$3` and `$4` the window. */
const IN_WINDOW = `account = $1 and shop = $2 and report_time >= $3 and report_time < $4
  and lie is distinct from 'missing'`

const pageSql = (name: string, order: 'asc' | 'desc') =>
  sql<ReportedRow>(
    name,
    `select ${COLUMNS}, lie from sandbox_bank.lines
      where ${IN_WINDOW}
        and ($5::timestamptz is null or (report_time, line_id) ${order === 'asc' ? '>' : '<'} ($5, $6::text))
      order by report_time ${order}, line_id ${order} limit $7`,
  )
const PAGE = pageSql('sandbox_bank.report', 'asc')
const PAGE_BACKWARD = pageSql('sandbox_bank.report_backward', 'desc')

export interface ReportWindow {
  readonly account: string
  readonly shop: string
  readonly from: Date
  /** Not included. */
  readonly until: Date
}

export interface ReportPlace {
  readonly isBackward: boolean
  /** The last line of the page before. Absent: the first page. */
  readonly last?: { readonly time: Date; readonly lineId: string }
}

export const readReport = (db: Queryable, window: ReportWindow, place: ReportPlace, limit: number) =>
  db.query(place.isBackward ? PAGE_BACKWARD : PAGE, [
    ...windowValues(window),
    place.last?.time ?? null,
    place.last?.lineId ?? null,
    limit,
  ])

const windowValues = ({ account, shop, from, until }: ReportWindow) => [account, shop, from, until]

const LIE = sql<{ lineId: string }>(
  'sandbox_bank.lie',
  `update sandbox_bank.lines set lie = $5
    where account = $1 and line_id = (
      select l.line_id from sandbox_bank.lines l
        join sandbox_bank.payments p on p.account = l.account and p.payment_id = l.payment_id
       where l.account = $1 and l.shop = $2 and l.report_time >= $3 and l.report_time < $4
         and l.first_time >= $3 and l.lie is null
         and (l.kind = 'sale' or l.kind = 'refund' and l.amount_minor < 0)
         and ($6::text is null or p.reference = $6)
       order by l.report_time, l.line_id limit 1)
   returning line_id`,
)

/** Lets the report of the first sale or refund, of one payment or any, be wrong. False: there is none. */
export async function lieAbout(
  tx: Queryable,
  window: ReportWindow,
  { lie, reference }: { readonly lie: LineLie; readonly reference: string | undefined },
): Promise<boolean> {
  return (await tx.query(LIE, [...windowValues(window), lie, reference ?? null])).length > 0
}

const HOLD_BACK = sql<{ lineId: string }>(
  'sandbox_bank.hold_back',
  `with fresh as (
     select line_id, row_number() over (order by report_time, line_id) as place, count(*) over () as all
       from sandbox_bank.lines where ${IN_WINDOW})
   update sandbox_bank.lines l
      set report_time = $4, first_time = case when l.first_time >= $3 then $4 else l.first_time end
     from fresh
    where l.account = $1 and l.line_id = fresh.line_id and fresh.place > (fresh.all + 1) / 2
   returning l.line_id`,
)

/** Moves the second half of the window's lines to the next one. False: there are not two. */
export const holdBackHalf = async (tx: Queryable, window: ReportWindow): Promise<boolean> =>
  (await tx.query(HOLD_BACK, windowValues(window))).length > 0

const RELEASE = sql<never>(
  'sandbox_bank.release_missing',
  `update sandbox_bank.lines set lie = null, first_time = $2, report_time = greatest(report_time, $2)
    where account = $1 and lie = 'missing'`,
)

/** Lines that were missing come with the next report. */
export const releaseMissing = (tx: Queryable, account: string, from: Date) =>
  tx.query(RELEASE, [account, from])
