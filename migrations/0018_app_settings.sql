-- Settings of an app that the console edits, and what the erasure of personal data needs.

alter table apps
  add column max_refunds_daily        integer check (max_refunds_daily between 0 and 1000000),
  add column refund_emails            text[] not null default '{}',
  add column time_zone                text not null default 'UTC',   -- IANA; decides when a day begins
  add column checkout_host            text collate "C",              -- lower case, without port
  add column two_factor_required      boolean not null default false,
  add column require_otp_for_api_keys boolean not null default false,
  add column personal_data_days       integer check (personal_data_days between 30 and 3650),
  add column is_signing_enabled       boolean not null default true;
create unique index apps_checkout_host on apps (checkout_host) where checkout_host is not null;

-- The person who made the key in the console; null: made with another key, or by the installation.
alter table api_keys add column created_by text collate "C";

-- Fees of the merchant's contract with the provider, for previews.
alter table payment_profiles
  add column fees json;

-- Refunds of the current day, for apps that limit them. One row for each app: a new day overwrites the last.
create table refund_counts (
  app_id   text collate "C" primary key references apps,
  day      date not null,
  refunds  integer not null check (refunds >= 0)
) with (fillfactor = 50);

-- What happened to a customer beside payments. A job removes old rows. Decisions of fraud policies are not
-- copied here: lists read those that stopped a payment from fraud_verdicts.
create table customer_activity (
  app_id         text collate "C" not null,
  activity_id    bigint generated always as identity,
  customer_id    text collate "C" not null,
  activity_time  timestamptz not null,
  type           text not null,
  data           json,
  actor          json,                        -- kind, id and name; null: the service itself
  primary key (app_id, activity_id)
);
create index customer_activity_of_app on customer_activity (app_id, activity_time);
create index customer_activity_of_customer on customer_activity (app_id, customer_id, activity_time);
create index customer_activity_old on customer_activity (activity_time);
create index fraud_verdicts_stopped on fraud_verdicts (app_id, verdict_time) where decision <> 'Accept';

-- The personal fields were overwritten then. A later payment may have brought new ones.
alter table customers add column erased_time timestamptz;

-- The token was handed over to method_removals, and this column holds nothing any more.
alter table payment_method_tokens add column is_forgotten boolean;

-- Tokens that a provider has not forgotten yet. The row is removed when it has.
create table method_removals (
  app_id        text collate "C" not null,
  token_id      bigint not null,
  profile_id    bigint not null,
  token         bytea not null,               -- sealed
  tries         integer not null default 0,
  created_time  timestamptz not null,
  due_time      timestamptz not null,
  primary key (app_id, token_id)
);
create index method_removals_due on method_removals (due_time);

-- Erasures that a job completes: payments that were moving, and what was written at the same time.
create table erasures (
  app_id        text collate "C" not null,
  customer_id   text collate "C" not null,
  erased_time   timestamptz not null,         -- payments created until then are erased
  due_time      timestamptz not null,
  primary key (app_id, customer_id)
);
create index erasures_due on erasures (due_time);

-- How far the retention job of an app has walked through its customers.
create table retention_walks (
  app_id             text collate "C" primary key references apps,
  after_customer_id  text collate "C" not null default '',
  due_time           timestamptz not null
);
create index retention_walks_due on retention_walks (due_time);
