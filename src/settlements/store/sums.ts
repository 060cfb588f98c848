import { type Queryable, sql } from '../../db/database.ts'
import type { LineKind } from '../../providers/settlement.ts'

/** Lines of a payout of one kind and currency. Currencies are never added. */
export interface KindSum {
  readonly kind: LineKind
  readonly count: number
  /** Of the charges, by their currency. */
  readonly currency: string
  readonly settlementCurrency: string | null
  readonly grossMinor: bigint
  readonly feeMinor: bigint | null
  readonly netMinor: bigint | null
  /** All of its lines have a net amount. */
  readonly hasNet: boolean
}

/** As they are stored: amounts inside of JSON are texts. */
export interface StoredSum
  extends Pick<KindSum, 'kind' | 'count' | 'currency' | 'settlementCurrency' | 'hasNet'> {
  readonly gross: string
  readonly fee: string | null
  readonly net: string | null
}

/** The lines of a payout by kind, as JSON. $1 is the app. */
export const sumsOfLines = (payoutId: string): string =>
  `(select coalesce(json_agg(json_build_object('kind', kind, 'count', count, 'currency', currency,
       'settlementCurrency', settlement_currency, 'gross', gross::text, 'fee', fee::text, 'net', net::text,
       'hasNet', has_net) order by kind, currency, settlement_currency), '[]')
     from (select kind, count(*), currency, settlement_currency, sum(gross_minor) as gross,
         sum(fee_minor) as fee, sum(net_minor) as net, bool_and(net_minor is not null) as has_net
       from settlement_lines where app_id = $1 and payout_id = ${payoutId}
       group by kind, currency, settlement_currency) s)`

const minor = (text: string | null): bigint | null => (text === null ? null : BigInt(text))

export const readSums = (stored: readonly StoredSum[]): KindSum[] =>
  stored.map(({ gross, fee, net, ...sum }) => {
    return { ...sum, grossMinor: BigInt(gross), feeMinor: minor(fee), netMinor: minor(net) }
  })

const SUMS = sql<{ sums: readonly StoredSum[] }>(
  'settlements.payoutSums',
  `select case when p.is_changed or p.sums is null then ${sumsOfLines('p.payout_id')} else p.sums end as sums
   from payouts p where p.app_id = $1 and p.payout_id = $2`,
)

/** Stored where they are current, so that a payout of a million lines is read at once. */
export async function sumsOf(db: Queryable, appId: string, payoutId: number): Promise<KindSum[]> {
  return readSums((await db.query(SUMS, [appId, payoutId]))[0]?.sums ?? [])
}
