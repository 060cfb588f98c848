-- Further webhook endpoints of an app. The first one is the address in `apps`, with its secret and header.
create sequence webhook_endpoint_ids as integer;

create table app_endpoints (
  app_id           text collate "C" not null references apps on delete cascade,
  endpoint_id      integer not null check (endpoint_id > 0),
  endpoint         text collate "C" not null check (endpoint = 'we_' || endpoint_id),
  url              text not null,
  auth_scheme      text,
  auth_parameter   bytea,                     -- sealed
  secret           bytea not null,            -- sealed
  previous_secret  bytea,                     -- sealed; signs beside the new one after a rotation
  previous_until   timestamptz,
  states           text[],                    -- null: every state
  is_paused        boolean not null default false,
  created_time     timestamptz not null,
  primary key (app_id, endpoint_id),
  unique (app_id, endpoint),
  check ((previous_secret is null) = (previous_until is null))
);

alter table apps
  add column webhook_states text[],           -- of the first endpoint; null: every state
  add column is_webhook_paused boolean not null default false;

-- 0 is the first endpoint: the address of the payment or of the app. An event has one delivery for each
-- endpoint. The added column fits into the padding of the key, so the index does not grow.
alter table deliveries
  add column endpoint_id integer not null default 0,
  drop constraint deliveries_pkey,
  add primary key (app_id, payment_id, sequence, endpoint_id);

-- The lists in the order of the queue, with the same padding.
drop index deliveries_pending, deliveries_failed;
create index deliveries_pending on deliveries (app_id, queued_time, payment_id, sequence, endpoint_id)
  where due_time is not null;
create index deliveries_failed on deliveries (app_id, queued_time, payment_id, sequence, endpoint_id)
  where status in ('exhausted', 'dropped');

alter table delivery_attempts
  add column endpoint_id integer not null default 0,
  drop constraint delivery_attempts_pkey,
  add primary key (app_id, payment_id, sequence, endpoint_id, attempt);
