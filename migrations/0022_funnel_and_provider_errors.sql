-- How far the payers of payments created in one quarter of an hour came on the payment page. Apart from
-- payment_rollups: visits are removed by age, and quarters older than that keep the last count.
create table visit_rollups (
  app_id       text collate "C" not null,
  bucket_time  timestamptz not null,          -- of the payment's creation
  opened       bigint not null check (opened >= 0),
  chosen       bigint not null check (chosen >= 0),
  primary key (app_id, bucket_time)
);

insert into visit_rollups (app_id, bucket_time, opened, chosen)
select p.app_id, date_bin('15 minutes', p.created_time, 'epoch'),
  count(distinct v.payment_id) filter (where v.step = 'opened'),
  count(distinct v.payment_id) filter (where v.step = 'chosen')
from page_visits v join payments p on p.app_id = v.app_id and p.payment_id = v.payment_id
group by 1, 2;

-- The recent errors of each provider profile. 402 is the answer to a payment that is declined.
create index provider_log_errors on provider_log (app_id, profile_id, start_time)
  where outcome <> 'reply' or (status >= 400 and status <> 402);
