-- Requests to the API, requests to providers, and visits of payment pages. All three are written in batches
-- with an asynchronous commit: a crash may lose the last half second. None has foreign keys, which would lock
-- a row of apps for each line. Jobs delete old lines in small steps.

create table api_log (
  app_id text not null,
  start_time timestamptz not null,
  line_id bigint generated always as identity,
  request_id text not null,
  method text not null,
  path text not null,
  query text,
  route text not null,
  status integer not null,
  ms integer not null check (ms >= 0),
  key_id text,
  person_id text,
  address text not null,
  idempotency_key text,
  is_replayed boolean not null,
  payment_id bigint,
  error text,
  request_body text,
  answer_body text,
  primary key (app_id, start_time, line_id)
) with (toast_tuple_target = 8160);
-- Compression of most bodies would cost more than the rest of the line.

create index api_log_request on api_log (app_id, request_id);
create index api_log_payment on api_log (app_id, payment_id, start_time) where payment_id is not null;

-- Counts of all requests, also of those that have no line because the app was over its share of the log.
create table api_log_minutes (
  app_id text not null,
  minute timestamptz not null,
  succeeded integer not null check (succeeded >= 0),
  refused integer not null check (refused >= 0),
  failed integer not null check (failed >= 0),
  left_out integer not null check (left_out >= 0),
  total_ms bigint not null check (total_ms >= 0),
  primary key (app_id, minute)
) with (fillfactor = 80);

create table provider_log (
  app_id text not null,
  start_time timestamptz not null,
  line_id bigint generated always as identity,
  profile_id bigint not null,
  payment_id bigint,
  attempt integer,
  step text not null,
  method text not null,
  url text not null,
  request_headers text not null,
  request_body text,
  outcome text not null
    check (outcome in ('reply', 'not-sent', 'timeout', 'connection-lost', 'unreadable-reply')),
  status integer,
  ms integer not null check (ms >= 0),
  response_body text,
  primary key (app_id, start_time, line_id),
  check ((outcome = 'reply') = (status is not null))
) with (toast_tuple_target = 8160);

create index provider_log_payment on provider_log (app_id, payment_id, start_time)
  where payment_id is not null;

-- The first visit of a payment, of each step and day.
create table page_visits (
  app_id text not null,
  payment_id bigint not null,
  day date not null,
  step text not null check (step in ('opened', 'chosen', 'submitted')),
  visit_time timestamptz not null,
  language text not null,
  country text check (country ~ '^[A-Z]{2}$'),
  device text not null check (device in ('mobile', 'desktop')),
  method text,
  primary key (app_id, payment_id, day, step)
);

create index page_visits_time on page_visits (app_id, visit_time);
