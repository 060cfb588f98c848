/** Disputes that the merchant recorded have no id of a provider. */
const MARKED = `'marked-' || p.payment_id`

/** Whether a dispute that a provider reported is open, of a payment `p`. */
const IS_REPORTED = `exists (
    select from json_array_elements(coalesce(p.pay_info -> 'disputes', '[]')) o
    where o ->> 'state' = 'open' and o ->> 'id' <> '')`

/**
 * Copies the disputes of the payments in `written` to the table of disputes. One that was recorded by hand
 * ends when the payment leaves Disputed, and is replaced when a provider reports one. A dispute that opens
 * again, or has another deadline, is announced again. Decision 0167.
 */
export const COPY_DISPUTES = `disputed as materialized (
    select p.app_id, p.payment_id, p.state, p.currency, p.captured_minor, p.refunded_minor, p.profile_id,
      p.state_time, p.pay_info, ${IS_REPORTED} as is_reported
    from written w join payments p on p.app_id = w.app_id and p.payment_id = w.payment_id
    where w.dispute_count > 0
  ), replaced as (
    delete from disputes m using disputed p
    where p.is_reported and m.app_id = p.app_id and m.payment_id = p.payment_id and m.dispute_id = ${MARKED}
  ), copied_disputes as (
    insert into disputes as d (app_id, payment_id, dispute_id, state, amount_minor, currency, profile_id,
      reason, due_time, url, is_refundable, opened_time, decided_time)
    select p.app_id, p.payment_id, o.id, o.state, coalesce(o."amountMinor", p.captured_minor), p.currency,
      p.profile_id, left(o.reason, 100), o."evidenceDue", o.url, coalesce(o."isRefundable", false),
      p.state_time, case when o.state = 'open' then null else p.state_time end
    from disputed p cross join lateral (
      select * from json_to_recordset(coalesce(p.pay_info -> 'disputes', '[]')) as one (id text, state text,
        "amountMinor" bigint, reason text, "evidenceDue" timestamptz, url text, "isRefundable" boolean)
      where one.id <> ''
      union all
      select ${MARKED}, case p.state when 'Disputed' then 'open' when 'Refunded' then 'lost' else 'won' end,
        p.captured_minor - p.refunded_minor, null, null, null, false
      where not p.is_reported and (p.state = 'Disputed' or exists (
        select from disputes m
        where m.app_id = p.app_id and m.payment_id = p.payment_id and m.dispute_id = ${MARKED}))
    ) o
    order by p.app_id, p.payment_id, o.id
    on conflict (app_id, payment_id, dispute_id) do update set state = excluded.state,
      amount_minor = case when excluded.state = 'open' or d.dispute_id not like 'marked-%'
        then excluded.amount_minor else d.amount_minor end,
      profile_id = excluded.profile_id, reason = excluded.reason, due_time = excluded.due_time,
      url = excluded.url, is_refundable = excluded.is_refundable,
      opened_time = case when d.state <> 'open' and excluded.state = 'open'
        then excluded.opened_time else d.opened_time end,
      decided_time = case when excluded.state = 'open' then null
        when d.state = 'open' then excluded.decided_time else d.decided_time end,
      notices = case when d.state <> 'open' and excluded.state = 'open' then 0
        when d.due_time is distinct from excluded.due_time then d.notices & 9 else d.notices end
  )`
