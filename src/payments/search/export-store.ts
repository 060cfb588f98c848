import { type Queryable, sql } from '../../db/database.ts'

/** Beside what a search finds: ids that a statement of the provider has, and the payer or the customer. */
export interface PaymentDetails {
  readonly providerPaymentId: string | null
  readonly captureId: string | null
  readonly feeMinor: bigint | null
  readonly disputedMinor: bigint
  readonly email: string | null
  readonly name: string | null
  readonly description: string | null
}

const DETAILS = sql<PaymentDetails & { readonly paymentId: number }>(
  'search.details',
  `select p.payment_id, p.handles ->> 'payment' as provider_payment_id, p.handles ->> 'capture' as capture_id,
     (i."feeMinor")::bigint as fee_minor, coalesce(s.disputed_minor, 0) as disputed_minor,
     coalesce(nullif(d.placed #>> '{customer,email}', ''), i.payer ->> 'email', nullif(c.email, '')) as email,
     coalesce(nullif(concat_ws(' ', nullif(d.placed #>> '{customer,firstName}', ''),
       nullif(d.placed #>> '{customer,lastName}', '')), ''), i.payer ->> 'fullName',
       nullif(concat_ws(' ', nullif(c.first_name, ''), nullif(c.last_name, '')), '')) as name, d.description
   from unnest($2::bigint[]) k (id) cross join lateral (
       select p.payment_id, p.customer_id, p.handles, p.pay_info, p.details from payments p
       where p.app_id = $1 and p.payment_id = k.id offset 0) p
     left join customers c on c.app_id = $1 and c.customer_id = p.customer_id
     left join payment_search s on s.app_id = $1 and s.payment_id = p.payment_id
     cross join lateral (select p.details -> 'customerOrder' as placed,
       p.details ->> 'description' as description) d
     left join lateral json_to_record(p.pay_info) as i ("feeMinor" text, payer json) on true`,
)

export async function selectDetails(
  db: Queryable,
  appId: string,
  ids: readonly number[],
): Promise<ReadonlyMap<number, PaymentDetails>> {
  const rows = await db.query(DETAILS, [appId, ids])
  return new Map(rows.map((row) => [row.paymentId, row]))
}
