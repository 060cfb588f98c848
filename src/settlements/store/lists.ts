import { type Queryable, sql } from '../../db/database.ts'
import type { LineKind } from '../../providers/settlement.ts'
import type { ExceptionDetails, ExceptionKind } from './exceptions.ts'

/** A place in a list from newest to oldest; a page begins after it. */
export interface Place {
  readonly time: Date
  readonly id: number
}

export interface ListPage<Item> {
  readonly items: readonly Item[]
  readonly next?: Place | undefined
}

export interface Line {
  readonly lineId: number
  readonly profileId: number
  readonly providerLineId: string
  readonly kind: LineKind
  readonly paymentId: number | null
  readonly referenceId: string | null
  readonly grossMinor: bigint
  readonly currency: string
  readonly feeMinor: bigint | null
  readonly netMinor: bigint | null
  readonly settlementCurrency: string | null
  readonly time: Date
  readonly payoutId: number | null
  readonly match: 'exact' | 'suggested' | 'none'
}

export interface LineFilter {
  readonly kind?: LineKind | undefined
  readonly match?: Line['match'] | undefined
  readonly paymentId?: number | undefined
  readonly payoutId?: number | undefined
  readonly profileId?: number | undefined
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  readonly before?: Place | undefined
  readonly limit: number
}

/** Rows that one page looks at when a filter may match few of many. */
const SCANNED = 5_000

/**
 * $1 app, $2 to $4 bounds, $5 kind, $6 match, $7 profile, $8 page, $9 rows to look at. Rows are looked at
 * until the page is full. When it is not, the last row that was looked at is returned too: the next page
 * begins after it. Decision 0198.
 */
const linesFrom = (source: string) => {
  const looked = (rest: string) => `select l.line_id, l.line_time, l.kind, l.profile_id
       from ${source} and l.line_time >= $2 and (l.line_time, l.line_id) < ($3, $4)
       order by l.line_time desc, l.line_id desc ${rest}`
  return `with matched as materialized (
     select l.line_id, l.line_time, m.payment_id, coalesce(m.match, 'none') as match
     from (${looked('limit $9')}) l
       left join lateral (
         select payment_id, match from settlement_matches
         where app_id = $1 and line_id = l.line_id offset 0) m on true
     where ($5::text is null or l.kind = $5) and ($7::bigint is null or l.profile_id = $7)
       and ($6::text is null or coalesce(m.match, 'none') = $6)
     order by l.line_time desc, l.line_id desc limit $8
   ), last as (
     ${looked('limit 1 offset $9 - 1')}
   ), chosen as (
     select line_id, line_time, payment_id, match, true as is_match from matched
     union all
     select line_id, line_time, null, 'none', false from last where (select count(*) from matched) < $8)
   select l.line_id, l.profile_id, l.provider_line_id, l.kind, c.payment_id, p.reference_id, l.gross_minor,
     l.currency, l.fee_minor, l.net_minor, l.settlement_currency, l.line_time as time, l.payout_id, c.match,
     c.is_match
   from chosen c
     cross join lateral (
       select * from settlement_lines where app_id = $1 and line_id = c.line_id offset 0) l
     left join lateral (
       select reference_id from payments where app_id = $1 and payment_id = c.payment_id offset 0) p on true
   order by c.line_time desc, c.line_id desc, c.is_match desc`
}

type ScannedLine = Line & { readonly isMatch: boolean }

const LINES = sql<ScannedLine>('settlements.lines', linesFrom('settlement_lines l where l.app_id = $1'))
const LINES_OF_PAYOUT = sql<ScannedLine>(
  'settlements.linesOfPayout',
  linesFrom('settlement_lines l where l.app_id = $1 and l.payout_id = $10'),
)
const LINES_OF_PAYMENT = sql<ScannedLine>(
  'settlements.linesOfPayment',
  linesFrom(`(select i.* from settlement_matches k cross join lateral (
     select * from settlement_lines where app_id = $1 and line_id = k.line_id offset 0) i
     where k.app_id = $1 and k.payment_id = $10) l where ($11::bigint is null or l.payout_id = $11)`),
)

