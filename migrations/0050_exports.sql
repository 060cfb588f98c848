-- Files of rows for spreadsheets, made in the background, and their schedules. Decision 0169.

create table exports (
  app_id text not null references apps,
  export_id text not null,
  kind text not null,
  -- Columns, period, filter and format: what is needed to go on after a crash.
  spec json not null,
  -- Who asked for it: kind, id and name of an actor.
  requested_by json not null,
  -- Of a schedule: one export for each of its periods.
  schedule_id text,
  period_start timestamptz,
  state text not null check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  -- Why it failed.
  problem text,
  created_time timestamptz not null,
  ended_time timestamptz,
  row_count bigint not null default 0,
  part_count integer not null default 0,
  -- Of the file, and of its compressed parts.
  file_bytes bigint not null default 0,
  stored_bytes bigint not null default 0,
  -- The last row that is in a part. Null: none is.
  place json,
  tries integer not null default 0,
  due_time timestamptz,
  lease_token text,
  primary key (app_id, export_id),
  unique (app_id, schedule_id, period_start),
  check ((schedule_id is null) = (period_start is null)),
  check ((due_time is not null) = (state in ('waiting', 'running'))),
  check ((ended_time is null) = (state in ('waiting', 'running')))
);
create index exports_due on exports (due_time) where due_time is not null;
create index exports_ended on exports (ended_time) where ended_time is not null;

-- The file in parts, each compressed. A part is written together with the place after it.
create table export_parts (
  app_id text not null,
  export_id text not null,
  part integer not null,
  content bytea not null,
  primary key (app_id, export_id, part),
  foreign key (app_id, export_id) references exports on delete cascade
);
alter table export_parts alter column content set storage external;

create table export_schedules (
  app_id text not null references apps,
  schedule_id text not null,
  kind text not null,
  every text not null check (every in ('day', 'week', 'month')),
  -- Columns, filter and format.
  spec json not null,
  -- Members who get an e-mail.
  recipients text[] not null,
  is_paused boolean not null default false,
  created_by json not null,
  created_time timestamptz not null,
  -- When the current period ends, in the app's time. It is exported then.
  next_time timestamptz not null,
  primary key (app_id, schedule_id)
);
create index export_schedules_due on export_schedules (next_time) where not is_paused;

-- What a person chose last for each kind.
create table export_choices (
  app_id text not null references apps,
  person_id text not null references people on delete cascade,
  kind text not null,
  choice json not null,
  primary key (app_id, person_id, kind)
);

create index refunds_by_time on refunds (app_id, created_time, payment_id, refund_id);
create index customers_by_time on customers (app_id, created_time, customer_id);
create index disputes_by_time on disputes (app_id, opened_time, payment_id, dispute_id);
