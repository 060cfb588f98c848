import { type Queryable, sql } from '../../db/database.ts'
import type { ProfileKey } from './reports.ts'
import { type KindSum, readSums, type StoredSum, sumsOfLines } from './sums.ts'

/** A payout with the sum of its lines. */
export interface ComparedPayout {
  readonly payoutId: number
  readonly providerPayoutId: string
  readonly amountMinor: bigint | null
  readonly currency: string | null
  readonly sums: readonly KindSum[]
}

const CHANGED = sql<Omit<ComparedPayout, 'sums'> & { readonly sums: readonly StoredSum[] }>(
  'settlements.changedPayouts',
  `update payouts p set is_changed = false, sums = ${sumsOfLines('p.payout_id')}
   from (select payout_id from payouts where app_id = $1 and profile_id = $2 and is_changed
     order by payout_id limit $3) c
   where p.app_id = $1 and p.payout_id = c.payout_id
   returning p.payout_id, p.provider_payout_id, p.amount_minor, p.currency, p.sums`,
)

/** Payouts that have changed since they were compared; they count as compared now. */
export async function takeChangedPayouts(
  tx: Queryable,
  { appId, profileId }: ProfileKey,
  limit: number,
): Promise<ComparedPayout[]> {
  const rows = await tx.query(CHANGED, [appId, profileId, limit])
  return rows.map((row) => ({ ...row, sums: readSums(row.sums) }))
}

const UNPAID = sql<UnpaidLine>(
  'settlements.unpaid',
  `select l.line_id, l.profile_id, l.line_time as time,
     case when l.net_minor is null then l.currency else coalesce(l.settlement_currency, l.currency) end
       as currency, coalesce(l.net_minor, l.gross_minor) as amount_minor,
     l.payout_id is null and l.kind <> 'payout' and l.net_minor is distinct from 0 as is_unpaid
   from settlement_sources s cross join lateral (
     select * from settlement_lines l where l.app_id = $1 and l.line_time > s.unpaid_until
       and l.line_time <= $3
     order by l.line_time, l.line_id limit $4) l
   where s.app_id = $1 and s.profile_id = $2`,
)

export interface UnpaidLine {
  readonly lineId: number
  readonly profileId: number
  readonly time: Date
  /** What the balance has of it, where the provider reports that. */
  readonly currency: string
  readonly amountMinor: bigint
  readonly isUnpaid: boolean
}

/** Lines of the app after those that were checked, in order of time. */
export const linesToCheck = (
  tx: Queryable,
  { appId, profileId }: ProfileKey,
  until: Date,
  limit: number,
): Promise<UnpaidLine[]> => tx.query(UNPAID, [appId, profileId, until, limit])

const CHECKED = sql<never>(
  'settlements.checkedUntil',
  `update settlement_sources set unpaid_until = greatest(unpaid_until, $3)
   where app_id = $1 and profile_id = $2`,
)

export async function checkedUntil(
  tx: Queryable,
  { appId, profileId }: ProfileKey,
  until: Date,
): Promise<void> {
  await tx.query(CHECKED, [appId, profileId, until])
}