const boundsOf = ({ since, until, before }: Pick<LineFilter, 'since' | 'until' | 'before'>) => [
  since ?? '-infinity',
  before?.time ?? until ?? 'infinity',
  before?.id ?? 0,
]

export async function pageOfLines(db: Queryable, appId: string, filter: LineFilter): Promise<ListPage<Line>> {
  const { kind, match, paymentId, payoutId, profileId, limit } = filter
  const isFiltered = kind !== undefined || match !== undefined || profileId !== undefined
  const conditions = [kind ?? null, match ?? null, profileId ?? null, limit + 1]
  const values = [appId, ...boundsOf(filter), ...conditions, isFiltered ? SCANNED : limit + 2]
  const rows =
    paymentId !== undefined
      ? await db.query(LINES_OF_PAYMENT, [...values, paymentId, payoutId ?? null])
      : payoutId !== undefined
        ? await db.query(LINES_OF_PAYOUT, [...values, payoutId])
        : await db.query(LINES, values)
  const found = rows.filter(({ isMatch }) => isMatch)
  const items = found.slice(0, limit)
  const end = found.length > limit ? items.at(-1) : rows.find(({ isMatch }) => !isMatch)
  return { items, next: end && { time: end.time, id: end.lineId } }
}

export interface ReportedPayout {
  readonly payoutId: number
  readonly profileId: number
  readonly providerPayoutId: string
  readonly amountMinor: bigint | null
  readonly currency: string | null
  readonly state: 'pending' | 'paid' | 'failed'
  readonly time: Date
  readonly arrivalTime: Date | null
  readonly bankReference: string | null
}

const PAYOUT = `payout_id, profile_id, provider_payout_id, amount_minor, currency, state, payout_time as time,
  arrival_time, bank_reference`

const PAYOUTS = sql<ReportedPayout>(
  'settlements.payouts',
  `select ${PAYOUT} from payouts
   where app_id = $1 and payout_time >= $2 and (payout_time, payout_id) < ($3, $4)
     and ($5::bigint is null or profile_id = $5) and ($6::text is null or state = $6)
   order by payout_time desc, payout_id desc limit $7`,
)

export interface PayoutFilter extends Pick<LineFilter, 'since' | 'until' | 'before' | 'profileId' | 'limit'> {
  readonly state?: ReportedPayout['state'] | undefined
}

export async function pageOfPayouts(
  db: Queryable,
  appId: string,
  filter: PayoutFilter,
): Promise<ListPage<ReportedPayout>> {
  const { profileId, state, limit } = filter
  const values = [appId, ...boundsOf(filter), profileId ?? null, state ?? null, limit + 1]
  const rows = await db.query(PAYOUTS, values)
  const items = rows.slice(0, limit)
  const end = rows.length > limit ? items.at(-1) : undefined
  return { items, next: end && { time: end.time, id: end.payoutId } }
}

const FIND_PAYOUT = sql<ReportedPayout>(
  'settlements.payout',
  `select ${PAYOUT} from payouts where app_id = $1 and payout_id = $2`,
)

export const findPayout = async (
  db: Queryable,
  appId: string,
  payoutId: number,
): Promise<ReportedPayout | undefined> => (await db.query(FIND_PAYOUT, [appId, payoutId]))[0]

export interface Exception {
  readonly exceptionId: number
  readonly profileId: number
  readonly kind: ExceptionKind
  readonly paymentId: number | null
  readonly lineId: number | null
  readonly payoutId: number | null
  readonly details: ExceptionDetails
  readonly openedTime: Date
  readonly closedTime: Date | null
  readonly closedBy: string | null
  readonly reason: string | null
}

const EXCEPTION = `exception_id, profile_id, kind, payment_id, line_id, payout_id, details, opened_time,
  closed_time, closed_by, reason`

/** Exceptions in one state, the newest first. */
const EXCEPTIONS = sql<Exception>(
  'settlements.exceptions',
  `select ${EXCEPTION} from settlement_exceptions
   where app_id = $1 and (closed_time is null) = $2 and exception_id < $3
   order by exception_id desc limit $4`,
)

