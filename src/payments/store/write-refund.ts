import { type BatchStatement, batchSql } from '../../db/database.ts'
import type { Payment } from '../payment.ts'
import { type ExtraSql, NO_EXTRA_SQL } from './write-fraud.ts'

/**
 * The change statement for refunds of apps that limit them: it counts the refund in the row of the app's day,
 * or writes nothing. The payment is locked first, so that only a refund that is written is counted. The limit
 * is read from the app's row, not from a cache. A node whose clock is still in yesterday counts for today.
 */
const GATE = `
  held as (
    select i.n, i.app_id, i.refund_day from input i
      join payments p on p.app_id = i.app_id and p.payment_id = i.payment_id
    where p.version = i.was_version and i.n not in (select n from refused)
    for update of p
  ), counted as (
    insert into refund_counts as c (app_id, day, refunds)
    select h.app_id, h.refund_day, 1 from held h join apps a on a.app_id = h.app_id
    where a.max_refunds_daily is distinct from 0
    order by h.app_id
    on conflict (app_id) do update set
      refunds = case when excluded.day > c.day then 1 else c.refunds + 1 end,
      day = greatest(c.day, excluded.day)
    where excluded.day > c.day or c.refunds <
      coalesce((select a.max_refunds_daily from apps a where a.app_id = excluded.app_id), 2147483647)
    returning app_id
  ), `

export const REFUND_SQL: ExtraSql = {
  ...NO_EXTRA_SQL,
  typed: ', refund_day date',
  gate: GATE,
  passes: 'and i.app_id in (select app_id from counted)',
  results: `
  union all select h.n, 'limited', false, false from held h
    where h.app_id not in (select app_id from counted)`,
}

/** Inputs of one app never share a batch: each changes the app's row. */
export const withRefundCount = <Input extends { readonly payment: Payment }, Row>(
  plain: BatchStatement<Input, Row>,
  text: string,
): BatchStatement<Input, Row> =>
  batchSql({ ...plain, name: `${plain.name}Counted`, key: ({ payment }) => payment.appId, text })
