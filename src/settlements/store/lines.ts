import { arrayText, columnsOf, unnested } from '../../db/columns.ts'
import { type Queryable, sql } from '../../db/database.ts'
import type { SettledLine } from '../../providers/settlement.ts'
import { SETTLE_PLAIN } from './judged.ts'
import { MATCHING } from './matches.ts'
import type { ProfileKey } from './reports.ts'

/** Payouts that only a line names: the provider reports them later. */
const NAME_PAYOUTS = sql<never>(
  'settlements.namePayouts',
  `insert into payouts (app_id, profile_id, provider_payout_id, state, payout_time)
   select $1, $2, x.id, 'pending', x.time from unnest($3::text[], $4::timestamptz[]) as x (id, time)
   order by x.id
   on conflict (app_id, profile_id, provider_payout_id) do nothing`,
)

/** A line as columns of `x`; `ids` is the text of an array. */
const COLUMNS = {
  n: 'integer',
  id: 'text',
  kind: 'text',
  ids: 'text',
  reference: 'text',
  gross: 'bigint',
  currency: 'text',
  fee: 'bigint',
  net: 'bigint',
  settlement: 'text',
  rate: 'text',
  time: 'timestamptz',
  payout: 'text',
  may_be_plain: 'boolean',
} as const
const LINES = unnested(COLUMNS, 3)
const NEXT = 3 + Object.keys(COLUMNS).length

/**
 * Writes the lines that are new, finds their payments and settles those that are plain. The ids of lines are
 * taken first, so that no line is looked up again.
 */
const WRITE = sql<WrittenBatch>(
  'settlements.writeLines',
  `with x as materialized (
     select x.*, nextval('settlement_lines_line_id_seq') as line_id, x.ids::text[] as provider_ids,
       p.payout_id
     from ${LINES} left join payouts p
       on p.app_id = $1 and p.profile_id = $2 and p.provider_payout_id = x.payout
   ), made as (
     insert into settlement_lines (app_id, line_id, profile_id, provider_line_id, report_id, kind,
       provider_ids, reference, gross_minor, currency, fee_minor, net_minor, settlement_currency, rate,
       line_time, received_time, payout_id)
     overriding system value
     select $1, x.line_id, $2, x.id, $${NEXT}, x.kind, x.provider_ids, x.reference, x.gross, x.currency,
       x.fee, x.net, x.settlement, x.rate, x.time, $${NEXT + 1}, x.payout_id
     from x
     on conflict (app_id, profile_id, provider_line_id) do nothing
     returning line_id, payout_id
   ), changed as (
     update payouts p set is_changed = true
     from (select distinct payout_id from made where payout_id is not null) m
     where p.app_id = $1 and p.payout_id = m.payout_id and not p.is_changed
   ), l as materialized (
     select x.n, x.line_id, x.provider_ids, x.reference, x.may_be_plain, x.gross, x.currency, x.payout_id
     from x where (x.line_id in (select line_id from made)) is true
   ), ${MATCHING}, ${SETTLE_PLAIN}
   select (select coalesce(json_agg(n order by line_id), '[]') from l) as places,
     (select coalesce(json_agg(line_id order by line_id), '[]') from l) as line_ids,
     (select coalesce(json_agg(n), '[]') from l
       where line_id not in (select line_id from found)) as unmatched,
     (select coalesce(json_agg(distinct payment_id), '[]') from found
       where payment_id not in (select payment_id from plain)) as payment_ids`,
)

interface WrittenBatch {
  /** Of the new lines, in the same order as their ids. */
  readonly places: readonly number[]
  readonly lineIds: readonly number[]
  /** Places of new lines without a payment. */
  readonly unmatched: readonly number[]
  /** Payments of new lines that have not been judged. */
  readonly paymentIds: readonly number[]
}

/** A line that is known: `differs` when the same id came with other content. */
interface KnownLine {
  readonly n: number
  readonly lineId: number
  readonly differs: boolean
  /** It has its payout now. */
  readonly isPaid: boolean
}

