-- What lists and figures read. All of it is derived from payments and can be built again; it is written after
-- the payment's own statements, so that `payments` keeps its few indexes and its HOT updates.

-- One row for each payment. Each index serves one filter in the order of lists: newest first.
create table payment_search (
  app_id          text collate "C" not null,
  payment_id      bigint not null,
  version         integer not null,           -- of the payment; an older one never replaces a newer one
  state           text collate "C" not null,
  flow            text collate "C" not null,
  currency        text collate "C" not null,
  amount          numeric not null,           -- in major units, so that amounts compare across currencies
  amount_minor    bigint not null,
  captured_minor  bigint not null,
  refunded_minor  bigint not null,
  fee_minor       bigint not null,
  profile_id      bigint,
  method          text collate "C",
  brand           text collate "C",
  last4           text collate "C",
  customer_id     text collate "C" not null,
  reference_id    text collate "C" not null,
  order_id        text collate "C",
  country         text collate "C",
  fraud_status    text collate "C" not null,
  decision        text collate "C",           -- of the last fraud verdict
  policy_id       bigint,                     -- that judged it, else the one it was created with
  reason          text collate "C",           -- of the failure or of the last decline
  attempt         integer not null,
  created_time    timestamptz not null,
  primary key (app_id, payment_id)
) with (fillfactor = 80);
create index payment_search_by_time on payment_search (app_id, created_time, payment_id);
create index payment_search_by_state on payment_search (app_id, state, created_time, payment_id);
create index payment_search_by_currency on payment_search (app_id, currency, created_time, payment_id);
create index payment_search_by_customer on payment_search (app_id, customer_id, created_time, payment_id);
create index payment_search_by_amount on payment_search (app_id, amount, payment_id);
create index payment_search_by_profile on payment_search (app_id, profile_id, created_time, payment_id)
  where profile_id is not null;
create index payment_search_by_last4 on payment_search (app_id, last4, created_time, payment_id)
  where last4 is not null;
create index payment_search_by_policy on payment_search (app_id, policy_id, created_time, payment_id)
  where policy_id is not null;
create index payment_search_by_reason on payment_search (app_id, reason, created_time, payment_id)
  where reason is not null;
create index payment_search_by_order on payment_search (app_id, order_id, created_time, payment_id)
  where order_id is not null;

-- How far each app's events were compared with payment_search, and how far its old payments were copied.
create table payment_search_progress (
  app_id         text collate "C" primary key references apps,
  event_time     timestamptz not null,        -- events up to here were compared
  backfill_below bigint,                      -- payments below are still to be copied; null: none
  due_time       timestamptz not null
);
create index payment_search_progress_due on payment_search_progress (due_time);

-- Payments created in one quarter of an hour, by how they stand now.
create table payment_rollups (
  app_id             text collate "C" not null,
  bucket_time        timestamptz not null,    -- of creation
  currency           text collate "C" not null,
  profile_id         bigint not null,         -- 0: none yet
  method             text collate "C" not null,   -- '': none yet
  flow               text collate "C" not null,
  state              text collate "C" not null,
  outcome            text collate "C" not null
                       check (outcome in ('paid', 'approved', 'declined', 'blocked', 'ended', 'open')),
  reason             text collate "C" not null,   -- '': none
  payments           bigint not null,
  submitted          bigint not null,         -- an attempt to pay was made
  refunded           bigint not null,         -- in whole or in part
  customers_blocked  bigint not null,
  amount_minor       bigint not null,
  captured_minor     bigint not null,
  refunded_minor     bigint not null,
  fee_minor          bigint not null,
  primary key (app_id, bucket_time, currency, profile_id, method, flow, state, outcome, reason)
);

-- Answers of providers in the same quarters, by how long they took: bin n is below 10 ms * 1.25 ^ n.
create table latency_rollups (
  app_id       text collate "C" not null,
  bucket_time  timestamptz not null,
  profile_id   bigint not null,
  bin          integer not null,
  calls        bigint not null,
  primary key (app_id, bucket_time, profile_id, bin)
);

-- Quarters to be counted again, because a payment created in them has changed.
create table rollup_queue (
  app_id       text collate "C" not null,
  bucket_time  timestamptz not null,
  due_time     timestamptz not null,
  primary key (app_id, bucket_time)
);
create index rollup_queue_due on rollup_queue (due_time);
