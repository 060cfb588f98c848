-- Webhooks: one delivery for each event that has somewhere to go, and every try of it. As elsewhere *_time is
-- the app's own time, due_time real time.

create table deliveries (
  app_id       text collate "C" not null,
  payment_id   bigint not null,
  sequence     integer not null,
  url          text,                          -- the payment's own address; null: the app's, when it is sent
  endpoint     text collate "C" not null,     -- '' is the app's address; else the payment's, without query
  status       text not null
                 check (status in ('ready', 'waiting', 'sending', 'delivered', 'exhausted', 'dropped')),
  tries        integer not null default 0,    -- since it was queued
  attempts     integer not null default 0,    -- ever
  queued_time  timestamptz not null,
  due_time     timestamptz,                   -- ready since, waiting until, or the end of the sender's lease
  lease_token  text,
  primary key (app_id, payment_id, sequence),
  check ((status in ('ready', 'waiting', 'sending')) = (due_time is not null)),
  check ((status = 'sending') = (lease_token is not null))
) with (fillfactor = 80);
-- Each statement must find only one of these fitting, whatever the planner knows of the table: it is empty
-- one minute and full the next. Hence their conditions, of which none implies another.
create index deliveries_queue on deliveries (app_id, endpoint, status, due_time, payment_id, sequence)
  where status in ('ready', 'sending');
create index deliveries_due on deliveries (due_time) where status = 'waiting';
create index deliveries_pending on deliveries (app_id, queued_time, payment_id, sequence)
  where due_time is not null;
create index deliveries_failed on deliveries (app_id, queued_time, payment_id, sequence)
  where status in ('exhausted', 'dropped');

create table delivery_attempts (
  app_id       text collate "C" not null,
  payment_id   bigint not null,
  sequence     integer not null,
  attempt      integer not null,
  start_time   timestamptz not null,
  latency_ms   integer not null,
  http_status  integer,
  error        text,                          -- null: a 2xx answer
  response     text,                          -- the first 4 KiB of the answer
  next_time    timestamptz,
  primary key (app_id, payment_id, sequence, attempt)
);

-- Endpoints in trouble; one that answers well has no row. A row of the app's address speaks of `url` only:
-- another address starts afresh.
create table webhook_endpoints (
  app_id         text collate "C" not null,
  endpoint       text collate "C" not null,
  url            text not null,
  failures       integer not null,            -- in a row
  pauses         integer not null,            -- in a row
  allowed        integer not null check (allowed > 0),   -- in flight at once
  failing_time   timestamptz not null,        -- since when
  due_time       timestamptz,                 -- until then nothing is sent
  disabled_time  timestamptz,
  last_error     text not null,
  primary key (app_id, endpoint)
);

-- The newest events of an app; the oldest, for their removal.
create index events_by_time on events (app_id, created_time, payment_id, sequence);
-- A test event belongs to no payment and tells of no state.
alter table events alter column state drop not null;

alter table apps
  add column webhook_previous_secret bytea,   -- sealed; signs beside the new one after a rotation
  add column webhook_previous_until  timestamptz,
  add check ((webhook_previous_secret is null) = (webhook_previous_until is null));
