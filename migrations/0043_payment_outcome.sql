-- How a payment stands, in one place for the figures of the overview and the lists behind them.
-- An authorisation that was not captured in time was approved, too. `outcomeOf` in
-- src/payments/search/outcome.ts tells the same.
create function payment_outcome(state text, reason text, captured_minor bigint) returns text
language sql immutable parallel safe
return case
  when captured_minor > 0 then 'paid'
  when state in ('Authorized', 'Capturing', 'ProviderAuthorizedHold', 'CapturedHold') then 'approved'
  when state = 'Failed' and reason = 'authorization_expired' then 'approved'
  when state = 'Failed' and reason = 'fraud_rejected' then 'blocked'
  when state = 'Failed' and reason in ('expired', 'cancelled') then 'ended'
  when state in ('Failed', 'Created') and reason is not null then 'declined'
  else 'open' end;

-- What open disputes may take: at most what was captured and not yet given back.
alter table payment_search add column disputed_minor bigint not null default 0;
alter table payment_rollups add column disputed_minor bigint not null default 0;

with disputed as (
  update payment_search s
  set disputed_minor = least(p.captured_minor - p.refunded_minor, (
    select coalesce(sum(coalesce((d ->> 'amountMinor')::bigint, p.captured_minor)), 0)
    from json_array_elements(p.pay_info -> 'disputes') d where d ->> 'state' = 'open'))
  from payments p
  where s.state = 'Disputed' and p.app_id = s.app_id and p.payment_id = s.payment_id
    and p.pay_info -> 'disputes' is not null
  returning s.app_id, s.created_time
)
insert into rollup_queue (app_id, bucket_time, due_time)
select distinct app_id, date_bin('15 minutes', created_time, 'epoch'), now() from disputed
on conflict do nothing;