/** There may be few of one payment or kind among many: they have indexes of their own. */
const OF_PAYMENT = sql<Exception>(
  'settlements.exceptionsOfPayment',
  `select ${EXCEPTION} from settlement_exceptions
   where app_id = $1 and payment_id = $5 and (closed_time is null) = $2 and exception_id < $3
     and ($6::text is null or kind = $6)
   order by exception_id desc limit $4`,
)

const ofKind = (name: string, state: string) =>
  sql<Exception>(
    `settlements.${name}`,
    `select ${EXCEPTION} from settlement_exceptions
     where app_id = $1 and kind = $2 and ${state} and exception_id < $3
     order by exception_id desc limit $4`,
  )
const OPEN_OF_KIND = ofKind('openOfKind', 'closed_time is null')
const CLOSED_OF_KIND = ofKind('closedOfKind', 'closed_time is not null')

/** A place in the list of exceptions: open ones come first. */
export interface ExceptionPlace {
  readonly isOpen: boolean
  readonly id: number
}

export interface ExceptionFilter {
  readonly kind?: ExceptionKind | undefined
  readonly isOpen?: boolean | undefined
  readonly paymentId?: number | undefined
  readonly before?: ExceptionPlace | undefined
  readonly limit: number
}

export async function pageOfExceptions(
  db: Queryable,
  appId: string,
  { kind, isOpen, paymentId, before, limit }: ExceptionFilter,
): Promise<{ readonly items: readonly Exception[]; readonly next?: ExceptionPlace | undefined }> {
  const states = isOpen === undefined ? [true, false] : [isOpen]
  const found: Exception[] = []
  for (const state of states) {
    if (before && before.isOpen !== state && !(before.isOpen && !state)) continue
    const below = before?.isOpen === state ? before.id : Number.MAX_SAFE_INTEGER
    const most = limit + 1 - found.length
    if (most <= 0) continue
    const filter = { kind, paymentId, below, limit: most }
    found.push(...(await exceptionsInState(db, appId, state, filter)))
  }
  const items = found.slice(0, limit)
  const end = found.length > limit ? items.at(-1) : undefined
  return { items, next: end && { isOpen: end.closedTime === null, id: end.exceptionId } }
}

interface StateFilter extends Pick<ExceptionFilter, 'kind' | 'paymentId' | 'limit'> {
  /** Ids are lower. */
  readonly below: number
}

function exceptionsInState(
  db: Queryable,
  appId: string,
  isOpen: boolean,
  { kind, paymentId, below, limit }: StateFilter,
): Promise<Exception[]> {
  if (paymentId !== undefined)
    return db.query(OF_PAYMENT, [appId, isOpen, below, limit, paymentId, kind ?? null])
  if (kind === undefined) return db.query(EXCEPTIONS, [appId, isOpen, below, limit])
  return db.query(isOpen ? OPEN_OF_KIND : CLOSED_OF_KIND, [appId, kind, below, limit])
}

const FIND_EXCEPTION = sql<Exception>(
  'settlements.exception',
  `select ${EXCEPTION} from settlement_exceptions where app_id = $1 and exception_id = $2`,
)

export const findException = async (
  db: Queryable,
  appId: string,
  exceptionId: number,
): Promise<Exception | undefined> => (await db.query(FIND_EXCEPTION, [appId, exceptionId]))[0]

const CLOSE = sql<Exception>(
  'settlements.closeException',
  `update settlement_exceptions set closed_time = $3, closed_by = $4, reason = $5
   where app_id = $1 and exception_id = $2 and closed_time is null returning ${EXCEPTION}`,
)

export interface Closing {
  readonly now: Date
  /** The person or key. */
  readonly by: string
  readonly reason: string
}

/** Undefined: it is not open. */
export const closeException = async (
  tx: Queryable,
  appId: string,
  exceptionId: number,
  { now, by, reason }: Closing,
): Promise<Exception | undefined> => (await tx.query(CLOSE, [appId, exceptionId, now, by, reason]))[0]
