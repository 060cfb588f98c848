-- Payments created in one day of UTC, by how they stand now, from the rollups of its quarters: the overview
-- of a long period reads days. A quarter has few payments for each combination of its columns, so its rows
-- are hardly fewer than its payments; a day has a row only for what a figure shows together. Decision 0176.
create table day_rollups (
  app_id             text collate "C" not null,
  -- 'money': by currency, profile and method. 'standing': by state, flow and reason. 'country': captured
  -- payments by currency and country. Other columns are '' or 0.
  part               text collate "C" not null check (part in ('money', 'standing', 'country')),
  day_time           timestamptz not null,    -- midnight
  currency           text collate "C" not null,
  profile_id         bigint not null,
  method             text collate "C" not null,
  state              text collate "C" not null,
  flow               text collate "C" not null,
  reason             text collate "C" not null,
  country            text collate "C" not null,
  outcome            text collate "C" not null,
  payments           bigint not null,
  submitted          bigint not null,
  refunded           bigint not null,
  customers_blocked  bigint not null,
  amount_minor       bigint not null,
  captured_minor     bigint not null,
  refunded_minor     bigint not null,
  fee_minor          bigint not null,
  disputed_minor     bigint not null,
  primary key (app_id, part, day_time, currency, profile_id, method, state, flow, reason, country, outcome)
);

insert into day_rollups
select app_id, 'money', date_bin('1 day', bucket_time, 'epoch'), currency, profile_id, method, '', '', '', '',
  outcome, sum(payments), sum(submitted), sum(refunded), sum(customers_blocked), sum(amount_minor),
  sum(captured_minor), sum(refunded_minor), sum(fee_minor), sum(disputed_minor)
from payment_rollups group by 1, 3, 4, 5, 6, 11
union all
select app_id, 'standing', date_bin('1 day', bucket_time, 'epoch'), '', 0, '', state, flow, reason, '',
  outcome, sum(payments), sum(submitted), sum(refunded), sum(customers_blocked), sum(amount_minor),
  sum(captured_minor), sum(refunded_minor), sum(fee_minor), sum(disputed_minor)
from payment_rollups group by 1, 3, 7, 8, 9, 11
union all
select app_id, 'country', date_bin('1 day', bucket_time, 'epoch'), currency, 0, '', '', '', '', country,
  outcome, sum(payments), 0, 0, 0, 0, sum(captured_minor), 0, 0, 0
from country_rollups where outcome = 'paid' group by 1, 3, 4, 10, 11;

-- The same columns as customers_by_time.
drop index customers_newest;