const COMPARE = sql<KnownLine>(
  'settlements.compareLines',
  `with found as materialized (
     select x.n, l.line_id, p.payout_id, l.payout_id is null and p.payout_id is not null as is_paid,
       (l.kind, l.gross_minor, l.currency, l.fee_minor, l.net_minor, l.settlement_currency, l.line_time)
         is distinct from (x.kind, x.gross, x.currency, x.fee, x.net, x.settlement, x.time)
         or l.payout_id <> p.payout_id as differs
     from ${LINES} cross join lateral (
         select * from settlement_lines l
         where l.app_id = $1 and l.profile_id = $2 and l.provider_line_id = x.id offset 0) l
       left join payouts p on p.app_id = $1 and p.profile_id = $2 and p.provider_payout_id = x.payout
   ), paid as (
     update settlement_lines l set payout_id = f.payout_id from found f
     where f.is_paid and f.differs is not true and l.app_id = $1 and l.line_id = f.line_id
   ), changed as (
     update payouts p set is_changed = true
     from (select distinct payout_id from found where is_paid) f
     where p.app_id = $1 and p.payout_id = f.payout_id and not p.is_changed
   )
   select n, line_id, differs is true as differs, is_paid and differs is not true as is_paid from found`,
)

interface LineToWrite {
  readonly line: SettledLine
  /** By `mayBePlain` of matching/judge.ts. */
  readonly mayBePlain: boolean
}

interface LineBatch extends ProfileKey {
  readonly reportId: number
  readonly receivedTime: Date
  readonly lines: readonly LineToWrite[]
}

export interface WrittenLines {
  /** By the index of the line in the batch. */
  readonly made: ReadonlyMap<number, number>
  /** Indexes of new lines without a payment. */
  readonly unmatched: readonly number[]
  /** Payments of new lines that have not been judged. */
  readonly paymentIds: readonly number[]
  readonly known: readonly KnownLine[]
}

/**
 * Writes the lines that are new and matches them, and compares the others with what is stored. Plain payments
 * are settled with their lines.
 */
export async function writeLines(tx: Queryable, batch: LineBatch): Promise<WrittenLines> {
  const { appId, profileId, reportId, receivedTime, lines } = batch
  const payouts = payoutsOf(lines)
  if (payouts.size > 0) {
    const named = [[...payouts.keys()], [...payouts.values()]]
    await tx.query(NAME_PAYOUTS, [appId, profileId, ...named])
  }
  const rows = lines.map(rowOf)
  const values = [appId, profileId, ...columnsOf(COLUMNS, rows), reportId, receivedTime]
  const [written] = await tx.query(WRITE, values)
  const { places = [], lineIds = [], unmatched = [], paymentIds = [] } = written ?? {}
  const made = new Map(places.map((n, at) => [n, lineIds[at] ?? 0]))
  if (made.size === lines.length) return { made, unmatched, paymentIds, known: [] }
  const others = columnsOf(
    COLUMNS,
    rows.filter(({ n }) => !made.has(n)),
  )
  return { made, unmatched, paymentIds, known: await tx.query(COMPARE, [appId, profileId, ...others]) }
}

/** With the time of their last line. */
function payoutsOf(lines: readonly LineToWrite[]): Map<string, Date> {
  const payouts = new Map<string, Date>()
  for (const { line } of lines) {
    const { payout, time } = line
    const known = payout === undefined ? undefined : payouts.get(payout)
    if (payout !== undefined && (!known || known < time)) payouts.set(payout, time)
  }
  return payouts
}

const rowOf = ({ line, mayBePlain }: LineToWrite, n: number) => ({
  n,
  id: line.id,
  kind: line.kind,
  ids: arrayText(line.ids),
  reference: line.reference,
  gross: line.gross.minor,
  currency: line.gross.currency,
  fee: line.fee?.minor,
  net: line.net?.minor,
  settlement: line.net?.currency ?? line.fee?.currency,
  rate: line.rate,
  time: line.time,
  payout: line.payout,
  may_be_plain: mayBePlain,
})
